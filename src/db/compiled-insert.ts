import type { Insertable, Kysely } from 'kysely';
import { compiledOnce } from './compiled-statement.ts';
import type { Database } from './database.ts';
import type { Tables } from './tables.ts';

/** Up to this many rows, a statement is built and compiled once for their number. */
const COMPILED_ROWS = 8;

type Run = (db: Database, ...values: readonly unknown[]) => Promise<unknown>;

/**
 * An insertion of rows with the same columns, built and compiled once for each set of columns: building the insertion of a
 * wide row takes longer than running it.
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
        const rowAt = (index: number) =>
          Object.fromEntries(columns.map((name, at) => [name, slots[index * columns.length + at]]));
        // Placeholders stand for the values of the columns.
        return query.insertInto(table).values(rows.map((_row, index) => rowAt(index)) as never);
      });
    runs.set(key, run);
    await run(db, ...rows.flatMap(valuesOf));
  };
}
