import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BOTH_DATABASES, startTestServer, type TestServer } from '../../test/server.ts';
import type { Database } from './database.ts';
import { deferCommit } from './deferred-commit.ts';

describe.each(BOTH_DATABASES)('a deferred commit on %s', (kind) => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer(kind);
  });
  afterAll(() => server.close());
  afterEach(() => root().query.deleteFrom('site').where('name', 'like', 'test-%').execute());

  const root = () => server.context.db;
  const insert = ({ query }: Database, name: string) =>
    query
      .insertInto('site')
      .values({ name: `test-${name}`, value: '' })
      .execute();
  const names = async ({ query }: Database) => {
    const rows = await query
      .selectFrom('site')
      .select('name')
      .where('name', 'like', 'test-%')
      .orderBy('name')
      .execute();
    return rows.map(({ name }) => name.slice('test-'.length));
  };
  const fault = () => Promise.reject(new Error('fault'));
  /** The error of PostgreSQL for the victim of a deadlock. */
  const raced = () => Promise.reject(Object.assign(new Error('deadlock detected'), { code: '40P01' }));

  it('commits the writes of all transactions and the final step', async () => {
    const deferred = deferCommit(root());
    expect(await deferred.db.transaction((db) => insert(db, 'a').then(() => 'done'))).toBe('done');
    await deferred.db.transaction((db) => insert(db, 'b'));
    await insert(deferred.db, 'c');
    expect(await names(deferred.db)).toEqual(['a', 'b', 'c']);
    await deferred.commit(async (db) => void (await insert(db, 'd')));
    expect(await names(root())).toEqual(['a', 'b', 'c', 'd']);
  });

  it('can be rolled back completely', async () => {
    const deferred = deferCommit(root());
    await deferred.db.transaction((db) => insert(db, 'a'));
    await deferred.db.transaction((db) => insert(db, 'b'));
    await deferred.rollback();
    expect(await names(root())).toEqual([]);
  });

  it.each([
    ['a fault', fault],
    ['a lost race', raced],
  ])('commits nothing when the final step fails with %s, and runs nothing twice', async (_what, fails) => {
    const deferred = deferCommit(root());
    await deferred.db.transaction((db) => insert(db, 'a'));
    let runs = 0;
    const last = async () => {
      runs += 1;
      await fails();
    };
    await expect(deferred.commit(last)).rejects.toThrow(/fault|deadlock detected/);
    expect([runs, await names(root())]).toEqual([1, []]);
  });

  it('opens no transaction if nothing was written, and runs the final step in a separate one', async () => {
    const deferred = deferCommit(root());
    expect(await names(deferred.db)).toEqual([]);
    await deferred.commit(async (db) => void (await insert(db, 'a')));
    expect(await names(root())).toEqual(['a']);
    await deferCommit(root()).rollback();
  });

  it('has no open transaction after the first one failed, and opens a new one', async () => {
    const deferred = deferCommit(root());
    const failed = deferred.db.transaction(async (db) => {
      await insert(db, 'a');
      return fault();
    });
    await expect(failed).rejects.toThrow('fault');
    await insert(root(), 'b');
    await deferred.db.transaction((db) => insert(db, 'c'));
    await deferred.commit(async () => undefined);
    expect(await names(root())).toEqual(['b', 'c']);
  });

  it('rolls back only a later transaction that fails', async () => {
    const deferred = deferCommit(root());
    await deferred.db.transaction((db) => insert(db, 'a'));
    const failed = deferred.db.transaction(async (db) => {
      await insert(db, 'b');
      await sql`SELECT * FROM no_such_table`.execute(db.query);
    });
    await expect(failed).rejects.toThrow('no_such_table');
    await deferred.db.transaction((db) => insert(db, 'c'));
    await deferred.commit(async () => undefined);
    expect(await names(root())).toEqual(['a', 'c']);
  });

  it('retries each transaction that lost a race', async () => {
    const deferred = deferCommit(root());
    const runs: string[] = [];
    for (const name of ['a', 'b']) {
      await deferred.db.transaction(async (db) => {
        runs.push(name);
        await insert(db, `${name}${runs.length}`);
        if (runs.length % 3 !== 0) await raced();
      });
    }
    await deferred.commit(async () => undefined);
    expect([runs, await names(root())]).toEqual([
      ['a', 'a', 'a', 'b', 'b', 'b'],
      ['a3', 'b6'],
    ]);
  });

  it('rolls back a transaction that stays open too long', async () => {
    const deferred = deferCommit(root(), 50);
    await deferred.db.transaction((db) => insert(db, 'a'));
    // On SQLite this would use the same connection and wait for ever.
    expect(await names(root())).toEqual([]);
    while (
      await deferred.db.query
        .selectFrom('site')
        .select('name')
        .execute()
        .then(Boolean, () => false)
    );
    await expect(deferred.commit(async () => undefined)).rejects.toThrow('stayed open for 50 ms');
    expect(await names(root())).toEqual([]);
  });

  it('reports why a transaction could not begin', async () => {
    const broken: Database = { ...root(), transaction: () => Promise.reject(new Error('out of reach')) };
    const deferred = deferCommit(broken);
    await expect(deferred.db.transaction((db) => insert(db, 'a'))).rejects.toThrow('out of reach');
  });
});
