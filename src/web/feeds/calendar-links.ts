import { encodeQuery } from '../../http/core/urls.ts';
import { addDays, isoWithOffset, type LocalTime } from '../../lib/dates/dates.ts';
import type { Event } from '../frame/responses.ts';
import { type FeedEvent, feedEvent, locationOf, plainDescription } from './feed-event.ts';
import { writableZone } from './time-zones.ts';

/** Links that add events to the visitor's calendar. The addresses of other services are defined by them. */

const GOOGLE = 'https://calendar.google.com/calendar/render';
const OUTLOOK = { outlook: 'https://outlook.live.com', office365: 'https://outlook.office.com' } as const;
const COMPOSE = '/calendar/action/compose';

export interface CalendarLinks {
  /** Subscribes the calendar program of the device. */
  webcal: string;
  google: string;
  /** outlook.com */
  outlook: string;
  /** Microsoft 365 */
  office365: string;
}

/** `webcal://host/path` of an http or https address, to which calendar programs subscribe. */
export const webcalAddress = (address: string): string => address.replace(/^https?:/, 'webcal:');

/** Links that subscribe to the iCalendar feed at an absolute address. */
export function subscribeLinks({ address, name }: { address: string; name: string }): CalendarLinks {
  const webcal = webcalAddress(address);
  const subscribe = (service: string) =>
    `${service}/owa?${encodeQuery({ path: COMPOSE, rru: 'addsubscription', url: webcal, name })}`;
  return {
    webcal,
    // Google accepts feeds with this scheme only.
    google: `${GOOGLE}?${encodeQuery({ cid: webcal })}`,
    outlook: subscribe(OUTLOOK.outlook),
    office365: subscribe(OUTLOOK.office365),
  };
}

/** Maximum characters of a description in a link: services refuse addresses of several thousand characters. */
const MAX_DETAILS = 500;

/**
 * Links that add one event to a calendar.
 * @param event as in lists of the interface
 * @param language of words beside the texts of the event
 */
export function calendarLinks(event: Event, language: string): Omit<CalendarLinks, 'webcal'> {
  const shown = feedEvent(event);
  const location = locationOf(shown, language);
  const details = [shown.onlineUrl ?? '', plainDescription(shown, MAX_DETAILS), shown.url]
    .filter((text) => text !== '')
    .join('\n\n');
  const fields = {
    path: COMPOSE,
    rru: 'addevent',
    subject: shown.title,
    ...outlookTimes(shown),
    location,
    body: details,
  };
  const compose = (service: string) => `${service}/calendar/deeplink/compose?${encodeQuery(fields)}`;
  return {
    google: `${GOOGLE}?${encodeQuery({ action: 'TEMPLATE', text: shown.title, ...googleTimes(shown), details, location })}`,
    outlook: compose(OUTLOOK.outlook),
    office365: compose(OUTLOOK.office365),
  };
}

/** First day, and the day after the last one. */
const daysOf = ({ start, end }: FeedEvent): [LocalTime, LocalTime] => [
  start.local.slice(0, 10),
  addDays(end.local, 1).slice(0, 10),
];

const compact = (time: LocalTime): string => time.replaceAll(/[-:]/g, '').replace(' ', 'T');

/** Local times with their zone, or UTC if these would be ambiguous. */
function googleTimes(event: FeedEvent): { dates: string; ctz?: string } {
  const { start, end, timezone } = event;
  if (event.isAllDay) return { dates: daysOf(event).map(compact).join('/') };
  const zones = [start, end].map(({ local, utc }) => writableZone(local, timezone, utc));
  const [ctz] = zones;
  if (ctz !== undefined && zones[1] === ctz) return { dates: `${compact(start.local)}/${compact(end.local)}`, ctz };
  return { dates: `${compact(start.utc)}Z/${compact(end.utc)}Z` };
}

function outlookTimes(event: FeedEvent): { startdt: string; enddt: string; allday?: 'true' } {
  if (event.isAllDay) {
    const [startdt, enddt] = daysOf(event);
    return { startdt, enddt, allday: 'true' };
  }
  const timeOf = ({ utc }: FeedEvent['start']) => isoWithOffset(utc, event.timezone);
  return { startdt: timeOf(event.start), enddt: timeOf(event.end) };
}
