import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { pruneSessions } from '../src/jobs/remove-expired.ts';
import { removeAllCounts } from '../src/platform/limits/database-limiter.ts';
import { MAX_NOTICES } from '../src/platform/users/account-mails.ts';
import { makeSeat } from './attendees.ts';
import { buy } from './buyers.ts';
import { runJobs } from './jobs.ts';
import { type MailServer, SITE, sendMails, startMailServer } from './mail-server.ts';
import { SMTP } from './samples.ts';
import { type Answer, BOTH_DATABASES, NOON, useTestServer } from './server.ts';
import { authenticatorOf, confirmFactor, cookieOf, newPerson } from './sessions.ts';
import { usualDatabases, usualOf } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const HOUR = 3600;
const bySession = (cookie: string) => ({ cookie, origin: SITE });
const outcome = ({ status, body }: Answer): string => [status, body?.code].filter(Boolean).join(' ');

describe.each(BOTH_DATABASES)('mails to accounts on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, {
    ...{ url: SITE, smtp: SMTP, languages: ['en', 'de', 'fr'] },
    mailedLinks: { perMailbox: 5, perAddress: 20 },
  });
  let smtp: MailServer;
  beforeAll(async () => {
    smtp = await startMailServer();
  });
  afterAll(() => smtp.close());
  afterEach(async () => {
    smtp.refuse = () => undefined;
    smtp.take();
    server().clock.now = NOON;
    for (const table of ['mails', 'jobs'] as const) await server().context.db.query.deleteFrom(table).execute();
    await removeAllCounts(server().context.db);
  });

  const db = () => server().context.db;
  const ask: ReturnType<typeof server>['ask'] = (...call) => server().ask(...call);
  const arrived = async () => {
    await runJobs(server().context);
    await sendMails(server().context, smtp.settings);
    return smtp.take();
  };
  const pass = (seconds: number) => {
    server().clock.now = new Date(server().clock.now.getTime() + seconds * 1000);
  };
  const request = (email: string, more: object = {}, headers: Record<string, string> = {}) =>
    ask('POST admin:/session/mailed-link', { body: { email, ...more }, headers });
  const linkOf = (received: { mail: { text?: string } } | undefined): string =>
    new RegExp(`${SITE}/console/#sign-in=([\\w-]+)`).exec(received?.mail.text ?? '')?.[1] ?? '';
  const enter = (token: string, more: object = {}) => ask('POST admin:/session/by-link', { body: { token, ...more } });
  const addressOf = ({ name }: { name: string }) => `${name}@example.test`;
  /** The only mail to a person. */
  const only = async (person: { name: string }) => {
    const received = (await arrived()).filter(({ to }) => to[0] === addressOf(person));
    expect(received).toHaveLength(1);
    return received[0];
  };

  it('invite to a new account, with a link that is nowhere else', async () => {
    const person = { username: 'gwen', email: 'gwen@example.test', role: 'author', language: 'fr', invite: true };
    const created = await server().make('POST admin:/users', person);
    expect(created).toMatchObject({ is_invited: true, language: 'fr' });
    expect(created).not.toHaveProperty('sign_in_link');
    const received = await only({ name: 'gwen' });
    expect(received?.mail).toMatchObject({
      subject: 'Votre compte sur Marquee',
      html: expect.stringContaining('<html lang="fr">'),
    });
    expect(received?.mail.text).toContain('Rôle\u00a0: Auteur');
    const token = linkOf(received);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(received?.mail.html).toContain(`${SITE}/console/#sign-in=${token}`);
    const { rows } = await sql`SELECT * FROM sign_in_links`.execute(db().query);
    const mails = await sql`SELECT * FROM mails`.execute(db().query);
    const audit = await sql`SELECT * FROM audit`.execute(db().query);
    const jobs = await sql`SELECT * FROM jobs`.execute(db().query);
    expect(JSON.stringify([rows, mails.rows, audit.rows, jobs.rows])).not.toContain(token);
    pass(71 * HOUR);
    const entered = await enter(token);
    expect([entered.status, entered.body]).toEqual([201, expect.objectContaining({ may_set_password: true })]);
    const set = await ask(`PATCH admin:/users/${created.id}`, {
      headers: bySession(cookieOf(entered)),
      body: { password: 'a brand new password' },
    });
    expect(set.status).toBe(200);
    // The first password is no change.
    expect(await arrived()).toEqual([]);
  });

  it('show the link of a new account where there is no mail, or none that can arrive', async () => {
    const person = { username: 'root', email: 'root@localhost', role: 'author', invite: true };
    const created = await server().make('POST admin:/users', person);
    expect(created).toMatchObject({ is_invited: false, sign_in_link: { url: expect.stringContaining('#sign-in=') } });
    const mail = await ask(`POST admin:/users/${created.id}/sign-in-mail`, { as: 'administrator', body: {} });
    expect(outcome(mail)).toBe('404 mail-not-configured');
    expect(await arrived()).toEqual([]);
  });

  usually('bring a link to set a new password, which ends the other sessions', async () => {
    const person = await newPerson(server());
    expect(outcome(await request(addressOf(person).toUpperCase()))).toBe('202');
    const received = await only(person);
    expect(received?.mail.subject).toBe('New password for Marquee');
    const entered = await enter(linkOf(received));
    expect(entered.body).toMatchObject({ id: person.id, may_set_password: true });
    const cookie = cookieOf(entered);
    const isSignedIn = async (own: string) => (await ask('GET admin:/me', { headers: bySession(own) })).status === 200;
    expect(await isSignedIn(person.cookie)).toBe(true);
    await arrived();
    const body = { password: 'another long password' };
    expect((await ask(`PATCH admin:/users/${person.id}`, { headers: bySession(cookie), body })).status).toBe(200);
    expect([await isSignedIn(person.cookie), await isSignedIn(cookie)]).toEqual([false, true]);
    const told = await only(person);
    expect(told?.mail.subject).toBe('Password of your account at Marquee changed');
    expect(told?.mail.text).toContain('Saturday 21 November, 12:00 EST');
  });

  usually('tell the former address of another one, which ends the other sessions and links', async () => {
    const person = await newPerson(server());
    await ask(`PATCH admin:/users/${person.id}`, { headers: bySession(person.cookie), body: { language: 'de' } });
    await request(addressOf(person));
    const byLink = cookieOf(await enter(linkOf(await only(person))));
    await arrived();
    const headers = bySession(person.cookie);
    const change = (email: string) =>
      ask(`PATCH admin:/users/${person.id}`, { headers, body: { email, current_password: person.password } });
    const isSignedIn = async (own: string) => (await ask('GET admin:/me', { headers: bySession(own) })).status === 200;
    expect(outcome(await change(addressOf(person).toUpperCase()))).toBe('200');
    expect([await arrived(), await isSignedIn(byLink)]).toEqual([[], true]);
    const elsewhere = `elsewhere-${person.name}@example.test`;
    expect(outcome(await change(elsewhere))).toBe('200');
    expect([await isSignedIn(byLink), await isSignedIn(person.cookie)]).toEqual([false, true]);
    const [told, ...others] = await arrived();
    expect([told?.to[0]?.toLowerCase(), told?.mail.subject, others]).toEqual([
      addressOf(person),
      'E-Mail-Adresse Ihres Kontos bei Marquee geändert',
      [],
    ]);
    expect(told?.raw).not.toContain(elsewhere);
    // Back again, and by an administrator.
    await ask(`PATCH admin:/users/${person.id}`, { as: 'administrator', body: { email: addressOf(person) } });
    expect(await isSignedIn(person.cookie)).toBe(false);
    expect((await arrived()).map(({ to }) => to)).toEqual([[elsewhere]]);
  });

  it('tell the former address of a password that changes with it', async () => {
    const person = await newPerson(server());
    const body = { email: `new-${person.name}@example.test`, password: 'another long password' };
    await ask(`PATCH admin:/users/${person.id}`, { as: 'administrator', body });
    const received = await arrived();
    expect(received.map(({ to }) => to)).toEqual([[addressOf(person)], [addressOf(person)]]);
    expect(received.map(({ mail }) => mail.subject).sort()).toEqual([
      'E-mail address of your account at Marquee changed',
      'Password of your account at Marquee changed',
    ]);
  });

  it('bring links whose sessions may set a password for an hour only', async () => {
    const person = await newPerson(server());
    await request(addressOf(person));
    const headers = bySession(cookieOf(await enter(linkOf(await only(person)))));
    const maySet = async () => (await ask('GET admin:/me', { headers })).body.may_set_password;
    pass(HOUR - 1);
    expect(await maySet()).toBe(true);
    pass(1);
    expect(await maySet()).toBe(false);
    const set = await ask(`PATCH admin:/users/${person.id}`, { headers, body: { password: 'another long password' } });
    expect(outcome(set)).toBe('403 confirmation-required');
  });

  usually('bring a link to sign in, whose session may not set a password', async () => {
    const person = await newPerson(server());
    await request(addressOf(person), { purpose: 'sign-in' });
    const received = await only(person);
    expect(received?.mail.subject).toBe('Sign in to Marquee');
    const entered = await enter(linkOf(received));
    expect(entered.body).toMatchObject({ id: person.id, may_set_password: false });
    const set = await ask(`PATCH admin:/users/${person.id}`, {
      headers: bySession(cookieOf(entered)),
      body: { password: 'another long password' },
    });
    expect(outcome(set)).toBe('403 confirmation-required');
  });

  it.each([
    ['at the same time', (token: string) => Promise.all([enter(token), enter(token), enter(token)])],
    ['after another', async (token: string) => [await enter(token), await enter(token), await enter(token)]],
  ])('have links that work once, %s', async (_name, use) => {
    const person = await newPerson(server());
    await request(addressOf(person));
    const outcomes = (await use(linkOf(await only(person)))).map(outcome);
    expect(outcomes.sort()).toEqual(['201', '401 sign-in-link-invalid', '401 sign-in-link-invalid']);
  });

  it('have links that expire, after which the mails are not sent', async () => {
    const person = await newPerson(server());
    await request(addressOf(person));
    const token = linkOf(await only(person));
    pass(HOUR);
    expect(outcome(await enter(token))).toBe('401 sign-in-link-invalid');
    smtp.refuse = () => ({ code: 451, text: 'come back' });
    await request(addressOf(person));
    expect(await arrived()).toEqual([]);
    smtp.refuse = () => undefined;
    pass(HOUR);
    expect(await arrived()).toEqual([]);
    expect(await db().query.selectFrom('mails').selectAll().where('status', '=', 'queued').execute()).toEqual([]);
    await pruneSessions(server().context);
    const links = db().query.selectFrom('sign_in_links').selectAll().where('user_id', '=', person.id);
    expect(await links.execute()).toEqual([]);
  });

  usually('have the same link in every attempt', async () => {
    const person = await newPerson(server());
    const seen: string[] = [];
    smtp.onArrival = async () => {
      smtp.onArrival = async () => undefined;
      throw Object.assign(new Error('come back'), { responseCode: 451 });
    };
    await request(addressOf(person));
    seen.push(linkOf((await arrived())[0]));
    pass(60);
    seen.push(linkOf((await arrived())[0]));
    expect(seen[0]).toMatch(/^[\w-]{43}$/);
    expect(seen[1]).toBe(seen[0]);
  });

  it.each<[string, object, object]>([
    ['password', { password: 'one more long password' }, {}],
    ['role', { role: 'editor' }, {}],
    ['address', { email: 'elsewhere@example.test' }, { email: 'elsewhere@example.test' }],
  ])('have links that end with another %s of the account', async (_name, change) => {
    const person = await newPerson(server());
    await request(addressOf(person));
    const token = linkOf(await only(person));
    await request(addressOf(person), { purpose: 'sign-in' });
    await runJobs(server().context);
    const email = `other-${person.name}@example.test`;
    const body = 'email' in change ? { email } : change;
    await ask(`PATCH admin:/users/${person.id}`, { as: 'administrator', body });
    expect(outcome(await enter(token))).toBe('401 sign-in-link-invalid');
    const subjects = (await arrived()).map(({ mail }) => mail.subject);
    expect(subjects).not.toContain('Sign in to Marquee');
  });

  it('do not replace the second factor, nor use up the link before the code is right', async () => {
    const person = await newPerson(server());
    const begun = await ask('POST admin:/me/second-factor', {
      headers: bySession(person.cookie),
      body: { password: person.password },
    });
    const app = authenticatorOf(server(), begun.body.secret);
    await ask('POST admin:/me/second-factor/confirm', {
      headers: bySession(person.cookie),
      body: { code: app.code() },
    });
    await request(addressOf(person));
    const received = await only(person);
    expect(received?.mail.text).toContain('You need the code of your second factor, too.');
    const token = linkOf(received);
    expect(outcome(await enter(token))).toBe('401 second-factor-required');
    expect(outcome(await enter(token, { code: '000000' }))).toBe('401 second-factor-invalid');
    expect(outcome(await enter(token, { code: app.code(1) }))).toBe('201');
    expect(outcome(await enter(token, { code: app.code(2) }))).toBe('401 sign-in-link-invalid');
    await arrived();
    // A link that an administrator hands over is for a lost phone.
    const { url } = await server().make(`POST admin:/users/${person.id}/sign-in-link`, {});
    expect(outcome(await enter(url.split('#sign-in=')[1]))).toBe('201');
    await arrived();
    await ask(`DELETE admin:/users/${person.id}/second-factor`, { as: 'administrator' });
    expect((await only(person))?.mail.subject).toBe('Second factor removed from your account at Marquee');
  });

  it('tell of a sign-in from a device that the account has not used before', async () => {
    const person = await newPerson(server());
    const from = (agent: string) =>
      ask('POST admin:/session', {
        body: { name: person.name, password: person.password },
        headers: { 'user-agent': agent },
      });
    expect(await arrived()).toEqual([]);
    await from(FIREFOX);
    const received = await only(person);
    expect(received?.mail.subject).toBe('New sign-in to your account at Marquee');
    expect(received?.mail.text).toContain('Device: Firefox, Windows');
    await from(FIREFOX.replaceAll('140', '141'));
    expect(await arrived()).toEqual([]);
    await from('<b>Evil</b>\tBcc: eve@example.test');
    expect((await only(person))?.mail.html).not.toContain('<b>Evil');
    expect(outcome(await ask('POST admin:/session', { body: { name: person.name, password: 'wrong' } }))).toBe(
      '401 incorrect_password',
    );
    expect(await arrived()).toEqual([]);
  });

  usually('carry no message to the address that the owner of the account chooses, and are few', async () => {
    const person = await newPerson(server());
    const signIn = (agent: string) =>
      ask('POST admin:/session', {
        body: { name: person.name, password: person.password },
        headers: { 'user-agent': agent },
      });
    await signIn('You have won: https://evil.example/prize');
    await signIn('evil.example/1');
    await signIn('curl/8.9');
    const devices = (await arrived()).map(({ mail }) => /Device: (.*)/.exec(mail.text ?? '')?.[1]);
    expect(devices).toEqual(['—', '—', 'curl']);
    for (let index = 0; index < MAX_NOTICES + 5; index += 1) await signIn(`agent-${index}`);
    expect(await arrived()).toHaveLength(MAX_NOTICES - 3);
    pass(86_400);
    await signIn('agent-x');
    expect(await arrived()).toHaveLength(1);
  });

  it('tell of a sign-in after the devices of the account were forgotten, or were not noted yet', async () => {
    const person = await newPerson(server());
    const signIn = () => ask('POST admin:/session', { body: { name: person.name, password: person.password } });
    await signIn();
    expect(await arrived()).toEqual([]);
    pass(401 * 24 * HOUR);
    await pruneSessions(server().context);
    await signIn();
    expect((await only(person))?.mail.subject).toBe('New sign-in to your account at Marquee');
    await signIn();
    expect(await arrived()).toEqual([]);
  });

  describe('whether or not an address has an account', () => {
    it('the response is the same, and so is the work before it', async () => {
      const person = await newPerson(server());
      const statements: string[][] = [];
      for (const address of [addressOf(person), `no-${person.name}@example.test`]) {
        const { status, text, headers } = await request(address);
        const kept = [...headers].filter(([name]) => !/^(?:x-request-id|date|etag)$/.test(name));
        statements.push([String(status), text, JSON.stringify(kept)]);
      }
      expect(statements[1]).toEqual(statements[0]);
      // A job looks up the account; its row has neither address.
      const { rows } = await sql<{ payload: string; key: string }>`SELECT * FROM jobs`.execute(db().query);
      expect(rows).toHaveLength(2);
      expect(JSON.stringify(rows)).not.toContain('example.test');
      expect(new Set(rows.map(({ payload }) => payload.length)).size).toBeLessThanOrEqual(2);
      expect((await arrived()).map(({ to }) => to)).toEqual([[addressOf(person)]]);
      expect(await db().query.selectFrom('mails').select('to_email').execute()).toEqual([
        { to_email: addressOf(person) },
      ]);
    });

    it('the limits are the same: by address and purpose, which the response does not tell, and by network', async () => {
      const person = await newPerson(server());
      for (const address of [addressOf(person), 'unknown@example.test']) {
        const mails: number[] = [];
        for (let time = 0; time < 7; time += 1) {
          expect(outcome(await request(time % 2 ? address.toUpperCase() : address))).toBe('202');
          await runJobs(server().context);
          await db().query.deleteFrom('sign_in_links').execute();
          const written = await db().query.selectFrom('mails').select('id').execute();
          mails.push(written.length);
        }
        expect(mails).toEqual(address === addressOf(person) ? [1, 2, 3, 4, 5, 5, 5] : Array(7).fill(5));
      }
      await request(addressOf(person), { purpose: 'sign-in' });
      expect(new Set((await arrived()).map(({ mail }) => mail.subject))).toEqual(new Set(['Sign in to Marquee']));
      for (let time = 0; time < 5; time += 1) await request(`some${time}@example.test`);
      expect(outcome(await request('one-more@example.test'))).toBe('429 too-many-requests');
      pass(HOUR);
      expect(outcome(await request('one-more@example.test'))).toBe('202');
    });
  });

  it('are not used up by other spellings of the mailbox', async () => {
    const person = await newPerson(server());
    for (let time = 0; time < 8; time += 1)
      expect(outcome(await request(`${person.name}+${time}@example.test`))).toBe('202');
    expect(await arrived()).toEqual([]);
    expect(outcome(await request(addressOf(person)))).toBe('202');
    expect((await only(person))?.mail.subject).toBe('New password for Marquee');
  });

  it('are one for repeated clicks, and have few open links at a time', async () => {
    const person = await newPerson(server());
    for (let time = 0; time < 5; time += 1) await request(addressOf(person));
    expect(await arrived()).toHaveLength(1);
    for (let time = 0; time < 3; time += 1) {
      await removeAllCounts(db());
      for (const purpose of ['password', 'sign-in']) await request(addressOf(person), { purpose });
      await runJobs(server().context);
    }
    expect(await arrived()).toHaveLength(4);
  });

  usually('begin with the address of the site, whatever host a request names', async () => {
    const person = await newPerson(server());
    const forged = { host: 'evil.test', 'x-forwarded-host': 'evil.test', forwarded: 'host=evil.test' };
    await request(addressOf(person), {}, forged);
    const received = await only(person);
    expect(received?.raw).not.toContain('evil.test');
    expect(linkOf(received)).toMatch(/^[\w-]{43}$/);
  });

  it.each([
    ['ada@example.test\r\nBcc: eve@example.test'],
    ['ada@example.test, eve@example.test'],
    ['Eve <eve@example.test>'],
    ['a'.repeat(400)],
    [''],
    [['ada@example.test', 'eve@example.test']],
    [{ $ne: null }],
  ])('refuse an invalid address: %j', async (email) => {
    const answer = await ask('POST admin:/session/mailed-link', { body: { email } });
    expect(answer.status).toBe(400);
    expect(await arrived()).toEqual([]);
  });

  usually('are not asked for by other sites, nor by an address', async () => {
    const body = { email: 'ada@example.test' };
    const foreign = { origin: 'https://elsewhere.test' };
    expect((await ask('POST admin:/session/mailed-link', { body, headers: foreign })).status).toBe(403);
    expect((await ask('POST admin:/session/mailed-link', { query: body })).status).toBe(400);
    expect((await ask('GET admin:/session/mailed-link', { query: { ...body, _method: 'POST' } })).status).not.toBe(202);
  });

  it('are in the language of the account, of the request, or the first of the site', async () => {
    const french = await newPerson(server());
    await ask(`PATCH admin:/users/${french.id}`, { headers: bySession(french.cookie), body: { language: 'fr' } });
    const unknown = await newPerson(server());
    await request(addressOf(french), {}, { 'accept-language': 'de' });
    await request(addressOf(unknown), {}, { 'accept-language': 'de' });
    const received = await arrived();
    const subjectTo = (to: string) => received.find((one) => one.to[0] === to)?.mail.subject;
    expect(subjectTo(addressOf(french))).toBe('Nouveau mot de passe pour Marquee');
    expect(subjectTo(addressOf(unknown))).toBe('Neues Passwort für Marquee');
    await removeAllCounts(db());
    const silent = await newPerson(server());
    await request(addressOf(silent), {}, { 'accept-language': 'xx' });
    expect((await only(silent))?.mail.subject).toBe('New password for Marquee');
    const wrong = await ask(`PATCH admin:/users/${french.id}`, {
      headers: bySession(french.cookie),
      body: { language: 'tlh' },
    });
    expect(wrong.status).toBe(400);
  });

  it('go ahead of other mails, and are not held back by them', async () => {
    const person = await newPerson(server());
    const seat = await makeSeat(server(), await makeEvent(server()), 1000, { price: '0' });
    for (let time = 0; time < 32; time += 1)
      await buy(server(), [seat], { purchaser: { name: 'Eve', email: addressOf(person) } });
    await request(addressOf(person));
    const received = await arrived();
    expect(received[0]?.mail.subject).toBe('New password for Marquee');
    expect(received).toHaveLength(31);
  });

  it('are deleted with the account', async () => {
    const person = await newPerson(server());
    await request(addressOf(person));
    await runJobs(server().context);
    await ask(`DELETE admin:/users/${person.id}`, { as: 'administrator' });
    expect(await arrived()).toEqual([]);
    expect(await db().query.selectFrom('mails').selectAll().execute()).toEqual([]);
  });

  usually('leave neither addresses nor links in the log', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
    const person = await newPerson(server());
    await request(addressOf(person));
    await runJobs({ ...server().context, log });
    await sendMails({ ...server().context, log }, smtp.settings);
    const token = linkOf(smtp.take()[0]);
    expect(token).not.toBe('');
    const text = lines.join('');
    expect(text).toContain('a mail was sent');
    for (const secret of ['example.test', token]) expect(text).not.toContain(secret);
  });

  describe('as staff see them', () => {
    const mailTo = async (person: { name: string }) => {
      await request(addressOf(person));
      const token = linkOf(await only(person));
      const { id } = await db().query.selectFrom('mails').select('id').executeTakeFirstOrThrow();
      return { id, token };
    };

    it('are for administrators only, and without their links', async () => {
      const administrator = await newPerson(server(), 'author');
      const { id, token } = await mailTo(administrator);
      for (const as of ['editor', 'author'] as const) {
        expect((await ask('GET admin:/mails', { as })).body.mails).toEqual([]);
        expect((await ask(`GET admin:/mails/${id}`, { as })).status).toBe(as === 'editor' ? 404 : 403);
        expect((await ask(`POST admin:/mails/${id}/send`, { as, body: {} })).status).toBe(as === 'editor' ? 404 : 403);
      }
      const [listed] = (await ask('GET admin:/mails', { as: 'administrator' })).body.mails;
      expect(listed).toMatchObject({ id, kind: 'password', account: administrator.id, order: null });
      const { body, text } = await ask(`GET admin:/mails/${id}`, { as: 'administrator' });
      expect(body.text).toContain(`${SITE}/console/#sign-in=…`);
      expect(text).not.toContain(token);
    });

    it('are sent again to their own address only, with the same link as long as it works', async () => {
      const person = await newPerson(server());
      const { id, token } = await mailTo(person);
      const again = (body: object) => ask(`POST admin:/mails/${id}/send`, { as: 'administrator', body });
      const elsewhere = await again({ to: 'eve@example.test' });
      expect([elsewhere.status, elsewhere.body.data.params.to]).toEqual([
        400,
        'to must be the address of the account: such mails go to no other.',
      ]);
      expect((await again({})).status).toBe(201);
      expect(linkOf(await only(person))).toBe(token);
      await enter(token);
      expect(outcome(await again({}))).toBe('409 mail-outdated');
    });

    it('bring another link when an administrator sends one', async () => {
      const person = await newPerson(server());
      const send = (as: 'administrator' | 'editor') =>
        ask(`POST admin:/users/${person.id}/sign-in-mail`, { as, body: {} });
      expect((await send('editor')).status).toBe(403);
      const { status, body } = await send('administrator');
      expect([status, body]).toEqual([201, { expires_utc: expect.any(String) }]);
      const received = await only(person);
      expect(outcome(await enter(linkOf(received)))).toBe('201');
      const list = await ask('GET admin:/audit', {
        as: 'administrator',
        query: { kind: 'user', id: person.id, per_page: 1 },
      });
      expect(list.body.audit[0].fields).toEqual(['sign_in_links']);
    });
  });
});

describe.each(BOTH_DATABASES)('the request for a link on %s', (kind) => {
  const ran: string[] = [];
  const hooks = { before: (statement: string) => void ran.push(statement) };
  const limits = { perMailbox: 5, perAddress: 20 };
  const server = useTestServer(kind, { url: SITE, smtp: SMTP, mailedLinks: limits }, { hooks });

  it('runs the same statements for an address with an account as for another, and reads no account', async () => {
    const statementsFor = async (email: string) => {
      ran.length = 0;
      expect((await server().ask('POST admin:/session/mailed-link', { body: { email } })).status).toBe(202);
      return [...ran];
    };
    // The first request also reads the settings of the site.
    await statementsFor('ada@example.test');
    const known = await statementsFor('editor@example.test');
    expect(known.length).toBeGreaterThan(3);
    expect(await statementsFor('unknown@example.test')).toEqual(known);
    expect(known.filter((statement) => /"users"|sign_in_links/.test(statement))).toEqual([]);
  });
});

describe.each(BOTH_DATABASES)('the links that the whole site sends in an hour on %s', (kind) => {
  const mailedLinks = { perMailbox: 1, perAddress: 2 };
  const server = useTestServer(kind, { url: SITE, smtp: SMTP, mailedLinks });

  it('are used up by requests that passed the other limits only', async () => {
    const db = () => server().context.db;
    const all = async () => {
      const counts = await db().query.selectFrom('rate_limits').selectAll().execute();
      return counts.filter(({ key }) => key.startsWith('mailed-links:')).map(({ points }) => points);
    };
    const request = (email: string) => server().ask('POST admin:/session/mailed-link', { body: { email } });
    const outcomes: string[] = [];
    for (let time = 0; time < 5; time += 1) outcomes.push(outcome(await request('ada@example.test')));
    expect(outcomes).toEqual(['202', '202', ...Array(3).fill('429 too-many-requests')]);
    expect(await all()).toEqual([1]);
  });
});

describe.each(BOTH_DATABASES)('a second factor on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  let used: () => Promise<void> | void = () => undefined;
  const hooks = {
    committed: (statement: string) =>
      /^delete from "sign_in_links" where "hash"/.test(statement) ? used() : undefined,
  };
  const server = useTestServer(kind, { url: SITE, smtp: SMTP }, { hooks });
  /** A person who has begun to set up a second factor, and the token of a link by mail. */
  const inSetUp = async () => {
    const person = await newPerson(server());
    const smtp = await startMailServer();
    await server().ask('POST admin:/session/mailed-link', { body: { email: `${person.name}@example.test` } });
    await runJobs(server().context);
    await sendMails(server().context, smtp.settings);
    const token = /#sign-in=([\w-]+)/.exec(smtp.take()[0]?.mail.text ?? '')?.[1] ?? '';
    await smtp.close();
    const headers = bySession(person.cookie);
    const { body } = await server().ask('POST admin:/me/second-factor', {
      headers,
      body: { password: person.password },
    });
    const { code } = authenticatorOf(server(), body.secret);
    const confirm = () => server().ask('POST admin:/me/second-factor/confirm', { headers, body: { code: code() } });
    return { token, confirm };
  };
  const enter = (token: string) => server().ask('POST admin:/session/by-link', { body: { token } });
  afterEach(() => {
    used = () => undefined;
  });

  usually('voids the links that were mailed before it is confirmed', async () => {
    const { token, confirm } = await inSetUp();
    expect((await confirm()).status).toBe(200);
    expect(outcome(await enter(token))).toBe('401 sign-in-link-invalid');
  });

  it('that is confirmed while a link by mail is used ends the session of the link', async () => {
    const control = await inSetUp();
    expect(outcome(await enter(control.token))).toBe('201');
    const { token, confirm } = await inSetUp();
    let confirmed = 0;
    used = async () => {
      used = () => undefined;
      confirmed = (await confirm()).status;
    };
    expect(outcome(await enter(token))).toBe('401 sign-in-link-invalid');
    expect(confirmed).toBe(200);
  });
});

describe.each(usualDatabases)('a site without mail on %s', (kind) => {
  const server = useTestServer(kind);
  it('offers no links by mail', async () => {
    const answer = await server().ask('POST admin:/session/mailed-link', { body: { email: 'editor@example.test' } });
    expect(outcome(answer)).toBe('404 mail-not-configured');
    expect((await server().ask('GET admin:/site')).body.sends_mail).toBe(false);
    const person = { username: 'zoe', email: 'zoe@example.test', role: 'author', invite: true };
    const created = await server().make('POST admin:/users', person);
    expect(created).toMatchObject({ is_invited: false, sign_in_link: { url: expect.any(String) } });
    expect(await confirmFactor(server(), (await newPerson(server())).cookie)).toBeDefined();
  });
});
