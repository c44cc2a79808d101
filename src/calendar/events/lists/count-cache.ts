import type { RawBuilder } from 'kysely';
import type { DataState } from '../../../db/data-memory.ts';
import type { Database } from '../../../db/database.ts';

/** The result of a counting query, cached until the next change of the calendar. */
export async function countOnce<Row extends object>(
  db: Database,
  query: RawBuilder<Row>,
  { counts }: DataState,
): Promise<readonly Row[]> {
  const compiled = query.compile(db.query);
  const key = JSON.stringify([compiled.sql, compiled.parameters]);
  const before = counts.get(key);
  // The statement decides the type of its rows.
  if (before !== undefined) return before as readonly Row[];
  const { rows } = await db.query.executeQuery<Row>(compiled);
  counts.set(key, rows);
  return rows;
}
