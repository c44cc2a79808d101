import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buy } from './buyers.ts';
import { type PayingServer, startPaying } from './gateways/paying.ts';
import { runJobs } from './jobs.ts';
import { hiddenFields, pageVisitor, wordsIn } from './page-visitor.ts';
import { DATABASES } from './server.ts';
import { ADA } from './shopper.ts';

describe.each(DATABASES)('invoices of customers on %s', (kind) => {
  let paying: PayingServer;
  let seat: number;
  beforeAll(async () => {
    paying = await startPaying(kind, { languages: ['en', 'fr', 'de'], invoices: 'placed' });
    await paying.server.make('PATCH admin:/site', {
      payment_ways: [{ id: 'transfer', gateway: 'transfer' }],
      seller: { name: 'Hall & Co', address: 'Quay 1\nMoncton', vat_number: 'NB 7', note: 'No VAT & more.' },
    });
    seat = await paying.makeSeat(100);
  });
  afterAll(() => paying.close());

  const visitor = () => pageVisitor((path, init) => paying.server.request(path, init));
  const pathOf = (url: string): string => new URL(url).pathname;

  it('are asked for a company at the checkout, which keeps what was typed', async () => {
    const who = visitor();
    await who.post('/cart/', { [`ticket-${seat}`]: '1', next: 'checkout' });
    const checkout = await who.get('/checkout/');
    expect(checkout.text).toContain('<details class="guests"><summary>I need an invoice for a company</summary>');
    const typed = { company: 'Park <& Co>', vat_number: 'DE 123', address: '\r\nQuay 1\r\nMoncton' };
    const form = { ...hiddenFields(checkout.text), ...ADA, ...typed, payment: 'transfer' };
    const refused = await who.post('/checkout/', { ...form, company: 'a'.repeat(201) });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('<details class="guests" open>');
    expect(refused.text).toContain('Please check the company');
    expect(refused.text).toContain('Quay 1\r\nMoncton</textarea>');
    const { location, status } = await who.post('/checkout/', { ...form, ...hiddenFields(refused.text) });
    expect(status).toBe(303);
    await runJobs(paying.server.context);
    const page = await who.get(location);
    const [, link = '', number = ''] =
      /<a href="([^"]+\/invoice\/[^"]+)">Invoice (2026-\d+)<\/a>/.exec(page.text) ?? [];
    const { text, headers } = await who.get(pathOf(link.startsWith('/') ? `http://localhost${link}` : link));
    const words = wordsIn(text);
    for (const part of ['Hall &amp; Co', 'Park &lt;&amp; Co&gt;', 'VAT number DE 123', 'Quay 1', `Invoice ${number}`])
      expect(words).toContain(part);
    expect(words).toContain('21 November 2026');
    expect(words).toContain('Seat Evening, 6 March 2027 1 $20.00 $20.00');
    expect(words).toContain('give the reference');
    expect(words).toContain('No VAT &amp; more.');
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it('are in the language of their order, and show nothing without its token', async () => {
    const { server } = paying;
    const shopped = await server.ask('POST tickets:/cart', {
      body: { provider: 'tc', tickets: [{ ticket_id: seat, quantity: 2 }] },
    });
    const { body } = await server.ask('POST tickets:/cart/checkout', {
      body: { purchaser: ADA, payment: 'transfer' },
      headers: { 'x-cart-token': shopped.headers.get('x-cart-token') ?? '' },
      query: { i18n_language: 'de' },
    });
    await runJobs(server.context);
    await server.make(`PATCH admin:/orders/${body.order.id}`, { status: 'voided' });
    await runJobs(server.context);
    const path = pathOf(body.order.url);
    const own = (
      await server.ask(`GET tickets:/orders/${body.order.id}`, { headers: { 'x-order-token': body.order.token } })
    ).body;
    const [invoice, credit] = own.invoices.map(({ number }: { number: string }) => number);
    const moved = await visitor().get(`${path}invoice/${invoice}/`);
    expect([moved.status, moved.location]).toEqual([303, `/de${path}invoice/${invoice}/`]);
    const { text } = await visitor().get(moved.location);
    expect(text).toContain('<html lang="de">');
    expect(wordsIn(text)).toContain(`Rechnung ${invoice}`);
    expect(wordsIn(text)).toContain('21. November 2026');
    const other = wordsIn((await visitor().get(`/de${path}invoice/${credit}/`)).text);
    expect(other).toContain(`Rechnungskorrektur ${credit}`);
    expect(other).toContain(`Korrigiert Rechnung ${invoice}`);
    expect(other).toContain('Korrekturbetrag 40,00 $');
    const foreign = await buy(server, [seat], { payment: 'transfer' });
    await runJobs(server.context);
    for (const wrong of [
      `${path}invoice/2026-9999/`,
      `${path}invoice/`,
      `${path}invoice/${invoice}/more/`,
      `/order/${body.order.id}/${foreign.token}/invoice/${invoice}/`,
      `${pathOf(foreign.body.order.url)}invoice/${invoice}/`,
      `${path}invoice/%00/`,
    ])
      expect([wrong, (await visitor().get(wrong)).status]).toEqual([wrong, 404]);
  });

  it('are not offered at the checkout of a site without invoices', async () => {
    paying.server.restart({ invoices: 'off' });
    const who = visitor();
    await who.post('/cart/', { [`ticket-${seat}`]: '1', next: 'checkout' });
    expect((await who.get('/checkout/')).text).not.toContain('name="company"');
    paying.server.restart({});
  });
});
