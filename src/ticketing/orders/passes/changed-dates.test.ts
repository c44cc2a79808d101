import { afterEach, describe, expect, it } from 'vitest';
import { buy } from '../../../../test/buyers.ts';
import { runJobs } from '../../../../test/jobs.ts';
import { eventsOf, makeSeason } from '../../../../test/season.ts';
import { DATABASES, NOON, useTestServer } from '../../../../test/server.ts';
import { sharedCounters, shopperOf } from '../../../../test/shopper.ts';
import { deleteTicket, editTicket } from '../../../../test/tickets.ts';
import { expireUnpaid } from '../../../jobs/expire-unpaid.ts';
import { extendPasses } from './extend-passes.ts';

describe.each(DATABASES)('a series pass whose dates change, on %s', (kind) => {
  const server = useTestServer(kind);
  afterEach(() => {
    server().clock.now = NOON;
  });

  const takenIn = async (events: readonly (number | undefined)[]) => {
    const all = await Promise.all(events.map((id) => sharedCounters(server(), id ?? 0)));
    return all.map(({ sold, held }) => [sold, held]);
  };
  const cartOf = async (ticket_id: number | undefined, quantity = 1) => {
    const shopper = shopperOf(server());
    expect((await shopper.put([{ ticket_id, quantity }])).status).toBe(200);
    return shopper;
  };
  const deleteEvent = async (id: number | undefined) => {
    const gone = await server().ask(`DELETE /events/${id}`, { as: 'administrator', query: { force: true } });
    expect(gone.status).toBe(200);
  };

  const buyPaid = async (ticket: number | undefined) => {
    const order = await buy(server(), [ticket ?? 0]);
    await server().make(`PATCH admin:/orders/${order.id}`, { status: 'completed' }, 'editor');
    return order;
  };
  const setRule = async (series: number, rrule: string) => {
    await server().make(`PATCH /series/${series}`, { recurrence: { rrule } }, 'administrator');
    await runJobs(server().context);
  };

  it('is sold for the other nights, if the chosen one is deleted', async () => {
    const { events, dates } = await makeSeason(server(), {}, 3);
    const shopper = await cartOf(dates[0], 2);
    await deleteEvent(events[0]);
    const items = await server().context.db.query.selectFrom('cart_items').selectAll().orderBy('ticket_id').execute();
    expect(items.map(({ pass_id, network }) => [pass_id, network !== ''])).toEqual([
      [dates[1], true],
      [dates[1], false],
    ]);
    const sold = await shopper.checkout();
    expect(sold).toMatchObject({ status: 201, body: { order: { status: 'pending', total: { minor: 20_000 } } } });
    expect(sold.body.attendees.map(({ ticket_id }: { ticket_id: number }) => ticket_id)).toEqual([
      ...[dates[1], dates[2]],
      ...[dates[1], dates[2]],
    ]);
    expect(await takenIn(events.slice(1))).toEqual([
      [2, 0],
      [2, 0],
    ]);
  });

  it('is not sold, and returns its places, if all of its nights are deleted', async () => {
    const { events, dates } = await makeSeason(server(), {}, 2);
    const shopper = await cartOf(dates[0]);
    await deleteEvent(events[0]);
    await deleteEvent(events[1]);
    expect((await shopper.checkout()).body.code).toBe('cart-expired');
    const { query } = server().context.db;
    const orders = await query
      .selectFrom('orders')
      .select('id')
      .where('id', '>', dates.at(-1) ?? 0)
      .execute();
    expect(orders).toEqual([]);
  });

  it('gets no free places once it is cancelled, although its first night is used', async () => {
    const { series, events, dates } = await makeSeason(server(), {}, 4);
    const { id, attendees } = await buyPaid(dates[0]);
    server().clock.now = new Date('2027-03-02T00:30:00Z');
    const inside = await server().ask(`PATCH tickets:/attendees/${attendees[0]?.id}`, {
      as: 'editor',
      body: { check_in: true },
    });
    expect(inside.status).toBe(201);
    const body = { attendees: [attendees[1]?.id] };
    expect((await server().ask(`POST admin:/orders/${id}/cancel-places`, { as: 'editor', body })).status).toBe(200);
    await setRule(series, 'FREQ=WEEKLY;COUNT=5');
    const all = await eventsOf(server(), series);
    expect(all).toHaveLength(5);
    const list = await server().ask(`GET admin:/tickets/${dates[0]}/missing-dates`, { as: 'editor' });
    expect(list.body.total).toBe(0);
    expect(await takenIn([...events.slice(1), all.at(-1)])).toEqual(Array.from({ length: 4 }, () => [0, 0]));
  });

  it('is skipped by the periodic job while the missing night is full, however many miss it', async () => {
    const { series, dates } = await makeSeason(server(), {}, 3);
    for (let holders = 0; holders < 3; holders += 1) await buyPaid(dates[0]);
    await server().make(`PATCH /series/${series}`, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } }, 'administrator');
    const added = (await eventsOf(server(), series)).at(-1);
    const { tickets } = (await server().ask('GET tickets:/tickets', { query: { include_post: String(added) } })).body;
    const resize = (event_capacity: number) =>
      editTicket(server(), tickets[0].id, { post_id: added, ticket: { event_capacity } });
    await resize(1);
    await runJobs(server().context);
    expect(await takenIn([added])).toEqual([[1, 0]]);
    const listed = async (query: Record<string, number> = {}) =>
      (await server().ask(`GET admin:/tickets/${dates[0]}/missing-dates`, { as: 'editor', query })).body;
    expect(await listed({ per_page: 1, page: 2 })).toMatchObject({ total: 2, dates: [{ event_id: added }] });
    expect(await extendPasses(server().context)).toBe(0);
    await resize(10);
    expect(await extendPasses(server().context)).toBe(1);
    await runJobs(server().context);
    expect([await takenIn([added]), (await listed()).total]).toEqual([[[3, 0]], 0]);
  });

  const ticketsOf = (pass: number | undefined) =>
    server()
      .context.db.query.selectFrom('tickets')
      .select('event_id')
      .where('pass_id', '=', pass ?? 0)
      .where('is_deleted', '=', 0)
      .execute();
  const look = async () => {
    await extendPasses(server().context);
    await runJobs(server().context);
  };

  it('covers a night that was in the trash when the pass was made', async () => {
    const { events, dates } = await makeSeason(server(), {}, 3, 1);
    expect(dates).toHaveLength(2);
    await buyPaid(dates[0]);
    await server().make(`PATCH /events/${events[1]}`, { status: 'publish' }, 'administrator');
    // Without the periodic look: the request itself has it done.
    await runJobs(server().context);
    expect(await ticketsOf(dates[0])).toContainEqual({ event_id: events[1] });
    expect(await takenIn([events[1]])).toEqual([[1, 0]]);
    expect(await extendPasses(server().context)).toBe(0);
    expect((await deleteTicket(server(), dates[0] ?? 0, events[0] ?? 0)).status).toBe(202);
    await look();
    expect(await ticketsOf(dates[0])).toEqual([]);
  });

  it('covers nights that are restored with their series, at once', async () => {
    const { series, events, dates } = await makeSeason(server(), {}, 3, 1);
    await buyPaid(dates[0]);
    await server().make(`PATCH /series/${series}`, { recurrence: { exdates: [] } }, 'administrator');
    await runJobs(server().context);
    expect(await takenIn(events)).toEqual(events.map(() => [1, 0]));
  });

  it('covers nights beyond its limit as soon as earlier ones have passed', async () => {
    const { series, dates } = await makeSeason(server(), {}, 59);
    await buyPaid(dates[0]);
    await setRule(series, 'FREQ=WEEKLY;COUNT=62');
    await look();
    expect(await ticketsOf(dates[0])).toHaveLength(60);
    const late = (await eventsOf(server(), series)).slice(60);
    const list = await server().ask(`GET admin:/tickets/${dates[0]}/missing-dates`, { as: 'editor' });
    expect(list.body).toMatchObject({ total: 2, dates: late.map((event_id) => ({ event_id, ticket_id: null })) });
    server().clock.now = new Date('2027-03-10T12:00:00Z');
    await look();
    expect(await ticketsOf(dates[0])).toHaveLength(62);
    expect(await takenIn(late)).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });

  it('does not follow an event into a series that is made of it later', async () => {
    const { series, events, dates } = await makeSeason(server(), {}, 3);
    await buyPaid(dates[0]);
    const gone = await server().ask(`DELETE /series/${series}`, {
      as: 'administrator',
      query: { confirm_holders: true },
    });
    expect(gone.status).toBe(200);
    await runJobs(server().context);
    await server().make(`PATCH /events/${events[1]}`, { status: 'publish' }, 'administrator');
    const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=3' };
    const other = await server().make('POST /series', { event_id: events[1], recurrence }, 'administrator');
    await look();
    const all = await eventsOf(server(), other.id);
    expect(all).toHaveLength(3);
    const rows = await ticketsOf(dates[0]);
    expect(all.filter((id) => rows.some(({ event_id }) => event_id === id))).toEqual([events[1]]);
    expect(await takenIn(all.slice(1))).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('covers later nights of a series that was split off', async () => {
    const { events, dates } = await makeSeason(server(), {}, 3);
    await buyPaid(dates[0]);
    const title = 'Advanced';
    const query = { scope: 'following', confirm_holders: true };
    const split = await server().ask(`PATCH /events/${events[2]}`, { as: 'administrator', query, body: { title } });
    expect(split.status).toBe(200);
    await runJobs(server().context);
    const [{ series_id } = { series_id: 0 }] = await server()
      .context.db.query.selectFrom('events')
      .select('series_id')
      .where('id', '=', events[2] ?? 0)
      .execute();
    await setRule(series_id ?? 0, 'FREQ=WEEKLY;COUNT=2');
    const added = (await eventsOf(server(), series_id ?? 0)).at(-1);
    expect(events).not.toContain(added);
    expect(await takenIn([added])).toEqual([[1, 0]]);
  });

  it.each(['deleted', 'cancelled'])('keeps the names and answers given for a chosen night that is %s', async (how) => {
    const { events, dates } = await makeSeason(server(), {}, 3);
    const shopper = shopperOf(server());
    const meta = [{ ticket_id: dates[0], items: [{ diet: 'vegan' }, {}] }];
    const filled = await shopper.put([{ ticket_id: dates[0], quantity: 2 }], { meta });
    expect(filled.status).toBe(200);
    if (how === 'deleted') await deleteEvent(events[0]);
    else await server().make(`PATCH /events/${events[0]}`, { event_status: 'cancelled' }, 'administrator');
    const attendees = ['Grace', 'Mary'].map((full_name) => ({ ticket_id: dates[0], full_name }));
    const sold = await shopper.checkout({ attendees });
    expect(sold.status).toBe(201);
    const rows = await server()
      .context.db.query.selectFrom('attendees')
      .select(['full_name', 'information'])
      .where('order_id', '=', sold.body.order.id)
      .orderBy('id')
      .execute();
    expect(rows.map(({ full_name, information }) => [full_name, JSON.parse(information).diet])).toEqual([
      ...[
        ['Grace', 'vegan'],
        ['Grace', 'vegan'],
      ],
      ...[
        ['Mary', undefined],
        ['Mary', undefined],
      ],
    ]);
  });

  describe('to be paid at the door', () => {
    const buyAtDoor = async () => {
      await server().make('PATCH admin:/site', { payment_ways: [{ id: 'door', at_door: true, hold_hours: null }] });
      const season = await makeSeason(server(), {}, 3);
      return { ...season, order: await buy(server(), [season.dates[0] ?? 0]) };
    };
    const statusAt = async (order: number, time: string) => {
      server().clock.now = new Date(time);
      await expireUnpaid(server().context);
      return (await server().ask(`GET admin:/orders/${order}`, { as: 'editor' })).body.status;
    };

    it('is kept until the first night that takes place', async () => {
      const { events, order } = await buyAtDoor();
      await server().make(`PATCH /events/${events[0]}`, { event_status: 'cancelled' }, 'administrator');
      expect(await statusAt(order.id, '2027-03-02T12:00:00Z')).toBe('pending');
      expect(await statusAt(order.id, '2027-03-09T12:00:00Z')).toBe('not-completed');
    });

    it('is kept for good only if no night is left but postponed ones', async () => {
      const { events, order } = await buyAtDoor();
      const postpone = (id: number | undefined) =>
        server().make(`PATCH /events/${id}`, { event_status: 'postponed' }, 'administrator');
      for (const event of events) await postpone(event);
      expect(await statusAt(order.id, '2027-04-02T12:00:00Z')).toBe('pending');
      server().clock.now = NOON;
      const other = await makeSeason(server(), {}, 3);
      const second = await buy(server(), [other.dates[0] ?? 0]);
      await postpone(other.events[2]);
      expect(await statusAt(second.id, '2027-03-02T12:00:00Z')).toBe('not-completed');
    });
  });
});
