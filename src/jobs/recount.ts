import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import { sharedSum, takesSeatSql } from '../ticketing/seats/seats.ts';

/** A counter that differs from a recount. */
export interface WrongCounter {
  /** Column name, such as `tickets.sold`. */
  counter: string;
  /** Id of the ticket, event, promotion or term. */
  id: number;
  stored: number;
  counted: number;
}

interface Check {
  counter: string;
  table: string;
  key: string;
  column: string;
  /** SQL for the correct value of the row `t`. */
  recount: RawBuilder<number>;
}

const EVENT_ID = sql.ref('t.event_id');

/** Tickets come before the shared seats, whose counters are their sums. */
const CHECKS: readonly Check[] = [
  {
    counter: 'tickets.sold',
    table: 'tickets',
    key: 'id',
    column: 'sold',
    recount: sql`(SELECT count(*) FROM attendees AS a WHERE a.ticket_id = t.id AND ${takesSeatSql('a')})`,
  },
  {
    counter: 'tickets.held',
    table: 'tickets',
    key: 'id',
    column: 'held',
    recount: sql`(SELECT coalesce(sum(quantity), 0) FROM cart_items AS c WHERE c.ticket_id = t.id)`,
  },
  {
    counter: 'event_stock.sold',
    table: 'event_stock',
    key: 'event_id',
    column: 'sold',
    recount: sharedSum('sold', EVENT_ID),
  },
  {
    counter: 'event_stock.held',
    table: 'event_stock',
    key: 'event_id',
    column: 'held',
    recount: sharedSum('held', EVENT_ID),
  },
  {
    counter: 'promotions.used',
    table: 'promotions',
    key: 'id',
    column: 'used',
    recount: sql`(SELECT count(*) FROM promotion_uses AS u WHERE u.promotion_id = t.id)`,
  },
  {
    counter: 'terms.count',
    table: 'terms',
    key: 'id',
    column: 'count',
    // Not a join: for each term, SQLite would scan all published events first.
    recount: sql`(SELECT count(*) FROM event_links AS l WHERE l.kind = t.taxonomy AND l.target_id = t.id AND EXISTS (
      SELECT 1 FROM events AS e WHERE e.id = l.event_id AND e.status = 'publish' AND e.password = ''))`,
  },
];

/** Recounts every counter and returns the inconsistent ones. Read-only. */
export async function findWrongCounters(db: Database): Promise<WrongCounter[]> {
  const findings: WrongCounter[] = [];
  for (const check of CHECKS) findings.push(...(await compare(db, check)));
  return findings;
}

async function compare(db: Database, { counter, table, key, column, recount }: Check): Promise<WrongCounter[]> {
  const { rows } = await sql<{ id: number; stored: number; counted: number }>`
    SELECT ${sql.ref(`t.${key}`)} AS id, ${sql.ref(`t.${column}`)} AS stored, ${recount} AS counted
    FROM ${sql.table(table)} AS t WHERE ${sql.ref(`t.${column}`)} <> ${recount} ORDER BY 1`.execute(db.query);
  return rows.map((row) => ({ counter, id: Number(row.id), stored: Number(row.stored), counted: Number(row.counted) }));
}

/**
 * Corrects every counter, in one transaction. Meant to run while the server is stopped, because sales wait until it
 * ends.
 * @returns the counters that were inconsistent
 */
export const repairCounters = (db: Database): Promise<WrongCounter[]> =>
  db.transaction(async (trx) => {
    const findings: WrongCounter[] = [];
    for (const check of CHECKS) {
      const wrong = await compare(trx, check);
      findings.push(...wrong);
      for (const { id, counted } of wrong) {
        await sql`UPDATE ${sql.table(check.table)} SET ${sql.ref(check.column)} = ${counted} WHERE ${sql.ref(check.key)} = ${id}`.execute(
          trx.query,
        );
      }
    }
    return findings;
  });
