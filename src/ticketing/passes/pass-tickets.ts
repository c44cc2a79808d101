import { type Selectable, sql } from 'kysely';
import { type Event, getEvents } from '../../calendar/events/store.ts';
import type { Database } from '../../db/database.ts';
import type { TicketsTable } from '../../db/tables/ticketing.ts';
import { ApiError } from '../../http/core/errors.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { MAX_PASS_DATES } from './pass-dates.ts';

/** The tickets that a series pass has in the occurrences of its series. */

/** Kind of the job that gives the holders of a pass seats in later occurrences. */
export const PASS_JOB = 'passes.extend';

/**
 * The events that a new pass is made for, by id: the named one, and all of its series that are not over.
 * @throws {ApiError} pass-too-many-dates, also if so many are still to be made
 */
export async function findPassEvents(db: Database, event: Event, now: Date): Promise<Event[]> {
  const { series_id } = event;
  if (series_id === null) return [event];
  const series = await db.query.selectFrom('series').select('pending').where('id', '=', series_id).executeTakeFirst();
  const coming = await selectComing(db, [series_id], now).execute();
  const dates = coming.length + (series?.pending ?? 0);
  if (dates > MAX_PASS_DATES)
    throw new ApiError('pass-too-many-dates', {
      data: { dates, max: MAX_PASS_DATES },
      values: { dates, max: MAX_PASS_DATES },
    });
  const ids = new Set([event.id, ...coming.map(({ id }) => id)]);
  return (await getEvents(db, [...ids])).toSorted((a, b) => a.id - b.id);
}

/** Selects the events of series that are not over, except those in the trash. */
const selectComing = (db: Database, series: readonly number[], now: Date) =>
  db.query
    .selectFrom('events')
    .select('id')
    .where('series_id', 'in', series)
    .where('status', '<>', 'trash')
    .where('utc_end_date', '>', toUtc(now));

/** The tickets of a pass, except deleted ones, in events that are not over; also in the trash. */
export async function findPassTickets(
  db: Database,
  passId: number,
  now: Date,
): Promise<{ ticket: Selectable<TicketsTable>; event: Event }[]> {
  const tickets = await db.query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .selectAll('tickets')
    .where('pass_id', '=', passId)
    .where('is_deleted', '=', 0)
    .where('utc_end_date', '>', toUtc(now))
    .orderBy('tickets.id')
    .execute();
  const events = await getEvents(
    db,
    tickets.map(({ event_id }) => event_id),
  );
  const byId = new Map(events.map((event) => [event.id, event]));
  return tickets.flatMap((ticket) => {
    const event = byId.get(ticket.event_id);
    return event ? { ticket, event } : [];
  });
}

/**
 * Series whose events a pass covers: the series for which its tickets were made, and series split off from them. A
 * series that was made later from an event with the pass is not covered.
 */
export async function findPassSeries({ query }: Database, passId: number): Promise<number[]> {
  // Ids ascend with time: the series of a pass is older than the pass.
  const { rows } = await sql<{ id: number }>`
    WITH RECURSIVE parts (id, part) AS (
      SELECT e.series_id, e.series_id FROM tickets AS t JOIN events AS e ON e.id = t.event_id
        WHERE t.pass_id = ${passId} AND e.series_id IS NOT NULL
      UNION SELECT parts.id, s.follows_series_id FROM parts JOIN series AS s ON s.id = parts.part
        WHERE s.follows_series_id IS NOT NULL)
    SELECT DISTINCT id FROM parts WHERE part < ${passId} ORDER BY id`.execute(query);
  return rows.map(({ id }) => id);
}

/** Number of tickets that a pass may still have in coming events. */
async function roomOf({ query }: Database, passId: number, now: Date): Promise<number> {
  const { total } = await query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('pass_id', '=', passId)
    .where('is_deleted', '=', 0)
    .where('events.status', '<>', 'trash')
    .where('utc_end_date', '>', toUtc(now))
    .executeTakeFirstOrThrow();
  return Math.max(0, MAX_PASS_DATES - Number(total));
}

/**
 * Prepares a pass for a ticket in a new event: its holders will get a seat.
 * @returns whether the pass covers the event: not if the event is outside its series, or exceeds the maximum of dates
 */
export async function extendPass(
  db: Database,
  passId: number,
  { series_id }: Pick<Event, 'series_id'>,
  now: Date,
): Promise<boolean> {
  if (series_id === null || !(await findPassSeries(db, passId)).includes(series_id)) return false;
  if ((await roomOf(db, passId, now)) === 0) return false;
  await enqueuePass(db, passId, now);
  return true;
}

/**
 * First coming events in which a pass lacks a ticket, because they were restored or had exceeded the maximum. None for
 * a deleted pass.
 */
export async function findUncovered(
  db: Database,
  passId: number,
  now: Date,
): Promise<{ series: number[]; events: number[] }> {
  const series = await findCoveredSeries(db, passId);
  const room = series.length === 0 ? 0 : await roomOf(db, passId, now);
  if (room === 0) return { series, events: [] };
  const rows = await selectComing(db, series, now)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tickets')
            .select('tickets.id')
            .where('pass_id', '=', passId)
            .whereRef('event_id', '=', 'events.id'),
        ),
      ),
    )
    .orderBy('utc_start_date')
    .orderBy('id')
    .limit(room)
    .execute();
  return { series, events: rows.map(({ id }) => id) };
}

/** Series whose events a pass covers; none after its deletion. */
export const findCoveredSeries = async (db: Database, passId: number): Promise<number[]> =>
  (await isWithdrawn(db, passId)) ? [] : findPassSeries(db, passId);

/** Whether a pass was deleted: the deletion of an event takes only its own ticket. */
async function isWithdrawn({ query }: Database, passId: number): Promise<boolean> {
  const deleted = query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .select('tickets.id')
    .where('pass_id', '=', passId)
    .where('is_deleted', '=', 1);
  return (await deleted.limit(1).executeTakeFirst()) !== undefined;
}

/** Passes with a ticket in an event that is not over. */
export async function findCurrentPasses({ query }: Database, now: Date): Promise<number[]> {
  const rows = await query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .select('pass_id')
    .distinct()
    .where('pass_id', 'is not', null)
    .where('is_deleted', '=', 0)
    .where('utc_end_date', '>', toUtc(now))
    .execute();
  return rows.flatMap(({ pass_id }) => pass_id ?? []);
}

/** Has jobs give the passes of a series, and their holders, the coming events that they miss. */
export async function enqueuePassesOf(db: Database, series: number, now: Date): Promise<void> {
  const rows = await db.query
    .selectFrom('tickets')
    .innerJoin('events', 'events.id', 'tickets.event_id')
    .select('pass_id')
    .distinct()
    .where('pass_id', 'is not', null)
    .where('is_deleted', '=', 0)
    .where('series_id', '=', series)
    .where('utc_end_date', '>', toUtc(now))
    .orderBy('pass_id')
    .execute();
  for (const { pass_id } of rows) if (pass_id !== null) await enqueuePass(db, pass_id, now);
}

/** Has a job give the holders of a pass the seats that they miss. */
export const enqueuePass = (db: Database, passId: number, now: Date): Promise<void> =>
  enqueue(db, {
    kind: PASS_JOB,
    key: `${PASS_JOB}-${passId}`,
    payload: { pass: passId },
    now,
    record: { kind: 'ticket', id: passId },
  });
