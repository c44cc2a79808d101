import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { type Database, openDatabase } from './database.ts';
import { isBusy, isUnavailable } from './errors.ts';

const SMALL = 'small';
const LARGE = 'x'.repeat(2_000_000);
/** Too small for LARGE. */
const FULL = 'PRAGMA max_page_count = 20';
const ROOMY = 'PRAGMA max_page_count = 4294967294';

let data: string;
let db: Database;
beforeEach(async () => {
  data = await temporaryFolder('sqlite');
  db = openDatabase({ kind: 'sqlite', file: join(data, 'marquee.db') });
  await run('CREATE TABLE texts (text TEXT)');
});
afterEach(async () => {
  await db.close();
  await rm(data, { recursive: true });
});

const run = (statement: string, { query } = db) => sql.raw(statement).execute(query);
const insert = (text: string, { query } = db) => sql`INSERT INTO texts VALUES (${text})`.execute(query);
const stored = async () => (await sql<{ text: string }>`SELECT text FROM texts`.execute(db.query)).rows;

describe('a transaction that stays open', () => {
  it('is invisible to other statements, which survive its rollback', async () => {
    const begun = Promise.withResolvers<void>();
    const ending = Promise.withResolvers<never>();
    const undone = db.transaction(async (trx) => {
      await insert('undone', trx);
      begun.resolve();
      await ending.promise;
    });
    await begun.promise;
    // All are requested while the transaction is open; the next one shares its commit or follows it.
    const outside = [stored(), insert('single'), db.transaction((trx) => insert('second', trx)), stored()] as const;
    await delay(20);
    ending.reject(new Error('undone'));
    await expect(undone).rejects.toThrow('undone');
    const [before, , , after] = await Promise.all(outside);
    expect([before, after]).toEqual([[], [{ text: 'single' }]]);
    expect(await stored()).toEqual([{ text: 'single' }, { text: 'second' }]);
  });

  it('fails with an error when the database is closed, as do waiting statements', async () => {
    const begun = Promise.withResolvers<void>();
    const ending = Promise.withResolvers<void>();
    const open = db.transaction(async (trx) => {
      await insert('lost', trx);
      begun.resolve();
      await ending.promise;
      await insert('late', trx);
    });
    await begun.promise;
    const waiting = [stored(), insert('single'), db.transaction((trx) => insert('second', trx))];
    const outcomes = Promise.allSettled([open, ...waiting]);
    await db.close();
    ending.resolve();
    expect((await outcomes).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
    db = openDatabase({ kind: 'sqlite', file: join(data, 'marquee.db') });
    expect(await stored()).toEqual([]);
  });
});

describe('a transaction of many statements', () => {
  it('lets the event loop continue in between', async () => {
    let isDone = false;
    let turns = 0;
    const loop = () => {
      turns += 1;
      if (!isDone) setImmediate(loop);
    };
    setImmediate(loop);
    await db.transaction(async (trx) => {
      for (let index = 0; index < 200; index += 1) await insert('many', trx);
    });
    isDone = true;
    expect(turns).toBeGreaterThan(2);
    expect(await stored()).toHaveLength(200);
  });
});

describe('a disk that becomes full during a group commit', () => {
  beforeEach(() => run(FULL));

  it('is reported to every transaction, and nothing is written', async () => {
    const writes = [SMALL, LARGE, SMALL].map((text) => db.transaction((trx) => insert(text, trx)));
    for (const write of writes) await expect(write).rejects.toThrow(/full/);
    expect(await stored()).toEqual([]);
    await db.transaction((trx) => insert('later', trx));
    await run(ROOMY);
    await db.transaction((trx) => insert('last', trx));
    expect(await stored()).toEqual([{ text: 'later' }, { text: 'last' }]);
  });

  it('also rolls back work that ignores the error', async () => {
    const careless = db.transaction(async (trx) => {
      await insert(SMALL, trx);
      await insert(LARGE, trx).catch(() => undefined);
      // SQLite has rolled back the transaction by now: this would be committed at once.
      await insert('after', trx).catch(() => undefined);
    });
    await expect(careless).rejects.toThrow(/full/);
    expect(await stored()).toEqual([]);
  });

  it('fails a single statement, and the next one works', async () => {
    await expect(insert(LARGE)).rejects.toSatisfy(isUnavailable);
    await insert(SMALL);
    expect(await stored()).toEqual([{ text: SMALL }]);
  });
});

describe('a transaction ended by its own work', () => {
  it('fails, and the next one works', async () => {
    const ended = db.transaction(async (trx) => {
      await run('ROLLBACK', trx);
      await insert(SMALL, trx);
    });
    await expect(ended).rejects.toThrow('the transaction has ended');
    await db.transaction((trx) => insert('next', trx));
    expect(await stored()).toEqual([{ text: 'next' }]);
  });
});

describe('a table that another process changes', () => {
  it('is read with its current columns', async () => {
    await run("INSERT INTO texts VALUES ('here')");
    const all = async () => (await sql`SELECT * FROM texts`.execute(db.query)).rows;
    expect(await all()).toEqual([{ text: 'here' }]);
    const other = new DatabaseSync(join(data, 'marquee.db'));
    other.exec("ALTER TABLE texts ADD COLUMN language TEXT DEFAULT 'en'");
    expect(await all()).toEqual([{ text: 'here', language: 'en' }]);
    // As many columns as before, with other names.
    other.exec('ALTER TABLE texts RENAME COLUMN language TO locale');
    expect(await all()).toEqual([{ text: 'here', locale: 'en' }]);
    other.close();
    // By this process itself, between two reads of a transaction.
    await db.transaction(async (trx) => {
      const inside = async () => (await sql`SELECT * FROM texts`.execute(trx.query)).rows;
      expect(await inside()).toHaveLength(1);
      await run('ALTER TABLE texts RENAME COLUMN locale TO lang', trx);
      expect(await inside()).toEqual([{ text: 'here', lang: 'en' }]);
    });
  });
});

describe('a lock that another process holds', () => {
  let other: DatabaseSync;
  beforeEach(() => {
    other = new DatabaseSync(join(data, 'marquee.db'));
    other.exec('BEGIN IMMEDIATE');
  });
  afterEach(() => other.close());

  it('makes transactions and statements wait without blocking reads', async () => {
    const finished: string[] = [];
    const note = (name: string) => () => void finished.push(name);
    const writes = [
      db.transaction((trx) => insert('in a transaction', trx)).then(note('transaction')),
      insert('single').then(note('single')),
    ];
    for (let read = 0; read < 50; read += 1) expect(await stored()).toEqual([]);
    expect(finished).toEqual([]);
    other.exec('COMMIT');
    await Promise.all(writes);
    expect(await stored()).toHaveLength(2);
  });

  it('makes all waiting statements and transactions time out, and nothing is written', async () => {
    const writes = [...Array.from({ length: 3 }, () => db.transaction((trx) => insert('x', trx))), insert('single')];
    const outcomes = await Promise.allSettled(writes);
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && isBusy(outcome.reason)).toBe(true);
    }
    other.exec('COMMIT');
    expect(await stored()).toEqual([]);
    await db.transaction((trx) => insert('next', trx));
  });

  it('is polled by only one of the waiting statements', async () => {
    const writes = Array.from({ length: 2000 }, () => run("UPDATE texts SET text = ''"));
    // Each of them finds the file locked before a read gets its turn.
    expect(await stored()).toEqual([]);
    const before = process.threadCpuUsage();
    await delay(500);
    const { user, system } = process.threadCpuUsage(before);
    // Microseconds. If all of them retried, it would be the whole time.
    expect(user + system).toBeLessThan(250_000);
    other.exec('COMMIT');
    await Promise.all(writes);
  });

  it('also delays opening the file', async () => {
    const file = join(data, 'second.db');
    const creator = new DatabaseSync(file);
    creator.exec('CREATE TABLE texts (text TEXT); BEGIN EXCLUSIVE');
    const second = openDatabase({ kind: 'sqlite', file });
    const opened = sql`SELECT * FROM texts`.execute(second.query);
    // It has tried once and keeps retrying.
    await new Promise((resolve) => setImmediate(resolve));
    creator.exec('COMMIT');
    creator.close();
    expect((await opened).rows).toEqual([]);
    await second.close();
  });
});
