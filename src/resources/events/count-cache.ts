import type { RawBuilder } from 'kysely';
import type { Database } from '../../db/database.ts';

interface Remembered {
  version: string;
  totals: Map<string, number>;
}

const MAX_TOTALS = 2000;

/** Keyed by connection. */
const remembered = new WeakMap<object, Remembered>();

/**
 * The result of a `SELECT count(*) AS total`, counted once for each state of the data. The state is asked before
 * counting, and states never come back: so a number found under the present state was counted in it.
 */
export async function countOnce(db: Database, query: RawBuilder<{ total: number }>): Promise<number> {
  const compiled = query.compile(db.query);
  const count = async () => Number((await db.query.executeQuery<{ total: number }>(compiled)).rows[0]?.total ?? 0);
  // A transaction sees its own work, which is in no state yet.
  if (db.query.isTransaction) return count();
  const version = await db.dialect.version(db);
  const known = remembered.get(db.query);
  const totals = known?.version === version ? known.totals : new Map<string, number>();
  if (known?.version !== version) remembered.set(db.query, { version, totals });
  const key = JSON.stringify([compiled.sql, compiled.parameters]);
  const before = totals.get(key);
  if (before !== undefined) return before;
  const total = await count();
  if (totals.size < MAX_TOTALS) totals.set(key, total);
  return total;
}
