import type { RawBuilder } from 'kysely';
import type { CountCache, Database } from '../../db/database.ts';

const MAX_TOTALS = 2000;

/**
 * The result of a `SELECT count(*) AS total`, cached until the next change of the calendar. The version is read
 * before counting and never repeats, so a cached number was counted in the present state of the data.
 */
export async function countOnce(db: Database, query: RawBuilder<{ total: number }>): Promise<number> {
  const compiled = query.compile(db.query);
  const count = async () => Number((await db.query.executeQuery<{ total: number }>(compiled)).rows[0]?.total ?? 0);
  // A transaction sees its own uncommitted writes.
  if (db.query.isTransaction) return count();
  const version = await db.dialect.calendarVersion(db);
  const totals = totalsOf(db.countCache, version);
  const key = JSON.stringify([compiled.sql, compiled.parameters]);
  const before = totals.get(key);
  if (before !== undefined) return before;
  const total = await count();
  if (totals.size < MAX_TOTALS) totals.set(key, total);
  return total;
}

/** The cached totals of a version; those of an older one are dropped. */
function totalsOf(cache: CountCache, version: string): CountCache['totals'] {
  if (cache.version !== version) {
    cache.version = version;
    cache.totals = new Map();
  }
  return cache.totals;
}
