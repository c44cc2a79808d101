import { readdir, readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Database } from './database.ts';
import type { Migration } from './migration.ts';

/** The tables of a new SQLite database, as all migrations leave them. */
export const SQLITE_SCHEMA = new URL('sqlite-schema.sql', import.meta.url);

/** Thrown when a newer version of Marquee has written the database. */
export class NewerDatabaseError extends Error {}

/**
 * Migrates the database to the newest schema, under a lock, so that processes that start together do it once. Returns
 * the names of the migrations that ran.
 * @throws {NewerDatabaseError} if the database has a migration that this program does not know
 */
export async function migrate(db: Database, migrations?: readonly Migration[]): Promise<string[]> {
  return db.transaction(async (trx) => {
    await trx.dialect.lock(trx, 'marquee-migrations');
    await sql`CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY)`.execute(trx.query);
    let done = await namesOfDone(trx);
    const known = migrations?.map(({ name }) => name) ?? (await migrationFiles());
    const unknown = [...done].find((name) => !known.includes(name));
    if (unknown) throw new NewerDatabaseError(`The database was written by a newer Marquee (it has "${unknown}").`);
    const due = known.filter((name) => !done.has(name));
    if (!migrations && done.size === 0 && trx.dialect.kind === 'sqlite') {
      await createTables(trx);
      done = await namesOfDone(trx);
    }
    // A start loads none of them when nothing is due.
    const all = known.every((name) => done.has(name))
      ? []
      : (migrations ?? (await import('./migrations/all.ts')).MIGRATIONS);
    await run(
      trx,
      all.filter(({ name }) => !done.has(name)),
    );
    return due;
  });
}

async function namesOfDone(db: Database): Promise<Set<string>> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM migrations`.execute(db.query);
  return new Set(rows.map(({ name }) => name));
}

/** Creates all tables of an empty database in a third of the time of the migrations. */
async function createTables(db: Database): Promise<void> {
  const text = await readFile(SQLITE_SCHEMA, 'utf8');
  for (const statement of text.split(';\n\n')) await sql.raw(statement).execute(db.query);
}

/** Names of the migrations of this program: each has a file of its name. */
async function migrationFiles(): Promise<string[]> {
  const files = await readdir(new URL('./migrations/', import.meta.url));
  return files.flatMap((file) => /^(\d{4}-.+)\.ts$/.exec(file)?.[1] ?? []).sort();
}

/** Runs migrations in order. */
async function run(db: Database, migrations: readonly Migration[]): Promise<void> {
  let waiting: string[] = [];
  const send = async () => {
    if (waiting.length === 0) return;
    // PostgreSQL takes all in one message, which is faster; SQLite would run only the first statement.
    const texts = db.dialect.kind === 'postgres' ? [waiting.join(';\n')] : waiting;
    waiting = [];
    for (const text of texts) await sql.raw(text).execute(db.query);
  };
  for (const migration of migrations) {
    const [first = 'SELECT 1', ...others] = migration.statements(db.dialect);
    // The comment names the migration in the log of PostgreSQL, and keeps the driver from preparing a statement.
    waiting.push(`-- ${migration.name}\n${first}`, ...others);
    waiting.push(`INSERT INTO migrations (name) VALUES ('${migration.name}')`);
    if (migration.up) {
      await send();
      await migration.up(db);
    }
  }
  await send();
}

/** The name of the last migration of the database. */
export async function schemaVersion(db: Database): Promise<string> {
  const { rows } = await sql<{ name: string | null }>`SELECT max(name) AS name FROM migrations`.execute(db.query);
  return rows[0]?.name ?? '';
}
