import type { Database } from '../../db/database.ts';
import type { Reply, RequestContext } from '../../http/core/endpoint.ts';
import { addSeconds, fromUtc, type LocalTime, nextDay, toUtc } from '../../lib/dates/dates.ts';
import type { Ticket } from './seats/stock.ts';

type SaleTimes = Pick<Ticket, 'sale_start_utc' | 'sale_end_utc'>;

interface Moment {
  /** UTC. */
  now: LocalTime;
  /** Zone of the site. */
  timezone: string;
}

/**
 * Until when answers show the same of some tickets while the data do not change, in milliseconds: until a sale begins or
 * ends, a discount does, with a day of the site, or a hold expires. A hold of any ticket ends it, as its release will
 * change the version of the data for all.
 */
export async function freshUntil(
  db: Database,
  tickets: readonly SaleTimes[],
  { now, timezone }: Moment,
): Promise<number> {
  const hold = await db.query
    .selectFrom('cart_items')
    .select('expires_utc')
    .where('expires_utc', '>', now)
    .orderBy('expires_utc')
    .limit(1)
    .executeTakeFirst();
  const moments = [...tickets.flatMap(edgesOf), ...(hold ? [hold.expires_utc] : [])].filter((moment) => moment > now);
  return Math.min(nextDay(now, timezone), ...moments.map((moment) => fromUtc(moment).getTime()));
}

/** A ticket is still on sale in the second in which its sale ends (`isOnSaleAt`). */
const edgesOf = ({ sale_start_utc, sale_end_utc }: SaleTimes): LocalTime[] => [
  sale_start_utc,
  sale_end_utc === '' ? '' : addSeconds(sale_end_utc, 1),
];

/** How long answers that show some tickets may be kept. */
export async function freshnessOf(
  { context, now }: RequestContext,
  tickets: readonly SaleTimes[],
): Promise<Required<Pick<Reply, 'freshUntil' | 'showsSeats'>>> {
  const moment = { now: toUtc(now), timezone: context.config.timezone };
  return { freshUntil: await freshUntil(context.db, tickets, moment), showsSeats: true };
}
