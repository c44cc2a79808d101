import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, NOON, useTestServer } from '../../../test/server.ts';
import { counters, shopperOf, wait } from '../../../test/shopper.ts';
import { deleteTicket, makeEvent, makeTicket, nonce } from '../../../test/tickets.ts';
import { sweepCarts } from '../../jobs/remove-expired.ts';

const EMPTY = { tickets: [], meta: [], cart_url: '', checkout_url: '' };
const own = (capacity: number) => ({ ticket: { mode: 'own', capacity } });

describe.each(DATABASES)('the cart in %s', (kind) => {
  const server = useTestServer(kind);
  const ids = { event: 0, bare: 0, draft: 0, adult: 0, child: 0, rsvp: 0, begins: 0, ended: 0, hidden: 0 };

  beforeAll(async () => {
    const s = server();
    ids.event = await makeEvent(s);
    ids.bare = await makeEvent(s, { title: 'No tickets' });
    ids.draft = await makeEvent(s, { title: 'Draft', status: 'draft' });
    ids.adult = (await makeTicket(s, ids.event, { name: 'Adult', price: '20', ...own(10) })).id;
    ids.child = (await makeTicket(s, ids.event, { name: 'Child', max_per_order: 0, ...own(200) })).id;
    ids.rsvp = (await makeTicket(s, ids.event, { name: 'Reply', provider: 'rsvp', price: '', ...own(50) })).id;
    ids.hidden = (await makeTicket(s, ids.draft, { name: 'Hidden', ...own(5) })).id;
    const past = { start_date: '2026-01-01', start_time: '08:00:00', end_date: '2026-02-01', end_time: '08:00:00' };
    const later = { start_date: '2027-01-15', start_time: '20:00' };
    ids.begins = (await makeTicket(s, ids.event, { name: 'Late', ...later, ...own(5) })).id;
    ids.ended = (await makeTicket(s, ids.event, { name: 'Early', ...past, ...own(5) })).id;
  });

  /** Each test finds every seat free. */
  afterEach(async () => {
    wait(server(), 60);
    await sweepCarts(server().context);
    server().clock.now = NOON;
  });

  const line = (ticket_id: number, quantity: number, optout = 0) => ({
    ticket_id,
    quantity,
    post_id: ids.event,
    optout,
    iac: 'none',
    provider: 'tickets-commerce',
  });

  it('shows its tickets to its visitor only', async () => {
    const shopper = shopperOf(server());
    const put = await shopper.put([
      { ticket_id: ids.adult, quantity: 2 },
      { ticket_id: ids.child, quantity: 3, optout: 'yes' },
    ]);
    const body = {
      tickets: [line(ids.adult, 2), line(ids.child, 3, 1)],
      meta: [],
      cart_url: 'http://localhost/cart/',
      checkout_url: 'http://localhost/checkout/',
    };
    expect(put).toMatchObject({ status: 200, body });
    expect(put.headers.get('cache-control')).toBe('no-store');
    expect(await shopper.look()).toMatchObject({ status: 200, body });
    expect((await shopper.look()).headers.get('cache-control')).toBe('no-store');
    expect((await shopperOf(server()).look()).body).toEqual(EMPTY);
    expect((await server().ask('GET tickets:/cart', { as: 'administrator' })).body).toEqual(EMPTY);
  });

  it.each(['cancelled', 'postponed'])(
    'sells no tickets of a %s event, into carts or from them',
    async (event_status) => {
      const event = await makeEvent(server());
      const { id } = await makeTicket(server(), event, own(5));
      const [early, late] = [shopperOf(server()), shopperOf(server())];
      await early.put([{ ticket_id: id, quantity: 2 }]);
      for (const open of [
        { event_status: 'rescheduled' },
        { event_status: 'moved_online' },
        { event_status: 'postponed', sale_stays_open: true },
      ]) {
        await server().make(`PATCH /events/${event}`, open);
        expect((await shopperOf(server()).put([{ ticket_id: id, quantity: 1 }])).status).toBe(200);
      }
      await server().make(`PATCH /events/${event}`, { event_status, sale_stays_open: event_status === 'cancelled' });
      const refusal = { status: 409, body: { code: `event-${event_status}`, data: { ticket_id: id, post_id: event } } };
      expect(await late.put([{ ticket_id: id, quantity: 1 }])).toMatchObject(refusal);
      expect(late.token).toBeUndefined();
      expect(await early.checkout()).toMatchObject(refusal);
      expect((await early.look()).body.tickets).toEqual([expect.objectContaining({ ticket_id: id, quantity: 2 })]);
      expect(await counters(server(), id)).toEqual({ held: 5, sold: 0 });
      expect((await early.put([{ ticket_id: id, quantity: 0 }])).status).toBe(200);
      expect(await counters(server(), id)).toEqual({ held: 3, sold: 0 });
    },
  );

  it('shows today’s prices of its tickets, and the end of its hold', async () => {
    const sale_price = { checked: true, price: '15', start_date: '2026-11-20', end_date: '2026-11-21' };
    const reduced = (
      await makeTicket(server(), ids.event, { name: 'Reduced', price: '20', ticket: { mode: '', sale_price } })
    ).id;
    await server().make(`PATCH tickets:/tickets/${reduced}?i18n_language=fr`, {
      post_id: ids.event,
      name: 'Réduit',
      edit_ticket_nonce: await nonce(server(), 'edit_ticket_nonce'),
    });
    const shopper = shopperOf(server());
    const { body } = await shopper.put([
      { ticket_id: reduced, quantity: 2 },
      { ticket_id: ids.child, quantity: 3 },
    ]);
    expect(body).toMatchObject({
      tickets: [
        { title: 'Reduced', price: { minor: 1500, formatted: '$15.00' }, subtotal: { minor: 3000 } },
        { title: 'Child', price: { minor: 1000 }, subtotal: { minor: 3000, formatted: '$30.00' } },
      ],
      held_until_utc: '2026-11-21 17:15:00',
      totals: { quantity: 5, total: { minor: 6000, formatted: '$60.00' } },
    });
    const french = { query: { i18n_language: 'fr' }, headers: { 'x-cart-token': shopper.token ?? '' } };
    const shown = await server().ask('GET tickets:/cart', french);
    expect(shown.body.tickets[0]).toMatchObject({ title: 'Réduit', price: { minor: 1500 } });
    await shopper.put([reduced, ids.child].map((ticket_id) => ({ ticket_id, quantity: 0 })));
    expect((await shopper.look()).body).toEqual(EMPTY);
  });

  it('sells a ticket from the first to the last second of its sale', async () => {
    const { clock } = server();
    const sale = { start_date: '2026-12-01', start_time: '10:00:00', end_date: '2026-12-02', end_time: '12:00:00' };
    const { id } = await makeTicket(server(), ids.event, { name: 'Timed', ...sale, ...own(5) });
    const statusAt = async (utc: string) => {
      clock.now = new Date(utc);
      return (await shopperOf(server()).put([{ ticket_id: id, quantity: 1 }])).status;
    };
    expect([await statusAt('2026-12-01T14:59:59Z'), await statusAt('2026-12-01T15:00:00Z')]).toEqual([409, 200]);
    expect([await statusAt('2026-12-02T17:00:00Z'), await statusAt('2026-12-02T17:00:01Z')]).toEqual([200, 409]);
  });

  it.each([
    ['another quantity replaces', [{ ticket_id: 'adult', quantity: 5 }], { adult: 5, child: 3 }],
    ['nought takes out', [{ ticket_id: 'child', quantity: 0 }], { adult: 2 }],
    ['text of a number', [{ ticket_id: 'adult', quantity: '4' }], { adult: 4, child: 3 }],
    [
      'the last word counts',
      [
        { ticket_id: 'adult', quantity: 9 },
        { ticket_id: 'adult', quantity: 1 },
      ],
      { adult: 1, child: 3 },
    ],
    ['an empty list changes nothing', [], { adult: 2, child: 3 }],
    ['null changes nothing', null, { adult: 2, child: 3 }],
    ['entries without a ticket are skipped', [{ quantity: 4 }, { ticket_id: 0, quantity: 4 }], { adult: 2, child: 3 }],
    ['an RSVP provider is skipped', [{ ticket_id: 'rsvp', quantity: 1, provider: 'rsvp' }], { adult: 2, child: 3 }],
    ['an unknown provider is skipped', [{ ticket_id: 'adult', quantity: 1, provider: 'nope' }], { adult: 2, child: 3 }],
    ['an alias of the provider', [{ ticket_id: 'adult', quantity: 1, provider: 'tpp' }], { adult: 1, child: 3 }],
    ['an object of numbers, as forms send', { 0: { ticket_id: 'adult', quantity: 1 } }, { adult: 1, child: 3 }],
  ])('%s', async (_rule, tickets, expected) => {
    const shopper = shopperOf(server());
    await shopper.put([
      { ticket_id: ids.adult, quantity: 2 },
      { ticket_id: ids.child, quantity: 3 },
    ]);
    const named = JSON.parse(JSON.stringify(tickets), (key, value) =>
      key === 'ticket_id' && typeof value === 'string' ? ids[value as keyof typeof ids] : value,
    );
    const { status, body } = await shopper.put(named);
    expect(status).toBe(200);
    expect(body.tickets).toMatchObject(
      Object.entries(expected).map(([name, quantity]) => line(ids[name as keyof typeof ids], quantity)),
    );
    await shopper.put([ids.adult, ids.child].map((ticket_id) => ({ ticket_id, quantity: 0 })));
    expect(await counters(server(), ids.adult)).toEqual({ held: 0, sold: 0 });
    expect(await counters(server(), ids.child)).toEqual({ held: 0, sold: 0 });
  });

  it.each([
    ['a ticket that is not there', [{ ticket_id: 999_999, quantity: 1 }], 400, 'ticket-does-not-exist'],
    ['an RSVP ticket', [{ ticket_id: 'rsvp', quantity: 1 }], 400, 'ticket-does-not-exist'],
    ['a ticket of a draft', [{ ticket_id: 'hidden', quantity: 1 }], 400, 'ticket-does-not-exist'],
    ['more than there are', [{ ticket_id: 'adult', quantity: 11 }], 409, 'ticket-capacity-not-available'],
    ['more than 100', [{ ticket_id: 'child', quantity: 101 }], 409, 'ticket-capacity-not-available'],
    ['outside the sale window', [{ ticket_id: 'ended', quantity: 1 }], 409, 'ticket-capacity-not-available'],
    ['no list', 'five', 400, 'rest_invalid_param'],
    ['no objects', [5], 400, 'rest_invalid_param'],
    ['no quantity', [{ ticket_id: 'adult' }], 400, 'rest_invalid_param'],
    ['no quantity of no ticket', [{ optout: 1 }], 400, 'rest_invalid_param'],
    ['no quantity of an RSVP ticket', [{ ticket_id: 'rsvp', provider: 'rsvp' }], 400, 'rest_invalid_param'],
    ...[null, '', ' ', 'abc', '2 tickets', -3, '-1', 1.5, '0.5', true, [2], {}, 1e20].map(
      (quantity): [string, unknown, number, string] => [
        `the quantity ${JSON.stringify(quantity)}`,
        [{ ticket_id: 'adult', quantity }],
        400,
        'rest_invalid_param',
      ],
    ),
  ])('refuses %s, and the whole write with it', async (_what, tickets, status, code) => {
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: ids.adult, quantity: 5 }]);
    const named = JSON.parse(JSON.stringify(tickets), (key, value) =>
      key === 'ticket_id' && typeof value === 'string' ? ids[value as keyof typeof ids] : value,
    );
    const all = Array.isArray(named) ? [{ ticket_id: ids.child, quantity: 7 }, ...named] : named;
    expect(await shopper.put(all)).toMatchObject({ status, body: { code } });
    expect((await shopper.look()).body.tickets).toMatchObject([line(ids.adult, 5)]);
    expect(await counters(server(), ids.child)).toEqual({ held: 0, sold: 0 });
  });

  it('keeps its token and forgets its answers when it is emptied', async () => {
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: ids.child, quantity: 1 }], {
      meta: [{ ticket_id: ids.child, items: [{ diet: 'vegan' }] }],
    });
    const { token } = shopper;
    const emptied = await shopper.put([{ ticket_id: ids.child, quantity: 0 }]);
    expect(emptied.body).toEqual(EMPTY);
    expect(emptied.headers.get('x-cart-token')).toBe(token);
    expect((await shopper.checkout()).body.code).toBe('cart-is-empty');
    wait(server(), 20);
    expect((await shopper.checkout()).body.code).toBe('cart-is-empty');
    const again = await shopper.put([{ ticket_id: ids.child, quantity: 2 }]);
    expect(again.headers.get('x-cart-token')).toBe(token);
    expect(again.body).toMatchObject({ tickets: [line(ids.child, 2)], meta: [] });
    wait(server(), 20);
    await sweepCarts(server().context);
    expect((await shopper.checkout()).body.code).toBe('cart-expired');
  });

  it.each([
    ['en', 'begins', 'for sale from January 15, 2027 at 8:00 PM EST.'],
    ['fr', 'begins', 'commence le 15 janvier 2027 à 20:00 EST.'],
    ['de', 'begins', 'ab dem 15. Januar 2027 um 20:00 EST zu haben.'],
    ['en', 'ended', 'The sale of the ticket Early has ended.'],
    ['fr', 'ended', 'La vente du billet Early est terminée.'],
    ['de', 'ended', 'Der Verkauf des Tickets Early ist beendet.'],
  ] as const)('says in %s when the sale %s', async (i18n_language, which, message) => {
    const { config } = server().context;
    server().restart({ languages: ['en', 'fr', 'de'] });
    const ticket_id = ids[which];
    const refused = await shopperOf(server()).put([{ ticket_id, quantity: 1 }], { i18n_language });
    server().restart(config);
    expect(refused.body).toMatchObject({
      code: 'ticket-capacity-not-available',
      message: expect.stringContaining(message),
      data: { status: 409, ticket_id, available: 0 },
    });
  });

  it('says how many seats of a ticket it may have', async () => {
    const [first, second] = [shopperOf(server()), shopperOf(server())];
    await first.put([{ ticket_id: ids.adult, quantity: 4 }]);
    await second.put([{ ticket_id: ids.adult, quantity: 3 }]);
    const refused = await second.put([{ ticket_id: ids.adult, quantity: 7 }]);
    expect(refused.body.data).toMatchObject({ status: 409, ticket_id: ids.adult, available: 6 });
    await shopperOf(server()).put([{ ticket_id: ids.adult, quantity: 3 }]);
    const late = await shopperOf(server()).put([{ ticket_id: ids.adult, quantity: 1 }]);
    expect(late.body).toMatchObject({
      message: 'The ticket Adult is sold out. Choose another ticket.',
      data: { ticket_id: ids.adult, available: 0 },
    });
    const many = await second.put([{ ticket_id: ids.child, quantity: 150 }]);
    expect(many.body.data).toMatchObject({ status: 409, ticket_id: ids.child, available: 100 });
  });

  it('accepts forms, and keeps the opt-out until it is sent again', async () => {
    const form = new URLSearchParams({
      provider: 'tickets-commerce',
      'tickets[0][ticket_id]': String(ids.child),
      'tickets[0][quantity]': '2',
      'tickets[0][optout]': '1',
    });
    const answer = await server().ask('POST tickets:/cart', { form });
    expect(answer.body.tickets).toMatchObject([line(ids.child, 2, 1)]);
    const shopper = shopperOf(server(), answer.headers.get('x-cart-token') ?? '');
    const more = await shopper.put([{ ticket_id: ids.child, quantity: 4 }]);
    expect(more.body.tickets).toMatchObject([line(ids.child, 4, 1)]);
  });

  it('shows only tickets of the requested providers', async () => {
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: ids.child, quantity: 1 }]);
    const headers = { 'x-cart-token': shopper.token ?? '' };
    const counts: [string, number][] = [
      ['tc', 1],
      ['rsvp,tickets-commerce', 1],
      ['TPP', 1],
      ['rsvp', 0],
      ['nope', 0],
    ];
    for (const [provider, count] of counts) {
      const { body } = await server().ask('GET tickets:/cart', { query: { provider }, headers });
      expect(body.tickets, provider).toHaveLength(count);
      if (count === 0) expect(body).toEqual(EMPTY);
    }
    expect((await shopper.put([], { provider: 'rsvp' })).body).toEqual(EMPTY);
  });

  it('keeps the answers for each seat as long as it has the ticket', async () => {
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: ids.child, quantity: 2 }]);
    const items = [{ diet: 'none' }, { diet: 'vegan', 'T-shirt': ['M'] }];
    const meta = [
      { ticket_id: ids.child, items },
      { ticket_id: ids.adult, items: [{ diet: 'lost' }] },
    ];
    const said = [{ ticket_id: ids.child, provider: 'tickets-commerce', items }];
    expect((await shopper.put(null, { meta })).body.meta).toEqual(said);
    expect((await shopper.put([{ ticket_id: ids.adult, quantity: 1 }])).body.meta).toEqual(said);
    expect((await shopper.look()).body.meta).toEqual(said);
    await shopper.put([{ ticket_id: ids.child, quantity: 0 }]);
    expect((await shopper.put([{ ticket_id: ids.child, quantity: 1 }])).body.meta).toEqual([]);
  });

  it.each([
    ['text', 'all'],
    ['a list of texts', ['a']],
    ['items that are no objects', [{ ticket_id: 'child', items: ['vegan'] }]],
    ['more than 64 KiB', [{ ticket_id: 'child', items: [{ note: 'x'.repeat(65_536) }] }]],
  ])('refuses meta that is %s', async (_what, meta) => {
    const shopper = shopperOf(server());
    const named = JSON.parse(JSON.stringify(meta), (key, value) => (key === 'ticket_id' ? ids.child : value));
    const refused = await shopper.put([{ ticket_id: ids.child, quantity: 1 }], { meta: named });
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', data: { details: { meta: {} } } },
    });
    expect(await counters(server(), ids.child)).toEqual({ held: 0, sold: 0 });
  });

  it.each(['GET', 'POST'])('requires tickets of the event that %s names', async (method) => {
    const ask = (post_id: unknown) => {
      const body = { provider: 'tc', post_id };
      const query = { post_id: String(post_id) };
      return server().ask(`${method} tickets:/cart`, method === 'GET' ? { query } : { body });
    };
    expect(await ask(ids.event)).toMatchObject({ status: 200, body: EMPTY });
    expect(await ask(ids.bare)).toMatchObject({ status: 403, body: { code: 'post-has-no-tickets' } });
    for (const wrong of [0, -1, 999_999, 'x', ids.adult, ids.draft])
      expect(await ask(wrong), String(wrong)).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  });

  it('holds at most fifty different tickets', async () => {
    const event = await makeEvent(server(), { title: 'Many' });
    const tickets: { ticket_id: number; quantity: number }[] = [];
    for (let n = 0; n < 51; n++)
      tickets.push({ ticket_id: (await makeTicket(server(), event, own(9))).id, quantity: 1 });
    const shopper = shopperOf(server());
    expect((await shopper.put(tickets)).status).toBe(400);
    expect((await shopper.put(tickets.slice(1))).body.tickets).toHaveLength(50);
  });

  it('loses deleted tickets', async () => {
    const { id } = await makeTicket(server(), ids.event, own(5));
    const shopper = shopperOf(server());
    await shopper.put([
      { ticket_id: id, quantity: 1 },
      { ticket_id: ids.child, quantity: 1 },
    ]);
    await deleteTicket(server(), id, ids.event);
    expect((await shopper.look()).body.tickets).toMatchObject([line(ids.child, 1)]);
  });
});
