import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CalendarEvent } from '../../calendar/events/lists/feed.ts';
import { addDays, type LocalTime } from '../../lib/dates/dates.ts';
import { translate } from '../../lib/i18n.ts';
import type { AttendeeView } from '../../ticketing/tickets/attendee-schema.ts';
import type { Event } from '../frame/responses.ts';
import {
  type CancelledMark,
  type FeedDescription,
  type FeedEvent,
  feedEvent,
  isMarkedInTitle,
  locationOf,
  plainDescription,
  statusNotice,
  titleOf,
} from './feed-event.ts';
import {
  type Component,
  type IcalWriter,
  icalWriter,
  LINE_END,
  type Property,
  parameterValue,
  textValue,
} from './ical-writer.ts';
import { timeZone, writableZone } from './time-zones.ts';

/** Calendars in the format iCalendar (RFC 5545, RFC 7986). Equal data give equal bytes: nothing tells the present time. */

interface IcalFeed extends FeedDescription {
  /** In the order of the list. */
  events: Iterable<CalendarEvent> | AsyncIterable<CalendarEvent>;
  calendarId: string;
  /** How many events match, if the feed has only the first of them. */
  total?: number;
  /** How many events the feed has. */
  count?: number;
  /** False for programs that make a new calendar of every file with a name. */
  isNamed?: boolean;
}

/** A calendar of events. Other requests are handled while a long one is written. */
export async function icalFeed({ events, calendarId, cancelled = 'status', ...feed }: IcalFeed): Promise<string> {
  const options = { cancelled, language: feed.language };
  return writeCalendar(feedProperties(feed), async function* (zones) {
    for await (const event of events) yield eventComponent(entryOf(event, calendarId), options, zones);
  });
}

interface IcalEvent {
  event: CalendarEvent;
  /** The name of the calendar in the `UID` of its events, which stays with the site. */
  calendarId: string;
  language: string;
  cancelled?: CancelledMark;
}

/** A calendar of one event, to be added to that of the visitor. */
export async function icalEvent({ event, calendarId, language, cancelled = 'status' }: IcalEvent): Promise<string> {
  const entry = entryOf(event, calendarId);
  return writeCalendar([], (zones) => [eventComponent(entry, { cancelled, language }, zones)]);
}

interface IcalTicket extends Omit<IcalEvent, 'event'> {
  /** Its sequence number may be left out: a ticket is added once, not subscribed to. */
  event: Event & Partial<CalendarEvent>;
  attendee: Pick<AttendeeView, 'id' | 'title' | 'modified_utc'> & { ticket: Pick<AttendeeView['ticket'], 'title'> };
  /** Address of the page of the ticket. */
  url: string;
}

/** A calendar with the event of a ticket, for its holder: with the ticket, the name, and the page with the code. */
export async function icalTicket(asked: IcalTicket): Promise<string> {
  const { event, attendee, calendarId, url, language, cancelled = 'status' } = asked;
  const shown = entryOf({ ical_sequence: 0, ...event }, calendarId);
  const { ticket, title: name = '', modified_utc } = attendee;
  const words = [ticket.title, name].filter((text) => text !== '').join(' – ');
  const entry: Entry = {
    ...shown,
    uid: uidOf(attendee.id, calendarId),
    modified: modified_utc > shown.modified ? modified_utc : shown.modified,
    url,
  };
  const options = { cancelled, language, notes: [words, shown.url] };
  return writeCalendar([], (zones) => [eventComponent(entry, options, zones)]);
}

interface SaleStart {
  /** Of the ticket. */
  id: number;
  title: string;
  /** UTC. */
  start: LocalTime;
  /** UTC; when the ticket was changed last. */
  modified: LocalTime;
  /** Address of the page of the event. */
  url: string;
  calendarId: string;
}

/** A calendar with the beginning of a sale, which takes no time and reminds of itself. */
export const icalSaleStart = async ({ id, title, start, modified, url, calendarId }: SaleStart): Promise<string> => {
  const text = textValue(title);
  const properties: Property[] = [
    ['uid', {}, 'text', `sale-${uidOf(id, calendarId)}`],
    ['dtstamp', {}, 'date-time', utcValue(modified)],
    ['dtstart', {}, 'date-time', utcValue(start)],
    ['summary', {}, 'text', text],
    ['description', {}, 'text', url],
    ['url', {}, 'uri', url],
    TRANSPARENT,
  ];
  const alarm: Property[] = [
    ['action', {}, 'text', 'DISPLAY'],
    ['description', {}, 'text', text],
    ['trigger', {}, 'duration', REMIND_BEFORE],
  ];
  return writeCalendar([], () => [['vevent', properties, [['valarm', alarm, []]]]]);
};

/** How long before a sale its reminder is shown. */
const REMIND_BEFORE = '-PT10M';

/** An event of a calendar. */
interface Entry extends FeedEvent {
  /** The same for ever, whatever the time of the event and the host of the site. */
  uid: string;
  /** Grows when time, place or status change. */
  sequence: number;
}

const entryOf = (event: CalendarEvent, calendarId: string): Entry => ({
  ...feedEvent(event),
  uid: uidOf(event.id, calendarId),
  sequence: event.ical_sequence,
});

const uidOf = (id: number, calendarId: string): string => `${id}@${calendarId}`;

/** The local times of the events by zone: the years for which each needs its rules. */
type ZoneYears = Map<string, Set<number>>;

type MakeEntries = (zones: ZoneYears) => Iterable<Component> | AsyncIterable<Component>;

/** Entries that are written at a stretch. */
const CHUNK = 50;

async function writeCalendar(properties: readonly Property[], makeEntries: MakeEntries): Promise<string> {
  const writer = await icalWriter();
  const zones: ZoneYears = new Map();
  const entries: string[] = [];
  for await (const entry of makeEntries(zones)) {
    entries.push(writer.component(entry));
    if (entries.length % CHUNK === 0) await nextTurn();
  }
  return joined(writer, { properties: [...COMMON, ...properties], zones, entries });
}

interface Parts {
  properties: readonly Property[];
  zones: ZoneYears;
  entries: readonly string[];
}

function joined(writer: IcalWriter, { properties, zones, entries }: Parts): string {
  const sorted = [...zones].sort(([one], [other]) => (one < other ? -1 : 1));
  const lines = [
    'BEGIN:VCALENDAR',
    ...properties.map(writer.property),
    ...sorted.map(([id, years]) => writer.component(timeZone(id, years))),
    ...entries,
    'END:VCALENDAR',
  ];
  return lines.map((line) => line + LINE_END).join('');
}

const COMMON: readonly Property[] = [
  ['version', {}, 'text', '2.0'],
  ['prodid', {}, 'text', '-//Marquee//Marquee//EN'],
  ['calscale', {}, 'text', 'GREGORIAN'],
  ['method', {}, 'text', 'PUBLISH'],
];

/** How often programs are asked to look for changes. */
const REFRESH = 'PT1H';

type Head = Omit<IcalFeed, 'events' | 'calendarId' | 'cancelled'>;

function feedProperties({ title, url, feedUrl, language, total, count, isNamed = true }: Head): Property[] {
  const name = textValue(title);
  const isCut = total !== undefined && count !== undefined && count < total;
  const about = textValue(isCut ? translate(language, 'feed.truncated', { shown: count, total }) : '');
  return [
    ...(isNamed ? named(name) : []),
    ...(about === ''
      ? []
      : ([
          ['description', {}, 'text', about],
          ['x-wr-caldesc', {}, 'text', about],
        ] as Property[])),
    ['url', {}, 'uri', url],
    ['source', {}, 'uri', feedUrl],
    ['refresh-interval', {}, 'duration', REFRESH],
    ['x-published-ttl', {}, 'duration', REFRESH],
  ];
}

const named = (name: string): Property[] => [
  ['name', {}, 'text', name],
  ['x-wr-calname', {}, 'text', name],
];

interface EntryOptions {
  cancelled: CancelledMark;
  language: string;
  /** Lines before the description. */
  notes?: readonly string[];
}

function eventComponent(event: Entry, { cancelled, language, notes = [] }: EntryOptions, zones: ZoneYears): Component {
  const texts = [statusNotice(event, language), ...notes, plainDescription(event), event.url];
  const description = texts.filter((text) => text !== '');
  const properties: Property[] = [
    ['uid', {}, 'text', event.uid],
    ['dtstamp', {}, 'date-time', utcValue(event.modified)],
    ['created', {}, 'date-time', utcValue(event.published)],
    ['last-modified', {}, 'date-time', utcValue(event.modified)],
    ['sequence', {}, 'integer', event.sequence],
    ['status', {}, 'text', isMarkedInTitle(event, cancelled) ? 'CONFIRMED' : event.status],
    ...timesOf(event, zones),
    // Visitors are not busy all day.
    ...(event.isAllDay ? [TRANSPARENT] : []),
    ['summary', {}, 'text', textValue(titleOf(event, { cancelled, language }))],
    ['description', {}, 'text', textValue(description.join('\n\n'))],
    ...placeOf(event),
    ...keywordsOf(event),
    ...organizerOf(event),
    ['url', {}, 'uri', event.url],
    ...imageOf(event),
  ];
  return ['vevent', properties, []];
}

const TRANSPARENT: Property = ['transp', {}, 'text', 'TRANSPARENT'];

const utcValue = (utc: LocalTime): string => `${utc.replace(' ', 'T')}Z`;

/** An event without an end has no length: the end has to be later than the start. */
function timesOf(event: FeedEvent, zones: ZoneYears): Property[] {
  const { start, end, isAllDay } = event;
  if (isAllDay) {
    const first = start.local.slice(0, 10);
    const after = addDays(end.local, 1).slice(0, 10);
    const dates: Property[] = [['dtstart', {}, 'date', first]];
    return after > first ? [...dates, ['dtend', {}, 'date', after]] : dates;
  }
  const times = [timeOf('dtstart', event, zones)];
  return end.utc > start.utc ? [...times, timeOf('dtend', event, zones)] : times;
}

function timeOf(name: 'dtstart' | 'dtend', event: FeedEvent, zones: ZoneYears): Property {
  const { local, utc } = name === 'dtstart' ? event.start : event.end;
  const id = writableZone(local, event.timezone, utc);
  if (id === undefined) return [name, {}, 'date-time', utcValue(utc)];
  const years = zones.get(id) ?? new Set();
  zones.set(id, years.add(Number(local.slice(0, 4))));
  return [name, { tzid: id }, 'date-time', local.replace(' ', 'T')];
}

function placeOf(event: FeedEvent): Property[] {
  const location = locationOf(event);
  const [place] = event.places;
  const at: Property[] = location === '' ? [] : [['location', {}, 'text', textValue(location)]];
  return place?.position ? [...at, ['geo', {}, 'float', place.position.map(decimal)]] : at;
}

/** Six decimals are a tenth of a metre, and never written with an exponent. */
const decimal = (degrees: number): number => Number(degrees.toFixed(6));

const keywordsOf = ({ keywords }: FeedEvent): Property[] =>
  keywords.length === 0 ? [] : [['categories', {}, 'text', ...keywords.map(textValue)]];

/** Of an address of an e-mail: neither a space nor anything that ends it. */
const EMAIL = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/;

/** The first organizer, by e-mail address or by page. */
function organizerOf({ organizers: [first] }: FeedEvent): Property[] {
  if (!first) return [];
  const address = EMAIL.test(first.email) ? `mailto:${encodeURI(first.email)}` : first.url;
  return [['organizer', { cn: parameterValue(first.name) }, 'cal-address', address]];
}

function imageOf({ image }: FeedEvent): Property[] {
  if (!image) return [];
  return [
    ['attach', { fmttype: image.type }, 'uri', image.url],
    ['image', { display: 'BADGE', fmttype: image.type }, 'uri', image.url],
  ];
}
