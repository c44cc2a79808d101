import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hiddenFields, pageVisitor } from '../../../test/page-visitor.ts';
import { DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { shopperOf } from '../../../test/shopper.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';
import { expireUnpaid } from '../../jobs/expire-unpaid.ts';
import { findPriceRecord } from './price-records.ts';
import { codeKey } from './promotion-rules.ts';
import { takeUse } from './promotion-uses.ts';

describe('the key of a code', () => {
  it.each([
    ['spring-10', 'SPRING-10'],
    ['', ''],
    // Compatibility forms.
    ['ＳＰＲＩＮＧ－１０', 'SPRING-10'],
    ['①', '1'],
    ['ﬁve', 'FIVE'],
    ['x²', 'X2'],
    ['ｶﾞ', 'ガ'],
    // Composed and decomposed letters.
    ['cafe\u0301', 'CAF\u00c9'],
    ['a\u0323\u0302', '\u1eac'],
    ['a\u0302\u0323', '\u1eac'],
    ['e\u200b\u0301', '\u00c9'],
    // Letters without a single capital, and two small letters of one capital.
    ['stra\u00dfe', 'STRASSE'],
    ['STRA\u1e9eE', 'STRA\u1e9eE'],
    ['\u0390', '\u03aa\u0301'],
    ['i\u0307', '\u0130'],
    ['\u0130', '\u0130'],
    ['\u017fpring', 'SPRING'],
    ['ΣΟΦΟΣ', 'ΣΟΦΟΣ'],
    ['σοφος', 'ΣΟΦΟΣ'],
    ['σοφοσ', 'ΣΟΦΟΣ'],
  ])('%j is %j', (typed, key) => expect(codeKey(typed)).toBe(key));

  it.each([
    ...['\t', '\n', '\v', '\f', '\r', ' ', '\u0085', '\u00a0', '\u1680', '\u2000', '\u2001', '\u2002', '\u2003'],
    ...['\u2004', '\u2005', '\u2006', '\u2007', '\u2008', '\u2009', '\u200a', '\u2028', '\u2029', '\u202f'],
    ...['\u205f', '\u3000', '\u200b', '\u200c', '\u200d', '\u200e', '\u2060', '\u2066', '\ufeff', '\u00ad', '\u034f'],
    ...['\u061c', '\u115f', '\u180e', '\u3164', '\ufe0f', '\uffa0', '\0', '\u{e0020}', '\u{e000}', '\ud800'],
  ])('leaves out %j', (unseen) => {
    expect(codeKey(`${unseen}SPRING${unseen}${unseen}-10${unseen}`)).toBe('SPRING-10');
    expect(codeKey(unseen)).toBe('');
  });
});

describe.each(DATABASES)('promotion codes on %s', (kind) => {
  const server = useTestServer(kind, { secretGuesses: { perAddress: 5, perAccount: 5 } });
  let event = 0;
  let ticketId = 0;
  let codes = 0;

  beforeAll(async () => {
    event = await makeEvent(server());
    ticketId = (await makeTicket(server(), event, { price: '10', ticket: { mode: '' } })).id;
  });
  beforeEach(async () => {
    server().clock.now = NOON;
    await server().context.db.query.deleteFrom('rate_limits').execute();
  });

  const promote = (fields: object = {}) =>
    server().make('POST admin:/promotions', { code: `code ${++codes}`, kind: 'percent', value: 50_000, ...fields });
  const used = async (id: number): Promise<number> =>
    (
      await server()
        .context.db.query.selectFrom('promotions')
        .select('used')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).used;

  async function shopperWith(promotion: string | null, quantity = 1, id = ticketId) {
    const shopper = shopperOf(server());
    const cart = await shopper.put([{ ticket_id: id, quantity }], { promotion });
    return { shopper, cart };
  }

  it('are kept, found by any spelling, and exist once', async () => {
    const made = await promote({
      code: 'Früh <b>buchen</b>',
      minimum: 500,
      max_uses: 3,
      from_utc: '2026-11-01 00:00:00',
    });
    expect(made).toEqual({
      ...{ id: made.id, code: 'Früh buchen', kind: 'percent', value: 50_000, ticket_ids: [], event_id: null },
      ...{ from_utc: '2026-11-01 00:00:00', until_utc: null, max_uses: 3, used: 0, max_per_buyer: null },
      ...{ minimum: 500, revision: 1 },
    });
    const again = await server().ask('POST admin:/promotions', {
      as: 'administrator',
      body: { code: 'FRÜH BUCHEN', kind: 'price', value: 1 },
    });
    expect(again).toMatchObject({ status: 409, body: { code: 'promotion-exists' } });
    const { cart } = await shopperWith('fru\u0308hbuchen', 3);
    expect(cart.body).toMatchObject({
      promotion: { code: 'Früh buchen', applies: true },
      totals: { items: { minor: 3000 }, discount: { minor: 1500 }, total: { minor: 1500 } },
    });
    const list = await server().ask('GET admin:/promotions', { as: 'editor', query: { per_page: 50 } });
    expect(list.body.promotions).toContainEqual(made);
  });

  it('are listed latest first, a page at a time or by a part of the code', async () => {
    const made = [];
    for (const code of ['Listed one', 'listed-TWO', 'liSTED three']) made.push((await promote({ code })).id);
    const list = async (query: Record<string, string | number>) =>
      (await server().ask('GET admin:/promotions', { as: 'editor', query })).body;
    const idsOf = ({ promotions }: { promotions: { id: number }[] }) => promotions.map(({ id }) => id);
    expect(idsOf(await list({ per_page: 3 }))).toEqual(made.toReversed());
    expect(idsOf(await list({ search: 'LIS\u200bted' }))).toEqual(made.toReversed());
    const [last, second] = [await list({ search: 'listed', per_page: 2, page: 2 }), await list({ search: 'listed t' })];
    expect([idsOf(last), last.total, last.total_pages]).toEqual([made.slice(0, 1), 3, 2]);
    expect(last.previous_rest_url).toContain('search=listed');
    expect(idsOf(second)).toEqual([made[2]]);
    expect(await list({ search: '%' })).toMatchObject({ promotions: [], total: 0 });
  });

  it.each([
    ['value', 'param', { kind: 'percent', value: 100_001 }],
    ['value', 'type', { value: -1 }],
    ['value', 'type', { value: 1.5 }],
    ['value', 'type', { value: 1e30 }],
    ['code', 'type', { code: ' \u200b' }],
    ['kind', 'type', { kind: 'free' }],
    ['ticket_ids', 'param', { ticket_ids: [999_999] }],
    ['event_id', 'param', { event_id: 999_999 }],
    ['max_uses', 'type', { max_uses: 0 }],
    ['until_utc', 'param', { until_utc: '2026-01-01', from_utc: '2026-02-01' }],
  ])('are refused for their %s, as an invalid %s: %j', async (field, kind, fields) => {
    const body = { code: `bad ${++codes}`, kind: 'amount', value: 5, ...fields };
    const refused = await server().ask('POST admin:/promotions', { as: 'administrator', body });
    expect(refused).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(Object.keys(refused.body.data.params)).toEqual([field]);
    expect(refused.body.data.details[field].code).toBe(`rest_invalid_${kind}`);
  });

  it('are for all tickets with an empty list of them', async () => {
    const made = await promote({ ticket_ids: [] });
    expect(made.ticket_ids).toEqual([]);
    const limited = await server().make(`PATCH admin:/promotions/${made.id}`, { ticket_ids: [ticketId, ticketId] });
    expect(limited).toMatchObject({ ticket_ids: [ticketId], revision: 2 });
    const again = await server().make(`PATCH admin:/promotions/${made.id}`, { ticket_ids: [ticketId] });
    expect(again.revision).toBe(2);
    const { query } = server().context.db;
    const gone = { ticket_ids: JSON.stringify([999_999]) };
    await query.updateTable('promotions').set(gone).where('id', '=', made.id).execute();
    expect((await server().make(`PATCH admin:/promotions/${made.id}`, { minimum: 1 })).ticket_ids).toEqual([999_999]);
    const { ticket_ids } = await server().make(`PATCH admin:/promotions/${made.id}`, { ticket_ids: [] });
    expect(ticket_ids).toEqual([]);
    expect((await shopperWith(made.code)).cart.body.promotion).toEqual({ code: made.code, applies: true });
  });

  it('divide an amount among the places of their tickets, and are recorded with the order', async () => {
    const other = (await makeTicket(server(), event, { price: '5', ticket: { mode: '' } })).id;
    const { code, id } = await promote({ kind: 'amount', value: 1000, ticket_ids: [ticketId] });
    const shopper = shopperOf(server());
    const lines = [
      { ticket_id: ticketId, quantity: 3 },
      { ticket_id: other, quantity: 1 },
    ];
    await shopper.put(lines, { promotion: code });
    const { body } = await shopper.checkout({ expected_total: 2500 });
    const order = (await server().ask(`GET admin:/orders/${body.order.id}`, { as: 'administrator' })).body;
    expect(order).toMatchObject({ total: { minor: 2500 }, discount: { minor: 1000 } });
    const prices = order.items.map((item: { quantity: number; price: { minor: number } }) => [
      item.quantity,
      item.price.minor,
    ]);
    expect(prices.sort()).toEqual([
      [1, 500],
      [1, 666],
      [2, 667],
    ]);
    const attendees = order.attendees.map((one: { id: number }) => one.id);
    expect(new Set(attendees).size).toBe(4);
    expect(await used(id)).toBe(1);
  });

  it('apply to a series pass whichever of its dates is chosen, as fees do', async () => {
    const { id: series } = await server().make('POST /series', {
      event: { title: 'Dances', start_date: '2027-05-01 10:00', end_date: '2027-05-01 11:00' },
      recurrence: { rrule: 'FREQ=DAILY;COUNT=3' },
    });
    const { events } = (await server().ask('GET /events', { query: { series } })).body;
    const pass = { price: '10', ticket: { mode: '' }, scope: 'series' };
    const first = await makeTicket(server(), events[0].id, pass);
    const dates = await server()
      .context.db.query.selectFrom('tickets')
      .select(['id', 'event_id'])
      .where('pass_id', '=', first.pass.id)
      .orderBy('id')
      .execute();
    const single = (await makeTicket(server(), events[1].id, { price: '10', ticket: { mode: '' } })).id;
    const fee = await server().make('POST admin:/fees', {
      ...{ name: 'Hall fee', per: 'order', fixed: 100, event_id: events[1].id },
    });
    const event_id = events[1].id;
    const cases = [
      { limits: {}, pass: true, single: true },
      { limits: { event_id }, pass: false, single: true },
      ...dates.map(({ id }) => ({ limits: { ticket_ids: [id] }, pass: true, single: false })),
      { limits: { ticket_ids: [first.pass.id], event_id }, pass: true, single: false },
      { limits: { ticket_ids: [single], event_id }, pass: false, single: true },
    ];
    expect(dates).toHaveLength(3);
    for (const { limits, ...applies } of cases) {
      const { code } = await promote(limits);
      for (const { id, isOf } of [
        ...dates.map(({ id }) => ({ id, isOf: 'pass' as const })),
        { id: single, isOf: 'single' as const },
      ]) {
        const { body } = (await shopperWith(code, 1, id)).cart;
        expect({ limits, isOf, applies: body.promotion.applies }).toEqual({ limits, isOf, applies: applies[isOf] });
        expect(body.totals.fees.minor).toBe(isOf === 'pass' ? 0 : 100);
      }
    }
    await server().ask(`DELETE admin:/fees/${fee.id}`, { as: 'administrator' });
  });

  it('complete an order that costs nothing', async () => {
    const { code } = await promote({ value: 100_000 });
    const { shopper } = await shopperWith(code, 2);
    const { body } = await shopper.checkout();
    expect(body.order).toMatchObject({ status: 'completed', total: { minor: 0 } });
    const order = (await server().ask(`GET admin:/orders/${body.order.id}`, { as: 'administrator' })).body;
    expect(order.gateway).toBe('free');
  });

  it.each([
    ['not-begun', { from_utc: '2026-12-01 00:00:00' }, 409],
    ['ended', { until_utc: '2026-11-01 00:00:00' }, 409],
    ['minimum', { minimum: 1001 }, 200],
    ['other-tickets', { event_id: -1 }, 200],
    ['other-tickets', { kind: 'price', value: 1000 }, 200],
    ['other-tickets', { kind: 'price', value: 2500 }, 200],
    ['other-tickets', { value: 0 }, 200],
    ['other-tickets', { kind: 'amount', value: 0 }, 200],
  ])('do not apply: %s', async (reason, fields, status) => {
    const event_id = 'event_id' in fields ? await makeEvent(server()) : undefined;
    const { id, code } = await promote({ ...fields, ...(event_id && { event_id }) });
    const { shopper, cart } = await shopperWith(code);
    expect(cart.status).toBe(status);
    if (status === 409) {
      expect(cart.body).toMatchObject({ code: 'promotion-not-valid', data: { reason } });
      return;
    }
    expect(cart.body).toMatchObject({ promotion: { applies: false, reason }, totals: { total: { minor: 1000 } } });
    expect(await shopper.checkout()).toMatchObject({ status: 409, body: { data: { reason } } });
    expect((await shopper.put([], { promotion: null })).body).not.toHaveProperty('promotion');
    expect((await shopper.checkout()).status).toBe(201);
    expect(await used(id)).toBe(0);
  });

  it('do not apply to free tickets', async () => {
    const free = (await makeTicket(server(), event, { price: '0', ticket: { mode: '' } })).id;
    for (const fields of [{}, { kind: 'amount', value: 500 }, { minimum: 1 }]) {
      const { id, code } = await promote(fields);
      const { shopper, cart } = await shopperWith(code, 2, free);
      expect(cart.body.promotion).toEqual({ code, applies: false, reason: 'other-tickets' });
      expect((await shopper.checkout()).status).toBe(409);
      expect(await used(id)).toBe(0);
    }
  });

  it('need a cart with tickets', async () => {
    const { code } = await promote();
    const shopper = shopperOf(server());
    const empty = { status: 400, body: { code: 'cart-is-empty' } };
    for (const tickets of [[], null, [{ ticket_id: ticketId, quantity: 0 }]])
      expect(await shopper.put(tickets, { promotion: code })).toMatchObject(empty);
    await shopper.put([{ ticket_id: ticketId, quantity: 1 }]);
    expect(await shopper.put([{ ticket_id: ticketId, quantity: 0 }], { promotion: code })).toMatchObject(empty);
    expect((await shopper.look()).body.totals.quantity).toBe(1);
    expect((await shopper.put([], { promotion: code })).body.promotion).toEqual({ code, applies: true });
    expect((await shopper.put([{ ticket_id: ticketId, quantity: 0 }], { promotion: null })).status).toBe(200);
  });

  it('are refused at the checkout when they have ended meanwhile, which keeps the cart', async () => {
    const { code, id } = await promote();
    const { shopper } = await shopperWith(code);
    await server().make(`PATCH admin:/promotions/${id}`, { until_utc: '2026-11-21 16:00:00' });
    expect(await shopper.checkout()).toMatchObject({ status: 409, body: { data: { reason: 'ended' } } });
    expect((await shopper.look()).body).toMatchObject({ promotion: { applies: false }, totals: { quantity: 1 } });
  });

  it('that are deleted leave carts and orders', async () => {
    const { code, id } = await promote();
    const { shopper: before } = await shopperWith(code);
    const { order } = (await before.checkout({ payment: 'manual' })).body;
    const { shopper } = await shopperWith(code);
    await server().ask(`DELETE admin:/promotions/${id}`, { as: 'administrator' });
    const { query } = server().context.db;
    for (const table of ['carts', 'orders', 'promotion_uses'] as const)
      expect(await query.selectFrom(table).select('promotion_id').where('promotion_id', '=', id).execute()).toEqual([]);
    const { body } = await shopper.look();
    expect(body).toMatchObject({ totals: { discount: { minor: 0 }, total: { minor: 1000 } } });
    expect(body).not.toHaveProperty('promotion');
    expect(await shopper.checkout({ expected_total: 500 })).toMatchObject({
      status: 409,
      body: { code: 'total-changed' },
    });
    expect((await shopper.checkout({ expected_total: 1000 })).status).toBe(201);
    const shown = await server().make(`PATCH admin:/orders/${order.id}`, { status: 'voided' });
    expect(shown).toMatchObject({ status: 'voided', total: { minor: 500 }, discount: { minor: 500 } });
  });

  it('count one use for each order of a customer, whatever the spelling of the address', async () => {
    const { code, id } = await promote({ max_per_buyer: 1 });
    const buy = async (email: string) =>
      (await shopperWith(code)).shopper.checkout({ purchaser: { name: 'Ada', email } });
    expect((await buy('grace@example.test')).status).toBe(201);
    expect(await buy('Grace@Example.test')).toMatchObject({ status: 409, body: { data: { reason: 'customer' } } });
    expect((await buy('linus@example.test')).status).toBe(201);
    expect(await used(id)).toBe(2);
  });

  it('return the use of an unpaid order that expires or is cancelled, not of a paid one', async () => {
    const { code, id } = await promote({ max_uses: 2 });
    const order = async () => {
      const { shopper } = await shopperWith(code);
      return (await shopper.checkout({ payment: 'manual' })).body.order.id as number;
    };
    const become = (orderId: number, status: string) => server().make(`PATCH admin:/orders/${orderId}`, { status });
    const [expiring, paid] = [await order(), await order()];
    expect((await shopperWith(code)).cart).toMatchObject({ status: 409, body: { data: { reason: 'used-up' } } });
    await become(paid, 'completed');
    server().clock.now = new Date(NOON.getTime() + 40 * 24 * 60 * 60 * 1000);
    await expireUnpaid(server().context);
    expect(await used(id)).toBe(1);
    await become(expiring, 'pending');
    expect(await used(id)).toBe(2);
    await become(expiring, 'voided');
    expect(await used(id)).toBe(1);
    await become(paid, 'refunded');
    expect(await used(id)).toBe(1);
  });

  it('keep the use of a paid order whose whole total is given back', async () => {
    const { code, id } = await promote();
    const { order } = (await (await shopperWith(code, 2)).shopper.checkout({ payment: 'manual' })).body;
    await server().make(`PATCH admin:/orders/${order.id}`, { status: 'completed' });
    const refunded = await server().make(`POST admin:/orders/${order.id}/refunds`, { amount: 1000 });
    expect(refunded).toMatchObject({ status: 'completed', total: { minor: 0 }, paid: { minor: 0 } });
    await server().make(`PATCH admin:/orders/${order.id}`, { status: 'refunded' });
    expect(await used(id)).toBe(1);
  });

  it('return the use of an order that costs nothing when it is cancelled', async () => {
    const { code, id } = await promote({ value: 100_000 });
    const { order } = (await (await shopperWith(code)).shopper.checkout()).body;
    expect(await used(id)).toBe(1);
    await server().make(`PATCH admin:/orders/${order.id}`, { status: 'voided' });
    expect(await used(id)).toBe(0);
  });

  it('sell 10 uses to 100 customers at once exactly 10 times', async () => {
    const { code, id } = await promote({ max_uses: 10 });
    const shoppers = [];
    for (let index = 0; index < 100; index += 1) shoppers.push((await shopperWith(code)).shopper);
    const answers = await Promise.all(
      shoppers.map((shopper, index) =>
        shopper.checkout({ purchaser: { name: 'Ada', email: `a${index}@example.test` } }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(10);
    expect(statuses.filter((status) => status === 409)).toHaveLength(90);
    expect(await used(id)).toBe(10);
  });

  it('give 10 uses to 100 customers who have all found one left', async () => {
    const { id } = await promote({ max_uses: 10 });
    const { db } = server().context;
    const found = await findPriceRecord(db, 'promotions', id);
    if (!found) throw new Error('no promotion');
    const refusals = await Promise.all(
      Array.from({ length: 100 }, (_, index) => db.transaction((trx) => takeUse(trx, found, `a${index}@example.test`))),
    );
    expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(10);
    expect(refusals.filter((refusal) => refusal === 'used-up')).toHaveLength(90);
    expect(await used(id)).toBe(10);
  });

  it('are entered and removed on the page of the cart', async () => {
    const { code } = await promote({ code: 'Lantern & <b>light' });
    const visitor = pageVisitor((path, init) => server().request(path, init));
    const { slug } = (await server().ask(`GET /events/${event}`)).body;
    await visitor.post('/cart/', { event: slug, [`ticket-${ticketId}`]: '2' });
    const wrong = await visitor.post('/cart/', { code: 'no "such' });
    expect(wrong.status).toBe(400);
    expect(wrong.text).toContain('<a href="#code">This code does not exist. Check it and try again.</a>');
    expect(wrong.text).toContain('value="no &quot;such"');
    expect((await visitor.post('/cart/', { code: code.toUpperCase() })).location).toBe('/cart/');
    const reduced = await visitor.get('/cart/');
    expect(reduced.text).toContain('Promotion code: Lantern &amp; ');
    expect(reduced.text).toContain('Discount</th><td class="amount">\u2212$10.00');
    expect((await visitor.get('/checkout/')).text).toContain('Order for $10.00');
    await visitor.post('/cart/', { code: '' });
    expect((await visitor.get('/checkout/')).text).toContain('Order for $20.00');
  });

  it('say on the pages why they do not apply, and what to do about it once they are in the cart', async () => {
    const visitor = pageVisitor((path, init) => server().request(path, init));
    const { slug } = (await server().ask(`GET /events/${event}`)).body;
    await visitor.post('/cart/', { event: slug, [`ticket-${ticketId}`]: '1' });
    const late = await promote({ from_utc: '2026-12-01 00:00:00' });
    const past = await promote({ until_utc: '2026-11-01 00:00:00' });
    const enter = async (code: string) => (await visitor.post('/cart/', { code })).text;
    expect(await enter(late.code)).toContain('<a href="#code">This code is not valid yet.</a>');
    expect(await enter(past.code)).toContain('<a href="#code">This code is no longer valid.</a>');
    const { id, code } = await promote({ minimum: 1001 });
    await visitor.post('/cart/', { code });
    const reason = 'This order does not reach the minimum for the code. Remove it from the cart to order without it.';
    expect((await visitor.get('/cart/')).text).toContain(reason);
    const form = { ...hiddenFields((await visitor.get('/checkout/')).text), name: 'Ada', email: 'ada@example.test' };
    const refused = await visitor.post('/checkout/', form);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain(reason);
    await server().make(`PATCH admin:/promotions/${id}`, { minimum: 1000 });
    const again = await visitor.post('/checkout/', { ...form, ...hiddenFields(refused.text) });
    expect(again.text).toContain('The total has changed to $5.00.');
    const ordered = await visitor.post('/checkout/', { ...form, ...hiddenFields(again.text) });
    const order = (await visitor.get(ordered.location)).text;
    expect(order).toContain('Discount already taken off</th><td class="amount">$5.00');
  });

  it('cannot be guessed: wrong codes count for the network, right ones do not', async () => {
    const { code } = await promote();
    const put = async (promotion: string, from: string) => {
      const body = { provider: 'tc', tickets: [{ ticket_id: ticketId, quantity: 1 }], promotion };
      return (await server().ask('POST tickets:/cart', { body, from })).status;
    };
    for (let index = 0; index < 12; index += 1) expect(await put(code, '198.51.100.1')).toBe(200);
    for (let index = 0; index < 5; index += 1) expect(await put(`guess ${index}`, '198.51.100.2')).toBe(400);
    expect(await put('guess 9', '198.51.100.2')).toBe(429);
    expect(await put(code, '198.51.100.2')).toBe(429);
    expect(await put(code, '198.51.100.3')).toBe(200);
  });
});
