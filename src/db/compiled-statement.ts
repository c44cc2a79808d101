import type { Compilable, CompiledQuery, Insertable, Kysely } from 'kysely';
import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';
import type { Tables } from './tables.ts';

/** Placeholder of an argument while a statement is compiled. */
class Slot {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/**
 * A statement that finds rows by keys, built and compiled once: building most statements takes longer than running
 * them.
 * @param build the statement; it may not depend on the values of its arguments, which are placeholders
 */
export function compiledOnce<Row, Given extends readonly unknown[]>(
  build: (query: Kysely<Tables>, ...given: Given) => Compilable<Row>,
): (db: Database, ...given: Given) => Promise<Row[]> {
  const statements = new Map<Dialect, CompiledQuery<Row>>();

  function statementFor({ query, dialect }: Database, count: number): CompiledQuery<Row> {
    const cached = statements.get(dialect);
    if (cached) return cached;
    const slots: readonly unknown[] = Array.from({ length: count }, (_, index) => new Slot(index));
    const compiled = build(query, ...(slots as Given)).compile();
    dialect.allowGenericPlan(compiled.sql);
    statements.set(dialect, compiled);
    return compiled;
  }

  return async (db, ...given) => {
    const { sql, query, queryId, parameters } = statementFor(db, given.length);
    const bound = parameters.map((parameter) => (parameter instanceof Slot ? given[parameter.index] : parameter));
    const { rows } = await db.query.executeQuery<Row>({ sql, query, queryId, parameters: bound });
    return rows;
  };
}

/** Maximum number of rows for which an insertion is compiled once. */
const COMPILED_ROWS = 8;

type Run = (db: Database, ...values: readonly unknown[]) => Promise<unknown>;

/**
 * An insertion of rows with the same columns, built and compiled once for each set of columns and number of rows:
 * building the insertion of a wide row takes longer than running it.
 */
export function compiledInsert<Name extends keyof Tables>(
  table: Name,
): (db: Database, rows: readonly Insertable<Tables[Name]>[]) => Promise<void> {
  const runs = new Map<string, Run>();

  return async (db, rows) => {
    const [first] = rows;
    if (first === undefined) return;
    const columns = Object.entries(first).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    const valuesOf = (row: object) => columns.map((name) => (row as Record<string, unknown>)[name]);
    if (rows.length > COMPILED_ROWS) {
      await db.query
        .insertInto(table)
        .values([...rows])
        .execute();
      return;
    }
    const key = `${rows.length} ${columns.join()}`;
    const run =
      runs.get(key) ??
      compiledOnce((query: Kysely<Tables>, ...slots: readonly unknown[]) => {
        // Placeholders stand for the values of the columns.
        const rowAt = (index: number) =>
          Object.fromEntries(columns.map((name, at) => [name, slots[index * columns.length + at]])) as Insertable<
            Tables[Name]
          >;
        return query.insertInto(table).values(rows.map((_row, index) => rowAt(index)));
      });
    runs.set(key, run);
    await run(db, ...rows.flatMap(valuesOf));
  };
}
