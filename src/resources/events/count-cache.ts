import type { RawBuilder } from 'kysely';
import type { DataState } from '../../db/data-memory.ts';
import type { Database } from '../../db/database.ts';

/** The result of a `SELECT count(*) AS total`, cached until the next change of the calendar. */
export async function countOnce(
  db: Database,
  query: RawBuilder<{ total: number }>,
  { totals }: DataState,
): Promise<number> {
  const compiled = query.compile(db.query);
  const key = JSON.stringify([compiled.sql, compiled.parameters]);
  const before = totals.get(key);
  if (before !== undefined) return before;
  const { rows } = await db.query.executeQuery<{ total: number }>(compiled);
  const total = Number(rows[0]?.total ?? 0);
  totals.set(key, total);
  return total;
}
