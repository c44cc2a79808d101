import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { viewerOf } from '../http/auth.ts';
import type { HandlerContext } from '../http/endpoint.ts';
import { Urls } from '../http/urls.ts';
import { commandLine } from '../lib/actor.ts';
import { logCommand } from '../resources/audit/log.ts';
import { discardImages, type PreparedImage, prepareImage, saveImage } from '../resources/media/image-storage.ts';
import { accountOf } from '../resources/users/store.ts';
import { openBoxOffice } from './box-office.ts';
import { isCalendarEmpty } from './empty.ts';
import { posterImage } from './posters.ts';
import { type PlannedEvent, type ProgrammeOptions, programme } from './programme.ts';
import { fillCategories, fillEvents, fillOrganizers, fillTags, fillVenues } from './records.ts';
import type { PosterKey } from './schemas.ts';
import { fillSite } from './site.ts';

/** Number of records created, by kind. */
export interface FillCounts {
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

/** Demo data goes into an empty calendar only: it must never mix with real data. */
export class NotEmptyError extends Error {}

/**
 * Writes a programme through the endpoints as the first administrator, in one transaction.
 * @throws {NotEmptyError} when events, venues, organizers or terms exist
 */
export async function fillDemo(context: Context, options: Omit<ProgrammeOptions, 'now'>): Promise<FillCounts> {
  const now = context.now();
  const planned = programme({ ...options, now });
  await refuseUnlessEmpty(context.db);
  const ctx = await administratorContext(context, now);
  const posters = await preparePosters(planned, ctx);
  try {
    return await context.db.transaction(async (db) => {
      await db.dialect.lock(db, 'marquee-demo');
      await refuseUnlessEmpty(db);
      const made = await fill({ planned, posters, seed: options.seed }, { ...ctx, context: { ...context, db } });
      await logCommand(db, commandLine(now), [{ field: 'demo', after: made }]);
      return made;
    });
  } catch (error) {
    await discardImages(posters.values(), error);
    throw error;
  }
}

async function refuseUnlessEmpty(db: Database): Promise<void> {
  if (!(await isCalendarEmpty(db)))
    throw new NotEmptyError('The calendar is not empty; the demonstration only fills one that is.');
}

async function administratorContext(context: Context, now: Date): Promise<HandlerContext> {
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
    client: { address: '127.0.0.1' },
    limits: { checkSecret: async (_attempt, isRight) => isRight(), countRequest: async () => ({}) },
    header: () => undefined,
    cookie: () => undefined,
  };
}

async function preparePosters(
  planned: readonly PlannedEvent[],
  ctx: HandlerContext,
): Promise<Map<PosterKey, PreparedImage>> {
  const posters = new Map<PosterKey, PreparedImage>();
  for (const key of new Set(planned.flatMap(({ poster }) => (poster ? [poster] : [])))) {
    const prepared = await prepareImage(await posterImage(key), { fileName: `${key}.jpg`, sourceUrl: '' }, ctx);
    if (prepared) posters.set(key, prepared);
  }
  return posters;
}

interface Plan {
  planned: readonly PlannedEvent[];
  posters: ReadonlyMap<PosterKey, PreparedImage>;
  seed: number;
}

async function fill({ planned, posters, seed }: Plan, ctx: HandlerContext): Promise<FillCounts> {
  await fillSite(ctx);
  const images = new Map<PosterKey, number>();
  for (const [key, poster] of posters) images.set(key, await saveImage(ctx.context.db, poster));
  const related = {
    images,
    categories: await fillCategories(ctx),
    tags: await fillTags(planned, ctx),
    venues: await fillVenues(ctx),
    organizers: await fillOrganizers(ctx),
  };
  const events = await fillEvents(planned, related, ctx);
  const sold = await openBoxOffice(events, { seed, ctx });
  const { venues, organizers, categories, tags } = related;
  const sizes = { venues: venues.size, organizers: organizers.size, categories: categories.size, tags: tags.size };
  return { events: events.size, ...sizes, images: images.size, ...sold };
}
