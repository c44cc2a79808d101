import type { Compilable, Kysely } from 'kysely';
import { compiledOnce } from './compiled-statement.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/** Maximum number of ids in one statement: databases limit the number of bound values. */
const MAX_IDS = 10_000;
/** Up to this many ids, a statement has exactly as many placeholders. */
const EXACT_UP_TO = 4;

/**
 * A query for records by their ids, built and compiled once per number of placeholders. Duplicate ids count once;
 * without ids, no query runs. Rows are in the order of the query, which applies to each batch of 10,000 ids separately.
 * @param build the query; it may not depend on the values of its arguments, which are placeholders
 */
export function byIds<Row, Given extends readonly unknown[] = []>(
  build: (query: Kysely<Tables>, ids: readonly number[], ...given: Given) => Compilable<Row>,
): (db: Database, ids: Iterable<number>, ...given: Given) => Promise<Row[]> {
  type Find = (db: Database, ...given: readonly unknown[]) => Promise<Row[]>;
  const finds = new Map<number, Find>();

  function findFor(placeholders: number): Find {
    const cached = finds.get(placeholders);
    if (cached) return cached;
    const find: Find = compiledOnce((query, ...slots: readonly unknown[]) => {
      const others: readonly unknown[] = slots.slice(placeholders);
      return build(query, slots.slice(0, placeholders) as number[], ...(others as Given));
    });
    finds.set(placeholders, find);
    return find;
  }

  return async (db, ids, ...given) => {
    const wanted = [...new Set(ids)];
    const rows: Row[] = [];
    for (let from = 0; from < wanted.length; from += MAX_IDS) {
      const some = wanted.slice(from, from + MAX_IDS);
      const placeholders = placeholdersFor(some.length);
      const found = await findFor(placeholders)(db, ...padded(some, placeholders), ...given);
      if (wanted.length <= MAX_IDS) return found;
      for (const row of found) rows.push(row);
    }
    return rows;
  };
}

/** Rounds up to 6, 8, 12, 16, 24 and so on, so that few statements have to be planned. */
function placeholdersFor(ids: number): number {
  if (ids <= EXACT_UP_TO) return ids;
  const power = 2 ** Math.ceil(Math.log2(ids));
  return ids <= 0.75 * power ? 0.75 * power : power;
}

/** The last id fills the remaining placeholders. */
function padded(ids: readonly number[], length: number): (number | undefined)[] {
  const filled: (number | undefined)[] = ids.slice();
  while (filled.length < length) filled.push(ids.at(-1));
  return filled;
}
