import { dateFormats } from '../../lib/dates/date-format.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { html } from '../frame/html.ts';
import type { Event } from '../frame/responses.ts';
import { type FeedDescription, type FeedEvent, feedEvent, locationOf, statusNotice, titleOf } from './feed-event.ts';

/** Common form of RSS, Atom and JSON Feed: events as news, latest published first. */
export interface NewsFeed extends FeedDescription {
  events: Iterable<Event>;
}

export interface NewsItem extends FeedEvent {
  /** Status, date, venue and price on one line. */
  facts: string;
  /** HTML: the facts, and the description. */
  content: string;
}

/** The items of a feed, in the order of the events. */
export function newsItems({ events, language, cancelled = 'status' }: NewsFeed): NewsItem[] {
  // Without a current day, all dates include the year.
  const dates = dateFormats(language, '');
  return [...events].map((listed) => {
    const event = feedEvent(listed);
    const { start, end, isAllDay } = event;
    const when = dates.range(start.local, end.local, isAllDay);
    const facts = [statusNotice(event, language), when, locationOf(event, language), event.cost]
      .filter((fact) => fact !== '')
      .join(' · ');
    return {
      ...event,
      title: titleOf(event, { cancelled, language }),
      facts,
      content: `${html`<p>${facts}</p>`.text}\n${event.description}`,
    };
  });
}

/** Last change of a feed in UTC; undefined for an empty feed. */
export const lastChange = (items: readonly NewsItem[]): LocalTime | undefined =>
  items.map(({ modified }) => modified).reduce((last, one) => (one > last ? one : last), '') || undefined;

/** `2027-03-06T18:30:00Z`, as in RFC 3339. */
export const rfc3339 = (utc: LocalTime): string => `${utc.replace(' ', 'T')}Z`;
