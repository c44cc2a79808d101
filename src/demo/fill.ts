import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { viewerOf } from '../http/auth.ts';
import type { Call } from '../http/endpoint.ts';
import { Urls } from '../http/urls.ts';
import { type PreparedImage, prepareImage, saveImage } from '../kinds/image.ts';
import { categoryEndpoints } from '../resources/categories/categories.ts';
import { eventEndpoints } from '../resources/events/events.ts';
import { organizerEndpoints } from '../resources/organizers/organizers.ts';
import { tagEndpoints } from '../resources/tags/tags.ts';
import { accountOf } from '../resources/users/store.ts';
import { venueEndpoints } from '../resources/venues/venues.ts';
import { openBoxOffice } from './box-office.ts';
import { create } from './create.ts';
import { ORGANIZERS } from './organizers.ts';
import { type PosterKey, posterImage } from './posters.ts';
import { type Planned, type ProgrammeOptions, programme } from './programme.ts';
import { CITY_ZONE } from './sketch.ts';
import { CATEGORIES, TAGS, type TagName, type TagSketch } from './terms.ts';
import { VENUES } from './venues.ts';

/** How many of each were made. */
export interface Filled {
  events: number;
  venues: number;
  organizers: number;
  categories: number;
  tags: number;
  images: number;
  tickets: number;
  orders: number;
  attendees: number;
  'check-ins': number;
}

/** The demonstration is for an empty calendar only: it must never mix with what people entered. */
export class NotEmptyError extends Error {}

/**
 * Writes a programme through the interface's own endpoints, as the first administrator: everything, or nothing.
 * @throws {NotEmptyError} when there are events, venues, organizers or terms already
 */
export async function fillDemo(context: Context, options: Omit<ProgrammeOptions, 'now'>): Promise<Filled> {
  const now = context.now();
  const planned = programme({ ...options, now });
  await refuseUnlessEmpty(context.db);
  const call = await callOfAdministrator(context, now);
  const posters = await preparePosters(planned, call);
  try {
    return await context.db.transaction(async (db) => {
      await db.dialect.lock(db, 'marquee-demo');
      await refuseUnlessEmpty(db);
      return fill({ planned, posters, seed: options.seed }, { ...call, context: { ...context, db } });
    });
  } catch (error) {
    for (const poster of posters.values()) await poster.discard();
    throw error;
  }
}

async function refuseUnlessEmpty({ query }: Database): Promise<void> {
  for (const table of ['events', 'linked_posts', 'terms'] as const) {
    const row = await query.selectFrom(table).select('id').limit(1).executeTakeFirst();
    if (row) throw new NotEmptyError('The calendar is not empty; the demonstration only fills one that is.');
  }
}

async function callOfAdministrator(context: Context, now: Date): Promise<Call> {
  const { config, db } = context;
  const users = db.query.selectFrom('users').selectAll().where('role', '=', 'administrator');
  const administrator = await users.orderBy('id').limit(1).executeTakeFirstOrThrow();
  return {
    context,
    viewer: viewerOf(accountOf(administrator)),
    urls: new Urls(config.url ?? 'http://localhost'),
    language: 'en',
    now,
    files: new Map(),
    address: '127.0.0.1',
    header: () => undefined,
  };
}

async function preparePosters(planned: readonly Planned[], call: Call): Promise<Map<PosterKey, PreparedImage>> {
  const posters = new Map<PosterKey, PreparedImage>();
  for (const key of new Set(planned.flatMap(({ poster }) => (poster ? [poster] : [])))) {
    const prepared = await prepareImage(await posterImage(key), { fileName: `${key}.jpg`, sourceUrl: '' }, call);
    if (prepared) posters.set(key, prepared);
  }
  return posters;
}

interface Plan {
  planned: readonly Planned[];
  posters: ReadonlyMap<PosterKey, PreparedImage>;
  seed: number;
}

async function fill({ planned, posters, seed }: Plan, call: Call): Promise<Filled> {
  const { db } = call.context;
  const images = new Map<PosterKey, number>();
  for (const [key, poster] of posters) images.set(key, await saveImage(db, poster));
  const categories = await fillCategories(call);
  const tags = await fillTags(planned, call);
  const venues = new Map<string, number>();
  for (const [key, venue] of Object.entries(VENUES)) venues.set(key, await create(venueEndpoints, venue, call));
  const organizers = new Map<string, number>();
  for (const [key, organizer] of Object.entries(ORGANIZERS))
    organizers.set(key, await create(organizerEndpoints, organizer, call));
  const events = new Map<Planned, number>();
  for (const event of planned) {
    const id = await create(
      eventEndpoints,
      {
        ...plainFields(event),
        ...(event.poster && { image: images.get(event.poster) }),
        ...(event.venue && { venue: venues.get(event.venue) }),
        organizer: event.organizers.map((key) => organizers.get(key)),
        categories: event.categories.map((name) => categories.get(name)),
        tags: event.tags?.map((name) => tags.get(name)) ?? [],
      },
      call,
    );
    events.set(event, id);
  }
  const sizes = { venues: venues.size, organizers: organizers.size, categories: categories.size, tags: tags.size };
  const sold = await openBoxOffice(events, { seed, call });
  return { events: planned.length, ...sizes, images: images.size, ...sold };
}

/** In the order of the table, where parents come first. */
async function fillCategories(call: Call): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const [name, { above, about }] of Object.entries(CATEGORIES)) {
    ids.set(name, await create(categoryEndpoints, { name, description: about, parent: ids.get(above) ?? 0 }, call));
  }
  return ids;
}

/** Those that some event has. */
async function fillTags(planned: readonly Planned[], call: Call): Promise<Map<TagName, number>> {
  const ids = new Map<TagName, number>();
  for (const name of new Set(planned.flatMap(({ tags = [] }) => tags))) {
    const { about }: TagSketch = TAGS[name];
    ids.set(name, await create(tagEndpoints, { name, description: about }, call));
  }
  return ids;
}

const plainFields = (event: Planned): Record<string, unknown> => ({
  title: event.title,
  description: event.text.map((part) => (part.startsWith('<') ? part : `<p>${part}</p>`)).join('\n'),
  excerpt: event.excerpt,
  timezone: event.zone ?? CITY_ZONE,
  start_date: event.start,
  end_date: event.end,
  all_day: event.allDay,
  cost: event.cost,
  website: event.website,
  status: event.status ?? 'publish',
  date: event.published,
  post_password: event.password,
  ...Object.fromEntries((event.flags ?? []).map((flag) => [flag, true])),
});
