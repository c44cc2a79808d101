import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { TicketsTable } from '../../db/tables/ticketing.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';

/** The dates of series passes: a pass has a ticket in each occurrence of its series, and they are sold together. */

/** Maximum number of coming occurrences of a pass. */
export const MAX_PASS_DATES = 60;

/** Maximum number of attendees of passes in one cart or order. */
export const MAX_PASS_PLACES = 1000;

/** The ticket of a pass in one occurrence, with start and end of its event, UTC. */
export interface PassDate extends Selectable<TicketsTable> {
  starts: LocalTime;
  ends: LocalTime;
}

/** Whether the event `e` of the ticket `t` is a date that its pass is sold for. */
export const isPassDate = ({ t, e }: { t: string; e: string }, now: LocalTime): RawBuilder<SqlBool> => {
  const ticket = (column: string) => sql.ref(`${t}.${column}`);
  return sql<SqlBool>`(${ticket('is_deleted')} = 0 AND ${ticket('status')} = 'publish' AND ${takesPlace(e, now)})`;
};

/** Whether an event is published, to come, and not called off, so that its places are sold. */
export const takesPlace = (e: string, now: LocalTime): RawBuilder<SqlBool> => {
  const event = (column: string) => sql.ref(`${e}.${column}`);
  return sql<SqlBool>`(${event('status')} = 'publish' AND ${event('utc_end_date')} > ${now}
    AND ${event('event_status')} <> 'cancelled'
    AND (${event('event_status')} <> 'postponed' OR ${event('sale_stays_open')} = 1))`;
};

const datesOfPasses = byIds((query, ids, now: LocalTime) =>
  query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .selectAll('tickets')
    .select(['utc_start_date as starts', 'utc_end_date as ends'])
    .where('pass_id', 'in', ids)
    .where(isPassDate({ t: 'tickets', e: 'events' }, now))
    .orderBy('utc_start_date')
    .orderBy('tickets.id'),
);

/** The coming dates of passes by `pass_id`, in the order of their start. */
export async function findPassDates(
  db: Database,
  passIds: readonly (number | null)[],
  now: LocalTime,
): Promise<ReadonlyMap<number, PassDate[]>> {
  const ids = passIds.filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const dates = await datesOfPasses(db, ids, now);
  return Map.groupBy(
    dates.flatMap((date) => (date.pass_id === null ? [] : { ...date, pass_id: date.pass_id })),
    ({ pass_id }) => pass_id,
  );
}

/** Ids of the events of a ticket: of a series pass, those of all its tickets that are not deleted. */
export async function eventsOfTicket(
  { query }: Database,
  { event_id, pass_id }: Pick<PassDate, 'event_id' | 'pass_id'>,
): Promise<number[]> {
  if (pass_id === null) return [event_id];
  const rows = await query
    .selectFrom('tickets')
    .select('event_id')
    .where('pass_id', '=', pass_id)
    .where('is_deleted', '=', 0)
    .execute();
  return rows.map((row) => row.event_id);
}

/** Part of the price of a pass for one of its dates, in minor units: the first dates have the remainder. */
export function shareOf(price: number, { at, of }: { at: number; of: number }): number {
  const whole = Math.floor(price / of);
  return at < price - whole * of ? whole + 1 : whole;
}

/** Tests if an item of a cart or an order represents its pass in counts, or belongs to no pass. */
export const isChosen = ({ ticket_id, pass_id }: { ticket_id: number; pass_id: number | null }): boolean =>
  pass_id === null || pass_id === ticket_id;
