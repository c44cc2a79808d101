import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeAttendee, makeRsvp, makeSeat } from './attendees.ts';
import { asHolder, type Bought, buy } from './buyers.ts';
import { type PayingServer, startPaying } from './gateways/paying.ts';
import { runJobs } from './jobs.ts';
import { pageVisitor } from './page-visitor.ts';
import { faultsOf, readPaper } from './paper.ts';
import { makeSeason, NIGHTS } from './season.ts';
import { type Asking, type TestServer, useTestServer } from './server.ts';
import { ADA } from './shopper.ts';
import type { StatementHooks } from './statements.ts';
import { usualDatabases } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';

const KEY = 'the key of the door';

const flat = (text = ''): string => text.replace(/\s+/g, ' ');

/** Asks for a document; `pages` are empty for a refusal. */
async function paper(server: TestServer, path: string, { headers = {}, query = {}, as }: Asking = {}) {
  const url = `/calendar/tickets/v1${path}?${new URLSearchParams(query as Record<string, string>)}`;
  const authorization = as && { authorization: `Basic ${btoa(`${as}:${as}-password`)}` };
  const response = await server.request(url, { headers: { ...headers, ...authorization } });
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isPdf = response.headers.get('content-type') === 'application/pdf';
  const { status } = response;
  const code = isPdf ? undefined : JSON.parse(Buffer.from(bytes).toString()).code;
  return { status, code, bytes, headers: response.headers, pages: isPdf ? await readPaper(bytes) : [] };
}

describe.each(usualDatabases)('tickets on paper on %s', (kind) => {
  const hooks: StatementHooks = {};
  const server = useTestServer(kind, { qrApiKey: KEY, languages: ['en', 'de', 'fr'] }, { hooks });
  let event: number;
  let free: number;
  let paid: number;
  beforeAll(async () => {
    const venue = { venue: 'Harbour Hall', address: '12 Quay Street', city: 'Boston', zip: '02110' };
    await server().make('PATCH admin:/site', { payment_ways: [{ id: 'door' }] });
    event = await makeEvent(server(), { title: 'Lantern Night', venue });
    free = await makeSeat(server(), event, 100_000, { name: 'Standing', price: '0' });
    paid = await makeSeat(server(), event, 100_000, { name: 'Stalls', price: '20' });
  });

  const buyNamed = (names: readonly string[], seat = free, checkout = {}): Promise<Bought> =>
    buy(server(), Array(names.length).fill(seat), {
      attendees: names.map((full_name) => ({ ticket_id: seat, full_name })),
      ...checkout,
    });
  const ofOrder = (order: Bought, asking: Asking = {}) =>
    paper(server(), `/orders/${order.id}/tickets.pdf`, { headers: order.headers, ...asking });
  const scan = (content: string) => {
    const { searchParams } = new URL(content);
    const body = JSON.stringify({ ...Object.fromEntries(searchParams), api_key: KEY });
    const headers = { 'content-type': 'application/json' };
    return server().request(`/${searchParams.get('path')}`, { method: 'POST', headers, body });
  };

  it('are one sound file with a page each, whose codes open the door', async () => {
    const names = ['Łukasz Brzęczyszczykiewicz', 'Ωραία Παπαδοπούλου'];
    const order = await buyNamed(names);
    const { status, headers, bytes, pages } = await ofOrder(order);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('content-disposition')).toBe(`inline; filename="tickets-${order.body.order.number}.pdf"`);
    expect(await faultsOf(bytes)).toEqual([]);
    expect(pages).toHaveLength(2);
    for (const [index, { text, code }] of pages.entries()) {
      for (const part of [
        ...['Lantern Night', 'Saturday 6 March 2027, 18:30–21:00 EST', 'Harbour Hall', '12 Quay Street', 'Standing'],
        ...[names[index] ?? '', order.body.order.number, order.attendees[index]?.security_code ?? ''],
      ])
        expect(flat(text)).toContain(part);
      const content = (await code()) ?? '';
      const { id = 0, security_code = '' } = order.attendees[index] ?? {};
      const drawn = await server().ask(`GET tickets:/qr/${id}`, { query: { security_code } });
      expect(content).toBe(drawn.body.content);
      expect((await scan(content)).status).toBe(201);
    }
  });

  it('have the codes of their tickets only: neither links nor tokens', async () => {
    const order = await buyNamed(['Ada Park', 'Bo Park']);
    const [first, second] = order.attendees;
    const { bytes } = await ofOrder(order);
    const one = await paper(server(), `/attendees/${first?.id}/ticket.pdf`, { headers: asHolder(first?.url) });
    const token = asHolder(first?.url)['x-ticket-token'];
    for (const [file, secrets] of [
      [bytes, [order.token, token]],
      [one.bytes, [order.token, token, second?.security_code ?? '']],
    ] as const) {
      const shown = (await readPaper(file)).map(({ text }) => text).join(' ');
      const codes = await Promise.all((await readPaper(file)).map(({ code }) => code()));
      for (const secret of secrets) {
        expect(shown + codes).not.toContain(secret);
        expect(Buffer.from(file).toString('latin1')).not.toContain(secret);
      }
      expect(shown).not.toContain('http');
      expect(Buffer.from(file).toString('latin1')).not.toContain('/URI');
    }
  });

  it.each([
    ['de', 'Samstag, 6. März 2027, 18:30', 'Bringen Sie dieses Ticket mit'],
    ['fr', 'samedi 6 mars 2027', 'Apportez ce billet'],
  ])('are in the language of the request: %s', async (language, when, note) => {
    const { pages } = await ofOrder(await buyNamed(['Ada']), { query: { i18n_language: language } });
    const text = flat(pages[0]?.text);
    expect(text).toContain(when);
    expect(text).toContain(note);
  });

  it('say that they are unpaid, and that their event is cancelled', async () => {
    const cancelled = await makeEvent(server());
    const seat = await makeSeat(server(), event, 10, { price: '20' });
    const order = await buy(server(), [seat], { payment: 'door' });
    expect(flat((await ofOrder(order)).pages[0]?.text)).toContain('Unpaid: $20.00');
    const gone = await makeSeat(server(), cancelled, 10, { price: '0' });
    const { id } = await makeAttendee(server(), gone);
    await server().make(`PATCH /events/${cancelled}`, { event_status: 'cancelled' });
    const { pages } = await paper(server(), `/attendees/${id}/ticket.pdf`, { as: 'editor' });
    expect(flat(pages[0]?.text)).toContain('Cancelled');
  });

  it('of a series pass are one page with its dates', async () => {
    const { dates } = await makeSeason(server());
    const order = await buy(server(), [dates[0] ?? 0], { payment: 'door' });
    await server().make(`PATCH admin:/orders/${order.id}`, { status: 'completed' });
    for (const { pages } of [
      await ofOrder(order),
      await paper(server(), `/attendees/${order.attendees[3]?.id}/ticket.pdf`, { as: 'editor' }),
    ]) {
      expect(pages).toHaveLength(1);
      expect(pages[0]?.text).toContain('Dates of the pass');
      expect(pages[0]?.text.match(/20\d\d, \d\d:\d\d/g)?.length).toBe(NIGHTS);
      const content = (await pages[0]?.code()) ?? '';
      expect(new URL(content).searchParams.get('ticket_id')).toBe(String(order.attendees[0]?.id));
    }
  });

  it('of an RSVP have no order', async () => {
    const { id } = await makeAttendee(server(), await makeRsvp(server(), event), { full_name: 'Cy' });
    const { pages } = await paper(server(), `/attendees/${id}/ticket.pdf`, { as: 'administrator' });
    expect(flat(pages[0]?.text)).toContain('Cy');
    expect(pages[0]?.text).not.toContain('Order');
  });

  it.each(['😀🎉 Ada', 'محمد عبد الله', 'x'.repeat(200), '<b>&amp;"\'', '\u202eAda', '田中'])(
    'are made for a holder with the name %j',
    async (name) => {
      const { pages, bytes } = await ofOrder(await buyNamed([name]));
      expect(pages).toHaveLength(1);
      expect(await faultsOf(bytes)).toEqual([]);
      expect(await pages[0]?.code()).toMatch(/^http/);
    },
  );

  it('are made for 500 places', async () => {
    const seat = await makeSeat(server(), event, 500);
    const sale = { items: [{ ticket_id: seat, quantity: 500 }], payment: 'cash', purchaser: ADA };
    const order = await server().make('POST admin:/orders', sale);
    const { pages, bytes } = await paper(server(), `/orders/${order.id}/tickets.pdf`, { as: 'editor' });
    expect(pages).toHaveLength(500);
    expect(bytes.length).toBeLessThan(5_000_000);
    expect(new Set(pages.map(({ text }) => /[0-9a-f]{10}/.exec(text)?.[0])).size).toBe(500);
  }, 60_000);

  it('are refused for a while when too many wait, by the interface and the pages', async () => {
    const seat = await makeSeat(server(), event, 500);
    const sale = { items: [{ ticket_id: seat, quantity: 500 }], payment: 'cash', purchaser: ADA };
    const { id } = await server().make('POST admin:/orders', sale);
    const { url } = (await server().ask(`GET admin:/orders/${id}`, { as: 'administrator' })).body;
    const page = () => server().request(`${new URL(url).pathname}tickets.pdf`);
    const answers = await Promise.all([
      ...Array.from({ length: 3 }, () => paper(server(), `/orders/${id}/tickets.pdf`, { as: 'editor' })),
      ...[page(), page()],
    ]);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 503, 503, 503]);
    for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.flatMap((one) => ('code' in one ? [one.code] : []))).toContain('documents-busy');
    // Once they are made, the next one is.
    expect((await ofOrder(await buyNamed(['Ada']))).status).toBe(200);
  }, 60_000);

  it('are not even read when they are refused: a flood would take the memory and the time of the server', async () => {
    const seat = await makeSeat(server(), event, 501);
    const sell = async (quantity: number) =>
      (await server().make('POST admin:/orders', { items: [{ ticket_id: seat, quantity }], payment: 'cash' })).id;
    const statementsOf = async (id: number, count: number) => {
      let statements = 0;
      hooks.before = () => {
        statements += 1;
      };
      const path = `tickets:/orders/${id}/tickets.pdf`;
      const asked = await Promise.all(
        Array.from({ length: count }, () => server().ask(`GET ${path}`, { as: 'editor' })),
      );
      delete hooks.before;
      return { statements, made: asked.filter(({ status }) => status === 200).length };
    };
    const one = await statementsOf(await sell(1), 1);
    const flood = await statementsOf(await sell(500), 20);
    expect([one.made, flood.made]).toEqual([1, 2]);
    expect(flood.statements / 20).toBeLessThan(one.statements / 2);
  }, 120_000);

  it('are for viewers with the token, the code, or the right to see them', async () => {
    const order = await buyNamed(['Ada Park']);
    const other = await buyNamed(['Bo Park']);
    const [attendee] = order.attendees;
    const outcome = async (path: string, asking: Asking) => {
      const { status, code } = await paper(server(), path, asking);
      return code === undefined ? status : [status, code];
    };
    const tickets = `/orders/${order.id}/tickets.pdf`;
    expect(await outcome(tickets, {})).toEqual([404, 'order-not-found']);
    expect(await outcome(tickets, { headers: other.headers })).toEqual([404, 'order-not-found']);
    expect(await outcome(tickets, { as: 'contributor' })).toEqual([404, 'order-not-found']);
    expect(await outcome(tickets, { as: 'author' })).toEqual([404, 'order-not-found']);
    expect(await outcome(tickets, { as: 'editor' })).toBe(200);
    expect(await outcome('/orders/999999/tickets.pdf', { as: 'editor' })).toEqual([404, 'order-not-found']);
    const ticket = `/attendees/${attendee?.id}/ticket.pdf`;
    expect(await outcome(ticket, {})).toEqual([404, 'attendee-not-found']);
    expect(await outcome(ticket, { query: { security_code: '0000000000' } })).toEqual([404, 'attendee-not-found']);
    expect(await outcome(ticket, { headers: other.headers })).toEqual([404, 'attendee-not-found']);
    for (const asking of [
      { headers: asHolder(attendee?.url) },
      { headers: order.headers },
      { as: 'door' } as const,
      { query: { security_code: attendee?.security_code ?? '' } },
    ])
      expect(await outcome(ticket, asking)).toBe(200);
    // The code opens the door, and gives no name away.
    const { pages } = await paper(server(), ticket, { query: { security_code: attendee?.security_code ?? '' } });
    expect(pages[0]?.text).not.toContain('Ada Park');
  });

  it('are not made without codes: unpaid, cancelled, or transferred to another person', async () => {
    const order = await buyNamed(['Ada', 'Bo']);
    const [given] = order.attendees;
    const transfer = { full_name: 'Cy Dee', email: 'cy@example.test' };
    const { body } = await server().ask(`POST tickets:/attendees/${given?.id}/transfer`, {
      body: transfer,
      headers: asHolder(given?.url),
    });
    const former = await paper(server(), `/attendees/${given?.id}/ticket.pdf`, { headers: asHolder(given?.url) });
    expect([former.status, former.code]).toEqual([410, 'ticket-transferred']);
    const byOrder = await paper(server(), `/attendees/${given?.id}/ticket.pdf`, { headers: order.headers });
    expect([byOrder.status, byOrder.code]).toEqual([403, 'ticket-not-accessible']);
    const left = await ofOrder(order);
    expect(left.pages).toHaveLength(1);
    expect(flat(left.pages[0]?.text)).not.toContain('Cy Dee');
    const now = await paper(server(), `/attendees/${given?.id}/ticket.pdf`, { headers: asHolder(body.url) });
    expect(flat(now.pages[0]?.text)).toContain('Cy Dee');
    await server().make(`PATCH admin:/orders/${order.id}`, { status: 'voided' });
    expect(await ofOrder(order)).toMatchObject({ status: 403, code: 'ticket-not-accessible' });
  });

  it('are limited for visitors at one address', async () => {
    const order = await buyNamed(['Ada']);
    server().restart({ heavyReads: 2 });
    const statuses = [];
    for (let index = 0; index < 3; index += 1) statuses.push((await ofOrder(order)).status);
    expect(statuses).toEqual([200, 200, 429]);
    server().restart({});
  });

  it('are linked from the pages of the order and the ticket', async () => {
    const order = await buyNamed(['Ada', 'Bo']);
    const visitor = pageVisitor((path, init) => server().request(path, init));
    const links = (text: string) => [...text.matchAll(/href="([^"]+\.pdf)"/g)].map(([, path = '']) => path);
    const page = await visitor.get(`/de/order/${order.id}/${order.token}/`);
    const [all = ''] = links(page.text);
    expect(all).toBe(`/de/order/${order.id}/${order.token}/tickets.pdf`);
    const ticket = await visitor.get(new URL(order.attendees[0]?.url ?? '').pathname);
    const [one = ''] = links(ticket.text);
    for (const [path, count] of [
      [all, 2],
      [one, 1],
    ] as const) {
      const response = await server().request(path);
      expect(response.headers.get('content-type')).toBe('application/pdf');
      expect(response.headers.get('cache-control')).toBe('private, no-store');
      expect(response.headers.get('referrer-policy')).toBe('same-origin');
      expect(await readPaper(new Uint8Array(await response.arrayBuffer()))).toHaveLength(count);
    }
    expect((await server().request(all.replace(order.token, 'x'.repeat(22)))).status).toBe(404);
    const unpaid = await buy(server(), [paid], { payment: 'door' });
    await server().make(`PATCH admin:/orders/${unpaid.id}`, { status: 'voided' });
    expect(links((await visitor.get(`/order/${unpaid.id}/${unpaid.token}/`)).text)).toEqual([]);
  });
});

describe.each(usualDatabases)('invoices on paper on %s', (kind) => {
  let paying: PayingServer;
  beforeAll(async () => {
    paying = await startPaying(kind, { languages: ['en', 'de'], invoices: 'placed' });
    await paying.server.make('PATCH admin:/site', {
      payment_ways: [{ id: 'transfer', gateway: 'transfer' }],
      seller: { name: 'Hall & Co', address: 'Quay 1\nMoncton', vat_number: 'NB 7', note: 'No VAT & more.' },
    });
  });
  afterAll(() => paying.close());

  it('have what their pages have, and so have credit notes', async () => {
    const { server } = paying;
    const seat = await paying.makeSeat(10);
    const billing = { company: 'Łódź & Söhne', address: 'ul. Piotrkowska 1\nŁódź', vat_number: 'PL 1' };
    const order = await buy(server, [seat, seat], { payment: 'transfer', billing }, 'de');
    await runJobs(server.context);
    await server.make(`PATCH admin:/orders/${order.id}`, { status: 'voided' });
    await runJobs(server.context);
    const { body } = await server.ask(`GET tickets:/orders/${order.id}`, { headers: order.headers });
    expect(body.invoices.map((one: { kind: string }) => one.kind)).toEqual(['invoice', 'credit']);
    for (const { number, kind: sort, url } of body.invoices) {
      const path = `/orders/${order.id}/invoices/${number}/invoice.pdf`;
      const { bytes, pages, headers } = await paper(server, path, { headers: order.headers });
      expect(await faultsOf(bytes)).toEqual([]);
      expect(headers.get('content-disposition')).toBe(
        `inline; filename="${sort === 'credit' ? 'credit-note' : 'invoice'}-${number}.pdf"`,
      );
      const text = flat(pages.map((page) => page.text).join(' '));
      for (const part of [
        ...['Hall & Co', 'Quay 1', 'Moncton', 'NB 7', 'No VAT & more.', 'Łódź & Söhne', 'ul. Piotrkowska 1', 'PL 1'],
        ...[number, order.body.order.number, 'Evening', '40,00', sort === 'credit' ? 'Rechnungskorrektur' : 'Rechnung'],
      ])
        expect(text).toContain(part);
      expect(text).not.toContain(order.token);
      expect((await paper(server, path)).status).toBe(404);
      expect((await paper(server, path, { as: 'editor' })).status).toBe(200);
      expect((await paper(server, path, { as: 'subscriber' })).status).toBe(404);
      const page = await server.request(`${new URL(url).pathname}invoice.pdf`);
      expect(page.headers.get('content-type')).toBe('application/pdf');
    }
    expect(
      await paper(server, `/orders/${order.id}/invoices/1999-0001/invoice.pdf`, { headers: order.headers }),
    ).toMatchObject({ status: 404, code: 'invoice-not-found' });
    const page = await (await server.request(`/de/order/${order.id}/${order.token}/`)).text();
    expect(page).toContain(`/invoice/${body.invoices[0].number}/invoice.pdf"`);
  });
});
