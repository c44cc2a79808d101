import { sql } from 'kysely';
import type { Database } from '../src/db/database.ts';

/** Shadow tables of SQLite's search indexes: internal data derived from the indexed tables. */
const INSIDE_INDEX = /^(event_search|word_parts)_(config|data|docsize|idx)$/;

const tablesOf = new WeakMap<Database, string[]>();

async function storedTables(db: Database): Promise<string[]> {
  const tables = await db.query.introspection.getTables();
  return (
    tables
      // The copies of first-rows.ts have a schema of their own.
      .filter(({ name, schema = 'public' }) => schema === 'public' && !INSIDE_INDEX.test(name))
      .map(({ name }) => name)
      .sort()
  );
}

/** All rows of all tables as text, for what must or must not be stored. */
export async function readContent(db: Database): Promise<string> {
  const stored = tablesOf.get(db) ?? (await storedTables(db));
  tablesOf.set(db, stored);
  const entries = stored.map(async (name): Promise<[string, string[]]> => {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db.query);
    return [name, rows.map((row) => JSON.stringify(row)).sort()];
  });
  return JSON.stringify(await Promise.all(entries));
}
