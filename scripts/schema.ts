/** Writes `src/db/sqlite-schema.sql`, the schema of a new SQLite database: `npm run schema`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../src/db/database.ts';
import { migrate, SQLITE_SCHEMA } from '../src/db/migrate.ts';
import { MIGRATIONS } from '../src/db/migrations/all.ts';

interface SchemaObject {
  type: string;
  name: string;
  tbl_name: string;
  sql: string | null;
}

const HEADING =
  '-- Tables and first rows of a new SQLite database: the result of all migrations, written by `npm run schema`.';

/** Tables that SQLite makes itself, for counters and behind each search index. */
const INTERNAL = /^sqlite_|_(data|idx|content|docsize|config)$/;

/** The statements that create all tables and their first rows, as the migrations leave them. */
export async function sqliteSchema(db: Database): Promise<string> {
  const { rows } = await sql<SchemaObject>`SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid`.execute(
    db.query,
  );
  const virtual = rows.filter(({ sql: text }) => text?.startsWith('CREATE VIRTUAL')).map(({ name }) => name);
  const own = rows.filter(({ type, name }) => type !== 'table' || !INTERNAL.test(name));
  const statements: string[] = [];
  for (const { name, sql: table } of own.filter(({ type }) => type === 'table')) {
    // `migrate` creates it, to look for migrations.
    if (table && name !== 'migrations') statements.push(table);
    // Rows come before the triggers, which count changes.
    if (!virtual.includes(name)) statements.push(...(await rowsOf(db, name)));
    const others = own.filter(({ type, tbl_name }) => type !== 'table' && tbl_name === name);
    statements.push(...others.flatMap(({ sql: text }) => text ?? []));
  }
  return `${HEADING}\n\n${statements.join(';\n\n')};\n`;
}

async function rowsOf(db: Database, table: string): Promise<string[]> {
  const { rows } = await sql<Record<string, unknown>>`SELECT * FROM ${sql.table(table)} ORDER BY 1`.execute(db.query);
  const tuples = rows.map((row) => `  (${Object.values(row).map(literal).join(', ')})`);
  if (tuples.length === 0) return [];
  return [`INSERT INTO ${table} (${Object.keys(rows[0] ?? {}).join(', ')}) VALUES\n${tuples.join(',\n')}`];
}

/** Random identifier of a site. */
const RANDOM = /^[0-9a-f]{32}$/;

function literal(value: unknown): string {
  if (value === null || typeof value === 'number') return String(value);
  if (typeof value !== 'string') throw new TypeError(`No literal for ${typeof value}`);
  return RANDOM.test(value) ? 'lower(hex(randomblob(16)))' : `'${value.replaceAll("'", "''")}'`;
}

if (import.meta.main) {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-schema-'));
  const db = openDatabase({ kind: 'sqlite', file: join(folder, 'marquee.db') });
  await migrate(db, MIGRATIONS);
  await writeFile(SQLITE_SCHEMA, await sqliteSchema(db));
  await db.close();
  await rm(folder, { recursive: true });
}
