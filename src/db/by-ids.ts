import type { Compilable, CompiledQuery, Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';
import type { Tables } from './tables.ts';

/** Maximum number of ids in one statement: databases limit bound values. */
const MAX_IDS = 10_000;
/** Up to this many ids, a statement has exactly as many placeholders. */
const EXACT_UP_TO = 4;

/** Placeholder while a statement is compiled: the index of an id, or of another argument after the ids. */
class Slot {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

interface Statement<Row> {
  compiled: CompiledQuery<Row>;
  places: number;
}

/**
 * A query for records by their ids, built and compiled once per number of ids: building takes longer than running most
 * such queries. Duplicate ids count once; without ids nothing is queried. Rows are in the order of the query, applied
 * to each batch of 10,000 ids separately.
 * @param build the query; it may not depend on the values of its arguments, which are placeholders
 */
export function byIds<Row, Given extends readonly unknown[] = []>(
  build: (query: Kysely<Tables>, ids: readonly number[], ...given: Given) => Compilable<Row>,
): (db: Database, ids: Iterable<number>, ...given: Given) => Promise<Row[]> {
  const statements = new Map<Dialect, Map<number, Statement<Row>>>();

  function statementFor({ query, dialect }: Database, places: number, given: number): Statement<Row> {
    const ofDialect = statements.get(dialect) ?? new Map<number, Statement<Row>>();
    const known = ofDialect.get(places);
    if (known) return known;
    const slots: unknown[] = Array.from({ length: places + given }, (_, index) => new Slot(index));
    const arguments_ = slots.slice(places) as unknown as Given;
    const made = { compiled: build(query, slots.slice(0, places) as number[], ...arguments_).compile(), places };
    dialect.planOnce(made.compiled.sql);
    statements.set(dialect, ofDialect.set(places, made));
    return made;
  }

  return async (db, ids, ...given) => {
    const wanted = [...new Set(ids)];
    const rows: Row[] = [];
    for (let from = 0; from < wanted.length; from += MAX_IDS) {
      const some = wanted.slice(from, from + MAX_IDS);
      const { compiled, places } = statementFor(db, placesFor(some.length), given.length);
      const parameters = bind(compiled.parameters, padded(some, places).concat(given));
      const { sql, query, queryId } = compiled;
      const found = await db.query.executeQuery<Row>({ sql, query, queryId, parameters });
      if (wanted.length <= MAX_IDS) return found.rows;
      for (const row of found.rows) rows.push(row);
    }
    return rows;
  };
}

/** Rounded up to 6, 8, 12, 16, 24 and so on, so that few statements have to be planned. */
function placesFor(ids: number): number {
  if (ids <= EXACT_UP_TO) return ids;
  const places = 2 ** Math.ceil(Math.log2(ids));
  return ids <= 0.75 * places ? 0.75 * places : places;
}

/** The last id fills the remaining placeholders. */
function padded(ids: readonly number[], places: number): unknown[] {
  const filled: unknown[] = ids.slice();
  while (filled.length < places) filled.push(ids.at(-1));
  return filled;
}

const bind = (parameters: readonly unknown[], values: readonly unknown[]): unknown[] =>
  parameters.map((one) => (one instanceof Slot ? values[one.index] : one));
