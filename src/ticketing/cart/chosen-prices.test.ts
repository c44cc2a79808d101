import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pageVisitor } from '../../../test/page-visitor.ts';
import { makeSeason } from '../../../test/season.ts';
import { DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { shopperOf } from '../../../test/shopper.ts';
import { addTicket, editTicket, makeEvent, makeTicket } from '../../../test/tickets.ts';
import { MAX_CHOSEN } from '../../lib/money/money.ts';

describe.each(DATABASES)('prices that customers choose on %s', (kind) => {
  const server = useTestServer(kind, { freePlaces: { perAddress: 6, perEmail: 6 } });
  let event = 0;
  let ticket = 0;
  let fixed = 0;

  beforeAll(async () => {
    event = await makeEvent(server());
    ticket = (await makeChosen('20', '5')).id;
    fixed = (await makeTicket(server(), event, { price: '20', ticket: { mode: '' } })).id;
  });
  beforeEach(async () => {
    server().clock.now = NOON;
    for (const table of ['free_places', 'cart_items'] as const)
      await server().context.db.query.deleteFrom(table).execute();
  });

  const makeChosen = (price: string, min_price: unknown, fields: object = {}) =>
    makeTicket(server(), event, { price, min_price, ticket: { mode: '' }, ...fields });
  const put = (price: unknown, { id = ticket, quantity = 1 } = {}) =>
    shopperOf(server()).put([{ ticket_id: id, quantity, ...(price !== undefined && { price }) }]);

  it('have a suggestion and a minimum on the ticket', async () => {
    const own = await server().ask(`GET tickets:/tickets/${ticket}`);
    expect(own.body).toMatchObject({ cost: '$20.00', min_price: '5.00' });
    const reference = await server().ask(`GET tickets:/tickets/${ticket}`, { prefix: '/wp-json/tribe' });
    expect(reference.body).not.toHaveProperty('min_price');
    expect((await server().ask(`GET tickets:/tickets/${fixed}`)).body).not.toHaveProperty('min_price');
    const { body } = await put(undefined);
    expect(body.tickets).toMatchObject([{ price: { minor: 2000 }, min_price: { minor: 500 } }]);
  });

  it.each([
    [500, 500],
    ['500', 500],
    ['1e3', 1000],
    [1e3, 1000],
    [' 700 ', 700],
    [null, 2000],
    [MAX_CHOSEN, MAX_CHOSEN],
  ])('may be %j in the smallest unit', async (price, minor) => {
    const { status, body } = await put(price, { quantity: 3 });
    expect([status, body.tickets?.[0].price.minor, body.totals?.total.minor]).toEqual([200, minor, 3 * minor]);
  });

  it.each([
    ...[-1, -0.5, 500.5, 1e30, MAX_CHOSEN + 1, Number.MAX_SAFE_INTEGER + 1],
    ...['NaN', 'Infinity', '5,00', '5.50', 'ten', '٥٠٠', '9'.repeat(400), '0x1F4', true, [500], { minor: 500 }],
  ])('may not be %j', async (price) => {
    const { status, body } = await put(price);
    expect([status, body.code, Object.keys(body.data.params ?? {})]).toEqual([400, 'rest_invalid_param', ['tickets']]);
  });

  it.each([499, 0, '-0'])('of %j are refused below the minimum, which the response names', async (price) => {
    expect(await put(price)).toMatchObject({
      status: 400,
      body: {
        code: 'price-not-accepted',
        message: 'Choose a price of at least $5.00 for the ticket Seat.',
        data: { ticket_id: ticket, min_price: 500 },
      },
    });
  });

  it('are refused for tickets with a fixed price, even for staff', async () => {
    for (const price of [0, 1, 1999, 2000])
      expect(await put(price, { id: fixed })).toMatchObject({ status: 400, body: { code: 'price-not-accepted' } });
    const body = { provider: 'tc', tickets: [{ ticket_id: fixed, quantity: 1, price: 1 }] };
    expect((await server().ask('POST tickets:/cart', { as: 'administrator', body })).status).toBe(400);
    expect((await put(null, { id: fixed })).status).toBe(200);
  });

  it('stay in the cart until another one is chosen', async () => {
    const shopper = shopperOf(server());
    const minor = async (entry: object) =>
      (await shopper.put([{ ticket_id: ticket, ...entry }])).body.tickets[0].price.minor;
    expect(await minor({ quantity: 1, price: 700 })).toBe(700);
    expect(await minor({ quantity: 2 })).toBe(700);
    expect(await minor({ quantity: 2, price: 900 })).toBe(900);
    expect(await minor({ quantity: 1, price: null })).toBe(2000);
    await shopper.put([{ ticket_id: fixed, quantity: 1 }]);
    expect((await shopper.look()).body.totals.total.minor).toBe(4000);
  });

  it('are not known to clients of the reference, which buy at the suggested price', async () => {
    for (const price of [1, '20.00', 'x', {}, null]) {
      const sent = { provider: 'tc', tickets: [{ ticket_id: ticket, quantity: 1, price }] };
      const answer = await server().ask('POST tickets:/cart', { body: sent, prefix: '/wp-json/tribe' });
      expect(answer.body.tickets).toMatchObject([{ price: { minor: 2000 } }]);
      expect(answer.body.tickets[0]).not.toHaveProperty('min_price');
    }
  });

  it('are what the order costs, with taxes, fees, discounts and the expected total', async () => {
    const tax = await server().make('POST admin:/tax-rates', { name: 'VAT', rate: 19_000, included: true });
    const fee = await server().make('POST admin:/fees', { name: 'Fee', rate: 10_000, per: 'ticket' });
    const { id } = await makeChosen('20', '5', { tax_rate_id: tax.id });
    const code = { code: 'half', kind: 'percent', value: 50_000, ticket_ids: [id], minimum: 1500 };
    const promotion = await server().make('POST admin:/promotions', code);
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: id, quantity: 3, price: 777 }], { promotion: 'half' });
    const { body } = await shopper.look();
    // 3 × 3.88 after the discount, and a fee of 0.39 for each.
    expect(body).toMatchObject({
      promotion: { applies: true },
      totals: { items: { minor: 2331 }, discount: { minor: 1167 }, fees: { minor: 117 }, total: { minor: 1281 } },
    });
    expect(body.totals.taxes).toMatchObject([{ rate: 19_000, amount: { minor: 186 } }]);
    expect(await shopper.checkout({ expected_total: 1280 })).toMatchObject({
      status: 409,
      body: { code: 'total-changed' },
    });
    const bought = await shopper.checkout({ expected_total: 1281 });
    expect(bought).toMatchObject({ status: 201, body: { order: { total: { minor: 1281 } } } });
    const order = await server().ask(`GET admin:/orders/${bought.body.order.id}`, { as: 'administrator' });
    expect(order.body.items).toMatchObject([{ ticket_id: id, quantity: 3, price: { minor: 388 } }]);
    await server().ask(`DELETE admin:/promotions/${promotion.id}`, { as: 'administrator' });
    await server().ask(`DELETE admin:/fees/${fee.id}`, { as: 'administrator' });
  });

  it('of 0 make free places, which are completed at once and limited', async () => {
    const { id } = await makeChosen('20', 0);
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: id, quantity: 3, price: '-0' }]);
    expect(await shopper.checkout({ expected_total: 0 })).toMatchObject({
      status: 201,
      body: { order: { status: 'completed' } },
    });
    const more = shopperOf(server());
    expect((await more.put([{ ticket_id: id, quantity: 4, price: 100 }])).status).toBe(200);
    const free = await more.put([{ ticket_id: id, quantity: 4, price: 0 }]);
    expect(free).toMatchObject({ status: 429, body: { code: 'too-many-free-places', data: { available: 3 } } });
    expect((await more.put([{ ticket_id: id, quantity: 3, price: 0 }])).status).toBe(200);
    expect((await shopperOf(server()).put([{ ticket_id: id, quantity: 1, price: 0 }])).status).toBe(429);
    expect((await shopperOf(server()).put([{ ticket_id: id, quantity: 1 }])).status).toBe(200);
  });

  it('above 0 do not count as free places of others at the same address', async () => {
    const { id } = await makeChosen('20', 0);
    expect((await put(600, { quantity: 6 })).status).toBe(200);
    expect((await put(1, { id, quantity: 6 })).status).toBe(200);
    expect((await put(0, { id, quantity: 6 })).status).toBe(200);
    expect((await put(0, { id })).status).toBe(429);
  });

  it('follow a minimum that was raised, or a price that was fixed, since', async () => {
    const { id } = await makeChosen('20', '5');
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: id, quantity: 1, price: 600 }]);
    await editTicket(server(), id, { post_id: event, min_price: '10' });
    expect((await shopper.look()).body.totals.total.minor).toBe(1000);
    expect((await shopper.checkout({ expected_total: 600 })).body.code).toBe('total-changed');
    await editTicket(server(), id, { post_id: event, min_price: null });
    expect((await shopper.look()).body.totals.total.minor).toBe(2000);
    expect((await shopper.checkout({ expected_total: 2000 })).status).toBe(201);
  });

  it.each([
    ['5.001', 400],
    ['-1', 400],
    ['20.01', 400],
    ['NaN', 400],
    [{}, 400],
    [1e30, 400],
    ['20', 202],
    [0, 202],
    [' ', 202],
    [null, 202],
  ])('may have a minimum of %j: %i', async (min_price, status) => {
    const answer = await addTicket(server(), { post_id: event, provider: 'tc', name: 'Any', price: '20', min_price });
    expect(answer.status).toBe(status);
    if (status === 400) expect(Object.keys(answer.body.data.params)).toEqual(['min_price']);
  });

  it('keep their minimum within the price, and are not for RSVPs', async () => {
    const { id } = await makeChosen('20', '10');
    const cheaper = await editTicket(server(), id, { post_id: event, price: '7' });
    expect(cheaper.body).toMatchObject({ cost: '$7.00', min_price: '7.00' });
    const rsvp = await addTicket(server(), { post_id: event, provider: 'rsvp', name: 'Reply', min_price: 0 });
    expect(rsvp).toMatchObject({ status: 400, body: { data: { params: { min_price: expect.any(String) } } } });
  });

  describe('on pages', () => {
    const visitor = () => pageVisitor((path, init) => server().request(path, init));
    const field = (name: string, value: string) => new RegExp(`name="${name}" value="${value}"`);

    it('are suggested at the minimum where a reduced price is below it', async () => {
      const show = await makeEvent(server());
      const reduced = { mode: '', sale_price: { checked: true, price: '10' } };
      const { id } = await makeTicket(server(), show, { price: '20', min_price: '15', ticket: reduced });
      const { slug } = (await server().ask(`GET /events/${show}`)).body;
      const page = await visitor().get(`/event/${slug}/`);
      expect(page.text).toMatch(field(`price-${id}`, '15.00'));
      const sent = { event: slug, [`ticket-${id}`]: '1', [`price-${id}`]: '15.00' };
      expect((await visitor().post('/cart/', sent)).location).toBe('/checkout/');
      expect((await put(undefined, { id })).body.totals.total.minor).toBe(1500);
    });

    it('are typed beside the places, in the notation of the language, and changed in the cart', async () => {
      const { slug } = (await server().ask(`GET /events/${event}`)).body;
      const name = `price-${ticket}`;
      const page = await visitor().get(`/event/${slug}/`);
      expect(page.text).toContain('Pay what you can, from $5.00. Suggested: $20.00');
      expect(page.text).toMatch(field(name, '20.00'));
      expect(page.text).toContain('Your price for one place (USD)<span class="visually-hidden"> Seat</span></label>');
      expect((await visitor().get(`/fr/event/${slug}/`)).text).toMatch(field(name, '20,00'));
      const who = visitor();
      const places = { event: slug, [`ticket-${ticket}`]: '2' };
      expect((await who.post('/cart/', { ...places, [name]: '7,50' })).location).toBe('/checkout/');
      const cart = await who.get('/cart/');
      expect(cart.text).toMatch(field(name, '7.50'));
      expect(cart.text).toContain('$15.00');
      expect(cart.text).toContain('Your price for one place (USD)<span class="visually-hidden"> Seat</span></label>');
      await who.post('/cart/', { [`ticket-${ticket}`]: '1', [name]: '$1,000.50', update: '1' });
      expect((await who.get('/cart/')).text).toMatch(field(name, '1000.50'));
      await who.post('/cart/', { [`ticket-${ticket}`]: '1', [name]: '', update: '1' });
      expect((await who.get('/cart/')).text).toMatch(field(name, '20.00'));
      await who.post('/cart/', { [`ticket-${ticket}`]: '1', [name]: 'x', remove: String(ticket) });
      expect((await who.get('/cart/')).text).toContain('Your cart is empty');
    });

    it.each([
      ['4.99', 'Choose a price of at least $5.00'],
      ['ten', 'Enter an amount such as 12.50.'],
      ['12.505', 'Enter an amount such as 12.50.'],
      ['2,000,000', 'Enter an amount of at most $1,000,000.00.'],
    ])('of %s are refused beside their field', async (typed, words) => {
      const { slug } = (await server().ask(`GET /events/${event}`)).body;
      const form = { event: slug, [`ticket-${ticket}`]: '2', [`price-${ticket}`]: typed };
      const page = await visitor().post('/cart/', form);
      expect(page.status).toBe(400);
      expect(page.text).toContain(`<a href="#price-${ticket}">${words}`);
      expect(page.text).toMatch(field(`price-${ticket}`, typed));
    });
  });

  it('are the price of a whole series pass', async () => {
    const { dates } = await makeSeason(server(), { min_price: '40' });
    const shopper = shopperOf(server());
    const { body } = await shopper.put([{ ticket_id: dates[1], quantity: 2, price: 4500 }]);
    expect(body.totals.total.minor).toBe(9000);
    expect((await shopper.put([{ ticket_id: dates[0], quantity: 2 }])).body.totals.total.minor).toBe(9000);
    expect((await shopper.put([{ ticket_id: dates[0], quantity: 1, price: 3999 }])).status).toBe(400);
    expect((await shopper.checkout({ expected_total: 9000 })).status).toBe(201);
  });
});

describe.each([
  ['JPY', '1000', '300', 300, 299, '1250'],
  ['KWD', '1.250', '0.505', 505, 504, '1.250'],
])('prices that customers choose in %s', (currency, price, min_price, least, below, example) => {
  const server = useTestServer('sqlite', { currency });

  it('are counted in its smallest unit', async () => {
    const event = await makeEvent(server());
    const ticket = await makeTicket(server(), event, { price, min_price, ticket: { mode: '' } });
    expect(ticket.min_price).toBe(min_price);
    const put = (chosen: number) => shopperOf(server()).put([{ ticket_id: ticket.id, quantity: 1, price: chosen }]);
    expect((await put(least)).body.totals.total.minor).toBe(least);
    expect(await put(below)).toMatchObject({ status: 400, body: { data: { min_price: least } } });
    const { slug } = (await server().ask(`GET /events/${event}`)).body;
    const form = { event: slug, [`ticket-${ticket.id}`]: '1', [`price-${ticket.id}`]: 'ten' };
    const page = await pageVisitor((path, init) => server().request(path, init)).post('/cart/', form);
    expect(page.text).toContain(`Enter an amount such as ${example}.`);
  });
});
