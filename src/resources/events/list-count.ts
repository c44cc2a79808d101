import { type RawBuilder, sql } from 'kysely';
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
export async function countList(db: Database, parts: CountedParts): Promise<number> {
  const rows = await countParts(db, parts, totalOf);
  return rows.reduce((sum, { total }) => sum + Number(total), 0);
}

/** Where a position of a list is. */
export interface Place {
  /** Number of all events of the list. */
  total: number;
  /** Month (UTC, `YYYY-MM`) in which the event there starts; empty past the end. */
  month: string;
  /** Number of events in the months before. */
  skipped: number;
}

/** Finds a position of a list by its counts of months, so that no events before that month have to be read. */
export async function findPlace(db: Database, parts: CountedParts, offset: number): Promise<Place> {
  const rows = await countParts(db, parts, monthsOf);
  const months = new Map<string, number>();
  for (const { month, events } of rows) months.set(month, (months.get(month) ?? 0) + Number(events));
  const total = [...months.values()].reduce((sum, events) => sum + events, 0);
  let skipped = 0;
  for (const [month, events] of [...months].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (offset < skipped + events) return { total, month, skipped };
    skipped += events;
  }
  return { total, month: '', skipped };
}

async function countParts<Row extends object>(
  db: Database,
  { few, others }: CountedParts,
  statement: (selections: readonly Selection[]) => RawBuilder<Row>,
): Promise<Row[]> {
  const rows = await Promise.all([
    countOnce(db, statement([others])),
    few.length === 0
      ? []
      : statement(few)
          .execute(db.query)
          .then((result) => result.rows),
  ]);
  return rows.flat();
}

function totalOf(selections: readonly Selection[]): RawBuilder<{ total: number }> {
  const counts = selections.map(({ from, where, id, repeats }) =>
    repeats
      ? sql`SELECT count(*) AS total FROM (SELECT DISTINCT ${id} FROM ${from} WHERE ${where}) AS found`
      : sql`SELECT count(*) AS total FROM ${from} WHERE ${where}`,
  );
  return sql`${sql.join(counts, sql` UNION ALL `)}`;
}

/** Not for selections that repeat events. */
function monthsOf(selections: readonly Selection[]): RawBuilder<{ month: string; events: number }> {
  const counts = selections.map(
    ({ from, where, start }) =>
      sql`SELECT substr(${start}, 1, 7) AS month, count(*) AS events FROM ${from} WHERE ${where} GROUP BY month`,
  );
  return sql`${sql.join(counts, sql` UNION ALL `)}`;
}
