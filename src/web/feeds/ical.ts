import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CalendarEvent } from '../../calendar/events/lists/feed.ts';
import { addDays, type LocalTime } from '../../lib/dates/dates.ts';
import { translate } from '../../lib/i18n.ts';
import { byKey } from '../../lib/text/list.ts';
import type { AttendeeView } from '../../ticketing/tickets/attendee-schema.ts';
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

/**
 * Calendars in the format iCalendar (RFC 5545, RFC 7986). Equal data give equal bytes: the current time is not
 * included.
 */

interface IcalFeed extends FeedDescription {
  /** In the order of the list. */
  events: Iterable<CalendarEvent> | AsyncIterable<CalendarEvent>;
  calendarId: string;
  /** Number of matching events, if the feed is truncated. */
  total?: number;
  /** Number of events in the feed. */
  count?: number;
  /** False for programs that create a new calendar for every file with a name. */
  isNamed?: boolean;
}

/** Calendar of events. Other requests are handled while a long one is written. */
export async function icalFeed({ events, calendarId, cancelled = 'status', ...feed }: IcalFeed): Promise<string> {
  const options = { cancelled, language: feed.language };
  return writeCalendar(feedProperties(feed), async function* (zones) {
    for await (const event of events) yield eventComponent(entryOf(event, calendarId), options, zones);
  });
}

interface IcalEvent {
  event: CalendarEvent;
  /** Calendar part of the `UID` of its events; it never changes. */
  calendarId: string;
  language: string;
  cancelled?: CancelledMark;
}

/** Calendar with one event, for the visitor to import. */
export async function icalEvent({ event, calendarId, language, cancelled = 'status' }: IcalEvent): Promise<string> {
  const entry = entryOf(event, calendarId);
  return writeCalendar([], (zones) => [eventComponent(entry, { cancelled, language }, zones)]);
}

interface IcalTicket extends Omit<IcalEvent, 'event'> {
  /** Events that the ticket admits to, with the addresses of their entries. */
  events: readonly { event: CalendarEvent; url: string }[];
  attendee: Pick<AttendeeView, 'id' | 'title' | 'modified_utc'> & { ticket: Pick<AttendeeView['ticket'], 'title'> };
}

/**
 * Calendar with the events of a ticket, for its holder: ticket, name, and a link. Entries have the `UID` of their event, so
 * that several tickets are one entry.
 */
export async function icalTicket(asked: IcalTicket): Promise<string> {
  const { events, attendee, calendarId, language, cancelled = 'status' } = asked;
  const { ticket, title: name = '', modified_utc } = attendee;
  const words = [ticket.title, name].filter((text) => text !== '').join(' – ');
  return writeCalendar([], (zones) =>
    events.map(({ event, url }) => {
      const shown = entryOf(event, calendarId);
      const modified = modified_utc > shown.modified ? modified_utc : shown.modified;
      const options = { cancelled, language, notes: url === shown.url ? [words] : [words, shown.url] };
      return eventComponent({ ...shown, modified, url }, options, zones);
    }),
  );
}

interface SaleStart {
  /** Id of the ticket. */
  id: number;
  title: string;
  /** Start in UTC. */
  start: LocalTime;
  /** Last change of the ticket, in UTC. */
  modified: LocalTime;
  /** Address of the event's page. */
  url: string;
  calendarId: string;
}

/** Calendar with the start of a sale, as an entry without duration and with a reminder. */
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

/** Time between the reminder and the sale. */
const REMIND_BEFORE = '-PT10M';

/** Event of a calendar. */
interface Entry extends FeedEvent {
  /** Independent of the event's time and the site's host. */
  uid: string;
  /** Increases with each change of time, venue or status. */
  sequence: number;
}

const entryOf = (event: CalendarEvent, calendarId: string): Entry => ({
  ...feedEvent(event),
  uid: uidOf(event.id, calendarId),
  sequence: event.ical_sequence,
});

const uidOf = (id: number, calendarId: string): string => `${id}@${calendarId}`;

/** Years for which each time zone needs rules. */
type ZoneYears = Map<string, Set<number>>;

type MakeEntries = (zones: ZoneYears) => Iterable<Component> | AsyncIterable<Component>;

/** Number of entries written without a pause. */
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
  const sorted = [...zones].sort(byKey);
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

/** Suggested refresh interval for calendar programs. */
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
  const texts = [statusNotice(event, language), ...notes, event.onlineUrl ?? '', plainDescription(event), event.url];
  const description = texts.filter((text) => text !== '');
  const properties: Property[] = [
    ['uid', {}, 'text', event.uid],
    ['dtstamp', {}, 'date-time', utcValue(event.modified)],
    ['created', {}, 'date-time', utcValue(event.published)],
    ['last-modified', {}, 'date-time', utcValue(event.modified)],
    ['sequence', {}, 'integer', event.sequence],
    ['status', {}, 'text', isMarkedInTitle(event, cancelled) ? 'CONFIRMED' : event.status],
    ...timesOf(event, zones),
    // All-day events do not block the visitor's time.
    ...(event.isAllDay ? [TRANSPARENT] : []),
    ['summary', {}, 'text', textValue(titleOf(event, { cancelled, language }))],
    ['description', {}, 'text', textValue(description.join('\n\n'))],
    ...placeOf(event, language),
    ...conferenceOf(event),
    ...keywordsOf(event),
    ...organizerOf(event),
    ['url', {}, 'uri', event.url],
    ...imageOf(event),
  ];
  return ['vevent', properties, []];
}

const TRANSPARENT: Property = ['transp', {}, 'text', 'TRANSPARENT'];

const utcValue = (utc: LocalTime): string => `${utc.replace(' ', 'T')}Z`;

/** Omits the end of an event without duration, since an end must be later than the start. */
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

function placeOf(event: FeedEvent, language: string): Property[] {
  const location = locationOf(event, language);
  const [place] = event.places;
  const at: Property[] = location === '' ? [] : [['location', {}, 'text', textValue(location)]];
  return place?.position ? [...at, ['geo', {}, 'float', place.position.map(decimal)]] : at;
}

/** Address for attending online (RFC 7986, 5.11). */
const conferenceOf = ({ onlineUrl }: FeedEvent): Property[] =>
  onlineUrl && /^https?:\/\/\S+$/i.test(onlineUrl) ? [['conference', { feature: 'VIDEO' }, 'uri', onlineUrl]] : [];

/** Six decimals are a tenth of a metre; the number is never written with an exponent. */
const decimal = (degrees: number): number => Number(degrees.toFixed(6));

const keywordsOf = ({ keywords }: FeedEvent): Property[] =>
  keywords.length === 0 ? [] : [['categories', {}, 'text', ...keywords.map(textValue)]];

/** E-mail address without characters that could end the property. */
const EMAIL = /^[^\s@<>"(),:;[\]\\]+@[^\s@<>"(),:;[\]\\]+$/;

/** First organizer, by e-mail address or page. */
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
