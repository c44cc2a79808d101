import { fromUtc, type LocalTime } from '../../lib/dates.ts';
import { html } from '../html.ts';
import { type FeedDescription, type FeedEvent, feedEvent, type ListedEvent, locationOf } from './feed-event.ts';

/** What RSS, Atom and JSON Feed have in common: events as news, the last published first. */
export interface NewsFeed extends FeedDescription {
  events: Iterable<ListedEvent>;
}

export interface NewsItem extends FeedEvent {
  /** When, where and for how much, on one line. */
  facts: string;
  /** HTML: the facts, and the description. */
  content: string;
}

/** The items of a feed, in the order of the events. */
export const newsItems = ({ events, language }: NewsFeed): NewsItem[] =>
  [...events].map((listed) => {
    const event = feedEvent(listed);
    const facts = [whenOf(event, language), locationOf(event), event.cost].filter((fact) => fact !== '').join(' · ');
    return { ...event, facts, content: `${html`<p>${facts}</p>`.text}\n${event.description}` };
  });

/** The last change of a feed, or undefined for an empty one; UTC. */
export const lastChange = (items: readonly NewsItem[]): LocalTime | undefined =>
  items.map(({ modified }) => modified).reduce((last, one) => (one > last ? one : last), '') || undefined;

/** `2027-03-06T18:30:00Z`, as in RFC 3339. */
export const rfc3339 = (utc: LocalTime): string => `${utc.replace(' ', 'T')}Z`;

/** One entry per language of the site. */
const formats = new Map<string, Record<'day' | 'time', Intl.DateTimeFormat>>();

function formatsOf(language: string) {
  const known = formats.get(language);
  if (known) return known;
  // Local times are formatted as if they were in UTC.
  const make = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC', ...options });
  const made = { day: make({}), time: make({ timeStyle: 'short' }) };
  formats.set(language, made);
  return made;
}

/** The local time of an event in words: `Saturday, March 6, 2027 at 6:30 – 9:00 PM`. */
function whenOf({ start, end, isAllDay }: FeedEvent, language: string): string {
  const { day, time } = formatsOf(language);
  const [from, to] = [fromUtc(start.local), fromUtc(end.local)];
  // The first of two instants that the clocks show in the wrong order.
  const until = to < from ? from : to;
  return isAllDay ? day.formatRange(from, until) : time.formatRange(from, until);
}
