import { type RawBuilder, sql } from 'kysely';
import type { DataState } from '../../../db/data-memory.ts';
import type { Database } from '../../../db/database.ts';
import { countOnce } from './count-cache.ts';
import type { Selection } from './selection.ts';

/** The disjoint parts of a list to count. */
export interface CountedParts {
  few: readonly Selection[];
  /** Part of many lists, so that it is counted by itself. */
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
