import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';

import { join } from 'node:path';
import { promisify } from 'node:util';
import { type RawBuilder, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { sqliteSchema } from '../../scripts/schema.ts';
import { createDatabase } from '../../test/postgres.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { effort } from '../../test/thoroughness.ts';
import { type Database, type DatabaseAddress, openDatabase } from './database.ts';
import { migrate, NewerDatabaseError, SQLITE_SCHEMA } from './migrate.ts';
import type { Migration } from './migration.ts';
import { MIGRATIONS } from './migrations/all.ts';
import { readSiteSettings } from './site-settings.ts';

const run = promisify(execFile);
/** Runs as a process that starts on a given database. */
const PROGRAM = `
  import { openDatabase } from ${JSON.stringify(new URL('database.ts', import.meta.url))};
  import { migrate } from ${JSON.stringify(new URL('migrate.ts', import.meta.url))};
  const db = openDatabase(JSON.parse(process.argv[1]));
  console.log(JSON.stringify(await migrate(db)));
  await db.close();
`;
/** As above, but the last migration never ends; it prints a line when it gets there. */
const ENDLESS = `
  import { sql } from 'kysely';
  import { openDatabase } from ${JSON.stringify(new URL('database.ts', import.meta.url))};
  import { migrate } from ${JSON.stringify(new URL('migrate.ts', import.meta.url))};
  import { MIGRATIONS } from ${JSON.stringify(new URL('migrations/all.ts', import.meta.url))};
  const address = JSON.parse(process.argv[1]);
  const db = openDatabase(address);
  const endless = address.kind === 'sqlite'
    ? 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n'
    : 'SELECT pg_sleep(600)';
  const statements = () => ['CREATE TABLE half (id INTEGER)'];
  const up = async ({ query }) => {
    console.log('half-way');
    await sql.raw(endless).execute(query);
  };
  await migrate(db, [...MIGRATIONS, { name: '9999-endless', statements, up }]);
`;
const NAMES = MIGRATIONS.map(({ name }) => name);

const step = (name: string, ...statements: string[]): Migration => ({ name, statements: () => statements });

describe.each(['sqlite', 'postgres'] as const)('migrations on %s', (kind) => {
  let data: string;
  let address: DatabaseAddress;
  let drop: () => Promise<void>;
  let db: Database;

  beforeEach(async () => {
    data = await temporaryFolder('migrate');
    drop = async () => undefined;
    address = { kind: 'sqlite', file: join(data, 'marquee.db') };
    if (kind === 'postgres') {
      const made = await createDatabase(inject('postgresUrl'));
      drop = made.drop;
      address = { kind, url: made.url, pool: 2 };
    }
    db = openDatabase(address);
  });
  afterEach(async () => {
    await db.close();
    await drop();
    await rm(data, { recursive: true });
  });

  const done = async () => {
    const { rows } = await sql<{ name: string }>`SELECT name FROM migrations ORDER BY name`.execute(db.query);
    return rows.map(({ name }) => name);
  };

  it('run once each, in order', async () => {
    expect(await migrate(db)).toEqual(NAMES);
    expect(await migrate(db)).toEqual([]);
    expect(await done()).toEqual(NAMES);
    const more = [
      ...MIGRATIONS,
      step('9997-a'),
      step('9998-b', 'CREATE TABLE b (id INTEGER)'),
      step('9999-c', 'ALTER TABLE b ADD c TEXT'),
    ];
    expect(await migrate(db, more)).toEqual(['9997-a', '9998-b', '9999-c']);
    await sql`SELECT c FROM b`.execute(db.query);
  });

  if (kind === 'sqlite') {
    it('leave the tables and rows with which a new database starts', async () => {
      await migrate(db, MIGRATIONS);
      const schema = await sqliteSchema(db);
      // Written by `npm run schema`.
      expect(schema).toBe(await readFile(SQLITE_SCHEMA, 'utf8'));
      const file = join(data, 'new.db');
      const fresh = openDatabase({ kind, file });
      await migrate(fresh);
      expect(await sqliteSchema(fresh)).toBe(schema);
      const objects = async ({ query }: Database) => {
        const { rows } = await sql`SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name`.execute(query);
        return rows;
      };
      expect(await objects(fresh)).toEqual(await objects(db));
      await fresh.close();
    });
  }

  if (kind === 'postgres') {
    it('leave the names of prepared statements to those of requests', async () => {
      await migrate(db);
      const { rows } = await sql<{
        statement: string;
      }>`SELECT statement FROM pg_prepared_statements`.execute(db.query);
      expect(rows.map(({ statement }) => statement).join('\n')).toContain('SELECT name FROM migrations');
      expect(rows.filter(({ statement }) => /^\s*(create|alter|drop)/im.test(statement))).toEqual([]);
    });
  }

  /** Inserts a row, and a record unless it is a gate, with zeros and empty texts in other columns that need a value. */
  async function insertBlank(
    table: 'tickets' | 'attendees' | 'gates',
    id: number,
    given: Record<string, number> = {},
  ): Promise<void> {
    if (table !== 'gates')
      await sql`INSERT INTO records (id, kind) VALUES (${id}, ${table.slice(0, -1)})`.execute(db.query);
    const columns = (await db.query.introspection.getTables()).find(({ name }) => name === table)?.columns ?? [];
    const needed = columns.filter(
      ({ name, isNullable, hasDefaultValue }) => name !== 'id' && !isNullable && !hasDefaultValue,
    );
    const values = needed.map(({ name, dataType }) => sql.lit(given[name] ?? (/int/i.test(dataType) ? 0 : '')));
    await sql`INSERT INTO ${sql.table(table)} (id, ${sql.join(needed.map(({ name }) => sql.ref(name)))})
      VALUES (${id}, ${sql.join(values)})`.execute(db.query);
  }

  it('keep the choice of the site to list each series once', async () => {
    const since = NAMES.indexOf('0039-collapse-series');
    await migrate(db, MIGRATIONS.slice(0, since));
    await sql`INSERT INTO site (name, value) VALUES ('collapse_series', '1')`.execute(db.query);
    await migrate(db);
    expect((await readSiteSettings(db)).collapse_series).toBe(true);
    const { rows } = await sql`SELECT name FROM site WHERE name = 'collapse_series'`.execute(db.query);
    expect(rows).toEqual([]);
  });

  it('keep the former events of attendees on door lists, and sales', async () => {
    await migrate(db, MIGRATIONS.slice(0, NAMES.indexOf('0056-former-events')));
    await insertBlank('tickets', 8);
    await insertBlank('attendees', 9, { ticket_id: 8 });
    await insertBlank('gates', 1);
    const moveTo = (event: number) => sql`UPDATE attendees SET event_id = ${event} WHERE id = 9`.execute(db.query);
    await moveTo(4);
    await sql`INSERT INTO gate_events (gate_id, event_id) VALUES (1, 4)`.execute(db.query);
    await moveTo(5);
    await sql`INSERT INTO door_sales (device_id, sale_id, gate_id, event_id, order_id, kind, payment, places, amount,
      currency, sold_utc) VALUES (1, 'sale-1', 1, 4, 7, 'sale', 'cash', 1, 1000, 'USD', '')`.execute(db.query);
    await migrate(db);
    await moveTo(6);
    await moveTo(5);
    await moveTo(6);
    const rows = await db.query.selectFrom('former_events').selectAll().orderBy('event_id').execute();
    expect(rows.map(({ attendee_id, event_id }) => [Number(attendee_id), Number(event_id)])).toEqual([
      [9, 4],
      [9, 5],
      [9, 6],
    ]);
    expect(await db.query.selectFrom('door_sales').select(['sale_id', 'part']).execute()).toEqual([
      { sale_id: 'sale-1', part: 0 },
    ]);
  });

  it('keep the totals of orders from before payments, with one line per ticket and no tax', async () => {
    await migrate(db, MIGRATIONS.slice(0, NAMES.indexOf('0037-payments')));
    const count = effort(100_000, 1000);
    const [counting, numbers] =
      kind === 'postgres'
        ? [sql``, sql`generate_series(1, ${sql.lit(count)}) AS n(i)`]
        : [sql`WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.lit(count)})`, sql`n`];
    const id = sql`i + 1000`;
    const status = sql`CASE i % 10 WHEN 0 THEN 'pending' WHEN 1 THEN 'refunded' WHEN 2 THEN 'voided'
      WHEN 3 THEN 'reversed' ELSE 'completed' END`;
    await sql`INSERT INTO records (id, kind) ${counting} SELECT ${id}, 'order' FROM ${numbers}`.execute(db.query);
    await sql`INSERT INTO orders (id, status, gateway, purchaser_name, purchaser_email, search_text, user_id, currency,
        total, date, date_utc, modified_utc)
      ${counting} SELECT ${id}, ${status}, 'transfer', 'Ada', 'ada@example.test', 'ada', 0, 'USD', 4000 + i,
        '2026-01-01 10:00:00', '2026-01-01 10:00:00', '2026-01-01 10:00:00' FROM ${numbers}`.execute(db.query);
    // The two places of an order at two prices.
    for (const [ticket, price] of [
      [5, sql`2000`],
      [6, sql`2000 + i`],
    ] as const) {
      await insertBlank('tickets', ticket);
      await sql`INSERT INTO order_items (order_id, ticket_id, event_id, quantity, price)
        ${counting} SELECT ${id}, ${sql.lit(ticket)}, 4, 1, ${price} FROM ${numbers}`.execute(db.query);
    }
    const numbersOf = async (query: RawBuilder<Record<string, unknown>>) =>
      (await query.execute(db.query)).rows.map((row) =>
        // PostgreSQL counts in bigints.
        Object.values(row).map((value) => (/^-?\d+$/.test(String(value)) ? Number(value) : value)),
      );
    const totals = () => numbersOf(sql`SELECT status, sum(total) FROM orders GROUP BY status ORDER BY status`);
    const before = await totals();
    await migrate(db);
    expect(await totals()).toEqual(before);
    const totalOf = (wanted: string) => before.find(([name]) => name === wanted)?.[1];
    expect(
      await numbersOf(sql`SELECT orders.status, payments.status AS payment, count(*) AS payments,
          sum(payments.amount - orders.total) AS difference, sum(payments.amount - payments.refunded) AS kept
        FROM payments JOIN orders ON orders.id = payments.order_id
        GROUP BY orders.status, payments.status ORDER BY orders.status`),
    ).toEqual([
      ['completed', 'paid', (count / 10) * 6, 0, totalOf('completed')],
      ['refunded', 'paid', count / 10, 0, 0],
      ['reversed', 'lost', count / 10, 0, totalOf('reversed')],
    ]);
    const lines = sql`SELECT (SELECT sum(price * quantity) FROM order_items) - (SELECT sum(total) FROM orders) AS rest,
      (SELECT sum(tax + tax_rate) FROM order_items) AS taxes, (SELECT count(*) FROM order_charges) AS charges`;
    expect(await numbersOf(lines as RawBuilder<Record<string, unknown>>)).toEqual([[0, 0, 0]]);
  });

  describe('with code', () => {
    const names: Migration = {
      name: '0001-names',
      statements: () => [
        'CREATE TABLE names (name TEXT PRIMARY KEY)',
        "INSERT INTO names (name) VALUES ('Zoé'), ('Łucja')",
      ],
    };
    /** SQLite's own upper() knows ASCII only. */
    const keys: Migration = {
      name: '0002-keys',
      statements: () => [`ALTER TABLE names ADD COLUMN name_key TEXT NOT NULL DEFAULT ''`],
      async up({ query }) {
        const { rows } = await sql<{ name: string }>`SELECT name FROM names`.execute(query);
        for (const { name } of rows)
          await sql`UPDATE names SET name_key = ${name.toUpperCase()} WHERE name = ${name}`.execute(query);
      },
    };

    it('fill the tables that their statements created', async () => {
      expect(await migrate(db, [names, keys])).toEqual(['0001-names', '0002-keys']);
      const { rows } = await sql<{ name_key: string }>`SELECT name_key FROM names`.execute(db.query);
      expect(rows.map(({ name_key }) => name_key).sort()).toEqual(['ZOÉ', 'ŁUCJA']);
    });

    it('leave nothing behind when the code fails', async () => {
      await migrate(db, [names]);
      const up = async (trx: Database) => {
        await keys.up?.(trx);
        throw new Error('half-way');
      };
      await expect(migrate(db, [names, { ...keys, up }])).rejects.toThrow('half-way');
      expect(await done()).toEqual(['0001-names']);
      await expect(sql`SELECT name_key FROM names`.execute(db.query)).rejects.toThrow();
    });
  });

  it('run once when two processes start together', async () => {
    const start = async (): Promise<string[]> => {
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', PROGRAM, JSON.stringify(address)]);
      return JSON.parse(stdout);
    };
    const ran = await Promise.all([start(), start()]);
    expect(ran.flat()).toEqual(NAMES);
    expect(await done()).toEqual(NAMES);
  });

  it('leave nothing behind when the process is killed', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', ENDLESS, JSON.stringify(address)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await ended;
    await endOtherSessions();
    await expect(sql.raw('SELECT * FROM migrations').execute(db.query)).rejects.toThrow(/migrations/);
    expect(await migrate(db)).toEqual(NAMES);
    await expect(sql.raw('SELECT * FROM half').execute(db.query)).rejects.toThrow(/half/);
  });

  /** PostgreSQL does not notice at once that its client is gone. */
  const endOtherSessions = async () => {
    if (kind === 'sqlite') return;
    await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(db.query);
  };

  it('leave nothing behind when they fail', async () => {
    const broken = [
      step('0001-a', 'CREATE TABLE a (id INTEGER)'),
      step('0002-b', 'CREATE TABLE b (id INTEGER)', 'NONSENSE'),
    ];
    await expect(migrate(db, broken)).rejects.toThrow(/syntax/);
    for (const table of ['a', 'b', 'migrations'])
      await expect(sql.raw(`SELECT * FROM ${table}`).execute(db.query)).rejects.toThrow();
    expect(await migrate(db)).toEqual(NAMES);
  });

  it('refuse the database of a newer program, and change nothing in it', async () => {
    await migrate(db, [
      step('0001-a', 'CREATE TABLE a (id INTEGER)'),
      step('0009-newer', 'CREATE TABLE n (id INTEGER)'),
    ]);
    const older = [step('0001-a'), step('0002-b', 'CREATE TABLE b (id INTEGER)')];
    const refusal = migrate(db, older);
    await expect(refusal).rejects.toThrow(NewerDatabaseError);
    await expect(refusal).rejects.toThrow(/0009-newer/);
    expect(await done()).toEqual(['0001-a', '0009-newer']);
    await expect(sql`SELECT * FROM b`.execute(db.query)).rejects.toThrow();
  });
});
