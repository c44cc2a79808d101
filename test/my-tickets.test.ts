import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { MAX_TICKET_MAILS } from '../src/platform/limits/limits.ts';
import { makeAttendee, makeRsvp, makeSeat } from './attendees.ts';
import { asHolder, buy } from './buyers.ts';
import { type MailServer, SITE, sendMails, startMailServer } from './mail-server.ts';
import { hiddenFields, pageVisitor, wordsIn } from './page-visitor.ts';
import { DATABASES, NOON, useTestServer } from './server.ts';
import { ADA } from './shopper.ts';
import type { StatementHooks } from './statements.ts';
import { makeEvent } from './tickets.ts';

const TOO_LATE = { start_date: '2026-11-22 18:00:00', end_date: '2026-11-22 20:00:00' };

describe.each(DATABASES)('tickets that are asked for by address, on %s', (kind) => {
  const hooks: StatementHooks = {};
  const server = useTestServer(kind, { languages: ['en', 'de', 'fr'] }, { hooks });
  let smtp: MailServer;
  let free: number;
  beforeAll(async () => {
    smtp = await startMailServer();
    server().restart({ smtp: smtp.settings.smtp, url: SITE });
    free = await makeSeat(server(), await makeEvent(server(), { title: 'Lantern Night' }), 1000, { price: '0' });
  });
  afterAll(() => smtp.close());
  afterEach(async () => {
    smtp.take();
    server().clock.now = NOON;
    for (const table of ['mails', 'rate_limits'] as const) await server().context.db.query.deleteFrom(table).execute();
  });

  let visitors = 0;
  const ask = (email: unknown, { from, ...asking }: { from?: string; headers?: Record<string, string> } = {}) => {
    visitors += 1;
    return server().ask('POST tickets:/my-tickets', {
      body: { email },
      from: from ?? `198.51.${visitors >> 8}.${visitors % 256}`,
      ...asking,
    });
  };
  const arrived = async () => {
    await sendMails(server().context, smtp.settings);
    return smtp.take();
  };
  /** Buys, and takes the mail with the tickets. */
  const buyFor = async (email: string, seat = free) => {
    const order = await buy(server(), [seat], { purchaser: { name: 'Ada Park', email } });
    await arrived();
    return order;
  };

  it('are sent as links to the current orders, in the language of the request', async () => {
    const soon = await makeSeat(server(), await makeEvent(server(), { title: 'Too late', ...TOO_LATE }), 10, {
      price: '0',
    });
    const orders = [await buyFor('cy@example.test'), await buyFor('Cy@Example.Test')];
    // Where the sign is a letter like any other, this is the mailbox of another person.
    const tagged = await buyFor('cy+more@example.test');
    const over = await buyFor('cy@example.test', soon);
    const void_ = await buyFor('cy@example.test');
    await server().make(`PATCH admin:/orders/${void_.id}`, { status: 'voided' });
    const other = await buyFor('di@example.test');
    server().clock.now = new Date('2026-11-25T12:00:00Z');
    await arrived();
    const answer = await ask('cy@example.test', { headers: { 'accept-language': 'de' } });
    expect([answer.status, answer.body]).toEqual([202, { accepted: true }]);
    const [received, ...more] = await arrived();
    expect(more).toEqual([]);
    expect(received?.to).toEqual(['cy@example.test']);
    expect(received?.mail.subject).toBe('Ihre Tickets bei Marquee');
    for (const text of [received?.mail.text, received?.mail.html]) {
      for (const { id, token, body } of orders) {
        expect(text).toContain(`${SITE}/de/order/${id}/${token}/`);
        expect(text).toContain(body.order.number);
      }
      for (const { id } of [over, void_, other, tagged]) expect(text).not.toContain(`/order/${id}/`);
      expect(text).toContain('Lantern Night');
      expect(text).not.toContain('Too late');
    }
  });

  it('are those of replies and of tickets that others gave away, too', async () => {
    const rsvp = await makeRsvp(server(), await makeEvent(server(), { title: 'Open House' }));
    const email = 'eli@example.test';
    const reply = await makeAttendee(server(), rsvp, { email: 'Eli@example.test' });
    const order = await buyFor('fay@example.test');
    const [given] = order.attendees;
    const { body } = await server().ask(`POST tickets:/attendees/${given?.id}/transfer`, {
      body: { full_name: 'Eli', email },
      headers: asHolder(given?.url),
    });
    await arrived();
    await ask(email);
    const [received] = await arrived();
    expect(received?.mail.text).toContain('Open House');
    expect(received?.mail.text).toContain(`${SITE}/ticket/${reply.id}/`);
    expect(received?.mail.text).toContain(new URL(body.url).pathname);
    expect(received?.mail.text).not.toContain('/order/');
    // The former holder keeps the order, without that ticket.
    await ask('fay@example.test');
    const [former] = await arrived();
    expect(former?.mail.text).toContain(`/order/${order.id}/`);
    expect(former?.mail.text).not.toContain(new URL(body.url).pathname);
  });

  it('do not tell whether the address is known: neither the response nor the work differs', async () => {
    await buyFor(ADA.email);
    const seen = async (email: string) => {
      const statements: string[] = [];
      hooks.before = (statement) => void statements.push(statement);
      const { status, text, headers } = await ask(email);
      delete hooks.before;
      headers.delete('x-request-id');
      return { status, text, headers: Object.fromEntries(headers), statements };
    };
    const known = await seen(ADA.email);
    expect(known.statements.length).toBeGreaterThan(1);
    expect(await seen('zoe@example.test')).toEqual(known);
    expect((await arrived()).map(({ to }) => to)).toEqual([[ADA.email]]);
    // Nothing is left of the other one.
    const rows = await server().context.db.query.selectFrom('mails').select('to_email').execute();
    expect(rows.map(({ to_email }) => to_email)).not.toContain('zoe@example.test');
  });

  it('do not tell it by later requests either, when nothing is left of the mail to an unknown one', async () => {
    await buyFor(ADA.email);
    const changes = async (email: string) => {
      const before = await server().context.db.query.selectFrom('mails').select('id').execute();
      const statements: string[] = [];
      hooks.before = (statement) => void statements.push(statement);
      await ask(email);
      delete hooks.before;
      const after = await server().context.db.query.selectFrom('mails').select('id').execute();
      await arrived();
      return { statements, written: after.length - before.length };
    };
    for (let index = 0; index < MAX_TICKET_MAILS + 2; index += 1) {
      for (const seconds of [0, 60]) {
        server().clock.now = new Date(NOON.getTime() + index * 600_000 + seconds * 1000);
        expect(await changes('zoe@example.test')).toEqual(await changes(ADA.email));
      }
    }
  });

  it(`are sent to an address at most ${MAX_TICKET_MAILS} times a day, which the response does not tell`, async () => {
    await buyFor(ADA.email);
    for (let index = 0; index < MAX_TICKET_MAILS + 3; index += 1) {
      server().clock.now = new Date(NOON.getTime() + index * 600_000);
      expect((await ask(index % 2 === 0 ? ADA.email : ADA.email.toUpperCase())).status).toBe(202);
      // Uses up nothing of hers.
      expect((await ask(ADA.email.replace('@', '+x@'))).status).toBe(202);
    }
    expect((await arrived()).map(({ to }) => to)).toEqual(
      Array(MAX_TICKET_MAILS).fill([expect.stringMatching(/^ada@/i)]),
    );
  });

  it('are one mail for several clicks', async () => {
    await buyFor(ADA.email);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(ADA.email)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(202));
    expect(await arrived()).toHaveLength(1);
  });

  it('are limited by network, and for all together', async () => {
    const settings = { smtp: smtp.settings.smtp, url: SITE, languages: ['en', 'de', 'fr'] };
    server().restart({ ...settings, ticketMails: { perAddress: 2, overall: 5 } });
    const statuses = [];
    for (let index = 0; index < 3; index += 1)
      statuses.push((await ask(`a${index}@x.test`, { from: '203.0.113.7' })).status);
    expect(statuses).toEqual([202, 202, 429]);
    for (let index = 0; index < 3; index += 1) expect((await ask(`b${index}@x.test`)).status).toBe(202);
    const refused = await ask('c@x.test');
    expect([refused.status, refused.body.code]).toEqual([429, 'too-many-requests']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    server().restart(settings);
  });

  it.each([
    ...[
      '',
      'ada',
      'ada@example.test\r\nBcc: eve@example.test',
      'ada@example.test, eve@example.test',
      `${'a'.repeat(300)}@x.test`,
    ],
    ...['Eve <eve@example.test>', null, 7, ['ada@example.test'], { $ne: 1 }],
  ])('refuse %j as an address', async (email) => {
    expect((await ask(email)).status).toBe(400);
  });

  it('have links to the configured address only', async () => {
    await buyFor(ADA.email);
    await ask(ADA.email, { headers: { host: 'evil.test', 'x-forwarded-host': 'evil.test' } });
    const [received] = await arrived();
    expect(received?.raw).not.toContain('evil.test');
    expect(received?.mail.text).toContain(`${SITE}/order/`);
  });

  it('with hostile titles are text', async () => {
    const title = 'Night\r\nBcc: eve@example.test <script>alert(1)</script>';
    await buyFor(ADA.email, await makeSeat(server(), await makeEvent(server(), { title }), 10, { price: '0' }));
    await ask(ADA.email);
    const [received] = await arrived();
    expect(received?.mail.html).not.toContain('<script');
    expect(received?.mail.headers.filter(({ key }) => key === 'bcc')).toEqual([]);
  });

  describe('on the page', () => {
    const visitor = () => pageVisitor((path, init) => server().request(path, init), SITE);

    it.each([
      ['', 'Send me my tickets', 'If there are current orders'],
      ['/de', 'Tickets zusenden', 'Wenn es zu dieser Adresse aktuelle Bestellungen gibt'],
      ['/fr', 'Envoyez-moi mes billets', 'S’il existe des commandes en cours'],
    ])('%s/my-tickets/ are asked for by a form', async (prefix, button, answer) => {
      await buyFor(ADA.email);
      const who = visitor();
      const page = await who.get(`${prefix}/my-tickets/`);
      expect(page.text).toContain(button);
      expect(page.text).not.toContain(answer);
      for (const email of [ADA.email, `zoe${prefix.length}@example.test`]) {
        const sent = await who.post(`${prefix}/my-tickets/`, { ...hiddenFields(page.text), email });
        expect([sent.status, sent.location]).toEqual([303, `${prefix}/my-tickets/?sent`]);
        expect(wordsIn((await who.get(sent.location)).text)).toContain(answer);
      }
      expect(await arrived()).toHaveLength(1);
    });

    it('show a wrong address again, with the error', async () => {
      const who = visitor();
      const { status, text } = await who.post('/my-tickets/', { email: 'ada@<b>' });
      expect(status).toBe(400);
      expect(text).toContain('value="ada@&lt;b&gt;"');
      expect((await who.post('/my-tickets/', { email: ADA.email, website_address: 'x' })).status).toBe(400);
      expect(await arrived()).toEqual([]);
    });

    it('are mentioned on the page of an order', async () => {
      const { id, token } = await buyFor('dora@example.test');
      const page = wordsIn((await visitor().get(`/order/${id}/${token}/`)).text);
      expect(page).toContain('Lost it? Have it sent to dora@example.test: My tickets');
    });

    it('are not offered by a site without mail', async () => {
      const { id, token } = await buyFor(ADA.email);
      server().restart({ smtp: undefined });
      expect((await visitor().get(`/order/${id}/${token}/`)).text).not.toContain('Have it sent');
      expect((await visitor().get('/my-tickets/')).text).not.toContain('name="email"');
      expect(await ask(ADA.email)).toMatchObject({ status: 404, body: { code: 'mail-not-configured' } });
      server().restart({ smtp: smtp.settings.smtp, url: SITE });
    });
  });
});
