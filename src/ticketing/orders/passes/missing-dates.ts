import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../../db/database.ts';
import type { LocalTime } from '../../../lib/dates/dates.ts';
import { isPassDate, takesPlace } from '../../passes/pass-dates.ts';
import { hasOwnSeats, takesSeatSql } from '../../seats/seats.ts';
import { CANCELLED_SEAT } from '../statuses.ts';

/** Seats that holders of series passes miss, because the occurrence was added after their purchase. */

/** A coming date of a pass in which a holder has no seat. */
export interface MissingDate {
  /** First attendee of the holder. */
  holder: number;
  /** null if the pass has too many dates for another one. */
  ticket_id: number | null;
  event_id: number;
}

interface Missing {
  now: LocalTime;
  /** Last date that is left out at the beginning. */
  after?: { holder: number; ticket_id: number | null };
  /** Leaves out dates without seats. */
  withSeats?: boolean;
  /** Series whose events without a ticket of the pass are dates, too. */
  series?: readonly number[];
}

/** Tickets of a pass in events that have not ended; `is_date` is 1 if holders may lack a seat in them. */
const comingDates = (passId: number, { now, withSeats, series = [] }: Missing): RawBuilder<unknown> => {
  const isDate = isPassDate({ t: 't', e: 'e' }, now);
  return sql`SELECT t.id, t.event_id, CASE WHEN ${isDate}
      AND ${withSeats ? hasOwnSeats(now, { t: 't', s: 's' }) : sql`1 = 1`} THEN 1 ELSE 0 END AS is_date
    FROM tickets AS t JOIN events AS e ON e.id = t.event_id LEFT JOIN event_stock AS s ON s.event_id = t.event_id
    WHERE t.pass_id = ${passId} AND e.utc_end_date > ${now}${series.length > 0 ? withoutTicket(passId, { now, series }) : sql``}`;
};

const withoutTicket = (passId: number, { now, series }: { now: LocalTime; series: readonly number[] }) => sql`
  UNION ALL SELECT NULL, e.id, 1 FROM events AS e
    WHERE e.series_id IN (${sql.join(series)}) AND ${takesPlace('e', now)}
      AND NOT EXISTS (SELECT 1 FROM tickets AS t WHERE t.pass_id = ${passId} AND t.event_id = e.id)`;

/**
 * Dates that holders miss. Only holders with a seat in a coming date count: not after a cancellation, nor after the
 * last date. Counting the dates of each holder first keeps the work to one look at each attendee where no date is
 * missing.
 */
function missing(passId: number, select: RawBuilder<unknown>, wanted: Missing): RawBuilder<unknown> {
  const { holder = 0, ticket_id = null } = wanted.after ?? {};
  return sql`WITH coming AS (${comingDates(passId, wanted)}),
    held AS (SELECT h.pass_id AS holder FROM coming CROSS JOIN attendees AS h
      WHERE h.ticket_id = coming.id AND h.pass_id >= ${holder}
      GROUP BY h.pass_id
      HAVING sum(CASE WHEN ${takesSeatSql('h')} THEN 1 ELSE 0 END) > 0
        AND sum(coming.is_date) < (SELECT sum(is_date) FROM coming))
    SELECT ${select} FROM held CROSS JOIN coming
    WHERE coming.is_date = 1
      AND NOT EXISTS (SELECT 1 FROM attendees AS a WHERE a.pass_id = held.holder AND a.event_id = coming.event_id)
      AND NOT EXISTS (SELECT 1 FROM attendees AS c
        WHERE c.pass_id = held.holder AND c.attendance_status = ${CANCELLED_SEAT})
      AND (held.holder > ${holder} OR coming.id > ${ticket_id ?? 0})`;
}

/** Missing dates of a pass, in the order of the purchases. */
export async function findMissingDates(
  db: Database,
  passId: number,
  { limit, offset = 0, ...wanted }: Missing & { limit: number; offset?: number },
): Promise<MissingDate[]> {
  const columns = sql`held.holder AS holder, coming.id AS ticket_id, coming.event_id AS event_id`;
  const { rows } = await sql<MissingDate>`${missing(passId, columns, wanted)}
    ORDER BY held.holder, coalesce(coming.id, ${Number.MAX_SAFE_INTEGER}), coming.event_id LIMIT ${limit} OFFSET ${offset}`.execute(
    db.query,
  );
  return rows;
}

export async function countMissingDates(db: Database, passId: number, wanted: Missing): Promise<number> {
  const { rows } = await sql<{ total: number }>`${missing(passId, sql`count(*) AS total`, wanted)}`.execute(db.query);
  return Number(rows[0]?.total ?? 0);
}

/** Passes whose holders lack dates that they could get; one short statement for each pass. */
export async function findIncompletePasses(db: Database, now: LocalTime): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT DISTINCT t.pass_id AS id FROM tickets AS t JOIN events AS e ON e.id = t.event_id
      LEFT JOIN event_stock AS s ON s.event_id = t.event_id
    WHERE t.pass_id IS NOT NULL AND ${isPassDate({ t: 't', e: 'e' }, now)} AND ${hasOwnSeats(now, { t: 't', s: 's' })}
    ORDER BY id`.execute(db.query);
  const found: number[] = [];
  for (const { id } of rows)
    if ((await findMissingDates(db, id, { now, limit: 1, withSeats: true })).length > 0) found.push(id);
  return found;
}
