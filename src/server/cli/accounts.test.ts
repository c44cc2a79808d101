import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../../test/commands.ts';
import { openMigrated } from '../../../test/server.ts';
import { readConfig } from '../../base/config.ts';
import type { Context } from '../../base/context.ts';
import { siteKeysOf } from '../../lib/site-keys.ts';
import { createSecretGuard } from '../../platform/limits/secret-guard.ts';
import { createAuthenticator } from '../../platform/users/sign-in/credentials.ts';
import { findSessionWithOwner, insertSession } from '../../platform/users/sign-in/session-store.ts';
import { consumeSignInLink } from '../../platform/users/sign-in/sign-in-links.ts';
import { findUserByLogin } from '../../platform/users/store.ts';
import { accountCommands } from './accounts.ts';
import { getAccount } from './input.ts';

describe('the commands of accounts', () => {
  let context: Context;
  beforeEach(async () => {
    const db = await openMigrated();
    const config = { ...readConfig({}), passwordCost: 2 ** 4 };
    const now = () => new Date('2030-01-02T12:00:00Z');
    context = { config, db, log: pino({ level: 'silent' }), now, random: randomBytes, siteKey: siteKeysOf('secret') };
  });
  afterEach(() => context.db.close());

  async function run(name: string, ...args: string[]) {
    const found = accountCommands.find((command) => command.name === name);
    const { out, errors, ...rest } = await runCommand(found, context, args, 'typed in secret');
    return { ...rest, out: out.join('\n'), errors: errors.join('\n') };
  }

  const signIn = (authorization: string) =>
    createAuthenticator(createSecretGuard(context))(context, { authorization, address: '::1' });
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const addAnn = () => run('user add', 'ann', '--email', 'ann@example.org', '--role', 'administrator');

  it('user add creates an account with a generated or a given password', async () => {
    const ann = await addAnn();
    expect(ann).toMatchObject({ status: 0, closed: 1, errors: '' });
    const [, password = ''] =
      /^Account "ann" \(id 1, administrator\) created\.\nPassword, shown this once: (\w{20})$/.exec(ann.out) ?? [];
    expect((await signIn(basic(`ann:${password}`))).account?.id).toBe(1);

    const bob = await run('user add', 'bob', '--email', 'b@example.org', '--role=door', '--password', 'long enough');
    expect(bob.out).toBe('Account "bob" (id 2, door) created.');
    expect((await signIn(basic('bob:long enough'))).account?.role).toBe('door');
  });

  it('commands refuse names and addresses with markup, and keep names of credentials plain', async () => {
    for (const name of ['<b>ann</b>', '&lt;script&gt;', 'an\u001b[31mn']) {
      const refused = await run('user add', name, '--email', 'ann@example.org', '--role', 'door');
      expect(refused.status).toBe(1);
      expect(refused.errors).toMatch(/username/);
    }
    const refused = await run('user add', 'ann', '--email', '<b>ann@example.org', '--role', 'door');
    expect(refused.errors).toMatch(/email/);
    await addAnn();
    await run('token add', 'ann', '<b>Phone</b>\u001b[31m', '--scopes', 'read');
    await run('app-password add', 'ann', '<script>x</script>Site');
    expect((await run('token list')).out).toMatch(/Phone\[31m/);
    expect((await run('app-password list', 'ann')).out).toMatch(/ Site /);
    expect(await run('app-password add', 'ann', '<b>')).toMatchObject({ status: 1 });
  });

  it('user sign-in-link prints a link that works once, user remove-second-factor removes a lost one', async () => {
    await addAnn();
    const { out } = await run('user sign-in-link', 'ann');
    const [, token = ''] =
      /^Sign-in link of "ann", shown this once: http:\/\/\S+\/console\/#sign-in=([\w-]{43})$/.exec(out) ?? [];
    expect((await consumeSignInLink(context.db, token, context.now()))?.username).toBe('ann');
    expect((await run('user remove-second-factor', 'ann')).errors).toBe('"ann" has no second factor.');
    await context.db.query.updateTable('users').set({ totp_secret: 'sealed' }).execute();
    expect((await run('user remove-second-factor', 'ann')).out).toBe('The second factor of "ann" is removed.');
    const ann = await findUserByLogin(context.db, 'ann');
    expect(ann).toMatchObject({ totp_secret: '', credentials_version: 1 });
  });

  it('user sign-out-all ends all sessions, even those about to begin, and voids all links', async () => {
    await addAnn();
    await run('user add', 'bob', '--email', 'b@example.org', '--role', 'door', '--password', 'long enough');
    const { db, now } = context;
    const [ann, bob] = [await getAccount(db, 'ann'), await getAccount(db, 'bob')];
    const begin = (user: typeof ann, hash: string) =>
      insertSession(db, { user, hash, maySetPassword: false, address: '::1', user_agent: '' }, now());
    const owners = async () =>
      Promise.all(['a', 'b', 'c'].map(async (hash) => (await findSessionWithOwner(db, hash, now()))?.username));
    await begin(ann, 'a');
    await begin(bob, 'b');
    const { out } = await run('user sign-in-link', 'bob');
    expect(await owners()).toEqual(['ann', 'bob', undefined]);

    expect((await run('user sign-out-all')).out).toBe('All accounts are signed out, and no sign-in link works.');
    // Its credentials were checked before.
    await begin(ann, 'c');
    expect(await owners()).toEqual([undefined, undefined, undefined]);
    expect(await consumeSignInLink(db, out.split('#sign-in=')[1] ?? '', now())).toBeUndefined();
    expect((await signIn(basic('bob:long enough'))).account?.id).toBe(2);

    await run('user sign-out-all');
    expect((await run('user sign-out-all')).out).toBe('No account was signed in.');
    const rows = db.query.selectFrom('audit').select(['kind', 'fields', 'means']).where('kind', '=', 'site');
    expect(await rows.orderBy('id').execute()).toEqual([
      { kind: 'site', fields: '["sessions","sign_in_links"]', means: 'command-line' },
      { kind: 'site', fields: '["sessions"]', means: 'command-line' },
    ]);
  });

  it('user list prints accounts in columns', async () => {
    await addAnn();
    expect((await run('user list')).out).toBe(
      [
        'ID  NAME  E-MAIL           ROLE           CREATED (UTC)',
        '1   ann   ann@example.org  administrator  2030-01-02 12:00:00',
      ].join('\n'),
    );
    expect((await run('user list', '--role', 'door')).out).not.toContain('ann');
  });

  it('user password sets a password that is typed, given or generated', async () => {
    await addAnn();
    expect((await run('user password', 'ann')).out).toBe('The password of "ann" was changed.');
    await signIn(basic('ann:typed in secret'));
    await run('user password', 'ANN@example.org', '--password', 'given secret');
    await signIn(basic('ann:given secret'));
    const { out } = await run('user password', 'ann', '--generate');
    await signIn(basic(`ann:${out.split(' ').at(-1)}`));
  });

  it('user role and user remove keep an administrator', async () => {
    await addAnn();
    await run('user add', 'bob', '--email', 'b@example.org', '--role', 'door');
    expect((await run('user role', 'bob', 'editor')).out).toBe('"bob" is editor now.');
    for (const args of [
      ['user role', 'ann', 'door'],
      ['user remove', 'ann'],
    ]) {
      const refusal = await run(...(args as [string]));
      expect(refusal).toMatchObject({ status: 1, out: '', closed: 1 });
      expect(refusal.errors).toMatch(/administrator/);
    }
    expect((await run('user remove', 'bob', '--reassign', 'ann')).out).toBe('Account "bob" is removed.');
  });

  it('app-password creates, lists and revokes application passwords', async () => {
    await addAnn();
    const { out } = await run('app-password add', 'ann', 'Box office');
    const [, password = ''] = /^Application password 1 of "ann", shown this once: ([\w ]{29})$/.exec(out) ?? [];
    await signIn(basic(`ann:${password}`));
    expect((await run('app-password list', 'ann')).out).toContain(
      '1   Box office  2030-01-02 12:00:00  2030-01-02 12:00:00',
    );
    expect((await run('app-password revoke', 'ann', '1')).status).toBe(0);
    expect(await run('app-password revoke', 'ann', '1')).toMatchObject({
      status: 1,
      errors: '"ann" has no application password 1.',
    });
    await expect(signIn(basic(`ann:${password}`))).rejects.toMatchObject({ code: 'incorrect_password' });
  });

  it('token creates, lists and revokes tokens', async () => {
    await addAnn();
    const { out } = await run('token add', 'ann', 'feed', '--scopes', 'read,checkin', '--expires', '+90 days');
    const [, token = ''] = /^Token 1 of "ann", shown this once: (mrq_[\w-]{43})$/.exec(out) ?? [];
    await signIn(`Bearer ${token}`);
    const listed = (await run('token list')).out;
    expect(listed).toContain('1   1        feed  read,checkin  2030-04-02 12:00:00  2030-01-02 12:00:00');
    expect((await run('token list', 'ann')).out).toBe(listed);
    expect((await run('token revoke', '1')).status).toBe(0);
    expect(await run('token revoke', '1')).toMatchObject({ status: 1, errors: 'There is no token 1.' });
    await expect(signIn(`Bearer ${token}`)).rejects.toMatchObject({ code: 'invalid_token' });
  });

  it.each([
    [['user add', 'x', '--email', 'nobody', '--role', 'door']],
    [['user add', 'a:b', '--email', 'a@example.org', '--role', 'door']],
    [['user add', 'x', '--email', 'a@example.org', '--role', 'boss']],
    [['user add', 'x', '--email', 'a@example.org', '--role', 'door', '--password', 'short']],
    [['user add', 'ANN', '--email', 'a@example.org', '--role', 'door']],
    [['user password', 'nobody']],
    [['user password', 'ann', '--generate', '--password', 'long enough']],
    [['user remove', 'ann', '--reassign', 'ann']],
    [['token add', 'ann', 'x', '--scopes', 'all']],
    [['token add', 'ann', 'x', '--scopes', 'read', '--expires', 'yesterday']],
    [['token revoke', 'one']],
  ])('%j fails with a reason in one sentence', async (args) => {
    await addAnn();
    const { status, out, errors } = await run(...(args as [string]));
    expect([status, out]).toEqual([1, '']);
    expect(errors).toMatch(/^[^\n]{10,}\.$/);
    expect(errors).not.toMatch(/[{}]/);
  });

  it.each([
    [['user add'], 'NAME is missing.'],
    [['user add', 'ann', '--role', 'door'], '--email is missing.'],
    [['user role', 'ann', 'door', 'now'], '"now" is one word too many; put names with spaces in quotes.'],
    [['user list', '--colour'], "Unknown option '--colour'"],
    [['user list', '--role'], "Option '--role <value>' argument missing"],
  ])('%j is a usage error', async (args, sentence) => {
    const { status, closed, errors } = await run(...(args as [string]));
    expect({ status, closed }).toEqual({ status: 2, closed: 0 });
    expect(errors.split('\n')[0]).toBe(sentence);
    expect(errors).toContain(`Usage: marquee ${args[0]}`);
  });

  it.each(accountCommands.map((command) => [command.name, command] as const))(
    '%s --help explains itself',
    async (name, command) => {
      const { status, closed, out } = await run(name, '--help');
      expect({ status, closed }).toEqual({ status: 0, closed: 0 });
      expect(out).toBe(command.usage);
      expect(out).toContain(`Usage: marquee ${name}`);
      expect(out).toContain(command.summary);
    },
  );
});
