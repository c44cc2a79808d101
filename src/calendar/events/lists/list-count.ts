import { type RawBuilder, sql } from 'kysely';
import type { CachedData } from '../../../db/data-cache.ts';
import type { Database } from '../../../db/database.ts';
import type { Selection } from './selection.ts';

/** Disjoint parts of a list, to be counted. */
export interface CountedParts {
  few: readonly Selection[];
  /** Part shared with many lists, so that its count is cached separately. */
  others: Selection;
}

/** The number of events of a list. */
export async function countList(db: Database, parts: CountedParts, state: CachedData): Promise<number> {
  const rows = await Promise.all(groupsOf(parts).map((group) => cachedCount(db, totalOf(group), state)));
  return sumOf(rows.flat().map(({ total }) => total));
}

/** Number of events of a list, and number of events in a series among them. */
export async function countInSeries(
  db: Database,
  parts: CountedParts,
  state: CachedData,
): Promise<{ total: number; inSeries: number }> {
  const counted = await Promise.all(groupsOf(parts).map((group) => cachedCount(db, bothOf(group), state)));
  const rows = counted.flat();
  return {
    total: sumOf(rows.map(({ total }) => total)),
    inSeries: sumOf(rows.map(({ in_series }) => in_series)),
  };
}

const groupsOf = ({ few, others }: CountedParts): (readonly Selection[])[] =>
  few.length > 0 ? [few, [others]] : [[others]];

/** PostgreSQL returns counts as text. */
const sumOf = (counts: readonly (number | string)[]): number =>
  counts.reduce<number>((sum, count) => sum + Number(count), 0);

function totalOf(selections: readonly Selection[]): RawBuilder<{ total: number }> {
  const counts = selections.map(({ from, where, id, repeats }) =>
    repeats
      ? sql`SELECT count(*) AS total FROM (SELECT DISTINCT ${id} FROM ${from} WHERE ${where}) AS found`
      : sql`SELECT count(*) AS total FROM ${from} WHERE ${where}`,
  );
  return sql`${sql.join(counts, sql` UNION ALL `)}`;
}

function bothOf(selections: readonly Selection[]): RawBuilder<{ total: number; in_series: number }> {
  const counts = selections.map(({ from, where, id, series, repeats }) =>
    repeats
      ? sql`SELECT count(*) AS total, count(series) AS in_series
          FROM (SELECT DISTINCT ${id}, ${series} AS series FROM ${from} WHERE ${where}) AS found`
      : sql`SELECT count(*) AS total, count(${series}) AS in_series FROM ${from} WHERE ${where}`,
  );
  return sql`${sql.join(counts, sql` UNION ALL `)}`;
}

/** Returns the result of a counting query, cached until the next change of the calendar. */
export async function cachedCount<Row extends object>(
  db: Database,
  query: RawBuilder<Row>,
  { counts }: CachedData,
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
