import { CompiledQuery, type Insertable, sql } from 'kysely';
import type { Database } from '../src/db/database.ts';
import type { Tables } from '../src/db/tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** Rows of one statement on SQLite, at most: the search index is written once for each statement. */
const MOST_ROWS = 512;

/** Inserts rows with the same columns, by statements whose text is the same for any number of rows. */
export async function insertRows<Name extends keyof Tables>(
  { query, dialect }: Database,
  table: Name,
  rows: readonly Insertable<Tables[Name]>[],
): Promise<void> {
  if (rows.length === 0) return;
  const insert = dialect.kind === 'postgres' ? insertJson : insertGroups;
  await insert(query, table, rows);
}

/** One parameter is quicker to parse than thousands. */
async function insertJson(query: Database['query'], table: string, rows: readonly Row[]): Promise<void> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map((name) => sql.ref(name)));
  await sql`INSERT INTO ${sql.table(table)} (${columns})
    SELECT ${columns} FROM json_populate_recordset(NULL::${sql.table(table)}, ${JSON.stringify(rows)})`.execute(query);
}

/** In powers of two, because SQLite keeps each statement prepared. */
async function insertGroups(query: Database['query'], table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const placeholders = `(${columns.map(() => '?').join(', ')})`;
  let done = 0;
  for (let count = MOST_ROWS; count >= 1; count /= 2) {
    const places = Array.from({ length: count }, () => placeholders).join(', ');
    const statement = `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${places}`;
    for (; rows.length - done >= count; done += count) {
      const values = rows.slice(done, done + count).flatMap((row) => columns.map((name) => row[name]));
      await query.executeQuery(CompiledQuery.raw(statement, values));
    }
  }
}

interface Definition {
  name: string;
  /** The statement that creates it. */
  definition: string;
}

/**
 * Fills tables without their indexes, which are faster to make afterwards than to keep. Constraints stay. So do the
 * triggers, except those of SQLite that count changes row by row: no client has an earlier version yet.
 */
export async function fillWithoutIndexes(
  db: Database,
  tables: readonly (keyof Tables)[],
  fill: () => Promise<void>,
): Promise<void> {
  const isPostgres = db.dialect.kind === 'postgres';
  const indexes = await (isPostgres ? postgresIndexes(db, tables) : sqliteDefinitions(db, tables, 'index'));
  const triggers = isPostgres ? [] : await sqliteDefinitions(db, tables, 'trigger');
  const counting = triggers.filter(({ definition }) => definition.includes('UPDATE data_versions'));
  for (const { name } of indexes) await sql`DROP INDEX ${sql.ref(name)}`.execute(db.query);
  for (const { name } of counting) await sql`DROP TRIGGER ${sql.ref(name)}`.execute(db.query);
  await fill();
  for (const { definition } of [...indexes, ...counting]) await sql.raw(definition).execute(db.query);
}

/** Without those of constraints, which have no statement of their own. */
async function sqliteDefinitions(
  { query }: Database,
  tables: readonly string[],
  type: 'index' | 'trigger',
): Promise<Definition[]> {
  const { rows } = await sql<Definition>`SELECT name, sql AS definition FROM sqlite_master
    WHERE type = ${type} AND tbl_name IN (${sql.join(tables)}) AND sql IS NOT NULL ORDER BY name`.execute(query);
  return rows;
}

async function postgresIndexes({ query }: Database, tables: readonly string[]): Promise<Definition[]> {
  const { rows } = await sql<Definition>`SELECT indexname AS name, indexdef AS definition FROM pg_indexes
    WHERE schemaname = current_schema() AND tablename IN (${sql.join(tables)})
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conname = indexname) ORDER BY indexname`.execute(query);
  return rows;
}
