import type { Database } from '../../db/database.ts';
import type { EndpointResponse, RequestContext } from '../../http/core/endpoint.ts';
import { addSeconds, fromUtc, type LocalTime, nextDay, toUtc } from '../../lib/dates/dates.ts';
import { findPassDates } from '../passes/pass-dates.ts';
import type { Ticket } from './store.ts';

type SaleTimes = Pick<Ticket, 'sale_start_utc' | 'sale_end_utc' | 'pass_id'>;

interface Moment {
  /** UTC. */
  now: LocalTime;
  /** Time zone of the site. */
  timezone: string;
}

/**
 * Time in milliseconds until which responses with these tickets stay the same while the data do not change: until a
 * sale or discount begins or ends, a date of a series pass ends, the site's next day, or a hold expires. A hold of any ticket counts, as its release
 * changes the version of the data for all.
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
  const dates = await findPassDates(
    db,
    tickets.map(({ pass_id }) => pass_id),
    now,
  );
  const ends = [...dates.values()].flat().map((date) => date.ends);
  const moments = [...tickets.flatMap(edgesOf), ...ends, ...(hold ? [hold.expires_utc] : [])].filter(
    (moment) => moment > now,
  );
  return Math.min(nextDay(now, timezone), ...moments.map((moment) => fromUtc(moment).getTime()));
}

/** A ticket is still on sale during the last second of its sale (`isOnSaleAt`). */
const edgesOf = ({ sale_start_utc, sale_end_utc }: SaleTimes): LocalTime[] => [
  sale_start_utc,
  sale_end_utc === '' ? '' : addSeconds(sale_end_utc, 1),
];

/** How long responses with these tickets may be cached. */
export async function cacheLifetimeOf(
  { context, now }: RequestContext,
  tickets: readonly SaleTimes[],
): Promise<Required<Pick<EndpointResponse, 'freshUntil' | 'showsSeats'>>> {
  const moment = { now: toUtc(now), timezone: context.config.timezone };
  return { freshUntil: await freshUntil(context.db, tickets, moment), showsSeats: true };
}
