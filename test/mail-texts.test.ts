import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WORDED_MAIL_KINDS } from '../src/lib/mail-kinds.ts';
import { makeRsvp, makeSeat } from './attendees.ts';
import { asHolder, buy } from './buyers.ts';
import { runJobs } from './jobs.ts';
import { type MailServer, SITE, sendMails, shownIn, startMailServer } from './mail-server.ts';
import { BOTH_DATABASES, useTestServer } from './server.ts';
import { usualOf } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';

type Role = 'administrator' | 'editor' | 'author' | 'contributor';

describe.each(BOTH_DATABASES)('the texts of mails on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, { languages: ['en', 'de', 'fr'] });
  let smtp: MailServer;
  let event: number;
  let free: number;
  beforeAll(async () => {
    smtp = await startMailServer();
    event = await makeEvent(server(), { venue: { venue: 'Harbour Hall' } });
    free = await makeSeat(server(), event, 1000, { name: 'Standing', price: '0' });
  });
  afterAll(() => smtp.close());
  afterEach(async () => {
    smtp.take();
    for (const table of ['mails', 'mail_texts'] as const) await db().query.deleteFrom(table).execute();
  });

  const db = () => server().context.db;
  const write = (body: object, as: Role = 'editor') => server().ask('PUT admin:/mail-texts', { as, body });
  const preview = (body: object, as: Role = 'editor') => server().ask('POST admin:/mail-preview', { as, body });
  const arrived = async () => {
    await runJobs(server().context);
    await sendMails(server().context, smtp.settings);
    return smtp.take();
  };
  const WORDS = {
    kind: 'tickets',
    language: 'en',
    subject: '{event}: {order}',
    introduction: 'Dear {name},\n\nsee you at {venue} on {date}. {site}',
  };

  usually('replace subject and introduction, with their values, in their language only', async () => {
    expect((await write(WORDS)).status).toBe(200);
    const { body } = await buy(server(), [free]);
    await buy(server(), [free], {}, 'de');
    const [english, german] = await arrived();
    expect(english?.mail.subject).toBe(`Evening: ${body.order.number}`);
    for (const text of [english?.mail.text, english && shownIn(english.mail)])
      expect(text).toContain('see you at Harbour Hall on Saturday 6 March 2027, 18:30–21:00 EST. Marquee');
    expect(english?.mail.text).toContain('Dear Ada Park,');
    expect(english?.mail.text).not.toContain('Thank you');
    expect(english?.mail.text).toContain(`${SITE}/order/`);
    expect(german?.mail.subject).toBe('Ihre Tickets: Evening');
  });

  it('of an event come before those of the site', async () => {
    await write({ ...WORDS, subject: 'Site' });
    await write({ ...WORDS, subject: 'Event', event });
    await buy(server(), [free]);
    const other = await makeSeat(server(), await makeEvent(server()), 10, { price: '0' });
    await buy(server(), [other]);
    await buy(server(), [other, free]);
    expect((await arrived()).map(({ mail }) => mail.subject)).toEqual(['Event', 'Site', 'Site']);
  });

  usually('fill placeholders in once, and never with headers or markup', async () => {
    await write({ ...WORDS, subject: 'Hello {name}', introduction: 'Hello {name} <b>bold</b>' });
    const name = '{order}{site} <img src=x>\r\nBcc: eve@example.test';
    await buy(server(), [free], { purchaser: { name, email: 'ada@one.test' } });
    const [received] = await arrived();
    expect(received?.to).toEqual(['ada@one.test']);
    expect(received?.mail.subject).toMatch(/^Hello \{order\}\{site\}/);
    expect(received?.mail.headers.filter(({ key }) => key === 'bcc')).toEqual([]);
    expect(received?.mail.html).not.toMatch(/<(b|img src=x)>/);
  });

  it.each([
    [{ subject: 'Your {code}' }, 'subject'],
    [{ introduction: '{security_code}' }, 'introduction'],
    [{ introduction: '{order.token}' }, 'introduction'],
    [{ introduction: '{ event }' }, 'introduction'],
    [{ introduction: '{}' }, 'introduction'],
    [{ subject: '{__proto__}' }, 'subject'],
    [{ kind: 'rsvp', subject: '{order}' }, 'subject'],
    [{ kind: 'ticket_transferred', subject: '{event}', introduction: '{name}' }, 'introduction'],
    [{ subject: '', introduction: '' }, 'subject'],
    [{ language: 'it' }, 'language'],
    [{ kind: 'invitation' }, 'kind'],
    [{ subject: 'x'.repeat(201) }, 'subject'],
    [{ introduction: 'x'.repeat(2001) }, 'introduction'],
  ])('with anything else are refused: %j', async (change, param) => {
    const { status, body } = await write({ ...WORDS, ...change });
    expect([status, Object.keys(body.data.params)]).toEqual([400, [param]]);
    if (param !== 'subject' || !('introduction' in change))
      expect((await preview({ ...WORDS, ...change })).status).toBe(400);
  });

  it('are listed, changed and removed', async () => {
    const { body: made } = await write(WORDS);
    const { body: changed } = await write({ ...WORDS, subject: 'Welcome' });
    expect([changed.id, changed.subject]).toEqual([made.id, 'Welcome']);
    const list = async (query = {}) => (await server().ask('GET admin:/mail-texts', { as: 'editor', query })).body;
    expect(await list()).toMatchObject({ total: 1, mail_texts: [{ id: made.id, event: null }] });
    expect((await list({ event })).total).toBe(0);
    expect((await list({ language: 'de' })).total).toBe(0);
    const remove = () => server().ask(`DELETE admin:/mail-texts/${made.id}`, { as: 'editor' });
    expect([(await remove()).status, (await remove()).status]).toEqual([200, 404]);
    const log = await server().ask('GET admin:/audit', { as: 'administrator', query: { kind: 'mail_text' } });
    expect(log.body.audit.slice(0, 3).map(({ action }: { action: string }) => action)).toEqual([
      'deleted',
      'changed',
      'created',
    ]);
  });

  it('of the site are for editors, those of an event for users who may edit it', async () => {
    const own = await makeEvent(server(), {}, 'author');
    const asked = async (as: Role, more = {}) => (await write({ ...WORDS, ...more }, as)).status;
    expect(await asked('author')).toBe(403);
    expect(await asked('author', { event: own })).toBe(200);
    expect(await asked('author', { event })).toBe(403);
    expect(await asked('contributor', { event: own })).toBe(403);
    expect(await asked('editor', { event: own })).toBe(200);
    expect(await asked('editor', { event: 987_654 })).toBe(404);
  });

  it('are written once by several requests at the same time', async () => {
    const all = await Promise.all(['A', 'B', 'C', 'D'].map((subject) => write({ ...WORDS, subject })));
    expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await db().query.selectFrom('mail_texts').select('id').execute()).toHaveLength(1);
  });

  it.each(WORDED_MAIL_KINDS)('have a preview of "%s" in each language, which changes nothing', async (mailKind) => {
    for (const language of ['en', 'de', 'fr'])
      for (const about of [{}, { event }]) {
        const body = { kind: mailKind, language, subject: 'S {event}', introduction: 'I {site}', ...about };
        const shown = await preview(body);
        expect([shown.status, shown.body.subject, shown.body.sent_to]).toEqual([200, 'S Evening', null]);
        expect(shown.body.text).toContain('I Marquee');
        expect(shown.body.html).toContain(`<html lang="${language}">`);
      }
    expect(await db().query.selectFrom('mails').selectAll().execute()).toEqual([]);
  });

  it('are tried by a mail to the own account alone', async () => {
    await write({ ...WORDS, subject: 'Trial {order}' });
    const { body } = await preview({ kind: 'tickets', language: 'en', send: true, to: 'eve@example.test' });
    const account = (await server().ask('GET admin:/me', { as: 'editor' })).body;
    expect(body.sent_to).toBe(account.email);
    const [received, ...others] = await arrived();
    expect([received?.to, others]).toEqual([[account.email], []]);
    expect(received?.mail.subject).toMatch(/^Trial [A-Z0-9]+$/);
  });

  it('are in mails of RSVPs and announcements, whose subject stays when staff have written one', async () => {
    await write({ kind: 'rsvp', language: 'en', introduction: 'Hello {name}' });
    await write({ kind: 'announcement', language: 'en', subject: 'From {site}', introduction: 'Dear {name},' });
    const rsvp = await makeRsvp(server(), event);
    await server().make('POST tickets:/replies', { ticket_id: rsvp, full_name: 'Bo Lin', email: 'bo@one.test' });
    expect((await arrived())[0]?.mail.text).toContain('Hello Bo Lin');
    for (const subject of [undefined, 'Doors'])
      await server().make(`POST admin:/events/${event}/announcements`, {
        ...{ text: 'Open at six.', subject, audience: 'tickets', tickets: [rsvp] },
      });
    const received = await arrived();
    expect(received.map(({ mail }) => mail.subject).sort()).toEqual(['Doors', 'From Marquee']);
    for (const { mail } of received) expect(mail.text).toMatch(/Dear Bo Lin,\n\nOpen at six\./);
  });

  usually('keep the usual subject if nothing is left of theirs', async () => {
    const nowhere = await makeEvent(server());
    const ticket = await makeSeat(server(), nowhere, 10, { price: '0' });
    await write({ ...WORDS, subject: ' {venue} ' });
    await buy(server(), [ticket]);
    expect((await arrived()).map(({ mail }) => mail.subject)).toEqual(['Your tickets: Evening']);
  });

  it('do not tell a former holder the name of the new one', async () => {
    await write({ kind: 'announcement', language: 'en', introduction: 'Dear {name}!' });
    const own = await makeEvent(server());
    const ticket = await makeSeat(server(), own, 10, { price: '0' });
    const { attendees } = await buy(server(), [ticket]);
    const other = await buy(server(), [ticket], { purchaser: { name: 'Di', email: 'di@one.test' } });
    expect(other.attendees).toHaveLength(1);
    await arrived();
    await server().make(`POST admin:/events/${own}/announcements`, { text: 'Open at six.' });
    await runJobs(server().context);
    await server().ask(`POST tickets:/attendees/${attendees[0]?.id}/transfer`, {
      body: { full_name: 'Bo Lin', email: 'bo@one.test' },
      headers: asHolder(attendees[0]?.url),
    });
    const news = (await arrived()).filter(({ mail }) => mail.text?.includes('Open at six.'));
    const dear = news.map(({ to, mail }) => [to[0], /Dear .*!/.exec(mail.text ?? '')?.[0] ?? '']);
    expect(dear.sort()).toEqual([
      ['ada@example.test', 'Dear !'],
      ['di@one.test', 'Dear Di!'],
    ]);
  });
});
