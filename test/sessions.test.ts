import { sql } from 'kysely';
import { pino } from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import type { Role } from '../src/http/core/auth.ts';
import { pruneSessions } from '../src/jobs/remove-expired.ts';
import { makeSeat } from './attendees.ts';
import { hiddenFields, pageVisitor } from './page-visitor.ts';
import { type Answer, type Asking, DATABASES, NOON, useTestServer } from './server.ts';
import {
  bySession,
  confirmFactor,
  cookieFor,
  cookieOf,
  linkToken,
  newPerson,
  ORIGIN,
  type Person,
  signIn,
} from './sessions.ts';
import type { StatementHooks } from './statements.ts';
import { usualOf } from './thoroughness.ts';
import { EVENING, makeEvent } from './tickets.ts';

const FOREIGN = 'https://elsewhere.test';
/** A session that another host of the domain could set in the browser. */
const PLANTED = `marquee-session=${'a'.repeat(43)}`;
const outcome = ({ status, body }: Answer): string => [status, body?.code].filter(Boolean).join(' ');
const basic = ({ name, password }: { name: string; password: string }) => ({
  authorization: `Basic ${btoa(`${name}:${password}`)}`,
});

describe.each(DATABASES)('a session on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, { secretGuesses: { perAddress: 0, perAccount: 0 } });
  let cookie = '';
  const ask = (call: string, asking?: Asking) => server().ask(call, asking);
  const under = (own: string, call: string, asking: Asking = {}) =>
    ask(call, { ...asking, headers: { ...bySession(own), ...asking.headers } });
  const isSignedIn = async (own: string) => (await under(own, 'GET admin:/me')).status === 200;

  beforeAll(async () => {
    cookie = await cookieFor(server(), 'editor');
  });

  usually('begins with name and password, and answers as the account', async () => {
    const answer = await ask('POST admin:/session', { body: signIn('editor') });
    expect(answer.headers.get('set-cookie')).toMatch(
      /^marquee-session=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const me = await under(cookieOf(answer), 'GET admin:/me');
    expect(me.body).toEqual({ ...answer.body });
    expect(me.body).toMatchObject({ username: 'editor', role: 'editor', may_set_password: false });
    expect(me.headers.get('set-cookie')).toBeNull();
  });

  it('is kept as a hash only', async () => {
    const stored = await sql`SELECT * FROM sessions`.execute(server().context.db.query);
    expect(JSON.stringify(stored.rows)).not.toContain(cookie.slice('marquee-session='.length));
  });

  it('has messages in the language of the browser, also of batches, and texts in the one that is asked for', async () => {
    const headers = { 'accept-language': 'de' };
    const query = { i18n_language: 'en' };
    const refused = await under(cookie, 'POST /events', { headers, query, body: { ...EVENING, start_date: 'x' } });
    expect(refused.body.data.params.start_date).toContain('muss ein Datum sein');
    expect(refused.headers.get('content-language')).toBe('en');
    const calls = [{ method: 'DELETE', path: '/calendar/events/v1/events/999999', body: query }];
    const batch = await under(cookie, 'POST admin:/batch', { headers, query, body: { calls } });
    expect(batch.body.results[0].body.message).toContain('Es gibt keine Veranstaltung');
    const byPassword = await ask('POST /events', {
      as: 'editor',
      headers,
      query,
      body: { ...EVENING, start_date: 'x' },
    });
    expect(byPassword.body.data.params.start_date).toContain('must be a date');
  });

  it.each<[string, Record<string, string>, boolean, boolean]>([
    ['the site itself', { origin: ORIGIN }, true, true],
    ['the site itself, as newer browsers say', { 'sec-fetch-site': 'same-origin' }, true, true],
    ['an unknown site', {}, true, false],
    ['the address bar', { 'sec-fetch-site': 'none' }, true, false],
    ['another site', { origin: FOREIGN }, false, false],
    ['a sandboxed frame', { origin: 'null' }, false, false],
    ['a neighbouring host', { 'sec-fetch-site': 'same-site' }, false, false],
    ['another site, by a link', { 'sec-fetch-site': 'cross-site' }, false, false],
    ['a sandboxed frame of the site', { origin: 'null', 'sec-fetch-site': 'same-origin' }, false, false],
  ])('counts for requests of %s, as far as these are safe', async (_who, headers, isRead, isWritten) => {
    const read = await ask('GET admin:/me', { headers: { cookie, ...headers } });
    const write = await ask('POST /tags', { headers: { cookie, ...headers }, body: { name: `tag ${_who}` } });
    expect([read.status, write.status]).toEqual([isRead ? 200 : 401, isWritten ? 201 : 401]);
  });

  it('counts for no other site, even one that may send the cookie of a cart', async () => {
    server().restart({ corsOrigins: [FOREIGN] });
    const headers = { cookie, origin: FOREIGN };
    expect((await ask('GET admin:/me', { headers })).status).toBe(401);
    expect(outcome(await ask('POST admin:/session', { headers, body: signIn('editor') }))).toBe('403 rest_forbidden');
    expect((await ask('DELETE admin:/session', { headers })).headers.get('set-cookie')).toBeNull();
    server().restart({ corsOrigins: [] });
    expect(await isSignedIn(cookie)).toBe(true);
  });

  it.each<[string, string, Asking]>([
    ['JSONP', 'GET admin:/me', { query: { _jsonp: 'steal' } }],
    ['a GET that is overridden', 'GET /tags', { query: { _method: 'POST', name: 'Linked' } }],
    ['a GET that is overridden by a header', 'GET admin:/me', { headers: { 'x-http-method-override': 'DELETE' } }],
    ['a second cookie of the name', 'GET admin:/me', { headers: { cookie: `$; ${PLANTED}` } }],
    ['a second cookie of the name before it', 'GET admin:/me', { headers: { cookie: `${PLANTED}; $` } }],
    ['an Authorization header, which counts alone', 'GET admin:/me', { headers: { authorization: 'Bearer wrong' } }],
  ])('does not count with %s', async (_what, call, asking) => {
    const sent = { ...bySession(cookie), 'sec-fetch-site': 'same-origin', ...asking.headers };
    const answer = await ask(call, { ...asking, headers: { ...sent, cookie: sent.cookie.replace('$', cookie) } });
    expect(answer.text).not.toContain('"editor"');
    expect(answer.status).toBeGreaterThan(399);
  });

  it('does not count for scans by GET, which an image in a description could cause', async () => {
    const query = { ticket_id: 1, security_code: 'x', event_qr_code: 1, path: 'x' };
    const [stranger, organizer] = await Promise.all([
      ask('GET tickets:/qr', { query }),
      under(cookie, 'GET tickets:/qr', { query, headers: { 'sec-fetch-site': 'same-origin' } }),
    ]);
    expect(outcome(organizer)).toBe(outcome(stranger));
  });

  it('does not count for forms of public pages, whose orders are those of visitors', async () => {
    const slug = `lantern-walk-${kind}`;
    const event = await makeEvent(server(), { title: 'Lantern walk', slug });
    const ticket = await makeSeat(server(), event);
    const who = pageVisitor((path, init) => server().request(path, init), ORIGIN);
    const signedIn = () => ({ cookie: [who.cookies(), cookie].filter(Boolean).join('; ') });
    await who.post('/cart/', { event: slug, [`ticket-${ticket}`]: '1' }, signedIn());
    const form = { ...hiddenFields((await who.get('/checkout/')).text), name: 'Ada', email: 'ada@example.test' };
    const { location } = await who.post('/checkout/', form, signedIn());
    const { body } = await ask(`GET admin:/orders/${location.split('/')[2]}`, { as: 'administrator' });
    expect(body.log).toMatchObject([
      { to: 'created', user_id: 0 },
      { to: 'pending', user_id: 0 },
    ]);
  });

  it('gives way to another account in the Authorization header', async () => {
    const answer = await ask('GET admin:/me', { as: 'door', headers: bySession(cookie) });
    expect(answer.body).toMatchObject({ username: 'door' });
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  usually('begins under another token than the browser had, and ends the one before', async () => {
    const planted = `marquee-session=${'A'.repeat(43)}`;
    const first = cookieOf(await ask('POST admin:/session', { headers: bySession(planted), body: signIn('author') }));
    expect(first).not.toBe(planted);
    const second = cookieOf(await ask('POST admin:/session', { headers: bySession(first), body: signIn('author') }));
    expect([await isSignedIn(planted), await isSignedIn(first), await isSignedIn(second)]).toEqual([
      ...[false, false, true],
    ]);
  });

  it('is the same for visitors as for wrong credentials of any kind', async () => {
    const wrong = [
      { name: 'editor', password: 'wrong' },
      { name: 'nobody', password: 'wrong' },
      { name: 'nobody', password: 'editor-password', code: '000000' },
    ];
    for (const body of wrong)
      expect(outcome(await ask('POST admin:/session', { body }))).toBe('401 incorrect_password');
    const { password } = await server().make(`POST admin:/users/${server().userId('editor')}/application-passwords`, {
      name: 'till',
    });
    const body = { name: 'editor', password };
    expect(outcome(await ask('POST admin:/session', { body }))).toBe('401 incorrect_password');
  });

  it('expires after 14 days without use, and lasts as long as it is used', async () => {
    const { clock } = server();
    const [used, idle] = [await cookieFor(server(), 'editor'), await cookieFor(server(), 'editor')];
    const day = 24 * 60 * 60 * 1000;
    try {
      clock.now = new Date(NOON.getTime() + 13 * day);
      expect(await isSignedIn(used)).toBe(true);
      // The use is noted after the response.
      await expect
        .poll(async () => (await under(used, 'GET admin:/sessions')).body.sessions[1].last_seen_utc)
        .toBe('2026-12-04 17:00:00');
      clock.now = new Date(NOON.getTime() + 14 * day);
      expect([await isSignedIn(used), await isSignedIn(idle)]).toEqual([true, false]);
    } finally {
      clock.now = NOON;
    }
  });

  it('is one of the fifty newest of its account', async () => {
    const { id, name, password, cookie: first } = await newPerson(server());
    await Promise.all(
      Array.from({ length: 50 }, () => ask('POST admin:/session', { body: { name, password }, from: '203.0.113.1' })),
    );
    const { body } = await ask('GET admin:/sessions', { as: 'administrator', query: { user: id } });
    expect([body.total, await isSignedIn(first)]).toEqual([50, false]);
  });

  usually('writes refusals to the log, but no secret', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
    const app = createApp({ ...server().context, log });
    const post = (path: string, body: object, headers: Record<string, string> = {}) =>
      app.request(`/calendar/admin/v1${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    const token = await linkToken(server());
    const begun = await post('/session', signIn('author'));
    const own = cookieOf(begun);
    await post('/session', { name: 'author', password: 'canary-password', code: '424242' });
    await post('/session/by-link', { token });
    await post('/session/by-link', { token });
    await post('/me/second-factor/confirm', { code: '424242' }, bySession(own));
    const text = lines.join('');
    const refusals = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'credentials refused');
    expect(refusals).toMatchObject([{ address: '127.0.0.1', code: 'incorrect_password' }]);
    for (const secret of ['canary-password', '424242', 'author-password', token, own.split('=')[1]])
      expect(text).not.toContain(secret);
  });

  it('is shown to its owner and to administrators, who can end it', async () => {
    const [own, other] = [await newPerson(server()), await newPerson(server())];
    const headers = { 'user-agent': `Firefox <b>1${'0'.repeat(300)}` };
    const second = await ask('POST admin:/session', { body: own, headers, from: '203.0.113.77' });
    const { sessions } = (await under(own.cookie, 'GET admin:/sessions')).body;
    expect(sessions).toMatchObject([
      { user_id: own.id, address: '203.0.113.0/24', user_agent: `Firefox 1${'0'.repeat(191)}`, is_current: false },
      { user_id: own.id, address: '127.0.0.0/24', is_current: true },
    ]);
    const path = `admin:/sessions/${sessions[0].id}`;
    expect(outcome(await under(other.cookie, `DELETE ${path}`))).toBe('404 session-not-found');
    expect(outcome(await under(own.cookie, `DELETE ${path}`))).toBe('200');
    expect(outcome(await under(own.cookie, `DELETE ${path}`))).toBe('404 session-not-found');
    expect([await isSignedIn(cookieOf(second)), await isSignedIn(own.cookie)]).toEqual([false, true]);
    const out = await under(own.cookie, 'DELETE admin:/session');
    expect([out.body, out.headers.get('set-cookie')]).toEqual([
      { ended: true },
      'marquee-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    expect(await isSignedIn(own.cookie)).toBe(false);
  });

  it('ends in all processes with another password, another role or the account', async () => {
    const { make, context } = server();
    const elsewhere = createApp({ ...context, config: { ...context.config } });
    const there = async (own: string) =>
      (await elsewhere.request('/calendar/admin/v1/me', { headers: bySession(own) })).status;
    const ends: [string, (person: Person) => Promise<unknown>][] = [
      ['password', ({ id }) => make(`PATCH admin:/users/${id}`, { password: 'another one' })],
      ['role', ({ id }) => make(`PATCH admin:/users/${id}`, { role: 'contributor' })],
      ['account', ({ id }) => make(`DELETE admin:/users/${id}`, {})],
    ];
    const after = await Promise.all(
      ends.map(async ([, end]) => {
        const person = await newPerson(server());
        expect(await there(person.cookie)).toBe(200);
        await end(person);
        return [await there(person.cookie), (await under(person.cookie, 'GET admin:/me')).status];
      }),
    );
    expect(after).toEqual(ends.map(() => [401, 401]));
  });

  it('needs the present password for another password or address, and goes on while the others end', async () => {
    const { id, name, password, cookie: own } = await newPerson(server());
    const other = cookieOf(await ask('POST admin:/session', { body: { name, password } }));
    const change = (body: object) => under(own, `PATCH admin:/users/${id}`, { body });
    for (const body of [{ password: 'longer than before' }, { email: 'x@example.test' }])
      for (const current of [{}, { current_password: 'wrong' }])
        expect(outcome(await change({ ...body, ...current }))).toBe('403 confirmation-required');
    expect(outcome(await change({ password: 'longer than before', current_password: password }))).toBe('200');
    expect([await isSignedIn(own), await isSignedIn(other)]).toEqual([true, false]);
  });

  it('does not begin with a password that is changed at the same moment', async () => {
    const { id, name, password } = await newPerson(server());
    const tries = Array.from({ length: 6 }, () => ask('POST admin:/session', { body: { name, password } }));
    const [, ...begun] = await Promise.all([
      server().make(`PATCH admin:/users/${id}`, { password: 'another one' }),
      ...tries,
    ]);
    const alive = await Promise.all(begun.map((answer) => isSignedIn(cookieOf(answer))));
    expect(alive).toEqual(tries.map(() => false));
  });

  it('leaves public responses and pages as they are, and those under it are kept nowhere', async () => {
    await makeEvent(server(), { title: 'Known to all' });
    for (const path of ['/', '/events/', '/event/known-to-all/']) {
      const [plain, signed] = await Promise.all([
        server().request(path),
        server().request(path, { headers: { ...bySession(cookie), accept: 'text/html' } }),
      ]);
      expect([signed.status, await signed.text()]).toEqual([plain.status, await plain.text()]);
      expect(signed.headers.get('set-cookie')).toBeNull();
    }
    const list = await under(cookie, 'GET /events');
    expect(list.headers.get('cache-control')).toBe('private, no-cache');
    const over = await under(`marquee-session=${'A'.repeat(43)}`, 'GET /events');
    expect(over.text).toBe((await ask('GET /events')).text);
  });

  usually('differs from the nonce of page forms, which any visitor may send', async () => {
    const submitted = await server().request('/cart/', {
      method: 'POST',
      headers: { ...bySession(cookie), 'content-type': 'application/x-www-form-urlencoded' },
      body: 'do=nothing',
    });
    const plain = await server().request('/cart/', {
      method: 'POST',
      headers: { origin: ORIGIN, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'do=nothing',
    });
    expect([submitted.status, submitted.headers.get('location')]).toEqual([
      ...[plain.status, plain.headers.get('location')],
    ]);
  });

  describe('of a link', () => {
    const byLink = (token: string) => ask('POST admin:/session/by-link', { body: { token } });

    it('begins once, also for several who use it at the same moment', async () => {
      const token = await linkToken(server());
      const answers = await Promise.all(Array.from({ length: 6 }, () => byLink(token)));
      expect(answers.map(outcome).sort()).toEqual(['201', ...Array(5).fill('401 sign-in-link-invalid')]);
      // Control: the same requests all succeed with a link each.
      const tokens = await Promise.all(Array.from({ length: 6 }, () => linkToken(server())));
      expect((await Promise.all(tokens.map(byLink))).map(outcome)).toEqual(tokens.map(() => '201'));
    });

    it('does not begin after 24 hours, nor with a link that a new password voids', async () => {
      const { id } = await newPerson(server());
      const makeToken = async () =>
        (await server().make(`POST admin:/users/${id}/sign-in-link`, {})).url.split('#sign-in=')[1];
      const [late, voided] = [await makeToken(), await makeToken()];
      server().clock.now = new Date(NOON.getTime() + 24 * 60 * 60 * 1000);
      expect(outcome(await byLink(late))).toBe('401 sign-in-link-invalid');
      server().clock.now = NOON;
      await server().make(`PATCH admin:/users/${id}`, { password: 'another one' });
      expect(outcome(await byLink(voided))).toBe('401 sign-in-link-invalid');
    });

    usually('lets the invited set a password once, without one before', async () => {
      const body = { username: 'invited', email: 'invited@example.test', role: 'author' };
      const made = await ask('POST admin:/users', { as: 'administrator', body });
      expect(made.headers.get('cache-control')).toBe('no-store');
      expect(made.body).toMatchObject({
        last_seen_utc: null,
        sign_in_link: {
          url: expect.stringMatching(/^http:\/\/localhost\/console\/#sign-in=[\w-]{43}$/),
          expires_utc: '2026-11-22 17:00:00',
        },
      });
      const begun = await byLink(made.body.sign_in_link.url.split('#sign-in=')[1]);
      expect(begun.body).toMatchObject({ username: 'invited', may_set_password: true });
      const change = (fields: object) => under(cookieOf(begun), `PATCH admin:/users/${made.body.id}`, { body: fields });
      expect(outcome(await change({ email: 'mine@example.test' }))).toBe('403 confirmation-required');
      expect(outcome(await change({ password: 'mine alone' }))).toBe('200');
      expect(outcome(await change({ password: 'once more' }))).toBe('403 confirmation-required');
      const read = await ask(`GET admin:/users/${made.body.id}`, { as: 'administrator' });
      expect(read.body.last_seen_utc).toBe('2026-11-21 17:00:00');
    });
  });

  it('lists possible authors to users who may choose another author', async () => {
    const { body } = await ask('GET admin:/authors', { as: 'editor', query: { per_page: 50 } });
    const names = body.authors.map(({ name }: { name: string }) => name);
    expect(names).toEqual(expect.arrayContaining(['administrator', 'editor', 'author', 'contributor']));
    expect(names).not.toContain('door');
    expect(Object.keys(body.authors[0])).toEqual(['id', 'name']);
  });

  describe('sees', () => {
    const page = (path: string, own?: string, headers: Record<string, string> = {}) =>
      server().request(path, {
        headers: { accept: 'text/html', ...(own && { cookie: own, 'sec-fetch-site': 'same-origin' }), ...headers },
      });

    it.each(['draft', 'pending', 'private', 'future'] as const)(
      'its own events that are %s before they are public',
      async (status) => {
        const slug = `preview-${status}`;
        const event = {
          ...{ title: `Preview ${status}`, slug, status, author: server().userId('author') },
          ...(status === 'future' && { date: '2027-01-01 10:00:00' }),
        };
        const id = await makeEvent(server(), event);
        const owner = await cookieFor(server(), 'author');
        const paths = status === 'draft' ? [`/?p=${id}`] : [`/?p=${id}`, `/event/${slug}/`];
        for (const path of paths) {
          const seen = await page(path, owner);
          const text = await seen.text();
          expect([path, seen.status]).toEqual([path, 200]);
          expect(text).toContain(`href="/console/events/${id}"`);
          expect(text).toContain('Preview: not published');
          expect(text).toContain('<meta name="robots" content="noindex">');
          expect([seen.headers.get('cache-control'), seen.headers.get('x-robots-tag')]).toEqual([
            ...['private, no-store', 'noindex'],
          ]);
          const others = [undefined, await cookieFor(server(), 'contributor'), 'marquee-session=over'];
          const unseen = await Promise.all([
            ...others.map((own) => page(path, own)),
            page(path, owner, { 'sec-fetch-site': 'cross-site' }),
          ]);
          expect(unseen.map((answer) => answer.status)).toEqual([404, 404, 404, 404]);
          for (const answer of unseen) expect(await answer.text()).not.toContain(event.title);
        }
      },
    );

    it('published events like everyone else', async () => {
      await makeEvent(server(), { ...EVENING, title: 'Out now', slug: 'out-now' });
      const [plain, signed] = await Promise.all([page('/event/out-now/'), page('/event/out-now/', cookie)]);
      expect(await signed.text()).toBe(await plain.text());
    });
  });
});

describe.each(DATABASES)('the end of sessions on %s', (kind) => {
  const hooks: StatementHooks = {};
  const server = useTestServer(kind, {}, { hooks });

  it('deletes expired sessions, and no others', async () => {
    const { context, clock } = server();
    const { id } = await newPerson(server());
    await server().make(`POST admin:/users/${id}/sign-in-link`, {});
    const kept = async (seconds: number) => {
      clock.now = new Date(NOON.getTime() + seconds * 1000);
      await pruneSessions(context);
      const { query } = context.db;
      const [sessions, links] = await Promise.all([
        query.selectFrom('sessions').select('id').where('user_id', '=', id).execute(),
        query.selectFrom('sign_in_links').select('id').where('user_id', '=', id).execute(),
      ]);
      return [sessions.length, links.length];
    };
    const day = 24 * 60 * 60;
    expect([await kept(day - 1), await kept(day)]).toEqual([
      [1, 1],
      [1, 0],
    ]);
    expect([await kept(14 * day - 1), await kept(14 * day)]).toEqual([
      [1, 0],
      [0, 0],
    ]);
    clock.now = NOON;
  });

  it('comes before the first response to a password that is changed meanwhile', async () => {
    const { id, name, password } = await newPerson(server());
    hooks.committed = async (statement) => {
      if (!statement.startsWith('insert into "sessions"')) return;
      hooks.committed = undefined;
      await server().make(`PATCH admin:/users/${id}`, { password: 'another one' });
    };
    const answer = await server().ask('POST admin:/session', { body: { name, password } });
    expect([outcome(answer), answer.headers.get('set-cookie')]).toEqual(['401 incorrect_password', null]);
  });
});

describe.each(DATABASES)('a second factor on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, { secretGuesses: { perAddress: 50, perAccount: 10 } });
  const ask = (call: string, asking?: Asking) => server().ask(call, asking);
  const under = (own: string, call: string, body?: object) => ask(call, { headers: bySession(own), body });
  const signInAs = ({ name, password }: Person, code?: string, from?: string) =>
    ask('POST admin:/session', { body: { name, password, ...(code !== undefined && { code }) }, from });
  let addresses = 0;
  const elsewhere = () => `198.51.100.${++addresses}`;

  it('is required everywhere, except for application passwords and tokens', async () => {
    const person = await newPerson(server());
    const token = await under(person.cookie, 'POST admin:/tokens', { name: 'feed', scopes: ['read'] });
    const app = await under(person.cookie, `POST admin:/users/${person.id}/application-passwords`, { name: 'till' });
    const { code } = await confirmFactor(server(), person.cookie);
    for (const prefix of ['/calendar', '/wp-json/tribe']) {
      const answer = await ask('GET events:/events', { headers: basic(person), prefix });
      expect([outcome(answer), answer.headers.get('www-authenticate')]).toEqual([
        ...['401 second-factor-required', 'Bearer realm="Marquee"'],
      ]);
    }
    expect((await ask('GET admin:/me', { headers: basic({ ...person, password: app.body.password }) })).status).toBe(
      200,
    );
    const bearer = { authorization: `Bearer ${token.body.token}` };
    expect((await ask('GET admin:/me', { headers: bearer })).body.second_factor).toEqual({
      ...{ is_enabled: true, is_required: false, recovery_codes: 10 },
    });
    expect(outcome(await signInAs(person))).toBe('401 second-factor-required');
    expect(outcome(await signInAs(person, '000000'))).toBe('401 second-factor-invalid');
    expect(outcome(await signInAs({ ...person, password: 'wrong' }, code(1)))).toBe('401 incorrect_password');
    expect(outcome(await signInAs(person, code(1)))).toBe('201');
  });

  usually('counts by a code of its own only, which ends the other sessions', async () => {
    const person = await newPerson(server());
    const other = cookieOf(await signInAs(person));
    const early = await under(person.cookie, 'POST admin:/me/second-factor/confirm', { code: '000000' });
    expect(Object.keys(early.body.data.params)).toEqual(['code']);
    await confirmFactor(server(), person.cookie);
    expect((await under(other, 'GET admin:/me')).status).toBe(401);
    expect(outcome(await under(person.cookie, 'POST admin:/me/second-factor'))).toBe('409 second-factor-exists');
  });

  it('is kept sealed, its recovery codes as hashes', async () => {
    const person = await newPerson(server());
    const begun = await under(person.cookie, 'POST admin:/me/second-factor');
    const { recoveryCodes } = await confirmFactor(server(), person.cookie);
    const { query } = server().context.db;
    const rows = [
      await sql`SELECT * FROM users`.execute(query),
      await sql`SELECT * FROM recovery_codes`.execute(query),
    ];
    const stored = JSON.stringify(rows);
    const bare = recoveryCodes.map((code) => code.replaceAll('-', ''));
    for (const secret of [begun.body.secret, ...recoveryCodes, ...bare]) expect(stored).not.toContain(secret);
  });

  it('takes each code once, in whichever process, and none of an earlier step', async () => {
    const person = await newPerson(server());
    const { code } = await confirmFactor(server(), person.cookie);
    expect(outcome(await signInAs(person, code()))).toBe('401 second-factor-invalid');
    const { context } = server();
    const processes = [1, 2].map(() => createApp({ ...context, config: { ...context.config } }));
    const body = JSON.stringify({ name: person.name, password: person.password, code: code(1) });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const send = (app: (typeof processes)[number]) => app.request('/calendar/admin/v1/session', init);
    const statuses = await Promise.all([...processes, ...processes].map(async (app) => (await send(app)).status));
    expect(statuses.sort()).toEqual([201, 401, 401, 401]);
    expect(await Promise.all(processes.map(async (app) => (await send(app)).status))).toEqual([401, 401]);
  });

  it('takes each recovery code once, however it is typed', async () => {
    const person = await newPerson(server());
    const { recoveryCodes } = await confirmFactor(server(), person.cookie);
    const [first = '', second = ''] = recoveryCodes;
    expect(recoveryCodes).toHaveLength(10);
    const tries = [first, first, ` ${first.toUpperCase().replaceAll('-', ' ')} `];
    const answers = await Promise.all(tries.map((code) => signInAs(person, code)));
    expect(answers.map(outcome).sort()).toEqual(['201', '401 second-factor-invalid', '401 second-factor-invalid']);
    const renewed = await under(person.cookie, 'POST admin:/me/second-factor/recovery-codes', { code: second });
    expect(renewed.body.recovery_codes).toHaveLength(10);
    expect(outcome(await signInAs(person, recoveryCodes[2]))).toBe('401 second-factor-invalid');
    expect(outcome(await signInAs(person, renewed.body.recovery_codes[0]))).toBe('201');
  });

  usually('cannot be found by guessing, from whichever address', async () => {
    const person = await newPerson(server());
    const { code, recoveryCodes } = await confirmFactor(server(), person.cookie);
    const right = code(1);
    const wrong = Array.from({ length: 10 }, (_item, index) => String(index).repeat(6)).filter((one) => one !== right);
    for (const guess of [...wrong, 'guess']) await signInAs(person, guess, elsewhere());
    for (const one of [right, recoveryCodes[0]]) {
      expect(outcome(await signInAs(person, one, elsewhere()))).toBe('429 too_many_attempts');
    }
    // The session that began before works, and others can sign in.
    expect((await under(person.cookie, 'GET admin:/me')).status).toBe(200);
    expect((await ask('POST admin:/session', { body: signIn('author') })).status).toBe(201);
  });

  usually('is removed by password or code, not by the session alone', async () => {
    const person = await newPerson(server());
    const { code } = await confirmFactor(server(), person.cookie);
    const other = cookieOf(await signInAs(person, code(1)));
    const remove = (body: object) => under(other, 'DELETE admin:/me/second-factor', body);
    for (const body of [{}, { password: 'wrong' }, { code: '000000' }, { code: code(1) }]) {
      expect(outcome(await remove(body))).toBe('403 confirmation-required');
    }
    const removed = await remove({ password: person.password });
    expect(removed.body.second_factor).toEqual({ is_enabled: false, is_required: false, recovery_codes: 0 });
    expect((await under(person.cookie, 'GET admin:/me')).status).toBe(401);
    expect((await ask('GET admin:/me', { headers: basic(person) })).status).toBe(200);
  });

  usually('is removed by an administrator, whose own one needs a proof', async () => {
    const person = await newPerson(server());
    const remove = (cookie: string, id: number, body: object = {}) =>
      under(cookie, `DELETE admin:/users/${id}/second-factor`, body);
    const administrator = await newPerson(server(), 'administrator');
    expect(outcome(await remove(administrator.cookie, person.id))).toBe('409 second-factor-missing');
    const { code } = await confirmFactor(server(), person.cookie);
    expect((await remove(person.cookie, person.id, { password: person.password })).status).toBe(403);
    const shown = await under(administrator.cookie, `GET admin:/users/${person.id}`);
    expect(shown.body).toMatchObject({ has_second_factor: true });
    const removed = await remove(administrator.cookie, person.id);
    expect(removed.body).toEqual({ ...shown.body, has_second_factor: false });
    expect((await under(person.cookie, 'GET admin:/me')).status).toBe(401);
    expect(outcome(await signInAs(person, code(1)))).toBe('201');
    const own = await confirmFactor(server(), administrator.cookie);
    const cookie = cookieOf(await signInAs(administrator, own.code(1)));
    for (const body of [{}, { password: 'wrong' }])
      expect(outcome(await remove(cookie, administrator.id, body))).toBe('403 confirmation-required');
    const { password } = administrator;
    expect((await remove(cookie, administrator.id, { password })).status).toBe(200);
    expect((await under(cookie, 'GET admin:/me')).status).toBe(200);
  });

  usually('is not spared by a link that a session makes for its own account', async () => {
    const administrator = await newPerson(server(), 'administrator');
    const makeLink = (id: number, body: object = {}) =>
      under(administrator.cookie, `POST admin:/users/${id}/sign-in-link`, body);
    for (const body of [{}, { password: 'wrong' }, { code: '000000' }])
      expect(outcome(await makeLink(administrator.id, body))).toBe('403 confirmation-required');
    expect(outcome(await makeLink(server().userId('author')))).toBe('201');
    const { password } = administrator;
    expect(outcome(await makeLink(administrator.id, { password }))).toBe('201');
    const { code } = await confirmFactor(server(), administrator.cookie);
    expect(outcome(await makeLink(administrator.id, { code: code(1) }))).toBe('201');
  });

  it('is not required with a sign-in link, for users who have lost it', async () => {
    const person = await newPerson(server());
    await confirmFactor(server(), person.cookie);
    const { url } = await server().make(`POST admin:/users/${person.id}/sign-in-link`, {});
    const begun = await ask('POST admin:/session/by-link', { body: { token: url.split('#sign-in=')[1] } });
    const { password } = person;
    const removed = await under(cookieOf(begun), 'DELETE admin:/me/second-factor', { password });
    expect(removed.body).toMatchObject({ second_factor: { is_enabled: false } });
  });

  it('that the role requires must be set up before anything else is allowed', async () => {
    const role: Role = 'contributor';
    const person = await newPerson(server(), role);
    const requireOf = (second_factor_roles: Role[]) => server().make('PATCH admin:/site', { second_factor_roles });
    await requireOf([role]);
    try {
      expect(outcome(await ask('GET admin:/me', { headers: basic(person) }))).toBe('401 second-factor-required');
      expect((await ask('GET admin:/site')).body).not.toHaveProperty('second_factor_roles');
      const begun = await signInAs(person);
      expect(begun.body).toMatchObject({ capabilities: [], second_factor: { is_enabled: false, is_required: true } });
      for (const own of [person.cookie, cookieOf(begun)]) {
        const refused = await Promise.all([
          under(own, 'POST admin:/tokens', { name: 'feed', scopes: ['read'] }),
          under(own, `PATCH admin:/users/${person.id}`, { password: 'longer than before' }),
          under(own, 'POST /venues', { venue: 'Early' }),
        ]);
        expect(refused.map(({ status }) => status)).toEqual([401, 401, 401]);
        expect((await under(own, 'GET /events')).text).toBe((await ask('GET /events')).text);
      }
      await confirmFactor(server(), person.cookie);
      expect((await under(person.cookie, 'GET admin:/me')).body.capabilities).toContain('edit');
      const token = await under(person.cookie, 'POST admin:/tokens', { name: 'feed', scopes: ['read'] });
      expect(token.status).toBe(201);
    } finally {
      await requireOf([]);
    }
  });
});
