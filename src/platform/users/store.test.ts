import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../../../test/postgres.ts';
import { BOTH_DATABASES } from '../../../test/server.ts';
import { readConfig } from '../../base/config.ts';
import type { Context } from '../../base/context.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import type { Role } from '../../http/core/auth.ts';
import { siteKeysOf } from '../../lib/site-keys.ts';
import { verifyPassword } from './passwords.ts';
import { ensureAdministrator } from './sign-in/first-administrator.ts';
import { consumeSignInLink } from './sign-in/sign-in-links.ts';
import { accountOf, findUser, findUserByLogin, insertUser, listUsers, removeUser, updateUser } from './store.ts';

async function openEmpty(kind: 'sqlite' | 'postgres'): Promise<Database> {
  if (kind === 'sqlite') return openDatabase({ kind, file: ':memory:' });
  const { url, drop } = await createDatabase(inject('postgresUrl'));
  const db = openDatabase({ kind, url, pool: 6 });
  return { ...db, close: () => db.close().then(drop) };
}

describe.each(BOTH_DATABASES)('accounts in %s', (kind) => {
  let db: Database;
  beforeAll(async () => {
    db = await openEmpty(kind);
    await migrate(db);
  });
  afterAll(() => db.close());
  beforeEach(async () => {
    for (const table of ['media', 'records', 'users'] as const) await db.query.deleteFrom(table).execute();
  });

  const add = (username: string, role: Role = 'author', email = `${username}@example.org`) =>
    insertUser(db, { username, email, role, password_hash: 'x', created_utc: '2030-01-01 00:00:00' });

  const addImage = async (author_id: number) => {
    const { id } = await db.query
      .insertInto('records')
      .values({ kind: 'media' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const size = { width: 1, height: 1, filesize: 1, sizes: '{}' };
    const file = {
      file: 'a.png',
      extension: 'png',
      mime_type: 'image/png',
      source_url: '',
      date_utc: '2030-01-01 00:00:00',
      ...{ title: '', title_key: 'a', search_text: 'a', alt: '', focus_x: 50, focus_y: 50 },
      revision: 1,
    };
    await db.query
      .insertInto('media')
      .values({ id, author_id, ...size, ...file })
      .execute();
  };

  const context = (admin?: Context['config']['admin']): Context => ({
    config: { ...readConfig({}), admin, passwordCost: 2 ** 4 },
    db,
    log: pino({ level: 'silent' }),
    now: () => new Date('2030-01-02T03:04:05Z'),
    random: randomBytes,
    siteKey: siteKeysOf('secret'),
  });

  it('finds accounts by name or address in any letter case and width', async () => {
    const { id } = await add('Zoë', 'author', 'Zoe@Example.org');
    for (const login of ['zoë', 'ZOË', 'zoe\u0308', ' zoë ', 'zoe@example.org', 'ZOE@EXAMPLE.ORG']) {
      expect((await findUserByLogin(db, login))?.id).toBe(id);
    }
    for (const login of ['zoe', '', ' ', 'example.org']) expect(await findUserByLogin(db, login)).toBeUndefined();
  });

  it('refuses a name or address that another account has as either', async () => {
    const ann = await add('ann');
    const bob = await add('bob@example.net');
    for (const [name, email] of [
      ['ANN', 'eve@example.org'],
      ['eve', 'Ann@Example.org'],
      ['eve', 'BOB@example.net'],
      ['ANN@example.org', 'eve@example.org'],
    ] as const) {
      await expect(add(name, 'author', email)).rejects.toMatchObject({ code: 'user-exists' });
    }
    await expect(updateUser(db, bob.id, { username: 'Ann' })).rejects.toMatchObject({ code: 'user-exists' });
    expect(await updateUser(db, ann.id, { username: 'ANN', email: 'ann@example.org' })).toMatchObject({
      username: 'ANN',
      username_key: 'ann',
    });
  });

  it('creates one account when several are created at once under one name', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => add('ann')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await listUsers(db, { limit: 10, offset: 0 })).total).toBe(1);
  });

  it('lists accounts oldest first, by role and by part of name or address', async () => {
    for (const name of ['ann', 'bob', 'A_n', 'carol']) await add(name, name === 'bob' ? 'editor' : 'author');
    const names = async (filter: Partial<Parameters<typeof listUsers>[1]>) => {
      const { users, total } = await listUsers(db, { limit: 10, offset: 0, ...filter });
      return [users.map(({ username }) => username).join(' '), total];
    };
    expect(await names({})).toEqual(['ann bob A_n carol', 4]);
    expect(await names({ limit: 2, offset: 1 })).toEqual(['bob A_n', 4]);
    expect(await names({ roles: ['editor'] })).toEqual(['bob', 1]);
    expect(await names({ search: 'A_' })).toEqual(['A_n', 1]);
    expect(await names({ search: 'EXAMPLE', roles: ['author'] })).toEqual(['ann A_n carol', 3]);
    expect(await names({ search: '%' })).toEqual(['', 0]);
  });

  it('keeps fields that a change does not name', async () => {
    const before = await add('ann');
    expect(await updateUser(db, before.id, { role: 'editor' })).toEqual({
      ...before,
      role: 'editor',
      credentials_version: 1,
    });
    await expect(updateUser(db, before.id + 1, {})).rejects.toMatchObject({ code: 'user-not-found' });
  });

  it('keeps the last administrator', async () => {
    const ann = await add('ann', 'administrator');
    const last = { code: 'last-administrator' };
    await add('bob', 'editor');
    await expect(updateUser(db, ann.id, { role: 'editor' })).rejects.toMatchObject(last);
    await expect(removeUser(db, ann.id)).rejects.toMatchObject(last);
    await updateUser(db, ann.id, { role: 'administrator', username: 'anna' });
  });

  it('keeps an administrator when all of them step down at once', async () => {
    const all = await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => add(name, 'administrator')));
    await Promise.allSettled(
      all.map(({ id }, index) => (index % 2 ? removeUser(db, id) : updateUser(db, id, { role: 'door' }))),
    );
    expect((await listUsers(db, { roles: ['administrator'], limit: 10, offset: 0 })).total).toBe(1);
  });

  it('removes an account with records only when they are reassigned', async () => {
    const ann = await add('ann');
    const bob = await add('bob');
    await addImage(ann.id);
    await expect(removeUser(db, ann.id)).rejects.toMatchObject({ code: 'user-owns-records' });
    for (const wrong of [ann.id, bob.id + 1000]) {
      await expect(removeUser(db, ann.id, wrong)).rejects.toMatchObject({
        problems: new Map([['reassign', expect.anything()]]),
      });
    }
    expect(await findUser(db, ann.id)).toEqual(ann);
    expect(await removeUser(db, ann.id, bob.id)).toEqual(ann);
    expect(await findUser(db, ann.id)).toBeUndefined();
    expect(await db.query.selectFrom('media').select('author_id').execute()).toEqual([{ author_id: bob.id }]);
    await expect(removeUser(db, ann.id)).rejects.toMatchObject({ code: 'user-not-found' });
  });

  it('gives no rights to an account with an unknown role', async () => {
    const user = await add('ann');
    expect(accountOf({ ...user, role: 'curator' }).role).toBe('subscriber');
  });

  describe('the first administrator', () => {
    /** Returns the printed lines. */
    async function ensure(admin?: { name: string; password: string }): Promise<string[]> {
      const printed: string[] = [];
      await ensureAdministrator(context(admin), (line) => void printed.push(line));
      return printed;
    }
    const passwordIn = (printed: readonly string[]) => printed[0]?.split(' ').at(-1) ?? '';

    it('creates the first administrator with the configured password, which is not printed', async () => {
      expect(await ensure({ name: 'root', password: 'tell nobody' })).toEqual([]);
      const user = await findUserByLogin(db, 'root');
      expect(user).toMatchObject({ role: 'administrator', created_utc: '2030-01-02 03:04:05' });
      expect(await verifyPassword('tell nobody', user?.password_hash ?? '')).toBe(true);
    });

    it('creates the first administrator with a generated password otherwise', async () => {
      const printed = await ensure();
      expect(printed).toEqual([
        expect.stringMatching(/^The first administrator is "admin" with the password [A-Za-z0-9]{20}$/),
        'It is shown this once. Change it with: npx marquee user password admin',
        expect.stringMatching(
          /^Set up the site, once within an hour: http:\/\/127\.0\.0\.1:8080\/console\/#setup=[\w-]{43}$/,
        ),
      ]);
      const { id } = (await findUserByLogin(db, 'admin')) ?? {};
      const token = printed[2]?.split('=')[1] ?? '';
      const spend = () => consumeSignInLink(db, token, new Date('2030-01-02T04:04:04Z'));
      expect(await consumeSignInLink(db, token, new Date('2030-01-02T04:04:05Z'))).toBeUndefined();
      expect((await Promise.all([spend(), spend()])).map((user) => user?.id).sort()).toEqual([id, undefined]);

      const user = await findUserByLogin(db, 'admin');
      expect(await verifyPassword(passwordIn(printed), user?.password_hash ?? '')).toBe(true);
    });

    it('creates no administrator where there are accounts', async () => {
      await add('ann', 'subscriber');
      expect(await ensure()).toEqual([]);
      expect((await listUsers(db, { limit: 10, offset: 0 })).total).toBe(1);
    });

    it('creates one administrator when several processes start together', async () => {
      const outcomes = await Promise.all(Array.from({ length: 5 }, () => ensure()));
      const printed = outcomes.filter((lines) => lines.length > 0);
      expect(printed).toHaveLength(1);
      const user = await findUserByLogin(db, 'admin');
      expect(await verifyPassword(passwordIn(printed[0] ?? []), user?.password_hash ?? '')).toBe(true);
    });
  });
});
