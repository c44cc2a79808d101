import { withPresentChoices } from '../base/site-config.ts';
import type { Database } from '../db/database.ts';
import { readSiteSettings } from '../db/site-settings.ts';
import type { RequestContext } from '../http/core/endpoint.ts';
import { logCommand } from '../platform/audit/log.ts';
import { discardImages, type PreparedImage, prepareImage, saveImage } from '../platform/media/image-storage.ts';
import { changeSite } from '../platform/site/save.ts';
import { fixedSettings } from '../platform/site/settings.ts';
import type { InProcessContext } from '../platform/users/in-process-context.ts';
import { CITY_ZONE, SITE } from './city.ts';
import { isCalendarEmpty } from './empty-calendar.ts';
import { posterImage } from './posters.ts';
import type { PlannedEvent, PlannedSeries } from './programme.ts';
import { fillCategories, fillEvents, fillOrganizers, fillTags, fillVenues, fillWeekly } from './records.ts';
import type { PosterKey } from './schemas.ts';
import { type SaleCounts, sellTickets } from './ticket-sales.ts';

/** Number of records created, by kind. */
export interface FillCounts extends SaleCounts {
  events: number;
  venues: number;
  organizers: number;
  categories: number;
  tags: number;
  images: number;
}

/** Thrown for a non-empty calendar: demo data must never mix with real data. */
export class NotEmptyError extends Error {}

/** The events, and the random seed of their sales. */
interface Plan {
  planned: readonly PlannedEvent[];
  /** Series, of the pictures, categories and tags that the events have too. */
  weekly?: readonly PlannedSeries[];
  seed: number;
  /** Whether the site also gets the name, the texts and the look of the city. */
  isCity?: boolean;
}

type Posters = Map<PosterKey, PreparedImage>;

/**
 * Writes a programme through the endpoints as the account of the context, in one transaction, with one row in the audit
 * log.
 * @throws {NotEmptyError} when events, organizers or terms exist
 */
export async function createDemo({ actor, ...ctx }: InProcessContext, plan: Plan): Promise<FillCounts> {
  const { db } = ctx.context;
  await refuseUnlessEmpty(db);
  const posters: Posters = new Map();
  const discard = (reason: unknown) => discardImages(posters.values(), reason);
  try {
    await preparePosters(plan.planned, posters, ctx);
    const made = await db.transaction(async (trx) => {
      // Of two concurrent requests, the second waits, and finds the records of the first.
      await trx.dialect.lock(trx, 'marquee-demo');
      await refuseUnlessEmpty(trx);
      const counts = await fill(plan, posters, { ...ctx, context: { ...ctx.context, db: trx } });
      if (actor) await logCommand(trx, actor, [{ field: 'demo', after: counts }]);
      return counts;
    });
    db.onRollback?.(discard);
    return made;
  } catch (error) {
    await discard(error);
    throw error;
  }
}

async function refuseUnlessEmpty(db: Database): Promise<void> {
  if (!(await isCalendarEmpty(db)))
    throw new NotEmptyError('The calendar is not empty; the demonstration only fills one that is.');
}

async function preparePosters(
  planned: readonly PlannedEvent[],
  posters: Posters,
  ctx: InProcessContext,
): Promise<void> {
  for (const key of new Set(planned.flatMap(({ poster }) => (poster ? [poster] : [])))) {
    const prepared = await prepareImage(await posterImage(key), { fileName: `${key}.jpg`, sourceUrl: '' }, ctx);
    if (prepared) posters.set(key, prepared);
  }
}

async function fill(
  { planned, weekly = [], seed, isCity }: Plan,
  posters: Posters,
  caller: InProcessContext,
): Promise<FillCounts> {
  const ctx = isCity ? await fillSite(caller) : caller;
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
  const sold = await sellTickets(events, { seed, ctx });
  const inSeries = await fillWeekly(weekly, related, ctx);
  const { venues, organizers, categories, tags } = related;
  const sizes = { venues: venues.size, organizers: organizers.size, categories: categories.size, tags: tags.size };
  return { events: events.size + inSeries, ...sizes, images: images.size, ...sold };
}

/**
 * Gives the site the name, the texts and the colours of the city, in the languages that both have. Settings that have
 * already been changed stay unchanged.
 * @returns the context with the time zone of the city
 */
async function fillSite<C extends RequestContext>(ctx: C): Promise<C> {
  const { db, config } = ctx.context;
  const { revision } = await readSiteSettings(db);
  if (revision > 1) return ctx;
  const { texts, colors, contact, transfer } = SITE;
  const fixed = fixedSettings(config);
  const zone = fixed.includes('timezone') ? {} : { timezone: CITY_ZONE };
  await changeSite({ ...zone, colors, contact, cancellation: { rule: 'until', hours_before: 48 } }, ctx);
  const present = { ...ctx, context: await withPresentChoices(ctx.context) };
  const isNameFixed = fixed.includes('name');
  for (const language of config.languages) {
    const own = Object.entries(texts).find(([known]) => known === language)?.[1];
    if (!own) continue;
    const text = Object.entries(transfer).find(([known]) => known === language)?.[1];
    const payment_ways = [
      { id: 'door' },
      { id: 'transfer', hold_hours: transfer.hold_hours, ...(typeof text === 'string' && { text }) },
    ];
    const { name, ...others } = own;
    const change = { ...others, ...(!isNameFixed && { name }), payment_ways };
    await changeSite(change, { ...present, language, askedLanguage: language });
  }
  return present;
}
