import { isDay } from '../../lib/dates/month.ts';
import { isLinkedKind, type LinkedKind } from '../../lib/linked-kinds.ts';
import { encodedSlug } from '../../lib/text/slug.ts';

/** Subject of a calendar page. */
export type Scope =
  | { kind: 'all' }
  /** Slugs of a category and, before it, of its ancestors. */
  | { kind: 'category'; slugs: readonly string[] }
  | { kind: 'tag' | LinkedKind; slug: string };

const VIEWS = ['list', 'month', 'week', 'day', 'photo', 'places'] as const;

/** Layout of a page's events. */
export type View = (typeof VIEWS)[number];

/** Page, or a feed of the same events. `rss092` serves old subscriptions. */
type Format = 'page' | 'ical' | 'rss' | 'atom' | 'json';

export type FeedFormat = Exclude<Format, 'page'>;

/** Media types of feeds. */
export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  ical: 'text/calendar',
  rss: 'application/rss+xml',
  atom: 'application/atom+xml',
  json: 'application/feed+json',
};

/** Selection and layout of events: one calendar page, however its address is spelled. */
export interface CalendarAddress {
  scope: Scope;
  view: View;
  /** `2027-03` for a month, `2027-03-06` for a day or a day of a week; without it, the current one. */
  date?: string;
  isPast: boolean;
  isFeatured: boolean;
  /** Starts at 1. */
  page: number;
  format: Format;
}

/** Aliases of views. */
const VIEW_NAMES: Readonly<Record<string, View>> = {
  ...Object.fromEntries(VIEWS.map((view) => [view, view])),
  map: 'places',
  summary: 'list',
};

/** Words after `feed/`, and feeds with their own address. */
const FEED_FORMATS: Readonly<Record<string, Format>> = {
  rss: 'rss',
  rss2: 'rss',
  rdf: 'rss',
  atom: 'atom',
  json: 'json',
};

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const NUMBER = /^[1-9]\d{0,5}$/;

/** Tests if a path segment may name a view, a date, a page or a feed in addition to a category. */
const isViewWord = (segment: string): boolean =>
  Object.hasOwn(VIEW_NAMES, segment) ||
  Object.hasOwn(FEED_FORMATS, segment) ||
  ['past', 'featured', 'today', 'page', 'ical', 'feed'].includes(segment) ||
  MONTH.test(segment) ||
  DAY.test(segment);

/** Tests if a segment may be the id of a record. */
export const isId = (segment: string): boolean => /^[1-9]\d{0,15}$/.test(segment);

/** Segments of a path; undefined if one is encoded incorrectly. */
export function segmentsOf(path: string): string[] | undefined {
  try {
    return path.split('/').filter(Boolean).map(decodeURIComponent);
  } catch {
    return undefined;
  }
}

/**
 * Parses the address of a calendar page: `/events/…`, `/events/category/…`, `/tag/…`, `/venue/…`, `/organizer/…`, in
 * every form used by this server or the reference. Undefined for any other path.
 */
export function calendarAddress(path: string): CalendarAddress | undefined {
  const segments = segmentsOf(path);
  const split = segments && splitScope(segments);
  if (!split) return undefined;
  return readViews(split.rest, { ...NOTHING_SAID, scope: split.scope });
}

const NOTHING_SAID = { view: 'list', isPast: false, isFeatured: false, page: 1, format: 'page' } as const;

function splitScope([first, ...others]: string[]): { scope: Scope; rest: string[] } | undefined {
  const [second = '', ...more] = others;
  if (first === 'events' && second === 'category') return categoryScope(more);
  if (first === 'events' && second === 'tag') return slugScope('tag', more);
  if (first === 'tag' || isLinkedKind(first)) return slugScope(first, others);
  if (first === 'events') return { scope: { kind: 'all' }, rest: others };
  // The reference lists events here too.
  if (first === 'event' && others.length === 0) return { scope: { kind: 'all' }, rest: [] };
  return undefined;
}

function categoryScope(segments: string[]) {
  const end = segments.findIndex((segment, index) => index > 0 && isViewWord(segment));
  const slugs = end < 0 ? segments : segments.slice(0, end);
  if (slugs.length === 0) return undefined;
  return { scope: { kind: 'category', slugs: slugs.map(lowerCased) } as const, rest: segments.slice(slugs.length) };
}

function slugScope(kind: 'tag' | LinkedKind, [slug, ...rest]: string[]) {
  return slug === undefined ? undefined : { scope: { kind, slug: lowerCased(slug) }, rest };
}

const lowerCased = (text: string) => text.toLowerCase();

/** Parses the path after the scope. Each word may occur once. */
function readViews(words: readonly string[], start: CalendarAddress): CalendarAddress | undefined {
  const said: Partial<CalendarAddress> = {};
  const say = (more: Partial<CalendarAddress>): boolean => {
    const isNew = Object.keys(more).every((name) => !Object.hasOwn(said, name));
    Object.assign(said, more);
    return isNew;
  };
  for (let index = 0; index < words.length; index += 1) {
    const [word = '', next = ''] = words.slice(index);
    const isPair = (word === 'page' && NUMBER.test(next)) || (word === 'feed' && Object.hasOwn(FEED_FORMATS, next));
    const meaning = isPair ? pairMeaning(word, next) : wordMeaning(word, said);
    if (!meaning || !say(meaning)) return undefined;
    if (isPair) index += 1;
  }
  return isConsistent({ ...start, ...said }) ? { ...start, ...said } : undefined;
}

const pairMeaning = (word: string, next: string): Partial<CalendarAddress> =>
  word === 'page' ? { page: Number(next) } : { format: FEED_FORMATS[next] ?? 'rss' };

function wordMeaning(word: string, said: Partial<CalendarAddress>): Partial<CalendarAddress> | undefined {
  const view = Object.hasOwn(VIEW_NAMES, word) ? VIEW_NAMES[word] : undefined;
  if (view) return { view };
  if (word === 'past') return { isPast: true };
  if (word === 'featured') return { isFeatured: true };
  if (word === 'today') return { view: 'day' };
  if (word === 'ical') return { format: 'ical' };
  if (word === 'feed') return { format: 'rss' };
  if (Object.hasOwn(FEED_FORMATS, word)) return { format: FEED_FORMATS[word] };
  if (MONTH.test(word)) return said.view === 'month' ? { date: word } : { view: 'month', date: word };
  if (!isDay(word)) return undefined;
  return said.view === 'day' || said.view === 'week' ? { date: word } : { view: 'day', date: word };
}

const PAGED: ReadonlySet<View> = new Set(['list', 'photo', 'places']);

function isConsistent({ view, date, page, isPast, format }: CalendarAddress): boolean {
  // Feeds accept any page number; after the first page they are empty.
  if (page > 1 && format === 'page' && !PAGED.has(view)) return false;
  if (isPast && view !== 'list' && view !== 'photo') return false;
  if (date === undefined) return true;
  return view === 'month' ? MONTH.test(date) : view === 'day' || view === 'week';
}

/** Canonical path of a calendar page or feed, without a language; it ends in a slash. */
export function calendarPath({ scope, view, date, isPast, isFeatured, page, format }: CalendarAddress): string {
  const words = [
    ...scopeWords(scope),
    ...viewWords(view, date),
    isPast && 'past',
    isFeatured && 'featured',
    page > 1 && needsListWord({ scope, view, isPast, isFeatured }) && 'list',
    page > 1 && `page/${page}`,
    FORMAT_WORDS[format],
  ];
  return `/${words.filter(Boolean).join('/')}/`;
}

const FORMAT_WORDS: Readonly<Record<Format, string>> = {
  page: '',
  ical: 'ical',
  rss: 'feed',
  atom: 'feed/atom',
  json: 'feed/json',
};

/** Pages of the plain list of all events, in the form used by links of the reference. */
const needsListWord = ({ scope, view, isPast, isFeatured }: Omit<CalendarAddress, 'page' | 'format'>): boolean =>
  scope.kind === 'all' && view === 'list' && !isPast && !isFeatured;

function scopeWords(scope: Scope): string[] {
  if (scope.kind === 'all') return ['events'];
  if (scope.kind === 'category') return ['events', 'category', ...scope.slugs.map(encodedSlug)];
  return [scope.kind, encodedSlug(scope.slug)];
}

function viewWords(view: View, date: string | undefined): string[] {
  if (view === 'list') return [];
  if (view === 'day') return [date ?? 'today'];
  return date === undefined ? [view] : [view, date];
}

/** Path of the calendar file for the start of a ticket's sale. */
export const salePath = (eventSlug: string, ticketId: number): string =>
  `/event/${encodeURIComponent(eventSlug)}/sale/${ticketId}/ical/`;
