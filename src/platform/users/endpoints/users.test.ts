import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { createDatabase } from '../../../../test/postgres.ts';
import { DATABASES } from '../../../../test/server.ts';
import { usualOf } from '../../../../test/thoroughness.ts';
import { readConfig } from '../../../base/config.ts';
import type { Context } from '../../../base/context.ts';
import { createSiteLookup } from '../../../base/site-config.ts';
import { type Database, openDatabase } from '../../../db/database.ts';
import { storageFaultOf } from '../../../db/errors.ts';
import { migrate } from '../../../db/migrate.ts';
import type { Scope } from '../../../http/core/auth.ts';
import { createFaultReporter } from '../../../http/core/fault-reporter.ts';
import { textOf } from '../../../http/core/response.ts';
import { routesOf } from '../../../http/core/router.ts';
import { parseRequest } from '../../../http/input/parsed-request.ts';
import type { ServerDeps } from '../../../http/pipeline/exchange.ts';
import { serve } from '../../../http/pipeline/serve.ts';
import { siteKeysOf } from '../../../lib/site-keys.ts';
import { createKeyRecogniser } from '../../../ticketing/check-in-keys/keys.ts';
import { handleOnce } from '../../idempotency-keys/run-once.ts';
import { createRequestCounter } from '../../limits/limits.ts';
import { createRefusalCounter } from '../../limits/refusals.ts';
import { createSecretGuard } from '../../limits/secret-guard.ts';
import { createAuthenticator } from '../sign-in/credentials.ts';
import { ensureAdministrator } from '../sign-in/first-administrator.ts';
import { userEndpoints } from './users.ts';

const ROOT = 'http://localhost/calendar/admin/v1';
const basic = (name: string, secret = `${name}-password`) =>
  `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
const ADMIN = basic('admin');

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests access the body as clients do
  body: any;
  headers: Headers;
}

async function openEmpty(kind: 'sqlite' | 'postgres'): Promise<Database> {
  if (kind === 'sqlite') return openDatabase({ kind, file: ':memory:' });
  const { url, drop } = await createDatabase(inject('postgresUrl'));
  const db = openDatabase({ kind, url, pool: 2 });
  return { ...db, close: () => db.close().then(drop) };
}

/** Removes all accounts and their data; ids restart. */
const CLEAR = {
  sqlite: ['DELETE FROM tokens', 'DELETE FROM app_passwords', 'DELETE FROM users', 'DELETE FROM sqlite_sequence'],
  postgres: [
    'TRUNCATE users, app_passwords, tokens, sessions, sign_in_links, recovery_codes, account_devices RESTART IDENTITY',
  ],
};

describe.each(DATABASES)('accounts through the interface in %s', (kind) => {
  const usually = it.each(usualOf(kind));
  let db: Database;
  let context: Context;
  let api: ServerDeps;

  beforeAll(async () => {
    db = await openEmpty(kind);
    await migrate(db);
  });
  afterAll(() => db.close());

  beforeEach(async () => {
    const admin = { name: 'admin', password: 'admin-password' };
    const settings = { ...readConfig({ MARQUEE_TIMEZONE: 'America/New_York' }), admin };
    const config = { ...settings, passwordCost: 2 ** 4 };
    const now = () => new Date('2030-01-02T12:00:00Z');
    context = { config, db, log: pino({ level: 'silent' }), now, random: randomBytes, siteKey: siteKeysOf('secret') };
    const limits = {
      checkSecret: createSecretGuard(context),
      countRequest: createRequestCounter(context),
      countRefusal: createRefusalCounter(context),
    };
    api = {
      context,
      routes: routesOf(userEndpoints),
      site: createSiteLookup(context),
      authenticate: createAuthenticator(limits.checkSecret),
      recogniseKey: createKeyRecogniser(limits.checkSecret),
      handleOnce,
      reportFault: createFaultReporter(context, storageFaultOf),
      limits,
    };
    await ensureAdministrator(context, () => undefined);
  });
  afterEach(async () => {
    for (const statement of CLEAR[kind]) await sql.raw(statement).execute(db.query);
  });

  async function ask(operation: string, { as, body }: { as?: string; body?: unknown } = {}): Promise<Answer> {
    const [method = '', path = ''] = operation.split(' ');
    const headers = {
      ...(as && { authorization: as }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    const request = new Request(ROOT + path, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    const url = new URL(request.url);
    const { call } = parseRequest(request, { url, origin: url.origin }, api.routes);
    if (!call) throw new Error(`${url} is in no namespace`);
    const sender = { client: { address: '10.0.0.1' }, summary: { id: 'test' } };
    const response = await serve(api, { ...sender, request, call, context });
    const text = await textOf(response);
    const answered = new Headers(response.headers.pairs());
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text), headers: answered };
  }

  async function addUser(name: string, role = 'author'): Promise<number> {
    const body = { username: name, email: `${name}@example.org`, password: `${name}-password`, role };
    const { status, body: user } = await ask('POST /users', { as: ADMIN, body });
    expect(status).toBe(201);
    return user.id;
  }

  async function addToken(as: string, scopes: Scope[]): Promise<string> {
    const { body } = await ask('POST /tokens', { as, body: { name: 'test', scopes } });
    return `Bearer ${body.token}`;
  }

  describe('/me', () => {
    usually('returns the account and its rights', async () => {
      const id = await addUser('dora', 'door');
      const { body, headers } = await ask('GET /me', { as: basic('dora@example.org', 'dora-password') });
      const account = { id, username: 'dora', email: 'dora@example.org', role: 'door', may_refund: false };
      expect(body).toEqual({
        ...account,
        ...{ language: '', alerts: [], available_alerts: ['few-left', 'sold-out'] },
        capabilities: ['read_attendees', 'check_in', 'export_attendees'],
        second_factor: { is_enabled: false, is_required: false, recovery_codes: 0 },
      });
      expect(headers.get('cache-control')).toBe('private, no-cache');
    });

    it('returns the scopes of a token and the rights they leave', async () => {
      await addUser('dora', 'door');
      const { body } = await ask('GET /me', { as: await addToken(basic('dora'), ['admin', 'checkin']) });
      expect(body).toMatchObject({
        capabilities: ['read_attendees', 'check_in', 'export_attendees'],
        scopes: ['admin', 'checkin'],
      });
    });

    usually('is only for accounts', async () => {
      expect(await ask('GET /me')).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } });
      const wrong = await ask('GET /me', { as: basic('admin', 'wrong') });
      expect(wrong).toMatchObject({ status: 401, body: { code: 'incorrect_password' } });
    });
  });

  describe('/users', () => {
    usually('creates an account that can sign in, and never shows a hash', async () => {
      const body = { username: ' Zoë ', email: 'zoe@example.org', password: 'pass word: ü', role: 'editor' };
      const answer = await ask('POST /users', { as: ADMIN, body });
      const user = {
        id: 2,
        username: 'Zoë',
        email: 'zoe@example.org',
        role: 'editor',
        created_utc: '2030-01-02 12:00:00',
        last_seen_utc: null,
        has_second_factor: false,
        may_refund: false,
        language: '',
        alerts: [],
        available_alerts: ['payments', 'few-left', 'sold-out', 'orders'],
      };
      expect(answer).toMatchObject({ status: 201, body: user });
      expect(Object.keys(answer.body)).toEqual(Object.keys(user));
      expect(answer.headers.get('location')).toBe(`${ROOT}/users/2`);
      expect((await ask('GET /users/2', { as: basic('zoë', 'pass word: ü') })).body).toEqual(user);
    });

    it('shows names of earlier versions without markup, never as the name of another account, and lets them sign in', async () => {
      await addUser('anna');
      const id = await addUser('old');
      await db.query
        .updateTable('users')
        .set({ username: '<b>anna</b>', username_key: '<b>anna</b>' })
        .where('id', '=', id)
        .execute();
      const as = basic('<b>anna</b>', 'old-password');
      expect((await ask('GET /me', { as })).body.username).toBe('‹b›anna‹/b›');
      expect((await ask(`GET /users/${id}`, { as })).body.username).toBe('‹b›anna‹/b›');
      const { users } = (await ask('GET /users?per_page=100', { as: ADMIN })).body;
      expect(users.map(({ username }: { username: string }) => username)).toEqual(['admin', 'anna', '‹b›anna‹/b›']);
      const renamed = await ask(`PATCH /users/${id}`, { as: ADMIN, body: { username: 'anna2' } });
      expect(renamed).toMatchObject({ status: 200, body: { username: 'anna2' } });
    });

    it('keeps and shows names of credentials as plain text', async () => {
      const id = await addUser('ann');
      const as = basic('ann');
      const name = '<img src=x onerror=alert(1)>Phone\u001b[31m\r\nX: y';
      const path = `/users/${id}/application-passwords`;
      expect((await ask(`POST ${path}`, { as, body: { name } })).body.name).toBe('Phone[31m X: y');
      expect((await ask('POST /tokens', { as, body: { name, scopes: 'read' } })).body.name).toBe('Phone[31m X: y');
      expect(await ask(`POST ${path}`, { as, body: { name: '<b></b>' } })).toMatchObject({ status: 400 });
      for (const table of ['tokens', 'app_passwords'] as const)
        await db.query.updateTable(table).set({ name: '<b>old</b>' }).execute();
      expect((await ask(`GET ${path}`, { as })).body.application_passwords[0].name).toBe('old');
      expect((await ask('GET /tokens', { as })).body.tokens[0].name).toBe('old');
    });

    it.each([
      ['username', ''],
      ['username', '  '],
      ['username', 'a:b'],
      ['username', 'a\u0000b'],
      ['username', 'a\nb'],
      ['username', 'abc\u202Edef'],
      ['username', '<script>alert(1)</script>'],
      ['username', 'bob<img src=x'],
      ['username', '&lt;script&gt;'],
      ['email', '<b>bob@example.org'],
      ['email', '"<script>alert(1)</script>"@example.org'],
      ['email', 'bob@example.org\r\nBcc: eve@example.org'],
      ['username', 'x'.repeat(61)],
      ['username', null],
      ['email', 'nobody'],
      ['email', ''],
      ['password', 'seven77'],
      ['password', 'x'.repeat(201)],
      ['password', 'line\nbreak'],
      ['role', 'owner'],
      ['role', ''],
    ])('refuses %s %j', async (name, value) => {
      const id = await addUser('ann');
      for (const call of ['POST /users', `PATCH /users/${id}`]) {
        const good = { username: 'bob', email: 'bob@example.org', password: 'long enough', role: 'author' };
        const { status, body } = await ask(call, { as: ADMIN, body: { ...good, [name]: value } });
        expect(status).toBe(400);
        const isMissing = body.code === 'rest_missing_callback_param';
        expect(isMissing ? body.data.params : Object.keys(body.data.params)).toEqual([name]);
      }
      expect((await ask('GET /users', { as: ADMIN })).body.total).toBe(2);
    });

    it('takes names and passwords of any script at their limits', async () => {
      for (const [username, password] of [
        ['𝒜'.repeat(60), '𝒜'.repeat(8)],
        ['名', 'x'.repeat(200)],
        ['1234', 12345678],
      ]) {
        const body = { username, email: `${Math.random()}@example.org`, password, role: 'door' };
        expect((await ask('POST /users', { as: ADMIN, body })).status).toBe(201);
        expect((await ask('GET /me', { as: basic(`${username}`, `${password}`) })).status).toBe(200);
      }
    });

    it('lists a page at a time', async () => {
      for (const name of ['ann', 'bob', 'cleo']) await addUser(name, name === 'bob' ? 'door' : 'author');
      const { body, headers } = await ask('GET /users?per_page=1&page=2&search=example&role=author', { as: ADMIN });
      expect(body).toMatchObject({ users: [{ username: 'cleo' }], total: 2, total_pages: 2 });
      expect(body.previous_rest_url).toBe(`${ROOT}/users?page=1&per_page=1&search=example&role=author`);
      expect(body.next_rest_url).toBeUndefined();
      expect(headers.get('x-tec-total')).toBe('2');
    });

    it.each(['POST', 'PUT', 'PATCH'])('changes with %s only what is sent', async (method) => {
      const id = await addUser('ann');
      const { body } = await ask(`${method} /users/${id}`, { as: ADMIN, body: { role: 'editor' } });
      expect(body).toMatchObject({ id, username: 'ann', email: 'ann@example.org', role: 'editor' });
      expect((await ask('GET /me', { as: basic('ann') })).body.role).toBe('editor');
      await ask(`${method} /users/${id}`, { as: ADMIN, body: { password: 'another one' } });
      expect((await ask('GET /me', { as: basic('ann') })).status).toBe(401);
      expect((await ask('GET /me', { as: basic('ann', 'another one') })).status).toBe(200);
    });

    it('accepts the first administrator as it was read', async () => {
      await db.query
        .updateTable('users')
        .set({ email: 'admin@localhost', email_key: 'admin@localhost' })
        .where('id', '=', 1)
        .execute();
      const { body } = await ask('GET /users/1', { as: ADMIN });
      expect(body.email).toBe('admin@localhost');
      expect(await ask('PATCH /users/1', { as: ADMIN, body })).toMatchObject({ status: 200, body });
      for (const email of ['@localhost', 'admin@localhost.', 'a b@localhost', 'admin@intranet', '<x>@localhost']) {
        expect((await ask('PATCH /users/1', { as: ADMIN, body: { email } })).body.code).toBe('rest_invalid_param');
      }
    });

    it('removes an account with everything that signed in to it', async () => {
      const id = await addUser('ann');
      const token = await addToken(basic('ann'), ['read']);
      expect((await ask('GET /me', { as: token })).status).toBe(200);
      expect(await ask(`DELETE /users/${id}`, { as: ADMIN })).toMatchObject({ status: 200, body: { id } });
      expect((await ask('GET /me', { as: token })).body.code).toBe('invalid_token');
      expect((await ask('GET /me', { as: basic('ann') })).body.code).toBe('incorrect_password');
    });

    it('lets administrators alone entrust an account with refunds, and take that back', async () => {
      const id = await addUser('ann', 'box_office');
      const capabilitiesOf = async () => (await ask('GET /me', { as: basic('ann') })).body.capabilities;
      const own = await ask(`PATCH /users/${id}`, { as: basic('ann'), body: { may_refund: true } });
      expect(own.status).toBe(403);
      expect(await capabilitiesOf()).not.toContain('refund');
      const entrusted = await ask(`PATCH /users/${id}`, { as: ADMIN, body: { may_refund: true } });
      expect(entrusted).toMatchObject({ status: 200, body: { role: 'box_office', may_refund: true } });
      expect(await capabilitiesOf()).toContain('refund');
      expect((await ask('GET /me', { as: basic('ann') })).body.may_refund).toBe(true);
      // Changes of other fields keep it.
      await ask(`PATCH /users/${id}`, { as: ADMIN, body: { email: 'ann2@example.org' } });
      expect(await capabilitiesOf()).toContain('refund');
      const taken = await ask(`PATCH /users/${id}`, { as: ADMIN, body: { may_refund: false } });
      expect(taken.body.may_refund).toBe(false);
      expect(await capabilitiesOf()).not.toContain('refund');
    });

    it('names the code of every other refusal', async () => {
      const id = await addUser('ann');
      const again = { username: 'ANN', email: 'other@example.org', password: 'long enough', role: 'author' };
      const refusals = [
        await ask('POST /users', { as: ADMIN, body: again }),
        await ask(`PATCH /users/${id}`, { as: ADMIN, body: { email: 'ADMIN@localhost.example', username: 'Admin' } }),
        await ask('PATCH /users/1', { as: ADMIN, body: { role: 'editor' } }),
        await ask('DELETE /users/1', { as: ADMIN }),
        await ask(`DELETE /users/${id}?reassign=${id}`, { as: ADMIN }),
        await ask(`DELETE /users/${id}?reassign=99`, { as: ADMIN }),
        await ask('GET /users/99', { as: ADMIN }),
        await ask('POST /users', { as: ADMIN, body: {} }),
      ];
      expect(refusals.map(({ status, body }) => `${status} ${body.code}`)).toEqual([
        '409 user-exists',
        '409 user-exists',
        '409 last-administrator',
        '409 last-administrator',
        '400 rest_invalid_param',
        '400 rest_invalid_param',
        '404 user-not-found',
        '400 rest_missing_callback_param',
      ]);
      for (const { body } of refusals) expect(body.message).toMatch(/\w{3}/);
    });
  });

  describe('rights', () => {
    usually('keep other accounts from all but administrators', async () => {
      const ann = await addUser('ann', 'editor');
      await addUser('bob', 'editor');
      const user = { username: 'eve', email: 'eve@example.org', password: 'long enough', role: 'administrator' };
      const key = { name: 'x', scopes: ['admin'] };
      for (const [call, body] of [
        ['GET /users'],
        ['POST /users', user],
        [`GET /users/${ann}`],
        ['GET /users/99'],
        [`PATCH /users/${ann}`, { password: 'long enough' }],
        [`DELETE /users/${ann}`],
        [`GET /users/${ann}/application-passwords`],
        [`POST /users/${ann}/application-passwords`, { name: 'x' }],
        [`DELETE /users/${ann}/application-passwords/1`],
        [`GET /tokens?user_id=${ann}`],
        ['POST /tokens', { ...key, user_id: ann }],
        ['POST /tokens', { ...key, user_id: 99 }],
      ] as [string, unknown?][]) {
        expect(await ask(call, { as: basic('bob'), body }), call).toMatchObject({
          status: 403,
          body: { code: 'rest_forbidden' },
        });
        expect(await ask(call, { body }), call).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } });
      }
      const token = await ask('POST /tokens', { as: ADMIN, body: key });
      expect((await ask(`DELETE /tokens/${token.body.id}`, { as: basic('bob') })).body.code).toBe('token-not-found');
      expect((await ask(`DELETE /tokens/${token.body.id}`)).status).toBe(401);
      expect((await ask('POST /tokens', { body: key })).status).toBe(401);
      expect((await ask('GET /tokens')).status).toBe(401);
    });

    it('let people change their own password and address with their password, but no name and no role', async () => {
      const id = await addUser('ann', 'subscriber');
      const change = (as: string, body: unknown) =>
        ask(`PATCH /users/${id}`, { as, body }).then(({ status }) => status);
      const { body } = await ask(`POST /users/${id}/application-passwords`, { as: basic('ann'), body: { name: 'x' } });
      const token = await addToken(basic('ann'), ['admin']);
      expect(await change(basic('ann', body.password), { password: 'taken over' })).toBe(403);
      expect(await change(token, { password: 'taken over' })).toBe(403);
      expect(await change(basic('ann'), { role: 'administrator' })).toBe(403);
      expect(await change(basic('ann'), { username: 'root' })).toBe(403);
      expect(await change(basic('ann'), { username: 'ann', role: 'subscriber', email: 'new@example.org' })).toBe(200);
      expect(await change(basic('ann'), { password: 'another one' })).toBe(200);
      expect(await change(basic('new@example.org', 'another one'), {})).toBe(200);
    });

    usually('let a token make other credentials only with the scope admin', async () => {
      const id = await addUser('ann');
      const limited = await addToken(basic('ann'), ['read', 'events:write', 'tickets:write', 'checkin']);
      const full = await addToken(basic('ann'), ['admin']);
      const ofAdmin = await addToken(ADMIN, ['read', 'events:write']);
      const body = { name: 'x', scopes: ['read'] };
      for (const call of ['POST /tokens', 'GET /tokens', `POST /users/${id}/application-passwords`]) {
        const sent = call.startsWith('POST') ? body : undefined;
        for (const as of [limited, ofAdmin]) expect((await ask(call, { as, body: sent })).status, call).toBe(403);
        expect((await ask(call, { as: full, body: sent })).status, call).toBeLessThan(300);
      }
      expect((await ask('DELETE /tokens/1', { as: limited })).status).toBe(403);
    });
  });

  describe('application passwords', () => {
    it('are shown once, work, and stop working when revoked', async () => {
      const id = await addUser('ann');
      const path = `/users/${id}/application-passwords`;
      const made = await ask(`POST ${path}`, { as: basic('ann'), body: { name: 'Box office' } });
      expect(made).toMatchObject({
        status: 201,
        body: { name: 'Box office', created_utc: '2030-01-02 12:00:00', last_used_utc: null },
      });
      expect(made.body.password).toMatch(/^(\w{4} ){5}\w{4}$/);
      expect(made.headers.get('cache-control')).toBe('no-store');

      const as = basic('ann', made.body.password);
      expect((await ask('GET /me', { as })).body.id).toBe(id);
      const { id: own, password: _shown, ...rest } = made.body;
      // Recorded after the response.
      await expect
        .poll(async () => (await ask(`GET ${path}`, { as: ADMIN })).body)
        .toEqual({ application_passwords: [{ ...rest, id: own, last_used_utc: '2030-01-02 12:00:00' }] });
      expect((await ask(`DELETE /users/1/application-passwords/${own}`, { as: ADMIN })).body.code).toBe(
        'app-password-not-found',
      );
      expect((await ask(`DELETE ${path}/${own}`, { as })).status).toBe(200);
      expect((await ask('GET /me', { as })).body.code).toBe('incorrect_password');
      expect((await ask(`DELETE ${path}/${own}`, { as: basic('ann') })).status).toBe(404);
    });
  });

  describe('tokens', () => {
    it('are shown once, listed to their owner and to administrators, and stop working when revoked', async () => {
      const id = await addUser('ann');
      await addToken(ADMIN, ['read']);
      const body = { name: 'Feed', scopes: 'read,checkin,read', expires: '2030-02-01' };
      const made = await ask('POST /tokens', { as: basic('ann'), body });
      expect(made.status).toBe(201);
      const { token, ...rest } = made.body;
      expect(token).toMatch(/^mrq_[\w-]{43}$/);
      expect(rest).toEqual({
        id: 2,
        user_id: id,
        name: 'Feed',
        scopes: ['read', 'checkin'],
        created_utc: '2030-01-02 12:00:00',
        expires_utc: '2030-02-02 04:59:59',
        last_used_utc: null,
      });
      expect((await ask('GET /tokens', { as: basic('ann') })).body).toMatchObject({ tokens: [rest], total: 1 });
      expect((await ask('GET /tokens', { as: ADMIN })).body.total).toBe(2);
      expect((await ask(`GET /tokens?user_id=${id}`, { as: ADMIN })).body.tokens).toEqual([rest]);
      expect((await ask('DELETE /tokens/2', { as: basic('ann') })).body).toEqual(rest);
      expect((await ask('GET /me', { as: `Bearer ${token}` })).body.code).toBe('invalid_token');
      expect((await ask('DELETE /tokens/2', { as: ADMIN })).body.code).toBe('token-not-found');
    });

    usually('can be created by administrators for other accounts, with the rights of these', async () => {
      const id = await addUser('dora', 'door');
      const { body } = await ask('POST /tokens', {
        as: ADMIN,
        body: { name: 'Scanner', scopes: ['admin'], user_id: id },
      });
      expect((await ask('GET /me', { as: `Bearer ${body.token}` })).body).toMatchObject({
        id,
        capabilities: ['read_attendees', 'check_in', 'export_attendees'],
      });
    });

    it.each([
      [{ scopes: ['read', 'everything'] }, 'scopes'],
      [{ scopes: [] }, 'scopes'],
      [{ expires: '2029-12-31' }, 'expires'],
      [{ expires: '2030-01-02 07:00:00' }, 'expires'],
      [{ expires: 'whenever' }, 'expires'],
      [{ name: ' ' }, 'name'],
    ])('are refused with %j', async (wrong, name) => {
      const { status, body } = await ask('POST /tokens', {
        as: ADMIN,
        body: { name: 'x', scopes: ['read'], ...wrong },
      });
      expect([status, Object.keys(body.data.params)]).toEqual([400, [name]]);
    });

    usually('are refused for an account that does not exist', async () => {
      const body = { name: 'x', scopes: ['read'], user_id: 99 };
      expect((await ask('POST /tokens', { as: ADMIN, body })).body.code).toBe('user-not-found');
    });
  });

  it('responds as the schemas say', async () => {
    const schema = (name: string, status: number) => userEndpoints.find((one) => one.name === name)?.responses[status];
    const app = await ask('POST /users/1/application-passwords', { as: ADMIN, body: { name: 'x' } });
    const token = await ask('POST /tokens', { as: ADMIN, body: { name: 'x', scopes: ['read'] } });
    for (const [name, { status, body }] of [
      ['me.read', await ask('GET /me', { as: `Bearer ${token.body.token}` })],
      ['users.list', await ask('GET /users', { as: ADMIN })],
      ['users.read', await ask('GET /users/1', { as: ADMIN })],
      ['application_passwords.create', app],
      ['application_passwords.list', await ask('GET /users/1/application-passwords', { as: ADMIN })],
      ['tokens.create', token],
      ['tokens.list', await ask('GET /tokens', { as: ADMIN })],
    ] as [string, Answer][]) {
      expect(schema(name, status)?.parse(body), name).toEqual(body);
    }
  });
});
