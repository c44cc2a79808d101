import type { Compilable, CompiledQuery, Kysely } from 'kysely';
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
 * A statement that finds rows by keys, built and compiled once: building takes longer than running most of them.
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
