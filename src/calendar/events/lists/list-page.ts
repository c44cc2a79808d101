import { type RawBuilder, sql } from 'kysely';
import { type ListConditions, linkedToAny } from './filter.ts';
import type { Selection } from './selection.ts';

/** Pages of lists, in order of start and id. */

export interface PageRange {
  limit: number;
  offset: number;
  /** Whether the list begins with its last event. */
  isDescending?: boolean;
}

/** A range from the beginning of a list or, in reverse order, from its end. */
interface DirectedRange extends PageRange {
  isFromEnd: boolean;
}

/** The range counted from the nearer end of the list, since the database has to skip everything before it. */
export function nearerEnd({ limit, offset, isDescending = false }: PageRange, total: number): DirectedRange {
  if (offset <= total / 2) return { limit, offset, isDescending, isFromEnd: false };
  const length = Math.min(limit, total - offset);
  return { limit: length, offset: total - offset - length, isDescending: !isDescending, isFromEnd: true };
}

export const directionOf = ({ isDescending }: Pick<PageRange, 'isDescending'>): RawBuilder<unknown> =>
  isDescending ? sql`DESC` : sql`ASC`;

/** Up to these limits, merging the pages of several targets is faster than sorting the events of all of them. */
const MAX_BRANCHES = 20;
const MAX_MERGED = 1000;

/** Splits the list into branches, one for each target of the driving filter. */
export function branchesOf(list: ListConditions, { limit, offset }: PageRange): ListConditions[] {
  const { kind, targets = [] } = list.driver ?? {};
  const isMerged = targets.length > 1 && targets.length <= MAX_BRANCHES && offset + limit <= MAX_MERGED;
  if (!kind || !isMerged) return [list];
  return targets.map((target) => ({ ...list, driver: linkedToAny(kind, [target]) }));
}

/** An event of a page. */
export interface Listed {
  id: number;
  start: string;
  series: number | null;
}

export function pageOf(selections: readonly Selection[], page: PageRange): RawBuilder<Listed> {
  const { limit, offset } = page;
  const [first] = selections;
  const direction = directionOf(page);
  const listed = ({ from, where, id, start, series, repeats }: Selection, range: RawBuilder<unknown>) =>
    sql`SELECT ${repeats ? sql`DISTINCT` : sql``} ${id} AS id, ${start} AS start, ${series} AS series FROM ${from}
      WHERE ${where} ORDER BY ${start} ${direction}, ${id} ${direction} ${range}`;
  if (first && selections.length === 1) return sql`${listed(first, sql`LIMIT ${limit} OFFSET ${offset}`)}`;
  // The page is contained in the first events of the branches, wherever it begins.
  const branches = selections.map(
    (selection) => sql`SELECT * FROM (${listed(selection, sql`LIMIT ${offset + limit}`)}) AS branch`,
  );
  return sql`SELECT id, start, series FROM (${sql.join(branches, sql` UNION `)}) AS merged
    ORDER BY start ${direction}, id ${direction} LIMIT ${limit} OFFSET ${offset}`;
}
