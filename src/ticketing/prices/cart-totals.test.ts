import { beforeAll, describe, expect, it } from 'vitest';
import { hiddenFields, pageVisitor } from '../../../test/page-visitor.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { counters, shopperOf } from '../../../test/shopper.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';

describe.each(DATABASES)('totals of carts on %s', (kind) => {
  const server = useTestServer(kind);
  const make = (path: string, body: object) => server().make(`POST admin:/${path}`, body);
  let event = 0;
  let ticketId = 0;
  let fee = 0;

  beforeAll(async () => {
    event = await makeEvent(server(), { title: 'Lantern walk' });
    const included = await make('tax-rates', { name: 'VAT', rate: 7000, included: true });
    const added = await make('tax-rates', { name: 'Sales <b>tax</b>', rate: 8875, included: false });
    fee = (await make('fees', { name: 'Booking fee', per: 'order', fixed: 100, tax_rate_id: included.id })).id;
    const fields = { price: '10', ticket: { mode: '' }, tax_rate_id: added.id };
    ticketId = (await makeTicket(server(), event, fields)).id;
  });

  async function shopperWith(quantity: number) {
    const shopper = shopperOf(server());
    const cart = await shopper.put([{ ticket_id: ticketId, quantity }]);
    return { shopper, totals: cart.body.totals };
  }

  const amount = (minor: number) => ({ minor, formatted: `$${(minor / 100).toFixed(2)}` });

  it('has discount, fees and taxes by rate before the checkout, which charges the same', async () => {
    const { shopper, totals } = await shopperWith(3);
    expect(totals).toEqual({
      quantity: 3,
      items: amount(3000),
      discount: amount(0),
      fees: amount(100),
      taxes: [
        { name: 'Sales tax', rate: 8875, included: false, amount: amount(266) },
        { name: 'VAT', rate: 7000, included: true, amount: amount(7) },
      ],
      total: amount(3366),
    });
    expect((await shopper.look()).body.totals).toEqual(totals);
    const order = await shopper.checkout({ expected_total: 3366 });
    expect(order).toMatchObject({ status: 201, body: { order: { total: { minor: 3366 } } } });
  });

  it('has the sum alone for clients of the reference', async () => {
    const { shopper } = await shopperWith(1);
    const headers = { 'x-cart-token': shopper.token ?? '' };
    const { body } = await server().ask('GET tickets:/cart', { headers, prefix: '/wp-json/tribe' });
    expect(body.totals).toEqual({ quantity: 1, total: amount(1189) });
  });

  it('refuses an order at another total than the customer has seen, and keeps the cart', async () => {
    const { shopper } = await shopperWith(1);
    await server().make(`PATCH admin:/fees/${fee}`, { fixed: 250 });
    const refused = await shopper.checkout({ expected_total: 1189 });
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'total-changed', data: { totals: { total: amount(1339) } } },
    });
    expect((await shopper.look()).body.totals.total).toEqual(amount(1339));
    const { held } = await counters(server(), ticketId);
    for (const expected_total of ['12.5', -1, 'abc', 1e300])
      expect((await shopper.checkout({ expected_total })).status).toBe(400);
    expect((await counters(server(), ticketId)).held).toBe(held);
    expect((await shopper.checkout({ expected_total: '1339' })).status).toBe(201);
    await server().make(`PATCH admin:/fees/${fee}`, { fixed: 100 });
  });

  it('shows them on the pages of cart, checkout and order', async () => {
    const visitor = pageVisitor((path, init) => server().request(path, init));
    const { slug } = (await server().ask(`GET /events/${event}`)).body;
    await visitor.post('/cart/', { event: slug, [`ticket-${ticketId}`]: '3' });
    const lines = /<t[hd][^>]*>(Fees|Sales tax 8\.875%|Total|VAT 7% included)<\/th><td class="amount">(\$[\d.]+)/g;
    const shown = [...(await visitor.get('/cart/')).text.matchAll(lines)].map(([, name, price]) => [name, price]);
    expect(shown).toEqual([
      ['Fees', '$1.00'],
      ['Sales tax 8.875%', '$2.66'],
      ['Total', '$33.66'],
      ['VAT 7% included', '$0.07'],
    ]);
    const checkout = await visitor.get('/checkout/');
    expect(checkout.text).toContain('<p class="total">Fees <strong class="amount">$1.00</strong></p>');
    expect(checkout.text).toContain('Order for $33.66');
    const form = { ...hiddenFields(checkout.text), name: 'Ada', email: 'ada@example.test' };
    await server().make(`PATCH admin:/fees/${fee}`, { fixed: 200 });
    const refused = await visitor.post('/checkout/', form);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('Order for $34.66');
    const ordered = await visitor.post('/checkout/', { ...form, ...hiddenFields(refused.text) });
    const order = await visitor.get(ordered.location);
    expect(order.text).toMatch(/Booking fee<\/th><td class="amount">\$2\.00/);
    expect(order.text).toMatch(/Total<\/th><td class="amount">\$34\.66/);
    expect(order.text).toMatch(/Tax 8\.875% in the total<\/th><td class="amount">\$2\.66/);
    await server().make(`PATCH admin:/fees/${fee}`, { fixed: 100 });
  });

  it('names the added tax and the minimum on the page of the event', async () => {
    const { tax_rate_id, tax } = (await server().ask(`GET tickets:/tickets/${ticketId}`)).body;
    expect(tax).toEqual({ name: 'Sales tax', rate: 8875, included: false });
    const own = await makeEvent(server());
    const { slug } = (await server().ask(`GET /events/${own}`)).body;
    const fields = { price: '10', ticket: { mode: '' }, tax_rate_id };
    await makeTicket(server(), own, { ...fields, min_per_order: 2, max_per_order: 6 });
    await makeTicket(server(), own, { ...fields, price: '0' });
    const visitor = pageVisitor((path, init) => server().request(path, init));
    const { text } = await visitor.get(`/event/${slug}/`);
    expect(text.match(/plus Sales tax 8\.875%/g)).toHaveLength(1);
    expect(text).toContain('At least 2 per order · At most 6 per order');
    const french = (await visitor.get(`/fr/event/${slug}/`)).text;
    expect(french).toMatch(/plus Sales tax 8,875\s%/);
    expect(french).toContain('2 par commande au moins');
  });

  it('shows a pass as one line, with its dates, though the tax of its places differs by a cent', async () => {
    const { tax_rate_id } = (await server().ask(`GET tickets:/tickets/${ticketId}`)).body;
    const { id: series } = await server().make('POST /series', {
      event: { title: 'Walks', start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' },
      recurrence: { rrule: 'FREQ=DAILY;COUNT=4' },
    });
    const { events } = (await server().ask('GET /events', { query: { series } })).body;
    const pass = { name: 'All walks', price: '10', ticket: { mode: '' }, tax_rate_id, scope: 'series' };
    const { id } = await makeTicket(server(), events[0].id, pass);
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: id, quantity: 3 }]);
    const { url } = (await shopper.checkout()).body.order;
    const visitor = pageVisitor((path, init) => server().request(path, init));
    const { text } = await visitor.get(new URL(url).pathname);
    expect(text).toContain('<td>All walks (Pass for 4 dates)</td><td>3</td><td class="amount">$32.66</td>');
  });

  it('is in the order for staff', async () => {
    const { shopper } = await shopperWith(1);
    const { id } = (await shopper.checkout()).body.order;
    const { body } = await server().ask(`GET admin:/orders/${id}`, { as: 'administrator' });
    expect(body.charges).toEqual([{ kind: 'fee', title: 'Booking fee', quantity: 1, amount: amount(100) }]);
    expect(body.taxes).toEqual([
      { rate: 8875, amount: amount(89) },
      { rate: 7000, amount: amount(7) },
    ]);
    expect(body).not.toHaveProperty('discount');
  });
});
