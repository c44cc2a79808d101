import { beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, type TestServer, useTestServer } from '../../../test/server.ts';
import { addTicket, deleteTicket, editTicket, makeEvent, makeTicket, nonce } from '../../../test/tickets.ts';
import { returnSeats, takeSeats } from '../seats/seat-counters.ts';
import { findSharedSeats } from './store.ts';

const WINDOW = { start_date: '2026-11-01', start_time: '08:00', end_date: '2027-01-31', end_time: '20:00:00' };

const digits = (text: string) => ({
  year: text.slice(0, 4),
  month: text.slice(5, 7),
  day: text.slice(8, 10),
  hour: text.slice(11, 13),
  minutes: text.slice(14, 16),
  seconds: text.slice(17, 19),
});

/** Mode and capacities as sent, and as returned. */
const MODES: [sent: Record<string, unknown>, capacity: number | '', max: number, available: number][] = [
  [{ mode: 'capped', capacity: 10, event_capacity: 15 }, 10, 10, 10],
  [{ mode: 'capped', capacity: 11, event_capacity: 15 }, 11, 11, 11],
  [{ mode: 'capped', capacity: '', event_capacity: 15 }, 15, 15, 15],
  [{ mode: 'global', event_capacity: '15' }, 15, 15, 15],
  [{ mode: 'own', capacity: 12 }, 12, 12, 12],
  [{ mode: 'own', capacity: -1 }, -1, -1, -1],
  [{ mode: '', capacity: '' }, '', 0, -1],
];
const capacityShown = ([sent, capacity, max, available]: (typeof MODES)[number]) => ({
  capacity,
  capacity_details: {
    available_percentage: 100,
    available,
    max,
    sold: 0,
    pending: 0,
    global_stock_mode: sent.mode,
  },
  is_available: true,
});

/** Sells seats as attendees would. */
const withExpiredReleased = (server: TestServer, ticket_id: number, quantity: number) =>
  server.context.db.transaction((db) => takeSeats(db, [{ ticket_id, quantity }], 'sold'));

const read = async (server: TestServer, id: number) =>
  (await server.ask(`GET tickets:/tickets/${id}`, { as: 'administrator' })).body;

describe.each(DATABASES)('tickets on %s', (kind) => {
  const server = useTestServer(kind);

  describe('with a price', () => {
    let event: number;
    let id: number;
    let expected: Record<string, unknown>;
    beforeAll(async () => {
      event = await makeEvent(server());
      const fields = { ...WINDOW, post_id: event, provider: 'tc', name: 'Day <b>ticket</b>', price: '1234.5' };
      const form = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
      form.set('description', 'All rooms<script>alert(1)</script>');
      form.set('ticket[mode]', 'own');
      form.set('ticket[capacity]', '100');
      form.set('add_ticket_nonce', await nonce(server(), 'add_ticket_nonce'));
      const { status, body } = await server().ask('POST tickets:/tickets', { as: 'administrator', form });
      expect(status).toBe(202);
      id = body.id;
      expected = body;
    });

    it('are returned with every member', () => {
      expect(Object.keys(expected)).toEqual(
        (
          'description capacity on_sale iac price_suffix post_id provider id type global_id global_id_lineage author ' +
          'status date date_utc modified modified_utc revision title image available_from available_from_details ' +
          'available_until available_until_details capacity_details is_available cost cost_details sale_price_data ' +
          'supports_attendee_information attendees checkin rest_url'
        ).split(' '),
      );
      expect(expected).toEqual({
        description: 'All rooms',
        capacity: 100,
        on_sale: false,
        iac: 'none',
        price_suffix: null,
        post_id: event,
        provider: 'tc',
        id,
        type: 'default',
        global_id: `localhost?type=tc&id=${id}`,
        global_id_lineage: [`localhost?type=tc&id=${id}`],
        author: String(server().userId('administrator')),
        status: 'publish',
        date: '2026-11-21 12:00:00',
        date_utc: '2026-11-21 17:00:00',
        modified: '2026-11-21 12:00:00',
        modified_utc: '2026-11-21 17:00:00',
        revision: 1,
        title: 'Day ticket',
        image: false,
        available_from: '2026-11-01 08:00:00',
        available_from_details: digits('2026-11-01 08:00:00'),
        available_until: '2027-01-31 20:00:00',
        available_until_details: digits('2027-01-31 20:00:00'),
        capacity_details: {
          available_percentage: 100,
          available: 100,
          max: 100,
          sold: 0,
          pending: 0,
          global_stock_mode: 'own',
        },
        is_available: true,
        cost: '$1,234.50',
        cost_details: {
          currency_symbol: '$',
          currency_position: 'prefix',
          values: ['1234.5'],
          suffix: null,
          currency_decimal_separator: '.',
          currency_decimal_numbers: 2,
          currency_thousand_separator: ',',
        },
        sale_price_data: { enabled: '', sale_price: '', start_date: '', end_date: '' },
        supports_attendee_information: false,
        attendees: [],
        checkin: { checked_in: 0, unchecked_in: 0, checked_in_percentage: 100, unchecked_in_percentage: 0 },
        rest_url: `http://localhost/calendar/tickets/v1/tickets/${id}`,
      });
    });

    it('are read alike, with more members for viewers who may change them', async () => {
      const author = server().userId('administrator');
      expect(await read(server(), id)).toEqual({
        ...expected,
        capacity_type: 'own',
        sku: `${id}-${author}-DAY-TICKET`,
        available_from_start_time: '08:00:00',
        available_from_end_time: '20:00:00',
        totals: { stock: 100, sold: 0, pending: 0 },
      });
    });

    it('show no counts to visitors', async () => {
      const { checkin: _checkin, ...rest } = expected;
      const { body } = await server().ask(`GET tickets:/tickets/${id}`);
      expect(body).toEqual({ ...rest, capacity_details: { available_percentage: 100, available: 100 } });
    });
  });

  it('for RSVPs have neither price nor article number', async () => {
    const event = await makeEvent(server());
    const { id } = await makeTicket(server(), event, { provider: 'rsvp', price: 'whatever', ticket: { capacity: 3 } });
    expect(await read(server(), id)).toMatchObject({
      on_sale: null,
      cost: '$0.00',
      cost_details: { values: ['0'] },
      sale_price_data: [],
      sku: null,
      capacity: 3,
      rsvp: { rsvp_going: 0, rsvp_not_going: 0 },
      capacity_details: { global_stock_mode: 'own' },
    });
    const open = await makeTicket(server(), event, { provider: 'rsvp' });
    expect(open).toMatchObject({ capacity: '', capacity_details: { available: -1, max: 0, global_stock_mode: '' } });
  });

  describe('capacity modes', () => {
    it.each(MODES)('creates %j', async (...mode) => {
      const event = await makeEvent(server());
      expect(await makeTicket(server(), event, { ticket: mode[0] })).toMatchObject(capacityShown(mode));
    });

    it.each(MODES.flatMap((from) => MODES.map((to) => [from[0], to[0], to] as const)))(
      '%j becomes %j',
      async (from, to, mode) => {
        const post_id = await makeEvent(server());
        const { id, date, global_id } = await makeTicket(server(), post_id, { ticket: from });
        const { status, body } = await editTicket(server(), id, { post_id, ticket: to });
        expect(status).toBe(202);
        expect(body).toMatchObject({ ...capacityShown(mode), id, date, global_id });
      },
    );

    const refused: unknown[] = [
      { mode: 'sideways' },
      { capacity: 'many' },
      { capacity: 1.5 },
      { capacity: [] },
      { event_capacity: '3e9' },
      'own',
      ['own'],
      { sale_price: { checked: true, price: 'half' } },
      { sale_price: { checked: '1', price: '5', start_date: 'someday' } },
      { sale_price: 5 },
    ];
    it.each(refused)('refuses %j', async (ticket) => {
      const post_id = await makeEvent(server());
      const answer = await addTicket(server(), { post_id, provider: 'tc', name: 'Seat', price: 10, ticket });
      expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect(Object.keys(answer.body.data.params)).toEqual(['ticket']);
    });

    it('refuses shared seats for RSVPs', async () => {
      const post_id = await makeEvent(server());
      const answer = await addTicket(server(), { post_id, provider: 'rsvp', ticket: { mode: 'global' } });
      expect(answer.status).toBe(400);
    });
  });

  describe('shared seats', () => {
    it('are recounted when tickets start and stop sharing', async () => {
      const post_id = await makeEvent(server());
      const a = await makeTicket(server(), post_id, { ticket: { mode: 'own', capacity: 9 } });
      const b = await makeTicket(server(), post_id, { ticket: { mode: 'global', event_capacity: 20 } });
      await withExpiredReleased(server(), a.id, 4);
      await withExpiredReleased(server(), b.id, 5);
      const { db } = server().context;
      expect(await findSharedSeats(db, post_id)).toMatchObject({ capacity: 20, sold: 5 });
      await editTicket(server(), a.id, { post_id, ticket: { mode: 'capped' } });
      expect(await findSharedSeats(db, post_id)).toMatchObject({ capacity: 20, sold: 9 });
      expect(await read(server(), b.id)).toMatchObject({ capacity_details: { available: 11, sold: 5 } });
      await editTicket(server(), b.id, { post_id, ticket: { mode: '' } });
      expect(await findSharedSeats(db, post_id)).toMatchObject({ capacity: 20, sold: 4 });
    });

    it('lower the caps with their capacity, and keep them when it grows', async () => {
      const post_id = await makeEvent(server());
      const capped = await makeTicket(server(), post_id, {
        ticket: { mode: 'capped', capacity: 20, event_capacity: 30 },
      });
      const global = await makeTicket(server(), post_id, { ticket: { mode: 'global' } });
      await withExpiredReleased(server(), capped.id, 5);
      await withExpiredReleased(server(), global.id, 5);
      await editTicket(server(), global.id, { post_id, ticket: { event_capacity: 40 } });
      expect(await read(server(), capped.id)).toMatchObject({ capacity: 20, capacity_details: { available: 15 } });
      expect(await read(server(), global.id)).toMatchObject({ capacity: 40, capacity_details: { available: 30 } });
      await editTicket(server(), global.id, { post_id, ticket: { event_capacity: 15 } });
      expect(await read(server(), capped.id)).toMatchObject({ capacity: 15, capacity_details: { available: 5 } });
      expect(await read(server(), global.id)).toMatchObject({ capacity: 15, capacity_details: { available: 5 } });
    });

    it('stay as they are when a ticket with its own seats changes', async () => {
      const post_id = await makeEvent(server());
      await makeTicket(server(), post_id, { ticket: { mode: 'global', event_capacity: 20 } });
      const own = await makeTicket(server(), post_id, { ticket: { mode: 'own', capacity: 9, event_capacity: '' } });
      await withExpiredReleased(server(), own.id, 3);
      await editTicket(server(), own.id, { post_id, ticket: { mode: 'own', capacity: 7, event_capacity: '' } });
      expect(await findSharedSeats(server().context.db, post_id)).toMatchObject({ capacity: 20, sold: 0 });
    });
  });

  it('accept a capacity below what is sold, and then have none available', async () => {
    const post_id = await makeEvent(server());
    const { id } = await makeTicket(server(), post_id, { ticket: { capacity: 8 } });
    await withExpiredReleased(server(), id, 2);
    const { body } = await editTicket(server(), id, { post_id, ticket: { mode: 'own', capacity: 1 } });
    expect(body).toMatchObject({
      capacity: 1,
      is_available: false,
      capacity_details: { available: 0, available_percentage: 0, max: 1, sold: 2 },
    });
  });

  it('are available with one seat of a thousand left', async () => {
    const post_id = await makeEvent(server());
    const { id } = await makeTicket(server(), post_id, { ticket: { capacity: 1000 } });
    await withExpiredReleased(server(), id, 999);
    expect(await read(server(), id)).toMatchObject({
      is_available: true,
      capacity_details: { available: 1, available_percentage: 0 },
    });
  });

  it('change only in the fields that an update sends', async () => {
    const post_id = await makeEvent(server());
    const sale_price = { checked: 'yes', price: '7', start_date: '2026-11-20', end_date: '2026-11-21' };
    const made = await makeTicket(server(), post_id, {
      ...WINDOW,
      description: 'Front row',
      sku: 'ROW-1',
      menu_order: 4,
      ticket: { mode: 'own', capacity: 6, sale_price },
    });
    const before = await read(server(), made.id);
    server().clock.now = new Date(server().clock.now.getTime() + 60_000);
    const { body } = await editTicket(server(), made.id, { post_id, name: 'Only the name' });
    server().clock.now = new Date(server().clock.now.getTime() - 60_000);
    expect(body).toMatchObject({ title: 'Only the name', modified: '2026-11-21 12:01:00', on_sale: true });
    expect(await read(server(), made.id)).toEqual({
      ...before,
      title: 'Only the name',
      modified: '2026-11-21 12:01:00',
      modified_utc: '2026-11-21 17:01:00',
      revision: before.revision + 1,
    });
  });

  describe('prices', () => {
    it.each([
      ['12', '$12.00', '12'],
      [12, '$12.00', '12'],
      ['12.50', '$12.50', '12.5'],
      ['000', '$0.00', '0'],
      [' ', '$0.00', '0'],
      [null, '$0.00', '0'],
    ])('%j is %s', async (price, cost, value) => {
      const made = await makeTicket(server(), await makeEvent(server()), { price });
      expect(made).toMatchObject({ cost, cost_details: { values: [value] } });
    });

    it.each([
      [['0'], 'Free', ['0']],
      [['0', '20'], 'Free – $20.00', ['0', '20']],
      [['20', '0', '5'], 'Free – $20.00', ['0', '5', '20']],
      [['5', '5'], '$5.00', ['5']],
    ])('tickets at %j make the cost of their event %j', async (prices, cost, values) => {
      const post_id = await makeEvent(server(), { cost: '$99' });
      for (const price of prices) await makeTicket(server(), post_id, { price });
      const { body } = await server().ask(`GET /events/${post_id}`);
      expect(body).toMatchObject({ cost, cost_details: { values } });
    });

    it.each([-5, '0,0', 'abc', '12.x', '12.505', [], {}, true, undefined])('refuses %j', async (price) => {
      const answer = await addTicket(server(), { post_id: await makeEvent(server()), provider: 'tc', price });
      expect(answer).toMatchObject({ status: 400, body: { code: 'tec-tickets-rest-invalid_price' } });
    });

    const reduced: [what: string, sale: object, data: object, onSale: boolean][] = [
      ['open', { checked: '1', price: '5' }, { enabled: '1', sale_price: '5.00', start_date: '', end_date: '' }, true],
      ['not checked', { checked: '0', price: '5' }, { enabled: '', sale_price: '' }, false],
      ['blank', { checked: '1', price: '' }, { enabled: '', sale_price: '' }, false],
      ['not lower', { checked: '1', price: '10' }, { enabled: '', sale_price: '' }, false],
      ['until today', { checked: 'yes', price: 5, end_date: '2026-11-21' }, { end_date: '2026-11-21' }, true],
      ['until yesterday', { checked: 'on', price: 5, end_date: '2026-11-20' }, { end_date: '2026-11-20' }, false],
      ['from today', { checked: true, price: 5, start_date: 'today' }, { start_date: '2026-11-21' }, true],
      ['from tomorrow', { checked: true, price: 5, start_date: 'tomorrow' }, { start_date: '2026-11-22' }, false],
    ];
    it.each(reduced)('applies a discount: %s', async (_what, sale_price, data, on_sale) => {
      const made = await makeTicket(server(), await makeEvent(server()), { ticket: { sale_price } });
      expect(made).toMatchObject({ cost: '$10.00', on_sale, sale_price_data: data });
    });

    it('removes a discount when the regular price is lowered to it', async () => {
      const post_id = await makeEvent(server());
      const { id } = await makeTicket(server(), post_id, { ticket: { sale_price: { checked: '1', price: '5' } } });
      const kept = await editTicket(server(), id, { post_id, price: '6' });
      expect(kept.body.sale_price_data.enabled).toBe('1');
      const gone = await editTicket(server(), id, { post_id, price: '5' });
      expect(gone.body.sale_price_data.enabled).toBe('');
    });
  });

  it('are on sale by default from the publication date of the event until it starts', async () => {
    const made = await makeTicket(server(), await makeEvent(server(), { timezone: 'Europe/Paris' }));
    expect(made).toMatchObject({ available_from: '2026-11-21 00:00:00', available_until: '2027-03-06 12:30:00' });
  });

  it.each([
    [{ start_date: '2026-02-30' }, 'start_date'],
    [{ end_time: '25:00' }, 'end_time'],
    [{ start_time: 'teatime' }, 'start_time'],
    [{ start_date: '2027-02-01', end_date: '2027-01-31' }, 'end_date'],
    [{ menu_order: 'first' }, 'menu_order'],
    [{ name: ['a'] }, 'name'],
  ])('refuses %j', async (fields, name) => {
    const post_id = await makeEvent(server());
    const { status, body } = await addTicket(server(), { post_id, provider: 'tc', price: 1, ...fields });
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', [name]]);
  });

  describe('refusals', () => {
    let event: number;
    let other: number;
    let id: number;
    beforeAll(async () => {
      [event, other] = [await makeEvent(server()), await makeEvent(server())];
      id = (await makeTicket(server(), event)).id;
    });

    it('forbid a new ticket without event, token or right', async () => {
      const token = await nonce(server(), 'add_ticket_nonce');
      const good = { provider: 'tc', price: 1, post_id: event, add_ticket_nonce: token };
      const cases = [{}, { ...good, post_id: '' }, { ...good, post_id: 999_999 }, { ...good, add_ticket_nonce: {} }];
      for (const body of cases) {
        const answer = await server().ask('POST tickets:/tickets', { as: 'administrator', body });
        expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
      }
      for (const as of ['contributor', 'subscriber', 'door', undefined] as const)
        expect((await server().ask('POST tickets:/tickets', { as, body: good })).body.code).toBe('forbidden');
    });

    it('require event, token and a ticket of that event for a change', async () => {
      const { ask } = server();
      const put = (path: number, body: object) => ask(`PUT tickets:/tickets/${path}`, { as: 'administrator', body });
      const missing = await put(id, {});
      expect(missing.body).toMatchObject({
        code: 'rest_missing_callback_param',
        data: { params: ['post_id', 'edit_ticket_nonce'] },
      });
      const edit_ticket_nonce = await nonce(server(), 'edit_ticket_nonce');
      expect((await put(999_999, { post_id: event, edit_ticket_nonce })).body.code).toBe('ticket-not-found');
      expect((await put(event, { post_id: event, edit_ticket_nonce })).body.code).toBe('ticket-not-found');
      expect((await put(id, { post_id: 999_999, edit_ticket_nonce })).body.code).toBe('forbidden');
      expect((await put(id, { post_id: 'x', edit_ticket_nonce })).body.code).toBe('rest_invalid_param');
      expect((await put(id, { post_id: other, edit_ticket_nonce })).body).toMatchObject({
        code: 'rest_invalid_param',
        data: { params: { post_id: expect.any(String) } },
      });
      expect((await put(id, { post_id: event, edit_ticket_nonce, name: 'Changed' })).status).toBe(202);
    });

    it.each(['', ' ', '\t\n', null, '<b></b>', '\u200b\u2060\ufeff'])(
      'the name %j is blank, and one that is absent is empty',
      async (name) => {
        for (const refused of [
          await addTicket(server(), { provider: 'tc', price: 1, post_id: event, name }),
          await editTicket(server(), id, { post_id: event, name }),
        ])
          expect(refused).toMatchObject({
            status: 400,
            body: { code: 'rest_invalid_param', data: { params: { name: expect.any(String) } } },
          });
        const nameless = await addTicket(server(), { provider: 'tc', price: 1, post_id: event });
        expect(nameless).toMatchObject({ status: 202, body: { title: '' } });
        expect((await editTicket(server(), nameless.body.id, { post_id: event, price: 2 })).status).toBe(202);
      },
    );

    it('forbid authors to change a ticket of another’s event by naming their own', async () => {
      const own = await makeEvent(server(), {}, 'author');
      const answer = await editTicket(server(), id, { post_id: own, name: 'Mine' }, 'author');
      expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
      expect((await deleteTicket(server(), id, own, 'author')).status).toBe(400);
    });
  });

  it('disappear from all responses and carts when they are deleted', async () => {
    const post_id = await makeEvent(server());
    const { id } = await makeTicket(server(), post_id, { ticket: { mode: 'global', event_capacity: 9 } });
    const { db } = server().context;
    await withExpiredReleased(server(), id, 2);
    await db.transaction((trx) => takeSeats(trx, [{ ticket_id: id, quantity: 3 }], 'held'));
    const cart = await db.query
      .insertInto('carts')
      .values({ token_hash: `cart of ${id}`, meta: '{}', expires_utc: '2027-01-01 00:00:00' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.query
      .insertInto('cart_items')
      .values({
        cart_id: cart.id,
        ticket_id: id,
        event_id: post_id,
        quantity: 3,
        optout: 0,
        position: 0,
        expires_utc: '2027-01-01 00:00:00',
      })
      .execute();
    const { status, text } = await deleteTicket(server(), id, post_id);
    expect([status, text]).toEqual([202, 'true']);
    expect((await server().ask(`GET tickets:/tickets/${id}`, { as: 'administrator' })).body.code).toBe(
      'ticket-not-found',
    );
    const list = await server().ask('GET tickets:/tickets', { as: 'administrator', query: { include_post: post_id } });
    expect(list.body.tickets).toEqual([]);
    expect((await deleteTicket(server(), id, post_id)).status).toBe(404);
    expect((await editTicket(server(), id, { post_id, name: 'Back' })).body.code).toBe('ticket-not-found');
    expect(await db.query.selectFrom('cart_items').selectAll().where('ticket_id', '=', id).execute()).toEqual([]);
    // Sold seats stay sold: the attendees keep them.
    expect(await findSharedSeats(db, post_id)).toMatchObject({ capacity: 9, sold: 2, held: 0 });
    await db.transaction((trx) => returnSeats(trx, [{ ticket_id: id, quantity: 2 }], 'sold'));
    expect(await findSharedSeats(db, post_id)).toMatchObject({ capacity: 9, sold: 0 });
  });

  it('keep the shared counters equal to their sums during concurrent sales and mode changes', async () => {
    const post_id = await makeEvent(server());
    const made: number[] = [];
    for (const mode of ['own', 'global', 'capped'])
      made.push((await makeTicket(server(), post_id, { ticket: { mode, capacity: 500, event_capacity: 500 } })).id);
    const [first = 0, ...others] = made;
    const changes = ['global', 'own', 'capped', '', 'global', 'own'].map((mode) =>
      editTicket(server(), first, { post_id, ticket: { mode, capacity: 500 } }),
    );
    const sales = Array.from({ length: 40 }, (_, turn) =>
      withExpiredReleased(server(), made[turn % made.length] ?? first, 1),
    );
    const answers = await Promise.all(changes);
    await Promise.all(sales);
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 202));
    const { query } = server().context.db;
    const rows = await query.selectFrom('tickets').select(['mode', 'sold']).where('id', 'in', made).execute();
    const shared = rows.filter(({ mode }) => mode === 'global' || mode === 'capped');
    expect(rows.reduce((sum, { sold }) => sum + sold, 0)).toBe(40);
    expect((await findSharedSeats(server().context.db, post_id))?.sold).toBe(
      shared.reduce((sum, { sold }) => sum + sold, 0),
    );
    expect(others).toHaveLength(2);
  });
});
