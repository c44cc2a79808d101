import { type RawBuilder, sql } from 'kysely';
import type { DataState } from '../../db/data-memory.ts';
import type { Database } from '../../db/database.ts';
import { countOnce } from './count-cache.ts';
import type { Selection } from './selection.ts';

/** The disjoint parts of a list to count. */
export interface CountedParts {
  /** Counted each time. */
  few: readonly Selection[];
  /** Counted once for each version of the data. */
  others: Selection;
}

/** The number of events of a list. */
export async function countList(db: Database, { few, others }: CountedParts, state: DataState): Promise<number> {
  const counted = [
    countOnce(db, totalOf([others]), state),
    few.length === 0
      ? []
      : totalOf(few)
          .execute(db.query)
          .then(({ rows }) => rows),
  ];
  const rows = (await Promise.all(counted)).flat();
  return rows.reduce((sum, { total }) => sum + Number(total), 0);
}

function totalOf(selections: readonly Selection[]): RawBuilder<{ total: number }> {
  const counts = selections.map(({ from, where, id, repeats }) =>
    repeats
      ? sql`SELECT count(*) AS total FROM (SELECT DISTINCT ${id} FROM ${from} WHERE ${where}) AS found`
      : sql`SELECT count(*) AS total FROM ${from} WHERE ${where}`,
  );
  return sql`${sql.join(counts, sql` UNION ALL `)}`;
}
