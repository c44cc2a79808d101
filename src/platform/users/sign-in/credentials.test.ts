import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMigrated } from '../../../../test/server.ts';
import { withHooks } from '../../../../test/statements.ts';
import { readConfig } from '../../../base/config.ts';
import type { Context } from '../../../base/context.ts';
import type { Database } from '../../../db/database.ts';
import { ANONYMOUS, type Authenticate, type Role, type Scope } from '../../../http/core/auth.ts';
import { pruneCounts } from '../../../jobs/remove-expired.ts';
import { secretHash } from '../../../lib/hash.ts';
import { siteKeysOf } from '../../../lib/site-keys.ts';
import { createSecretGuard } from '../../limits/secret-guard.ts';
import { findAppPassword, findToken, insertAppPassword, insertToken, removeAppPassword } from '../credential-store.ts';
import { appPasswordHash } from '../generate.ts';
import { hashPassword } from '../passwords.ts';
import { insertUser, removeUser, type UserRow, updateUser } from '../store.ts';
import { authMethodOf, createAuthenticator } from './credentials.ts';

const APP_PASSWORD = 'abcd EFGH 1234 ijkl MNOP 5678';
const created_utc = '2030-01-01 00:00:00';

describe('the authenticator', () => {
  let db: Database;
  let logged: string[];
  let now: Date;
  let context: Context;
  let authenticate: Authenticate;
  let ann: UserRow;

  beforeEach(async () => {
    db = await openMigrated();
    logged = [];
    now = new Date('2030-01-02T12:00:00Z');
    const log = pino({ level: 'trace', base: null }, { write: (line: string) => void logged.push(line) });
    const config = { ...readConfig({}), passwordCost: 2 ** 4 };
    context = { config, db, log, now: () => now, random: randomBytes, siteKey: siteKeysOf('secret') };
    authenticate = createAuthenticator(createSecretGuard(context));
    ann = await addUser('ann', 'editor');
    await addUser('root', 'administrator');
  });
  afterEach(() => db.close());

  async function addUser(username: string, role: Role): Promise<UserRow> {
    const password_hash = await hashPassword(`${username}'s pass word`, context);
    return insertUser(db, { username, email: `${username}@example.org`, role, password_hash, created_utc });
  }

  const basic = (name: string, secret: string, address = '10.0.0.1') => {
    const authorization = `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
    return authenticate(context, { authorization, address });
  };
  const bearer = (token: string, address = '10.0.0.1') =>
    authenticate(context, { authorization: `Bearer ${token}`, address });
  const addAppPassword = () =>
    insertAppPassword(db, { user_id: ann.id, name: 'till', hash: appPasswordHash(APP_PASSWORD), created_utc });
  const addToken = (token: string, scopes: Scope[], expires_utc: string | null = null) =>
    insertToken(db, { user_id: ann.id, name: 'feed', hash: secretHash(token), scopes, expires_utc, created_utc });
  const failTimes = (count: number, work: () => Promise<unknown>) =>
    Promise.allSettled(Array.from({ length: count }, work));

  it('accepts an imported application password that another request hashes anew at the same time', async () => {
    const secret = 'abcd EFGH ijkl MNOP qrst UVWX';
    const hash = '$generic$VbqhfQOT_VfaFmt_p27nedVhgUdnEi-dOUZamH4W';
    await insertAppPassword(db, { user_id: ann.id, name: 'Phone', hash, created_utc });
    let other: Promise<unknown> | undefined;
    const before = async (statement: string) => {
      if (other || !/from .app_passwords.*order by/.test(statement)) return;
      other = basic('ann', secret);
      await other;
    };
    const slow = { ...context, db: withHooks(db, { before }) };
    const authorization = `Basic ${Buffer.from(`ann:${secret}`).toString('base64')}`;
    const viewer = await authenticate(slow, { authorization, address: '10.0.0.2' });
    expect([viewer.account?.id, other !== undefined]).toEqual([ann.id, true]);
    expect((await findAppPassword(db, ann.id, appPasswordHash(secret)))?.name).toBe('Phone');
  });

  it('treats a request without credentials as anonymous', async () => {
    expect(await authenticate(context, { address: '10.0.0.1' })).toBe(ANONYMOUS);
  });

  it.each(['ann', 'ANN', 'ann@example.org', 'Ann@Example.ORG'])('signs in "%s" with the password', async (name) => {
    const viewer = await basic(name, "ann's pass word");
    expect(viewer.account).toEqual({ id: ann.id, username: 'ann', email: 'ann@example.org', role: 'editor' });
    expect(viewer.capabilities.has('edit_others')).toBe(true);
    expect(authMethodOf(viewer)).toEqual({ kind: 'password' });
  });

  it('signs in with an application password, spaces aside, until it is revoked', async () => {
    const { id } = await addAppPassword();
    for (const secret of [APP_PASSWORD, APP_PASSWORD.replaceAll(' ', ''), ` ${APP_PASSWORD} `]) {
      expect(authMethodOf(await basic('ann', secret))).toEqual({ kind: 'app-password' });
    }
    await expect(basic('root', APP_PASSWORD)).rejects.toMatchObject({ code: 'incorrect_password' });
    await removeAppPassword(db, ann.id, id);
    await expect(basic('ann', APP_PASSWORD)).rejects.toMatchObject({ code: 'incorrect_password' });
  });

  it('limits a token to what its scopes and the role of its owner have in common', async () => {
    await addToken('mrq_all', ['admin', 'read']);
    await addToken('mrq_door', ['checkin']);
    const all = await bearer('mrq_all');
    expect(authMethodOf(all)).toEqual({ kind: 'token', scopes: ['admin', 'read'] });
    expect([all.capabilities.has('edit_others'), all.capabilities.has('manage_users')]).toEqual([true, false]);
    expect((await bearer('mrq_door')).capabilities).toEqual(
      new Set(['read_attendees', 'check_in', 'export_attendees', 'read_own_attendees', 'check_in_own']),
    );
  });

  it('accepts a token until it expires', async () => {
    await addToken('mrq_short', ['read'], '2030-01-02 12:00:10');
    expect((await bearer('mrq_short')).account?.id).toBe(ann.id);
    now = new Date('2030-01-02T12:00:10Z');
    await expect(bearer('mrq_short')).rejects.toMatchObject({ code: 'invalid_token' });
  });

  it.each([
    ['Basic YW5uOndyb25n', 'incorrect_password'],
    ['Basic bm9ib2R5Ondyb25n', 'incorrect_password'],
    ['Basic OndyaW5n', 'incorrect_password'],
    ['Bearer mrq_unknown', 'invalid_token'],
    ['Digest username="ann"', 'invalid_token'],
    ['', 'invalid_token'],
  ])('refuses "%s" with %s and names a scheme that opens no dialog', async (authorization, code) => {
    const refusal = authenticate(context, { authorization, address: '10.0.0.1' });
    const headers = { 'WWW-Authenticate': expect.stringMatching(/^Bearer realm="Marquee"/) };
    await expect(refusal).rejects.toMatchObject({ code, status: 401, headers });
  });

  it('reports an unknown name to existing clients only', async () => {
    const sent = { authorization: `Basic ${btoa('nobody:wrong')}`, address: '10.0.0.1' };
    await expect(authenticate(context, sent)).rejects.toMatchObject({ code: 'incorrect_password' });
    const asking = authenticate(context, { ...sent, tellsUnknownNames: true });
    await expect(asking).rejects.toMatchObject({ code: 'invalid_username' });
  });

  it('takes about as long for an unknown name as for a wrong password', async () => {
    context = { ...context, config: { ...context.config, passwordCost: 2 ** 13 } };
    await addUser('eve', 'editor');
    const times = { eve: [] as number[], unknown: [] as number[] };
    const ratio = () => Math.min(...times.eve) / Math.min(...times.unknown);
    const isAlike = () => ratio() > 0.25 && ratio() < 4;
    // Other load lengthens most of them, but hardly all: on a busy machine it takes more of them to see that.
    for (let index = 0; index < 9 || (index < 50 && !isAlike()); index += 1) {
      for (const name of ['eve', 'unknown'] as const) {
        const began = performance.now();
        await failTimes(1, () => basic(name, APP_PASSWORD.replace(/.$/, String(index % 10)), `10.0.1.${index}`));
        times[name].push(performance.now() - began);
      }
    }
    expect(ratio()).toBeGreaterThan(0.25);
    expect(ratio()).toBeLessThan(4);
  });

  it('applies a new password, a new role and a removal at once', async () => {
    const sign = () => basic('ann', "ann's pass word");
    await sign();
    await updateUser(db, ann.id, { role: 'door' });
    expect((await sign()).account?.role).toBe('door');
    await updateUser(db, ann.id, { password_hash: await hashPassword('another one', context) });
    await expect(sign()).rejects.toMatchObject({ code: 'incorrect_password' });
    await basic('ann', 'another one');
    await removeUser(db, ann.id);
    await expect(basic('ann', 'another one')).rejects.toMatchObject({ code: 'incorrect_password' });
  });

  describe('after ten failures', () => {
    const wrong = () => basic('ann', 'wrong', '10.6.6.6');
    const held = {
      code: 'too_many_attempts',
      status: 429,
      headers: { 'Retry-After': expect.stringMatching(/^(900|89\d)$/) },
    };
    const lock = async () => {
      for (let index = 0; index < 10; index++)
        await expect(wrong()).rejects.toMatchObject({ code: 'incorrect_password' });
    };

    it('refuses even the right password after ten failures, by name and by address, but no other account', async () => {
      await lock();
      await expect(wrong()).rejects.toMatchObject(held);
      await expect(basic('ann', "ann's pass word")).rejects.toMatchObject(held);
      await expect(basic('ann@example.org', "ann's pass word")).rejects.toMatchObject(held);
      await basic('root', "root's pass word", '10.6.6.6');
      // Another process on the same database.
      const other = createAuthenticator(createSecretGuard(context))(context, {
        authorization: `Basic ${Buffer.from("ann:ann's pass word").toString('base64')}`,
        address: '10.0.0.1',
      });
      await expect(other).rejects.toMatchObject(held);
      now = new Date(now.getTime() + 15 * 60_000);
      await basic('ann', "ann's pass word");
    });

    it('accepts after ten failures passwords that were right before, application passwords and tokens', async () => {
      await addAppPassword();
      await addToken('mrq_feed', ['read']);
      await basic('ann', "ann's pass word");
      await lock();
      await expect(wrong()).rejects.toMatchObject(held);
      await basic('ann', "ann's pass word");
      await basic('ann', APP_PASSWORD);
      await bearer('mrq_feed');
    });

    it('does not reveal to other networks a password that was right elsewhere', async () => {
      await basic('ann', "ann's pass word");
      await lock();
      await expect(basic('ann', "ann's pass word", '10.6.6.6')).rejects.toMatchObject(held);
    });

    it('counts guesses at unknown names alike', async () => {
      for (let index = 0; index < 10; index++) {
        await expect(basic('nobody', `${index}`)).rejects.toMatchObject({ code: 'incorrect_password' });
      }
      await expect(basic('NOBODY', 'x')).rejects.toMatchObject(held);
    });

    it('compares no more than ten guesses, even when all come at once', async () => {
      let count = 0;
      const outcomes = await failTimes(40, () => basic('ann', `guess ${count++}`));
      const codes = outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.code);
      expect(codes.filter((code) => code === 'incorrect_password')).toHaveLength(10);
      expect(codes.filter((code) => code === 'too_many_attempts')).toHaveLength(30);
    });

    it('resets the count after a success', async () => {
      for (let index = 0; index < 9; index++)
        await expect(wrong()).rejects.toMatchObject({ code: 'incorrect_password' });
      await basic('ann', "ann's pass word");
      await lock();
    });
  });

  it('does not count many concurrent requests with the right password as guesses', async () => {
    const viewers = await Promise.all(Array.from({ length: 100 }, () => basic('ann', "ann's pass word")));
    expect(viewers).toHaveLength(100);
    const outcomes = await failTimes(49, () => basic(`nobody ${randomBytes(4).toString('hex')}`, 'x'));
    expect(
      outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason.code === 'incorrect_password'),
    ).toBe(true);
  });

  it('still accepts known passwords and unguessable secrets from a network that failed fifty times', async () => {
    await addAppPassword();
    await basic('ann', "ann's pass word");
    let count = 0;
    await failTimes(50, () => basic(`nobody ${count++}`, 'x'));
    await expect(basic('root', "root's pass word")).rejects.toMatchObject({ code: 'too_many_attempts' });
    await basic('ann', "ann's pass word");
    await basic('ann', APP_PASSWORD);
    await basic('root', "root's pass word", '10.0.0.2');
  });

  it('refuses them for a minute after twenty times as many failures', async () => {
    await basic('ann', "ann's pass word");
    let count = 0;
    await failTimes(1000, () => basic(`nobody ${count++}`, 'x'));
    await expect(basic('ann', "ann's pass word")).rejects.toMatchObject({ code: 'too_many_attempts' });
    await basic('ann', "ann's pass word", '10.0.0.2');
    now = new Date(now.getTime() + 61_000);
    await expect(basic('nobody', 'x')).rejects.toMatchObject({ code: 'too_many_attempts' });
    await expect(basic('ann', "ann's pass word")).rejects.toMatchObject({ code: 'too_many_attempts' });
  });

  it('does not count what looks like an application password as a guess at a password', async () => {
    let count = 1000;
    await failTimes(60, () => basic('ann', `wrongWRONGwrongWRONG${count++}`));
    await expect(basic('ann', 'wrongWRONGwrongWRONG1234')).rejects.toMatchObject({ code: 'too_many_attempts' });
    await basic('ann', "ann's pass word");
  });

  it('does not count wrong tokens', async () => {
    await failTimes(60, () => bearer('mrq_wrong'));
    await expect(bearer('mrq_wrong')).rejects.toMatchObject({ code: 'invalid_token' });
    await basic('ann', "ann's pass word");
  });

  it('counts all spellings of a network as one, and an undeclared proxy as none', async () => {
    const addresses = ['2001:db8::1', '2001:DB8:0:0::2', '2001:db8::3%eth0', '2001:0db8::ffff:4'];
    let count = 0;
    await failTimes(50, () => basic(`nobody ${count}`, 'x', addresses[count++ % 4]));
    await expect(basic('ann', "ann's pass word", '2001:db8::9')).rejects.toMatchObject({ code: 'too_many_attempts' });
    const authorization = `Basic ${Buffer.from("ann:ann's pass word").toString('base64')}`;
    await authenticate(context, { authorization, address: '2001:db8::9', isShared: true });
  });

  it('stores neither names nor passwords, and removes counts when they expire', async () => {
    await failTimes(3, () => basic('my password by mistake', 'secret'));
    await failTimes(3, () => basic('ann', 'secret'));
    const keys = await db.query.selectFrom('rate_limits').select('key').orderBy('key').execute();
    expect(keys.map(({ key }) => key)).toEqual([
      expect.stringMatching(/^account-passwords-by-account:nobody-[0-9a-f]{6}$/),
      `account-passwords-by-account:user-${ann.id}`,
      'account-passwords-by-network:10.0.0.1',
    ]);
    now = new Date(now.getTime() + 15 * 60_000);
    await pruneCounts(context);
    expect(await db.query.selectFrom('rate_limits').selectAll().execute()).toEqual([]);
  });

  it('resets a count made by a clock that was far ahead', async () => {
    const then = now;
    now = new Date('2040-01-01T00:00:00Z');
    await failTimes(12, () => basic('ann', 'wrong'));
    now = then;
    await basic('ann', "ann's pass word", '10.0.0.3');
  });

  it('stores the last use at most once an hour', async () => {
    const { id } = await addToken('mrq_feed', ['read']);
    await addAppPassword();
    const uses = async () => [
      (await findToken(db, id))?.last_used_utc,
      (await findAppPassword(db, ann.id, appPasswordHash(APP_PASSWORD)))?.last_used_utc,
    ];
    for (const [time, noted] of [
      ['12:00:00', '12:00:00'],
      ['12:59:59', '12:00:00'],
      ['13:00:00', '13:00:00'],
    ]) {
      now = new Date(`2030-01-02T${time}Z`);
      await bearer('mrq_feed');
      await basic('ann', APP_PASSWORD);
      await expect.poll(uses).toEqual([`2030-01-02 ${noted}`, `2030-01-02 ${noted}`]);
    }
  });

  it('logs refusals without the credentials', async () => {
    await failTimes(1, () => basic('ann', 'almost right'));
    await failTimes(1, () => basic('my password by mistake', 'x'));
    await failTimes(1, () => bearer('mrq_secret'));
    expect(logged.map((line) => JSON.parse(line))).toMatchObject([
      { code: 'incorrect_password', address: '10.0.0.1' },
      { code: 'incorrect_password', address: '10.0.0.1' },
      { code: 'invalid_token', address: '10.0.0.1' },
    ]);
    expect(logged.join()).not.toMatch(/almost|mistake|mrq_|ann/);
  });
});
