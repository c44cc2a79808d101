import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../src/app.ts';
import type { AnyEndpoint } from '../src/http/core/endpoint.ts';
import { type Answer, type Asking, DATABASES, NOON, pathOfNamespace, useTestServer } from './server.ts';
import { bySession, confirmFactor, cookieFor, cookieOf, newPerson, ORIGIN, type Person, signIn } from './sessions.ts';

const outcome = ({ status, body }: Answer): string => [status, body?.code].filter(Boolean).join(' ');
const basic = ({ name, password }: { name: string; password: string }) => ({
  authorization: `Basic ${btoa(`${name}:${password}`)}`,
});

const CREDENTIAL_WRITES = endpoints.filter(({ isCredentialWrite }) => isCredentialWrite);
const callOf = ({ methods, namespace, path }: AnyEndpoint) =>
  `${methods[0]} ${namespace}:${path.replace(/\{\w+\}/g, '1')}`;

describe('the writes to sessions, accounts and credentials', () => {
  it('are all marked', () => {
    // Imports take the password of an account elsewhere.
    const isPlace = /^\/(?:(?:sessions?|me|users|tokens)(?:\/|$)|imports(?:\/\{id\}\/start)?$)/;
    const wanted = endpoints.filter(
      ({ namespace, path, methods }) => namespace === 'admin' && isPlace.test(path) && !methods.includes('GET'),
    );
    expect(CREDENTIAL_WRITES.map(callOf).sort()).toEqual(wanted.map(callOf).sort());
    expect(wanted.length).toBeGreaterThan(15);
  });

  it('are refused in a batch where they begin or end a session, or show a secret', () => {
    const alone = endpoints.filter(({ isRefusedInBatch, shownOnce }) => isRefusedInBatch || shownOnce).map(callOf);
    expect(alone).toEqual(
      expect.arrayContaining([
        ...['POST admin:/session', 'POST admin:/session/by-link', 'DELETE admin:/session', 'DELETE admin:/sessions/1'],
        ...['POST admin:/tokens', 'POST admin:/users', 'POST admin:/check-in-keys', 'POST admin:/me/second-factor'],
      ]),
    );
  });
});

describe.each(DATABASES)('a write to sessions, accounts or credentials on %s', (kind) => {
  const server = useTestServer(kind, { secretGuesses: { perAddress: 0, perAccount: 0 } });
  const ask = (call: string, asking?: Asking) => server().ask(call, asking);
  const under = (own: string, call: string, asking: Asking = {}) =>
    ask(call, { ...asking, headers: { ...bySession(own), ...asking.headers } });
  const isSignedIn = async (own: string) => (await under(own, 'GET admin:/me')).status === 200;
  let own = '';

  beforeAll(async () => {
    own = await cookieFor(server(), 'administrator');
  });

  const CSRF: [string, Record<string, string>, Record<string, string>][] = [
    ['a parameter', { _method: 'POST' }, {}],
    ['a parameter in another case', { _method: 'post' }, {}],
    ['a header', {}, { 'x-http-method-override': 'POST' }],
  ];
  it.each(CSRF)('never comes from a GET that is overridden by %s', async (_what, query, headers) => {
    const sent = { ...query, ...signIn('contributor') };
    for (const prefix of ['/calendar', '/wp-json/calendar', '/wp-json/tribe', '/CALENDAR']) {
      const browsers: Record<string, string>[] = [
        {},
        { cookie: own, 'sec-fetch-site': 'same-origin' },
        { origin: ORIGIN },
      ];
      for (const browser of browsers) {
        const answer = await ask('GET admin:/session', { prefix, query: sent, headers: { ...headers, ...browser } });
        expect(outcome(answer)).toBe('403 rest_forbidden');
        expect(answer.headers.get('set-cookie')).toBeNull();
      }
    }
    const routed = new URLSearchParams({ rest_route: '/calendar/admin/v1/session', ...sent });
    const answer = await server().request(`/?${routed}`, { headers: { ...headers, cookie: own } });
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([403, null]);
  });

  it('does not end a session by a GET or HEAD', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' };
    for (const call of ['GET admin:/session', 'HEAD admin:/session'])
      expect((await under(own, call, { query: { _method: 'DELETE' }, headers })).headers.get('set-cookie')).toBeNull();
    expect(await isSignedIn(own)).toBe(true);
  });

  it('gives every endpoint the same response to an overridden GET, with Basic too', async () => {
    for (const endpoint of CREDENTIAL_WRITES) {
      const [method = '', call = ''] = callOf(endpoint).split(' ');
      const answer = await ask(`GET ${call}`, { as: 'administrator', query: { _method: method } });
      expect([call, outcome(answer)]).toEqual([call, '403 rest_forbidden']);
    }
  });

  it.each<[string, Record<string, string>, string]>([
    ['a program', {}, '201'],
    ['a page of the site', { origin: ORIGIN, 'sec-fetch-site': 'same-origin' }, '201'],
    ['a page of another site', { origin: 'https://elsewhere.test' }, '403 rest_forbidden'],
    ['a page of the site under another scheme', { origin: ORIGIN.replace('http:', 'https:') }, '403 rest_forbidden'],
    ['a page on another port', { origin: `${ORIGIN}:8081` }, '403 rest_forbidden'],
    ['a sandboxed frame', { origin: 'null' }, '403 rest_forbidden'],
    ['a browser that names no page', { 'sec-fetch-site': 'same-origin' }, '403 rest_forbidden'],
    ['a browser with a cookie that names no page', { cookie: 'theme=dark' }, '403 rest_forbidden'],
  ])('is accepted from programs and pages of this site only; here from %s', async (_who, headers, expected) => {
    const answer = await ask('POST admin:/session', { headers, body: signIn('author') });
    expect([outcome(answer), answer.headers.has('set-cookie')]).toEqual([expected, expected === '201']);
    const token = await ask('POST admin:/tokens', {
      as: 'author',
      headers,
      body: { name: 'feed', scopes: ['read'] },
    });
    expect(outcome(token)).toBe(expected);
  });

  it('is refused to the sites of MARQUEE_CORS_ORIGINS, which other writes are not', async () => {
    server().restart({ corsOrigins: ['https://elsewhere.test'] });
    const headers = { origin: 'https://elsewhere.test' };
    const written = await ask('POST /tags', { as: 'editor', headers, body: { name: 'From elsewhere' } });
    const refused = await ask('POST admin:/session', { headers, body: signIn('author') });
    server().restart({ corsOrigins: [] });
    expect([written.status, outcome(refused)]).toEqual([201, '403 rest_forbidden']);
  });

  it.each([
    ['POST admin:/session', { name: 'author' }, { password: 'author-password' }],
    ['POST admin:/session', {}, { name: 'author', password: 'author-password' }],
    ['POST admin:/session', { name: 'author' }, { 'password[]': 'author-password' }],
    ['POST admin:/session', signIn('author'), { code: '123456' }],
    ['POST admin:/session', signIn('author'), { name: 'author' }],
    ['POST admin:/session/by-link', {}, { token: 'x' }],
    ['POST admin:/users', { email: 'q@example.test', role: 'author' }, { username: 'queried' }],
    ['PATCH admin:/users/1', {}, { email: 'q@example.test' }],
    ['POST admin:/tokens', { scopes: ['read'] }, { name: 'feed' }],
    ['POST admin:/me/confirmation', {}, { password: 'administrator-password' }],
  ])('takes names and secrets of %s from the body only: %j and ?%j', async (call, body, query) => {
    const answer = await under(own, call, { body, query });
    const names = Object.keys(query).map((key) => key.replace('[]', ''));
    expect([outcome(answer), Object.keys(answer.body.data.params)]).toEqual(['400 rest_invalid_param', names]);
    for (const name of names) expect(answer.body.data.params[name]).toContain('body');
    expect(answer.text).not.toMatch(/\w+-password/);
  });

  it('takes other parameters from the address, as everywhere', async () => {
    const heir = server().userId('editor');
    const { id } = await newPerson(server());
    expect(outcome(await ask(`DELETE admin:/users/${id}`, { as: 'administrator', query: { reassign: heir } }))).toBe(
      '200',
    );
  });

  it('is no part of a batch if it begins or ends a session or shows a secret', async () => {
    const confirmed = await newPerson(server(), 'administrator');
    await under(confirmed.cookie, 'POST admin:/me/confirmation', { body: { password: confirmed.password } });
    const at = (call: string) => call.replace(' admin:', ` ${pathOfNamespace('admin')}`).split(' ');
    const bodies: Record<string, object> = {
      'POST admin:/session': signIn('author'),
      'DELETE admin:/session': {},
      'POST admin:/tokens': { name: 'feed', scopes: ['read'] },
      'POST admin:/users': { username: 'batched', email: 'batched@example.test', role: 'author' },
      'POST admin:/check-in-keys': { name: 'gate' },
      [`POST admin:/users/${server().userId('author')}/sign-in-link`]: {},
      [`POST admin:/users/${confirmed.id}/application-passwords`]: { name: 'till' },
      'POST admin:/me/second-factor': {},
    };
    const calls = Object.entries(bodies).map(([call, body]) => {
      const [method, path] = at(call);
      return { method, path, body };
    });
    const { body } = await under(confirmed.cookie, 'POST admin:/batch', { body: { calls } });
    const codes = body.results.map((result: { body: { code: string } }) => result.body.code);
    expect(codes).toEqual(calls.map(() => 'batch-call-refused'));
    expect(await isSignedIn(confirmed.cookie)).toBe(true);
    // Control: other calls of accounts are part of one.
    const [method, path] = at(`PATCH admin:/users/${confirmed.id}`);
    const renamed = { method, path, body: { email: 'confirmed@example.test' } };
    const done = await under(confirmed.cookie, 'POST admin:/batch', { body: { calls: [renamed] } });
    expect(done.body.results[0].status).toBe(200);
  });

  describe('that needs a confirmation', () => {
    type Act = (as: (call: string, body: object) => Promise<Answer>, self: Person) => Promise<Answer>;
    let serial = 0;
    const next = () => `made${++serial}`;
    /** Each on an account of its own, so that all may succeed. */
    const acts: Record<string, Act> = {
      'a token for everything': (as) => as('POST admin:/tokens', { name: next(), scopes: ['read', 'admin'] }),
      'an application password of an administrator': (as, { id }) =>
        as(`POST admin:/users/${id}/application-passwords`, { name: next() }),
      'a new administrator': (as) => {
        const username = next();
        return as('POST admin:/users', { username, email: `${username}@example.test`, role: 'administrator' });
      },
      'a promotion': async (as) =>
        as(`PATCH admin:/users/${(await newPerson(server())).id}`, { role: 'administrator' }),
      'a demotion': async (as) =>
        as(`PATCH admin:/users/${(await newPerson(server(), 'administrator')).id}`, { role: 'editor' }),
      'a link for an administrator': async (as) =>
        as(`POST admin:/users/${(await newPerson(server(), 'administrator')).id}/sign-in-link`, {}),
      'the factor of an administrator': async (as) => {
        const other = await newPerson(server(), 'administrator');
        await confirmFactor(server(), other.cookie);
        return as(`DELETE admin:/users/${other.id}/second-factor`, {});
      },
      'the password of an administrator': async (as) =>
        as(`PATCH admin:/users/${(await newPerson(server(), 'administrator')).id}`, { password: 'another one' }),
      'the address of an administrator': async (as) =>
        as(`PATCH admin:/users/${(await newPerson(server(), 'administrator')).id}`, {
          email: `${next()}@example.test`,
        }),
      'the own address': (as, { id }) => as(`PATCH admin:/users/${id}`, { email: `${next()}@example.test` }),
    };

    it.each(Object.entries(acts))('is %s: by session only once confirmed, never by a token', async (_what, act) => {
      const self = await newPerson(server(), 'administrator');
      const credentials = { as: 'administrator' as const };
      const { token } = (
        await ask('POST admin:/tokens', { ...credentials, body: { user_id: self.id, name: 'all', scopes: ['admin'] } })
      ).body;
      const app = await ask(`POST admin:/users/${self.id}/application-passwords`, {
        ...credentials,
        body: { name: 'till' },
      });
      const by = (headers: Record<string, string>) => (call: string, body: object) => ask(call, { headers, body });
      const programs = [
        { authorization: `Bearer ${token}` },
        basic({ name: self.name, password: app.body.password }),
      ].map(by);
      for (const program of [...programs, by(bySession(self.cookie))])
        expect(outcome(await act(program, self))).toBe('403 confirmation-required');
      for (const headers of [{ authorization: `Bearer ${token}` }, basic({ ...self, password: app.body.password })]) {
        const tried = await ask('POST admin:/me/confirmation', { headers, body: { password: self.password } });
        expect(outcome(tried)).toBe('403 rest_forbidden');
      }
      const confirmed = await under(self.cookie, 'POST admin:/me/confirmation', { body: { password: self.password } });
      expect(confirmed.body).toEqual({ confirmed_until_utc: '2026-11-21 17:10:00' });
      expect((await act(by(bySession(self.cookie)), self)).status).toBeLessThan(300);
      expect((await act(by(basic(self)), self)).status).toBeLessThan(300);
    });

    it('goes on for ten minutes, in this session only', async () => {
      const self = await newPerson(server(), 'administrator');
      const second = cookieOf(await ask('POST admin:/session', { body: self }));
      const make = (cookie: string) =>
        under(cookie, 'POST admin:/tokens', { body: { name: next(), scopes: ['admin'] } });
      for (const body of [{}, { password: 'wrong' }, { code: '000000' }])
        expect(outcome(await under(self.cookie, 'POST admin:/me/confirmation', { body }))).toBe(
          '403 confirmation-required',
        );
      expect(outcome(await make(self.cookie))).toBe('403 confirmation-required');
      await under(self.cookie, 'POST admin:/me/confirmation', { body: { password: self.password } });
      const { clock } = server();
      try {
        clock.now = new Date(NOON.getTime() + 10 * 60_000 - 1000);
        expect([outcome(await make(self.cookie)), outcome(await make(second))]).toEqual([
          ...['201', '403 confirmation-required'],
        ]);
        clock.now = new Date(NOON.getTime() + 10 * 60_000);
        expect(outcome(await make(self.cookie))).toBe('403 confirmation-required');
      } finally {
        clock.now = NOON;
      }
    });

    it('is asked again for the same `Idempotency-Key` once the session is confirmed', async () => {
      const self = await newPerson(server(), 'administrator');
      const make = () =>
        under(self.cookie, 'POST admin:/tokens', {
          headers: { 'idempotency-key': 'once' },
          body: { name: 'all', scopes: ['admin'] },
        });
      expect(outcome(await make())).toBe('403 confirmation-required');
      await under(self.cookie, 'POST admin:/me/confirmation', { body: { password: self.password } });
      expect([outcome(await make()), outcome(await make())]).toEqual(['201', '200']);
    });

    it('is not confirmed by a factor that the session has set up without a confirmation', async () => {
      const self = await newPerson(server(), 'administrator');
      const begin = (body: object = {}) => under(self.cookie, 'POST admin:/me/second-factor', { body });
      for (const body of [{}, { password: 'wrong' }])
        expect(outcome(await begin(body))).toBe('403 confirmation-required');
      const early = await under(self.cookie, 'POST admin:/me/second-factor/confirm', { body: { code: '000000' } });
      expect(outcome(early)).toBe('400 rest_invalid_param');
      expect(outcome(await begin({ password: self.password }))).toBe('201');
    });

    it('is not required to set up a factor after a sign-in link', async () => {
      const { id } = await newPerson(server());
      const { url } = await server().make(`POST admin:/users/${id}/sign-in-link`, {});
      const begun = await ask('POST admin:/session/by-link', { body: { token: url.split('#sign-in=')[1] } });
      expect(outcome(await under(cookieOf(begun), 'POST admin:/me/second-factor'))).toBe('201');
    });

    it('is confirmed by a code of the second factor, or by the proof that is sent along', async () => {
      const self = await newPerson(server(), 'administrator');
      const { code, recoveryCodes } = await confirmFactor(server(), self.cookie);
      const cookie = cookieOf(await ask('POST admin:/session', { body: { ...self, code: recoveryCodes[0] } }));
      const make = () => under(cookie, 'POST admin:/tokens', { body: { name: next(), scopes: ['admin'] } });
      expect(outcome(await make())).toBe('403 confirmation-required');
      expect((await under(cookie, 'POST admin:/me/confirmation', { body: { code: code(1) } })).status).toBe(200);
      expect((await make()).status).toBe(201);
      const other = await newPerson(server(), 'administrator');
      const change = (current_password: string) =>
        under(other.cookie, `PATCH admin:/users/${other.id}`, {
          body: { email: `${next()}@example.test`, current_password },
        });
      expect(outcome(await change('wrong'))).toBe('403 confirmation-required');
      expect(outcome(await change(other.password))).toBe('200');
    });

    it('is not required for other accounts, roles and scopes', async () => {
      const self = await newPerson(server(), 'administrator');
      const by = (call: string, body: object) => under(self.cookie, call, { body });
      const { id } = await newPerson(server());
      const username = next();
      const answers = [
        await by('POST admin:/tokens', { name: next(), scopes: ['events:write'] }),
        await by('POST admin:/users', { username, email: `${username}@example.test`, role: 'editor' }),
        await by(`PATCH admin:/users/${id}`, { role: 'editor', password: 'another one' }),
        await by(`POST admin:/users/${id}/sign-in-link`, {}),
        await by(`PATCH admin:/users/${self.id}`, { username: next() }),
      ];
      expect(answers.map(outcome)).toEqual(['201', '201', '200', '201', '200']);
    });

    it('is checked again when the account has become an administrator in the meantime', async () => {
      const self = await newPerson(server(), 'administrator');
      const races = Array.from({ length: 6 }, async () => {
        const { id } = await newPerson(server());
        const [link] = await Promise.all([
          under(self.cookie, `POST admin:/users/${id}/sign-in-link`),
          ask(`PATCH admin:/users/${id}`, { as: 'administrator', body: { role: 'administrator' } }),
        ]);
        if (link.status !== 201) return outcome(link);
        // Made while the account was an author's: void now.
        const token = link.body.url.split('#sign-in=')[1];
        return outcome(await ask('POST admin:/session/by-link', { body: { token } }));
      });
      for (const found of await Promise.all(races))
        expect(['403 confirmation-required', '401 sign-in-link-invalid']).toContain(found);
    });
  });

  describe('that makes a sign-in link', () => {
    const linksOf = async (id: number) =>
      (await ask(`GET admin:/users/${id}/sign-in-links`, { as: 'administrator' })).body.sign_in_links;
    const make = async (id: number) =>
      (await server().make(`POST admin:/users/${id}/sign-in-link`, {})).url.split('#sign-in=')[1];
    const enter = (token: string) => ask('POST admin:/session/by-link', { body: { token } });

    it('is void once the role of the account changes, even if it changes back', async () => {
      const { id } = await newPerson(server());
      const token = await make(id);
      for (const role of ['editor', 'author']) await server().make(`PATCH admin:/users/${id}`, { role });
      expect(await linksOf(id)).toEqual([]);
      expect(outcome(await enter(token))).toBe('401 sign-in-link-invalid');
      // Control: another change leaves it.
      const kept = await make(id);
      await server().make(`PATCH admin:/users/${id}`, { email: `kept${id}@example.test`, role: 'author' });
      expect(outcome(await enter(kept))).toBe('201');
    });

    it('is listed without its secret, and can be revoked once', async () => {
      const { id } = await newPerson(server());
      const tokens = [await make(id), await make(id)];
      const open = await linksOf(id);
      expect(open).toEqual([
        { id: expect.any(Number), expires_utc: '2026-11-22 17:00:00' },
        { id: open[0].id + 1, expires_utc: '2026-11-22 17:00:00' },
      ]);
      const revoke = (user: number, link: number, as: 'administrator' | 'editor' = 'administrator') =>
        ask(`DELETE admin:/users/${user}/sign-in-links/${link}`, { as });
      expect(outcome(await revoke(id, open[0].id, 'editor'))).toBe('403 rest_forbidden');
      expect(outcome(await revoke(server().userId('author'), open[0].id))).toBe('404 sign-in-link-not-found');
      expect((await revoke(id, open[0].id)).body).toEqual(open[0]);
      expect(outcome(await revoke(id, open[0].id))).toBe('404 sign-in-link-not-found');
      expect((await Promise.all(tokens.map(enter))).map(outcome)).toEqual(['401 sign-in-link-invalid', '201']);
      expect(await linksOf(id)).toEqual([]);
      expect((await ask(`GET admin:/users/${id}/sign-in-links`, { as: 'editor' })).status).toBe(403);
    });

    it('is not listed once it has expired', async () => {
      const { id } = await newPerson(server());
      await make(id);
      try {
        server().clock.now = new Date(NOON.getTime() + 24 * 60 * 60 * 1000);
        expect(await linksOf(id)).toEqual([]);
      } finally {
        server().clock.now = NOON;
      }
    });
  });
});
