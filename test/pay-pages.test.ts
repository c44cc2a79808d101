import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeSeat } from './attendees.ts';
import type { Bought } from './buyers.ts';
import { buy } from './buyers.ts';
import { type PayingServer, startPaying } from './gateways/paying.ts';
import { hiddenFields, pageVisitor, wordsIn } from './page-visitor.ts';
import { DATABASES, NOON } from './server.ts';
import { ADA } from './shopper.ts';
import { usualOf } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';

const CARD = { id: 'card', gateway: 'stripe', text: 'Card, Apple Pay, Google Pay' };
const DEBIT = { id: 'debit', gateway: 'stripe', name: 'Direct debit' };
const TRANSFER = { id: 'transfer', gateway: 'transfer' };

describe.each(DATABASES)('the pages of payments on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  let paying: PayingServer;
  let seat: number;
  beforeAll(async () => {
    paying = await startPaying(kind, { languages: ['en', 'fr', 'de'] });
    await settle(CARD);
    seat = await paying.makeSeat(100);
  });
  afterAll(() => paying.close());
  afterEach(async () => {
    paying.standIn.faults.length = 0;
    paying.standIn.takeWebhooks();
    paying.server.clock.now = NOON;
  });

  const settle = (...payment_ways: object[]) => paying.server.make('PATCH admin:/site', { payment_ways });
  const visitor = () => pageVisitor((path, init) => paying.server.request(path, init));
  const pathOf = ({ body }: Bought): string => new URL(body.order.url).pathname;
  const show = async (order: Bought, query = '') => wordsIn((await visitor().get(`${pathOf(order)}${query}`)).text);
  const pay = (order: Bought, query = '') => visitor().get(`${pathOf(order)}pay/${query}`);
  const sessionIn = (text: string): string =>
    /http-equiv="refresh" content="0; url=[^"]*\/(cs_\w+)"/.exec(text)?.[1] ?? '';

  it('lead from the checkout by a page of this site to the payment, with the same security policy', async () => {
    const who = visitor();
    await who.post('/cart/', { [`ticket-${seat}`]: '1', next: 'checkout' });
    const checkout = await who.get('/checkout/');
    expect(wordsIn(checkout.text)).toContain('Card Card, Apple Pay, Google Pay');
    expect(wordsIn(checkout.text)).toContain('Pay $20');
    const form = { ...hiddenFields(checkout.text), ...ADA, payment: 'card' };
    const sent = await who.post('/checkout/', form);
    expect([sent.status, sent.location]).toEqual([303, expect.stringMatching(/^\/order\/\d+\/[\w-]{22}\/pay\/$/)]);
    expect((await who.post('/checkout/', form)).location).toBe(sent.location);
    const { status, headers, text } = await who.get(sent.location);
    expect(status).toBe(200);
    expect(wordsIn(text)).toContain('You are being taken to the payment page');
    expect(headers.get('content-security-policy')).toBe(checkout.headers.get('content-security-policy'));
    expect(headers.get('content-security-policy')).toContain("form-action 'self'");
    expect(headers.get('cache-control')).toBe('private, no-store');
    expect(headers.get('referrer-policy')).toBe('same-origin');
    const session = sessionIn(text);
    expect(session).not.toBe('');
    expect(text).not.toMatch(/sk_test|whsec/);
    // From another site, in another tab and by its link on the page of the order.
    const again = await paying.server.request(sent.location, { headers: { 'sec-fetch-site': 'cross-site' } });
    expect(sessionIn(await again.text())).toBe(session);
    expect((await who.get('/cart/')).text).toContain(`href="${sent.location}">Pay now`);
  });

  it('show an unpaid order with its deadline, and the tickets and a receipt once it is paid', async () => {
    const order = await paying.buyByCard(seat);
    const page = await visitor().get(pathOf(order));
    expect(page.text).toContain(`data-pay="${pathOf(order)}pay/" data-until="2026-11-21T17:35:00.000Z"`);
    expect(wordsIn(page.text)).toMatch(/not paid yet.*kept until.*12:35 EST.*Pay now/);
    paying.standIn.account.pay(sessionIn((await pay(order)).text));
    const returned = await paying.server.request(`${pathOf(order)}?paid=1`, {
      headers: { accept: 'text/html', 'sec-fetch-site': 'cross-site' },
    });
    const text = await returned.text();
    expect(wordsIn(text)).toMatch(/The order is complete.*Receipt.*Paid: Card, .*4242.*\$20/);
    expect(text).toContain('code.png');
    expect(text).not.toMatch(/cs_\w+|data-pay/);
    expect((await pay(order)).location).toBe(pathOf(order));
  });

  usually(
    'look a few times for a payment that is not confirmed, without scripts too, and then ask to look again',
    async () => {
      const order = await paying.buyByCard(seat);
      await pay(order);
      paying.standIn.faults.push({ kind: '500', times: 1000 });
      for (const look of [1, 2, 3, 4]) {
        const { text } = await visitor().get(`${pathOf(order)}?paid=${look}`);
        expect(wordsIn(text)).toMatch(/being confirmed.*close the window/);
        expect(text).toMatch(
          new RegExp(`<noscript><meta http-equiv="refresh" content="\\d+; url=[^"]*\\?paid=${look + 1}">`),
        );
      }
      for (const look of ['5', '99', '0', '-1', 'x', '1e999']) {
        const { text } = await visitor().get(`${pathOf(order)}?paid=${look}`);
        expect(text, look).not.toContain('http-equiv="refresh"');
        expect(wordsIn(text), look).toContain('Pay now');
      }
    },
  );

  usually('say what became of a payment that did not go through', async () => {
    await settle(CARD, DEBIT);
    const order = await paying.buyByCard(seat);
    const session = sessionIn((await pay(order)).text);
    paying.standIn.account.decline(session);
    await paying.deliver();
    expect(await show(order)).toMatch(/kept until.*Pay now/);
    expect(sessionIn((await pay(order)).text)).toBe(session);
    await paying.pass(36);
    expect(await show(order)).toContain('the places are free again. Nothing was charged.');
    expect((await pay(order)).location).toBe(pathOf(order));
    await settle(CARD);
  });

  it('offer other payment methods when the service is down, and say that nothing was charged', async () => {
    await settle(CARD, DEBIT, TRANSFER);
    const order = await paying.buyByCard(seat);
    paying.standIn.faults.push({ kind: '500', times: 1000 });
    const down = await pay(order);
    expect([down.status, down.headers.get('retry-after')]).toEqual([503, '10']);
    expect(wordsIn(down.text)).toMatch(/Nothing was charged.*Try again.*Direct debit.*Bank transfer/);
    paying.standIn.faults.length = 0;
    expect(wordsIn((await pay(order, '?choose=1')).text)).toMatch(/Card Card, Apple Pay.*Direct debit/);
    const card = sessionIn((await pay(order)).text);
    // Scanners and previews of links must not end a payment on which the customer is.
    for (const method of ['GET', 'HEAD']) await paying.server.request(`${pathOf(order)}pay/?payment=debit`, { method });
    expect(paying.standIn.account.sessions.get(card)?.status).toBe('open');
    const choose = (payment: string) => visitor().post(`${pathOf(order)}pay/`, { payment });
    expect(await choose('debit')).toMatchObject({ status: 303, location: `${pathOf(order)}pay/` });
    const debit = sessionIn((await pay(order)).text);
    expect(debit).not.toBe(card);
    expect(paying.standIn.account.sessions.get(card)?.status).toBe('expired');
    for (const unknown of ['transfer', 'nothing', '<script>'])
      expect((await choose(unknown)).location).toBe(`${pathOf(order)}pay/?choose=1`);
    await settle(CARD);
  });

  it('return customers to the page of the order in their language, whether they paid or gave up', async () => {
    const order = await paying.buyByCard(seat);
    const { text } = await visitor().get(`/de${pathOf(order)}pay/`);
    const session = paying.standIn.account.sessions.get(sessionIn(text));
    const page = `http://localhost/de${pathOf(order)}`;
    expect([session?.success_url, session?.cancel_url]).toEqual([`${page}?paid=1`, page]);
  });

  usually('stay with the last of twenty payments, instead of leading in a circle', async () => {
    await settle(CARD, DEBIT);
    const order = await paying.buyByCard(seat);
    for (let turn = 0; turn < 24; turn += 1)
      await visitor().post(`${pathOf(order)}pay/`, { payment: turn % 2 === 0 ? 'card' : 'debit' });
    const { payments } = await paying.read(order);
    expect(payments).toHaveLength(20);
    expect(sessionIn((await pay(order)).text)).toBe(payments[19].external_id);
    await paying.server.make(`POST admin:/orders/${order.id}/payments/close`, {});
    expect(await show(order)).not.toMatch(/Pay (now|online)/);
    await settle(CARD);
  });

  it('show reference and due date of a transfer, which may still be paid online', async () => {
    await settle(TRANSFER, CARD);
    const order = await buy(paying.server, [seat], { payment: 'transfer' });
    expect(await show(order)).toMatch(
      new RegExp(
        `Bank transfer.*Reference of the transfer: ${order.body.order.number}.*Pay by.*28 November.*Pay online`,
      ),
    );
    await settle(CARD);
  });

  it('show a debit in progress and a payment with another amount, and a disputed one like any other', async () => {
    const [debit, odd, disputed] = [
      await paying.buyByCard(seat),
      await paying.buyByCard(seat),
      await paying.buyByCard(seat),
    ];
    const { account } = paying.standIn;
    account.debit(sessionIn((await pay(debit)).text));
    account.pay(sessionIn((await pay(odd)).text), { amount: 1900 });
    const session = sessionIn((await pay(disputed)).text);
    account.pay(session);
    await paying.deliver();
    account.dispute(session);
    await paying.deliver();
    expect(await show(debit)).toContain('Your payment is on its way.');
    expect(await show(odd)).toContain('Your payment needs one more step.');
    expect(await show(disputed)).toMatch(/The order is complete.*Receipt/);
    expect(await show(disputed)).not.toMatch(/disput/i);
  });

  it('say that late money is on its way back, and that it was given back', async () => {
    const last = await paying.makeSeat(1);
    const order = await paying.buyByCard(last);
    await paying.pass(20);
    const session = sessionIn((await pay(order)).text);
    paying.standIn.faults.push({ kind: '500', times: 1000 });
    await paying.pass(30);
    paying.standIn.faults.length = 0;
    await paying.server.make('POST admin:/orders', { items: [{ ticket_id: last, quantity: 1 }], payment: 'cash' });
    paying.standIn.account.pay(session);
    paying.standIn.faults.push({ kind: '500', request: /refunds/, times: 1000 });
    await paying.deliver();
    expect(await show(order)).toMatch(/when the places were gone\. \$20\.00 is on its way back to you/);
    paying.standIn.faults.length = 0;
    await paying.pass(10);
    expect(await show(order)).toMatch(/\$20\.00 was refunded to you.*Receipt.*Refunded.*−\$20/);
  });

  it('show refunds without the words of staff', async () => {
    const order = await paying.buyByCard(seat);
    paying.standIn.account.pay(sessionIn((await pay(order)).text));
    await paying.deliver();
    await paying.server.make(`POST admin:/orders/${order.id}/refunds`, { reason: 'A difficult customer' });
    await paying.work();
    const words = await show(order);
    expect(words).toMatch(/was refunded.*\$20\.00 was refunded to you.*Refunded/);
    expect(words).not.toContain('difficult');
  });

  it('have one line for an amount that was given back at several tax rates, in the language of the page', async () => {
    const tax = await paying.server.make('POST admin:/tax-rates', { name: 'VAT', rate: 10_000, included: true });
    const fee = await paying.server.make('POST admin:/fees', { name: 'Booking', per: 'order', fixed: 150 });
    const event = await makeEvent(paying.server);
    const order = await paying.buyByCard(await makeSeat(paying.server, event, 5, { price: '20', tax_rate_id: tax.id }));
    paying.standIn.account.pay(sessionIn((await pay(order)).text));
    await paying.deliver();
    await paying.server.make(`POST admin:/orders/${order.id}/refunds`, { amount: 430 });
    await paying.server.ask(`DELETE admin:/fees/${fee.id}`, { as: 'administrator' });
    const { charges } = await paying.read(order);
    expect(charges).toMatchObject([
      { kind: 'fee', amount: { minor: 150 } },
      { kind: 'credit', amount: { minor: -430 } },
    ]);
    const rows = await paying.server.context.db.query
      .selectFrom('order_charges')
      .select('id')
      .where('kind', '=', 'credit');
    expect(await rows.where('order_id', '=', order.id).execute()).toHaveLength(2);
    const words = wordsIn((await visitor().get(`/de${pathOf(order)}`)).text);
    expect(words.match(/Gutschrift|Credit/g)).toEqual(['Gutschrift']);
    expect(words).toContain('Gutschrift \u22124,30');
    const headers = { ...order.headers, 'accept-language': 'de' };
    expect((await paying.server.ask(`GET tickets:/orders/${order.id}`, { headers })).body.charges).toMatchObject([
      { title: 'Booking' },
      { title: 'Gutschrift' },
    ]);
  });

  usually('show the kept money of an order without places below its total, with its own tax only', async () => {
    const tax = await paying.server.make('POST admin:/tax-rates', { name: 'VAT', rate: 10_000, included: true });
    const event = await makeEvent(paying.server);
    const order = await paying.buyByCard(await makeSeat(paying.server, event, 5, { price: '20', tax_rate_id: tax.id }));
    paying.standIn.account.pay(sessionIn((await pay(order)).text));
    await paying.deliver();
    await paying.server.make(`POST admin:/orders/${order.id}/refunds`, { all: true, amount: 500 });
    expect((await paying.read(order)).taxes).toMatchObject([{ rate: 10_000, amount: { minor: 136 } }]);
    expect(await show(order)).toMatch(/Total \$20\.00 Not refunded \$15\.00 Tax 10 ?% included \$1\.36/);
  });

  it('do not lead to a payment with a forged token or by other methods', async () => {
    const order = await paying.buyByCard(seat);
    const forged = pathOf(order).replace(/[\w-]{22}/, 'wrong-token-of-22-char');
    const before = paying.standIn.requests.length;
    for (const path of [`${forged}pay/`, `${forged}?paid=1`, `${pathOf(order)}pay/more/`])
      expect((await visitor().get(path)).status).toBe(404);
    expect((await visitor().post(`${forged}pay/`, { payment: 'card' })).status).toBe(404);
    expect((await visitor().post(`${pathOf(order)}pay/`, {})).location).toBe(`${pathOf(order)}pay/?choose=1`);
    const foreign = await visitor().get(`${pathOf(order)}pay/?return_url=https://evil.example/`);
    expect(foreign.text).not.toContain('evil.example/"');
    expect(paying.standIn.requests.length - before).toBe(1);
    const [session] = [...paying.standIn.account.sessions.values()].slice(-1);
    expect(session?.success_url).toContain('?paid=1');
    expect(session?.success_url).not.toContain('evil');
  });
});
