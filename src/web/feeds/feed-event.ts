import { modeOf } from '../../calendar/events/attendance.ts';
import { NO_DATE } from '../../calendar/posts/post.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { takesWholeDays } from '../../lib/dates/month.ts';
import { translate } from '../../lib/i18n.ts';
import { MIME_TYPES } from '../../lib/images/image-renditions.ts';
import { htmlToLines } from '../../lib/text/text.ts';
import { addressLines, venuesOf } from '../cards/place.ts';
import type { Event, Venue } from '../frame/responses.ts';

/** Name and addresses of a feed. */
export interface FeedDescription {
  title: string;
  /** Address of the page with the same events. */
  url: string;
  /** Address of the feed itself. */
  feedUrl: string;
  language: string;
  cancelled?: CancelledMark;
}

/** How to mark a cancelled event: by its status, or in its title for programs that drop entries with that status. */
export type CancelledMark = 'status' | 'title';

/** Status of an event in iCalendar (RFC 5545, 3.8.1.11). */
type EventStatus = 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';

interface Place {
  name: string;
  /** Name and postal address on one line. */
  address: string;
  /** Latitude and longitude in degrees. */
  position?: readonly [number, number];
}

interface Organizer {
  name: string;
  email: string;
  url: string;
}

interface Moment {
  /** In the time zone of the event. */
  local: LocalTime;
  utc: LocalTime;
}

/** Event data of all feed formats. */
export interface FeedEvent {
  /** Address independent of the slug; the id in news feeds. */
  permalink: string;
  url: string;
  title: string;
  /** HTML. */
  description: string;
  excerpt: string;
  status: EventStatus;
  /** Status in the interface, with the reason in plain text. */
  announced: { status: NonNullable<Event['event_status']>; reason: string };
  isAllDay: boolean;
  start: Moment;
  end: Moment;
  timezone: string;
  places: readonly Place[];
  /** Whether one can attend online. */
  isOnline: boolean;
  /** Address for attending online, as far as the reader may know it. */
  onlineUrl?: string;
  organizers: readonly Organizer[];
  /** Names of categories and tags. */
  keywords: readonly string[];
  image?: { url: string; type: string; bytes: number };
  cost: string;
  /** In UTC; for a draft, the last change. */
  published: LocalTime;
  /** Last change of the event, its venues or its organizers, in UTC. */
  modified: LocalTime;
}

/** Converts an event of an API list. */
export function feedEvent(event: Event): FeedEvent {
  const mode = modeOf(event);
  const venues = mode === 'online' ? [] : venuesOf(event);
  const { organizer: organizers } = event;
  const changes = [event, ...venues, ...organizers].map(({ modified_utc }) => modified_utc);
  return {
    permalink: `${new URL(event.url).origin}/?p=${event.id}`,
    url: event.url,
    title: event.title,
    description: event.description,
    excerpt: event.excerpt,
    status: statusOf(event),
    announced: { status: event.event_status ?? 'scheduled', reason: event.event_status_reason ?? '' },
    isAllDay: takesWholeDays(event),
    start: { local: event.start_date, utc: event.utc_start_date },
    end: { local: event.end_date, utc: event.utc_end_date },
    timezone: event.timezone,
    places: venues.map(placeOf),
    isOnline: mode !== 'on_site',
    onlineUrl: event.online_url,
    organizers: organizers.map(({ organizer, email = '', url }) => ({ name: organizer, email, url })),
    keywords: [...new Set([...event.categories, ...event.tags].map(({ name }) => name))],
    image: imageOf(event),
    cost: event.cost,
    published: event.date_utc === NO_DATE ? event.modified_utc : event.date_utc,
    modified: changes.reduce((last, one) => (one > last ? one : last)),
  };
}

/** A postponed event has no date yet. */
function statusOf({ event_status }: Event): EventStatus {
  if (event_status === 'cancelled') return 'CANCELLED';
  return event_status === 'postponed' ? 'TENTATIVE' : 'CONFIRMED';
}

const placeOf = (venue: Venue): Place => ({
  name: venue.venue,
  // A venue's name may equal its address.
  address: [...new Set([venue.venue, ...addressLines(venue)])].join(', '),
  ...(venue.geo_lat !== undefined &&
    venue.geo_lng !== undefined && { position: [venue.geo_lat, venue.geo_lng] as const }),
});

function imageOf({ image }: Event): FeedEvent['image'] {
  if (!image) return undefined;
  const type = Object.entries(MIME_TYPES).find(([extension]) => extension === image.extension)?.[1];
  return { url: image.url, type: type ?? 'application/octet-stream', bytes: image.filesize };
}

interface Shown {
  cancelled: CancelledMark;
  language: string;
}

/** Tests if the title of an event is marked as cancelled. */
export const isMarkedInTitle = ({ status }: FeedEvent, cancelled: CancelledMark): boolean =>
  cancelled === 'title' && status === 'CANCELLED';

export const titleOf = (event: FeedEvent, { cancelled, language }: Shown): string =>
  isMarkedInTitle(event, cancelled) ? translate(language, 'feed.cancelled', { title: event.title }) : event.title;

/** Status and reason, such as `Cancelled – storm warning`; empty for an event as planned. */
export function statusNotice({ announced: { status, reason } }: FeedEvent, language: string): string {
  if (status === 'scheduled') return '';
  return [translate(language, `status.${status}`), reason].filter((text) => text !== '').join(' – ');
}

/** Venues on one line, and whether one can attend online; empty if unknown. */
export const locationOf = ({ places, isOnline }: Pick<FeedEvent, 'places' | 'isOnline'>, language: string): string =>
  [...places.map(({ address }) => address), ...(isOnline ? [translate(language, 'event.online')] : [])].join(' / ');

/** Maximum characters of a description's HTML, and of its text. */
const MAX_HTML = 20_000;
const MAX_TEXT = 8000;

/** Description without markup, shortened if it is very long. */
export function plainDescription({ description }: Pick<FeedEvent, 'description'>, max = MAX_TEXT): string {
  const text = htmlToLines(description.slice(0, MAX_HTML));
  return text.length > max ? `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
