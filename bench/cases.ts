import type { Generated } from './generate.ts';
import { WORDS } from './words.ts';

/** One kind of request. Its addresses, below the namespace, are asked in turn. */
export interface Case {
  name: string;
  paths: readonly string[];
  asEditor?: boolean;
}

const PAGE = 'per_page=10';
const list = (query = '') => `/events?${PAGE}${query && `&${query}`}`;

/** Words around a rank of frequency. */
const wordsFrom = (rank: number): string[] => WORDS.slice(rank, rank + 20);

const day = (now: Date, days: number): string => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10);

const months = (now: Date): string[] =>
  Array.from({ length: 20 }, (_, index) =>
    list(`start_date=${day(now, index * 30)}&end_date=${day(now, index * 30 + 30)}`),
  );

/** Calendars of as many days as have some 300 events, of which a fifth begins in the two years to come. */
const calendars = (now: Date, count: number): string[] => {
  const days = Math.max(1, Math.round((300 * 730) / (0.18 * count)));
  return [0, 7, 14, 21].map((first) => `/events.ics?start_date=${day(now, first)}&end_date=${day(now, first + days)}`);
};

interface Known extends Generated {
  /** How many events there are. */
  count: number;
  /** Ids and slugs of some public events. */
  events: readonly { id: number; slug: string }[];
}

/** Typical requests of calendar clients. Positions in the lists of targets are ranks of use. */
export function casesOf({ categories, tags, venues, events, count }: Known, now: Date): Case[] {
  const some = events.slice(0, 100);
  const by = (name: string, ids: readonly number[]) => ids.map((id) => list(`${name}=${id}`));
  const search = (words: readonly string[]) => words.map((word) => list(`search=${word}`));
  return [
    { name: 'list: default', paths: [list()] },
    { name: 'list: a month', paths: months(now) },
    { name: 'list: not over yet', paths: [list('ends_after=now')] },
    { name: 'list: last page', paths: [list(`page=${Math.max(1, Math.floor(count * 0.018))}`)] },
    { name: 'list: large category', paths: by('categories', categories.slice(10, 14)) },
    { name: 'list: small category', paths: by('categories', categories.slice(-10)) },
    { name: 'list: category with those below it', paths: by('categories', categories.slice(0, 5)) },
    { name: 'list: large venue', paths: by('venue', venues.slice(0, 5)) },
    { name: 'list: small venue', paths: by('venue', venues.slice(-50)) },
    { name: 'list: tag', paths: by('tags', tags.slice(0, 20)) },
    { name: 'list: category and venue', paths: [list(`categories=${categories[10]}&venue=${venues[0]}`)] },
    { name: 'list: featured', paths: [list('featured=true')] },
    { name: 'list: search, rare word', paths: search(wordsFrom(15_000)) },
    { name: 'list: search, medium word', paths: search(wordsFrom(500)) },
    { name: 'list: search, frequent word', paths: search(wordsFrom(30)) },
    { name: 'list: search, in most events', paths: search(['music', 'with', 'open']) },
    { name: 'list: search, two words', paths: wordsFrom(40).map((word) => list(`search=music+${word}`)) },
    { name: 'list: search, no hit', paths: search(['qqzzqq']) },
    { name: 'list: as an editor, any status', paths: [list('status=any')], asEditor: true },
    { name: 'calendar of some 300 events', paths: calendars(now, count) },
    { name: 'event by id', paths: some.map(({ id }) => `/events/${id}`) },
    { name: 'event by slug', paths: some.map(({ slug }) => `/events/by-slug/${slug}`) },
    { name: 'venues', paths: [`/venues?${PAGE}`] },
    { name: 'categories', paths: [`/categories?${PAGE}`] },
  ];
}
