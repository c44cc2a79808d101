import type { RawBuilder } from 'kysely';
import type { CountCache, Database } from '../../db/database.ts';

const MAX_COUNTS = 2000;

/**
 * The result of a counting query, cached until the next change of the calendar. The version is read before counting
 * and never repeats, so a cached result was counted in the present state of the data.
 */
export async function countOnce<Row extends object>(db: Database, query: RawBuilder<Row>): Promise<readonly Row[]> {
  const compiled = query.compile(db.query);
  const count = async () => (await db.query.executeQuery<Row>(compiled)).rows;
  // A transaction sees its own uncommitted writes.
  if (db.query.isTransaction) return count();
  const version = await db.dialect.calendarVersion(db);
  const counts = countsOf(db.countCache, version);
  const key = JSON.stringify([compiled.sql, compiled.parameters]);
  const before = counts.get(key);
  // The statement decides the type of its rows.
  if (before !== undefined) return before as readonly Row[];
  const rows = await count();
  if (counts.size < MAX_COUNTS) counts.set(key, rows);
  return rows;
}

/**
 * The result of a counting query at some earlier time: for decisions on how to read a list, never on what is in it.
 */
export async function estimateOnce<Row extends object>(
  { query, countCache: { estimates } }: Database,
  statement: RawBuilder<Row>,
): Promise<readonly Row[]> {
  const compiled = statement.compile(query);
  const key = JSON.stringify([compiled.sql, compiled.parameters]);
  const before = estimates.get(key);
  if (before !== undefined) return before as readonly Row[];
  const { rows } = await query.executeQuery<Row>(compiled);
  if (estimates.size >= MAX_COUNTS) estimates.clear();
  estimates.set(key, rows);
  return rows;
}

/** The cached counts of a version; those of an older one are dropped. */
function countsOf(cache: CountCache, version: string): CountCache['counts'] {
  if (cache.version !== version) {
    cache.version = version;
    cache.counts = new Map();
  }
  return cache.counts;
}
