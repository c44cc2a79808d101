import { afterEach, describe, expect, it } from 'vitest';
import { asHolder, buy } from '../../../../test/buyers.ts';
import { runJobs } from '../../../../test/jobs.ts';
import { BOTH_ROOMS, datesOf, eventsOf, HALL, makeSeason, NIGHTS, SHARED } from '../../../../test/season.ts';
import { DATABASES, NOON, startTestServer, useTestServer } from '../../../../test/server.ts';
import { counters, sharedCounters, shopperOf, wait } from '../../../../test/shopper.ts';
import type { StatementHooks } from '../../../../test/statements.ts';
import { usualOf } from '../../../../test/thoroughness.ts';
import { addTicket, deleteTicket, EVENING, editTicket, makeTicket } from '../../../../test/tickets.ts';
import { expireUnpaid } from '../../../jobs/expire-unpaid.ts';
import { sweepCarts } from '../../../jobs/remove-expired.ts';

const KEY = 'the key of the door';
const TRIBE = '/wp-json/tribe';

describe.each(DATABASES)('a series pass on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind, { qrApiKey: KEY });
  afterEach(() => {
    server().clock.now = NOON;
  });

  const attendeesOf = (order: number) =>
    server().context.db.query.selectFrom('attendees').selectAll().where('order_id', '=', order).orderBy('id').execute();
  const soldIn = async (events: readonly number[]) => {
    const all = await Promise.all(events.map((id) => sharedCounters(server(), id)));
    return all.map(({ sold, held }) => sold + held);
  };
  const each = (value: number, count = NIGHTS) => Array.from({ length: count }, () => value);
  const cartOf = async (ticket: number, quantity = 1) => {
    const shopper = shopperOf(server());
    const answer = await shopper.put([{ ticket_id: ticket, quantity }]);
    return { shopper, answer };
  };
  const pay = (order: number) => server().make(`PATCH admin:/orders/${order}`, { status: 'completed' }, 'editor');
  const scan = (code: object, query: object = {}) =>
    server().ask('POST tickets:/qr', { query: { api_key: KEY, ...code, ...query } });

  it('is a ticket of every coming occurrence, and counts once in a cart', async () => {
    const { events, dates } = await makeSeason(server());
    expect(dates).toHaveLength(NIGHTS);
    const { body } = await server().ask('GET tickets:/tickets', { query: { include_post: String(events[7]) } });
    expect(body.tickets).toMatchObject([
      { title: 'Single' },
      {
        ...{ id: dates[7], title: 'Twenty nights', cost: '$100.00', scope: 'series' },
        ...{ pass: { id: dates[0], dates: NIGHTS }, capacity: 10, capacity_details: { available: 10 } },
      },
    ]);
    expect(body.tickets[0]).not.toHaveProperty('scope');
    const old = await server().ask(`GET tickets:/tickets/${dates[7]}`, { prefix: TRIBE });
    expect(old.body).toMatchObject({ title: 'Twenty nights' });
    expect(Object.keys(old.body)).not.toEqual(expect.arrayContaining(['scope', 'pass']));
    expect((await server().ask(`GET /events/${events[7]}`)).body.cost).toBe('$10.00');

    const { shopper, answer } = await cartOf(dates[7] ?? 0, 2);
    expect(answer.body).toMatchObject({
      tickets: [{ ticket_id: dates[7], quantity: 2, subtotal: { minor: 20_000 }, pass: { dates: NIGHTS } }],
      totals: { quantity: 2, total: { minor: 20_000 } },
    });
    expect(await soldIn(events)).toEqual(each(2));
    // By the ticket of another night, it is the same pass.
    const again = await shopper.put([{ ticket_id: dates[3], quantity: 1 }]);
    expect(again.body.tickets).toMatchObject([{ ticket_id: dates[3], quantity: 1 }]);
    expect(await soldIn(events)).toEqual(each(1));
    await shopper.put([{ ticket_id: dates[3], quantity: 0 }]);
    expect(await soldIn(events)).toEqual(each(0));
  });

  it('makes one attendee in each occurrence, with one code, page and QR code', async () => {
    const { events, dates } = await makeSeason(server());
    const order = await buy(server(), [dates[4] ?? 0, dates[4] ?? 0]);
    expect(order.body.order).toMatchObject({ total: { minor: 20_000 } });
    const rows = await attendeesOf(order.id);
    expect(rows).toHaveLength(2 * NIGHTS);
    const passes = [...Map.groupBy(rows, ({ pass_id }) => pass_id).values()];
    expect(passes.map((pass) => pass.map(({ event_id }) => event_id))).toEqual([events, events]);
    expect(passes.map((pass) => new Set(pass.map(({ security_code }) => security_code)).size)).toEqual([1, 1]);
    expect(passes[0]?.[0]?.security_code).not.toBe(passes[1]?.[0]?.security_code);
    expect(passes.map((pass) => pass.reduce((sum, { price }) => sum + price, 0))).toEqual([10_000, 10_000]);
    expect(await soldIn(events)).toEqual(each(2));
    await pay(order.id);
    const first = rows[0];
    const last = rows[NIGHTS - 1];
    const codes = await Promise.all(
      [first, last].map((one) => server().ask(`GET admin:/attendees/${one?.id}`, { as: 'editor' })),
    );
    expect(codes[0]?.body.content).toContain(`ticket_id=${first?.id}&security_code=${first?.security_code}`);
    expect(codes[1]?.body).toMatchObject({ content: codes[0]?.body.content, url: codes[0]?.body.url });
    const held = await server().ask(`GET tickets:/attendees/${first?.id}/ticket`, {
      headers: asHolder(codes[0]?.body.url),
    });
    expect(held.body.pass.dates.map(({ event }: { event: { id: number } }) => event.id)).toEqual(events);
    const public_ = await server().ask(`GET tickets:/attendees/${last?.id}`, { as: 'editor' });
    expect(public_.body).toMatchObject({ post_id: events.at(-1), pass: { id: first?.id } });
    const reference = await server().ask(`GET tickets:/attendees/${last?.id}`, { as: 'editor', prefix: TRIBE });
    expect(reference.body).not.toHaveProperty('pass');
    const query = { fields: 'event_id,pass_id', order: order.id };
    const { text } = await server().ask('GET admin:/attendees/export', { as: 'editor', query });
    expect(text.trim().split('\r\n').slice(1, 3)).toEqual([`${events[0]},${first?.id}`, `${events[1]},${first?.id}`]);
    expect((await server().ask(`GET tickets:/attendees/${last?.id}`)).body).not.toHaveProperty('pass');
  });

  usually('shares its price among the dates, to the last cent', async () => {
    const { dates } = await makeSeason(server(), { price: '100.07' });
    const order = await buy(server(), [dates[0] ?? 0]);
    const prices = (await attendeesOf(order.id)).map(({ price }) => price);
    expect(prices).toEqual([...each(501, 7), ...each(500, 13)]);
  });

  it('is refused when one night is full, and takes no place then', async () => {
    const { events, dates } = await makeSeason(server());
    // The sale of the single tickets of each night begins later.
    server().clock.now = new Date('2027-02-20T12:00:00Z');
    const { body } = await server().ask('GET tickets:/tickets', { query: { include_post: String(events[12]) } });
    await buy(
      server(),
      Array.from({ length: 10 }, () => body.tickets[0].id),
    );
    const before = await soldIn(events);
    const { answer } = await cartOf(dates[0] ?? 0);
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'ticket-capacity-not-available', data: { ticket_id: dates[0], available: 0 } },
    });
    expect(await soldIn(events)).toEqual(before);
    const shown = await server().ask(`GET tickets:/tickets/${dates[0]}`);
    expect(shown.body).toMatchObject({ is_available: false, capacity_details: { available: 0 } });
    const listed = async (is_available: boolean) =>
      (await server().ask('GET tickets:/tickets', { query: { include: dates.join(), is_available, per_page: 50 } }))
        .body.total;
    expect([await listed(true), await listed(false)]).toEqual([0, NIGHTS]);
    const staff = await server().ask('POST tickets:/attendees', {
      as: 'editor',
      body: { ticket_id: dates[0], full_name: 'Ada', email: 'ada@example.test' },
    });
    expect([staff.status, staff.body.code]).toEqual([409, 'attendee-creation-failed']);
    expect(await soldIn(events)).toEqual(before);
  });

  it('has places of its own in the mode “own”', async () => {
    const { events, dates } = await makeSeason(server(), { ticket: { mode: 'own', capacity: 3 } });
    await buy(server(), [dates[0] ?? 0, dates[0] ?? 0]);
    expect(await soldIn(events)).toEqual(each(0));
    expect(await Promise.all(dates.map((id) => counters(server(), id)))).toEqual(
      dates.map(() => ({ sold: 2, held: 0 })),
    );
    const shown = await server().ask(`GET tickets:/tickets/${dates[9]}`);
    expect(shown.body).toMatchObject({ capacity: 3, capacity_details: { available: 1 } });
    expect((await cartOf(dates[9] ?? 0, 2)).answer.status).toBe(409);
  });

  it('returns all places when a cart expires', async () => {
    const { events, dates } = await makeSeason(server());
    const { shopper } = await cartOf(dates[2] ?? 0, 3);
    wait(server(), 16);
    const { body } = await server().ask(`GET tickets:/tickets/${dates[0]}`);
    expect(body.capacity_details.available).toBe(10);
    await sweepCarts(server().context);
    expect(await soldIn(events)).toEqual(each(0));
    expect((await shopper.checkout()).body.code).toBe('cart-expired');
    const { shopper: late } = await cartOf(dates[2] ?? 0, 3);
    wait(server(), 16);
    const order = await late.checkout();
    expect(order.status).toBe(201);
    expect(await soldIn(events)).toEqual(each(3));
  });

  it('returns all places when it is refunded, cancelled or not paid', async () => {
    const { events, dates } = await makeSeason(server());
    const refunded = await buy(server(), [dates[0] ?? 0]);
    await pay(refunded.id);
    expect(await soldIn(events)).toEqual(each(1));
    await server().make(`PATCH admin:/orders/${refunded.id}`, { status: 'refunded' }, 'administrator');
    expect(await soldIn(events)).toEqual(each(0));
    const unpaid = await buy(server(), [dates[0] ?? 0]);
    await server().ask(`POST tickets:/orders/${unpaid.id}/cancel`, { headers: unpaid.headers });
    expect(await soldIn(events)).toEqual(each(0));
    await buy(server(), [dates[0] ?? 0]);
    server().clock.now = new Date('2027-03-09T12:00:00Z');
    await expireUnpaid(server().context);
    expect(await soldIn(events)).toEqual(each(0));
  });

  it('is cancelled as a whole, with the coming nights that are not used', async () => {
    const { events, dates } = await makeSeason(server());
    const order = await buy(server(), [dates[0] ?? 0, dates[0] ?? 0]);
    await pay(order.id);
    const rows = await attendeesOf(order.id);
    server().clock.now = new Date('2027-03-09T00:30:00Z');
    const { security_code, pass_id } = rows[0] ?? { security_code: '', pass_id: 0 };
    expect((await scan({ ticket_id: pass_id, security_code })).status).toBe(201);
    const cancelled = await server().ask(`POST admin:/orders/${order.id}/cancel-places`, {
      as: 'editor',
      body: { attendees: [rows[5]?.id] },
    });
    expect(cancelled.status).toBe(200);
    // The first night has ended, the second one is used.
    expect(cancelled.body.changes.archived).toEqual(rows.slice(2, NIGHTS).map(({ id }) => id));
    expect(cancelled.body.total.minor).toBe(20_000 - 18 * 500);
    expect(await soldIn(events)).toEqual([2, 2, ...each(1, 18)]);
    await server().make(`PATCH admin:/orders/${order.id}`, { status: 'refunded' }, 'administrator');
    expect(await soldIn(events)).toEqual(each(0));
  });

  it('is limited in dates and places', async () => {
    const many = await server().make('POST /events', {
      ...{ title: 'Daily', start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' },
    });
    const recurrence = { rrule: 'FREQ=DAILY;COUNT=61' };
    const { id: series } = await server().make('POST /series', { event_id: many.id, recurrence }, 'administrator');
    const pass = { post_id: many.id, provider: 'tc', name: 'All', price: '10', scope: 'series', ticket: { mode: '' } };
    const refused = await addTicket(server(), pass);
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'pass-too-many-dates', data: { dates: 61, max: 60 } },
    });
    await runJobs(server().context);
    expect((await addTicket(server(), pass)).body.code).toBe('pass-too-many-dates');
    await server().make(`PATCH /series/${series}`, { recurrence: { rrule: 'FREQ=DAILY;COUNT=60' } }, 'administrator');
    const made = await addTicket(server(), { ...pass, max_per_order: 0 });
    expect(made.body.pass.dates).toBe(60);
    const { answer } = await cartOf(made.body.id, 17);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'max-per-order-exceeded', data: { max_per_order: 16 } },
    });
    // More places than a visitor may hold, but a pass counts once.
    expect((await cartOf(made.body.id, 16)).answer.status).toBe(200);
    const sale = (quantity: number) =>
      server().ask('POST admin:/orders', {
        as: 'administrator',
        body: { items: [{ ticket_id: made.body.id, quantity }], payment: 'cash' },
      });
    expect((await sale(17)).body.code).toBe('max-per-order-exceeded');
    const both = (await datesOf(server(), made.body.pass.id))
      .slice(0, 2)
      .map((ticket_id) => ({ ticket_id, quantity: 1 }));
    const twice = await server().ask('POST admin:/orders', {
      as: 'administrator',
      body: { items: both, payment: 'cash' },
    });
    expect(twice.body.data.params).toHaveProperty('items');
    const begun = performance.now();
    const sold = await sale(16);
    expect(sold.status).toBe(201);
    expect(sold.body.attendees).toHaveLength(960);
    expect(performance.now() - begun).toBeLessThan(10_000);
    const single = { post_id: many.id, provider: 'rsvp', name: 'Reply', scope: 'series' };
    expect((await addTicket(server(), single)).body.data.params).toHaveProperty('scope');
    const alone = await server().make('POST /events', { ...EVENING, title: 'Alone' });
    expect((await addTicket(server(), { ...pass, post_id: alone.id })).body.data.params).toHaveProperty('scope');
    const fixed = await editTicket(server(), made.body.id, { post_id: many.id, scope: 'this' });
    expect(fixed.body.data.params).toHaveProperty('scope');
  });

  it('shares the places that a job has not given to the other events yet', async () => {
    const times = { start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' };
    const event = { title: 'Glazing', ...times };
    const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=3' };
    const { id: series } = await server().make('POST /series', { event, recurrence }, 'administrator');
    const events = await eventsOf(server(), series);
    const first = events[0] ?? 0;
    await makeTicket(server(), first, { name: 'Single', ...HALL, scope: 'all' });
    const { pass } = await makeTicket(server(), first, { ...BOTH_ROOMS, ...SHARED });
    const [, second] = await datesOf(server(), pass.id);
    const available = async () =>
      (await server().ask(`GET tickets:/tickets/${second}`)).body.capacity_details.available;
    expect(await available()).toBe(10);
    await runJobs(server().context);
    const { body } = await server().ask('GET tickets:/tickets', { query: { include_post: String(events[2]) } });
    expect(body.tickets).toMatchObject([
      { title: 'Single', capacity: 10 },
      { title: 'Twenty nights', capacity: 10 },
    ]);
    expect(await available()).toBe(10);
    const part = await editTicket(server(), second ?? 0, { post_id: events[1], name: 'Three', scope: 'following' });
    expect(part.body.data.params).toHaveProperty('scope');
  });

  it('changes, and is deleted, in all coming occurrences', async () => {
    const { events, dates } = await makeSeason(server());
    await editTicket(server(), dates[3] ?? 0, { post_id: events[3], name: 'Season', price: '90' });
    const shown = async (id: number) => (await server().ask(`GET tickets:/tickets/${id}`)).body;
    for (const id of [dates[0] ?? 0, dates[19] ?? 0])
      expect(await shown(id)).toMatchObject({ title: 'Season', cost: '$90.00' });
    // One entry of the audit log, undone as a whole.
    const { audit } = (
      await server().ask('GET admin:/audit', { as: 'administrator', query: { kind: 'ticket', per_page: 100 } })
    ).body;
    const changes = audit.filter(
      ({ action, record_id }: { action: string; record_id: number }) =>
        action === 'changed' && dates.includes(record_id),
    );
    expect(changes).toMatchObject([{ record_id: dates[3] }]);
    const undone = await server().ask(`POST admin:/audit/${changes[0].id}/restore`, { as: 'administrator' });
    expect(undone.status).toBe(200);
    for (const id of [dates[0] ?? 0, dates[19] ?? 0])
      expect(await shown(id)).toMatchObject({ title: 'Twenty nights', cost: '$100.00' });
    const { shopper } = await cartOf(dates[0] ?? 0);
    expect((await deleteTicket(server(), dates[5] ?? 0, events[5] ?? 0)).status).toBe(202);
    expect((await shopper.look()).body.tickets).toEqual([]);
    expect(await soldIn(events)).toEqual(each(0));
    expect((await server().ask(`GET tickets:/tickets/${dates[19]}`)).status).toBe(404);
  });
});

describe.each(DATABASES)('the purchase of a series pass on %s', (kind) => {
  it('leaves nothing behind when the process dies at any of its seats', async () => {
    const hooks: StatementHooks = {};
    const server = await startTestServer(kind, {}, { hooks });
    try {
      const { events, dates } = await makeSeason(server);
      const shopper = shopperOf(server);
      await shopper.put([{ ticket_id: dates[0], quantity: 1 }]);
      for (const dying of [1, NIGHTS, 2 * NIGHTS]) {
        let seats = 0;
        hooks.before = (sql) => {
          if (!/^update "(tickets|event_stock)" set "(held|sold)"/.test(sql)) return;
          seats += 1;
          if (seats === dying) throw new Error('killed');
        };
        expect((await shopper.checkout()).status).toBe(500);
        expect(seats).toBe(dying);
        hooks.before = undefined;
        const { query } = server.context.db;
        for (const table of ['orders', 'order_items', 'attendees'] as const)
          expect(
            await query
              .selectFrom(table)
              .select((eb) => eb.fn.countAll().as('total'))
              .execute(),
          ).toMatchObject([{ total: expect.toSatisfy((total) => Number(total) === 0) }]);
        for (const event of events) expect(await sharedCounters(server, event)).toEqual({ sold: 0, held: 1 });
      }
      expect((await shopper.checkout()).status).toBe(201);
      for (const event of events) expect(await sharedCounters(server, event)).toEqual({ sold: 1, held: 0 });
    } finally {
      await server.close();
    }
  });
});
