import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pageVisitor } from '../../../test/page-visitor.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { shopperOf } from '../../../test/shopper.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';

describe.each(DATABASES)('donations on %s', (kind) => {
  const server = useTestServer(kind);
  let event = 0;
  let ticket = 0;
  let free = 0;

  const accept = (accepts_donations: boolean | null, donation_amounts: number[] | null = [500, 1000]) =>
    server().make('PATCH admin:/site', { accepts_donations, donation_amounts });

  beforeAll(async () => {
    event = await makeEvent(server());
    const fields = { ticket: { mode: '' } };
    ticket = (await makeTicket(server(), event, { price: '20', ...fields })).id;
    free = (await makeTicket(server(), event, { price: '', ...fields })).id;
  });
  beforeEach(() => accept(true));

  const put = (donation: unknown, id = ticket) =>
    shopperOf(server()).put([{ ticket_id: id, quantity: 2 }], donation === undefined ? {} : { donation });
  const bought = async (donation: number, id = ticket, more: object = {}) => {
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: id, quantity: 2 }], { donation, ...more });
    return shopper.checkout();
  };
  const orderOf = async (id: number) => (await server().ask(`GET admin:/orders/${id}`, { as: 'administrator' })).body;

  it('are a setting of the site, with suggested amounts', async () => {
    const { body } = await server().ask('GET admin:/site');
    expect(body).toMatchObject({ accepts_donations: true, donation_amounts: [500, 1000] });
    for (const donation_amounts of [[0], [-1], [1.5], ['x'], [1e30], Array.from({ length: 7 }, () => 1), 'x', {}]) {
      const answer = await server().ask('PATCH admin:/site', { as: 'administrator', body: { donation_amounts } });
      expect([donation_amounts, answer.status]).toEqual([donation_amounts, 400]);
    }
  });

  it('are added to the total without discount, fees or tax', async () => {
    const fee = await server().make('POST admin:/fees', { name: 'Fee', rate: 10_000, per: 'order' });
    const code = { code: 'free', kind: 'percent', value: 100_000, ticket_ids: [ticket] };
    await server().make('POST admin:/promotions', code);
    expect((await put(750)).body.totals).toMatchObject({
      ...{ items: { minor: 4000 }, fees: { minor: 400 }, donation: { minor: 750 }, taxes: [] },
      total: { minor: 5150 },
    });
    const shopper = shopperOf(server());
    const { body } = await shopper.put([{ ticket_id: ticket, quantity: 1 }], { donation: 750, promotion: 'free' });
    expect(body.totals).toMatchObject({ discount: { minor: 2000 }, fees: { minor: 0 }, total: { minor: 750 } });
    expect((await shopper.checkout({ expected_total: 749 })).body.code).toBe('total-changed');
    expect((await shopper.checkout({ expected_total: 750 })).status).toBe(201);
    await server().ask(`DELETE admin:/fees/${fee.id}`, { as: 'administrator' });
  });

  it.each([-1, 1.5, 1e30, 100_000_001, 'NaN', '5,00', [5], {}])('may not be %j', async (donation) => {
    const { status, body } = await put(donation);
    expect([status, Object.keys(body.data.params ?? {})]).toEqual([400, ['donation']]);
  });

  it('stay in the cart until they are changed, and leave it with the last ticket', async () => {
    const shopper = shopperOf(server());
    const totals = async (tickets: object[], more: Record<string, unknown> = {}) =>
      (await shopper.put(tickets, more)).body.totals;
    expect(await totals([{ ticket_id: ticket, quantity: 1 }], { donation: '-0' })).not.toHaveProperty('donation');
    await totals([], { donation: 300 });
    expect(await totals([{ ticket_id: ticket, quantity: 2 }])).toMatchObject({ donation: { minor: 300 } });
    expect(await totals([], { donation: null })).not.toHaveProperty('donation');
    await totals([], { donation: 300 });
    await shopper.put([{ ticket_id: ticket, quantity: 0 }]);
    expect(await totals([{ ticket_id: ticket, quantity: 1 }])).not.toHaveProperty('donation');
    expect((await shopperOf(server()).put([], { donation: 300 })).body.code).toBe('cart-is-empty');
  });

  it('make an order of free tickets one that must be paid', async () => {
    const { status, body } = await bought(500, free);
    expect([status, body.order.status, body.order.total.minor]).toEqual([201, 'pending', 500]);
    expect((await bought(0, free)).body.order.status).toBe('completed');
  });

  it('are a charge of the order, kept with single cancelled places and given back with all', async () => {
    const { body } = await bought(500);
    const { id, token } = body.order;
    const customer = await server().ask(`GET tickets:/orders/${id}`, { headers: { 'x-order-token': token } });
    expect(customer.body.charges).toMatchObject([{ kind: 'donation', title: 'Donation', amount: { minor: 500 } }]);
    await server().make(`PATCH admin:/orders/${id}`, { status: 'completed' });
    const [first] = body.attendees;
    await server().make(`POST admin:/orders/${id}/refunds`, { attendees: [first.id] });
    expect(await orderOf(id)).toMatchObject({ total: { minor: 2500 }, paid: { minor: 2500 }, status: 'completed' });
    await server().make(`POST admin:/orders/${id}/refunds`, {});
    expect(await orderOf(id)).toMatchObject({ paid: { minor: 0 }, status: 'refunded' });
  });

  it('are neither taken by a site without them nor known to clients of the reference', async () => {
    const reference = await server().ask('POST tickets:/cart', {
      body: { provider: 'tc', tickets: [{ ticket_id: ticket, quantity: 1 }], donation: 500 },
      prefix: '/wp-json/tribe',
    });
    expect(reference.body.totals.total.minor).toBe(2000);
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: ticket, quantity: 1 }], { donation: 500 });
    await accept(null, null);
    expect(await put(500)).toMatchObject({ status: 400, body: { code: 'donation-not-accepted' } });
    expect((await put(0)).status).toBe(200);
    expect((await shopper.look()).body.totals.total.minor).toBe(2000);
    expect((await shopper.checkout({ expected_total: 2500 })).body.code).toBe('total-changed');
    expect((await shopper.checkout({ expected_total: 2000 })).status).toBe(201);
  });

  it.each(['much', '5'])('of %s do not keep a visitor from removing tickets', async (donation) => {
    const who = pageVisitor((path, init) => server().request(path, init));
    const { slug } = (await server().ask(`GET /events/${event}`)).body;
    await who.post('/cart/', { event: slug, [`ticket-${ticket}`]: '1', [`ticket-${free}`]: '1' });
    const places = { [`ticket-${ticket}`]: '2', [`ticket-${free}`]: '1' };
    await who.post('/cart/', { ...places, donation, remove: String(free) });
    const { text } = await who.get('/cart/');
    expect(text).toMatch(new RegExp(`name="ticket-${ticket}"[^>]* value="2"`));
    expect(text).not.toContain(`ticket-${free}`);
    await who.post('/cart/', { [`ticket-${ticket}`]: '2', donation, remove: String(ticket) });
    expect((await who.get('/cart/')).text).toContain('Your cart is empty');
  });

  it('are chosen or typed on the page of the cart', async () => {
    const who = pageVisitor((path, init) => server().request(path, init));
    const { slug } = (await server().ask(`GET /events/${event}`)).body;
    const places = { [`ticket-${ticket}`]: '1' };
    await who.post('/cart/', { event: slug, ...places });
    expect((await who.get('/cart/')).text).toContain('Donate $10.00');
    await who.post('/cart/', { ...places, donation: '', donate: '1000' });
    expect((await who.get('/cart/')).text).toMatch(/name="donation" value="10\.00"/);
    await who.post('/cart/', { ...places, donation: '2,50', update: '1' });
    expect((await who.get('/checkout/')).text).toContain('$22.50');
    const wrong = await who.post('/cart/', { ...places, donation: 'much', update: '1' });
    expect([wrong.status, wrong.text.includes('<a href="#donation">')]).toEqual([400, true]);
    await who.post('/cart/', { ...places, donation: '', update: '1' });
    expect((await who.get('/checkout/')).text).toContain('$20.00');
    for (const donate of ['', '0x10', '1e3', '-5', '5.5', '100000001', '9'.repeat(20)]) {
      const answer = await who.post('/cart/', { ...places, donation: '', donate });
      expect([donate, answer.status, answer.text.includes('<a href="#donation">')]).toEqual([donate, 400, true]);
    }
    await accept(false);
    expect((await who.get('/cart/')).text).not.toContain('Donat');
  });
});
