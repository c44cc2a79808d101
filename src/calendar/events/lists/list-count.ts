import { type RawBuilder, sql } from 'kysely';
import type { DataState } from '../../../db/data-memory.ts';
import type { Database } from '../../../db/database.ts';
import type { Selection } from './selection.ts';

/** Disjoint parts of a list, to be counted. */
export interface CountedParts {
  few: readonly Selection[];
  /** Part shared with many lists, so that its count is cached separately. */
  others: Selection;
}

/** The number of events of a list. */
export async function countList(db: Database, { few, others }: CountedParts, state: DataState): Promise<number> {
  const groups = few.length > 0 ? [few, [others]] : [[others]];
  const counts = await Promise.all(groups.map((group) => countOnce(db, totalOf(group), state)));
  return counts.flat().reduce((sum, { total }) => sum + Number(total), 0);
}

function totalOf(selections: readonly Selection[]): RawBuilder<{ total: number }> {
  const counts = selections.map(({ from, where, id, repeats }) =>
    repeats
      ? sql`SELECT count(*) AS total FROM (SELECT DISTINCT ${id} FROM ${from} WHERE ${where}) AS found`
      : sql`SELECT count(*) AS total FROM ${from} WHERE ${where}`,
  );
  return sql`${sql.join(counts, sql` UNION ALL `)}`;
}

/** Returns the result of a counting query, cached until the next change of the calendar. */
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
