import { afterEach, describe, expect, it } from 'vitest';
import { asHolder, buy } from '../../../../test/buyers.ts';
import { runJobs } from '../../../../test/jobs.ts';
import { eventsOf, makeSeason, NIGHTS } from '../../../../test/season.ts';
import { DATABASES, NOON, useTestServer } from '../../../../test/server.ts';
import { ADA, sharedCounters } from '../../../../test/shopper.ts';
import { editTicket } from '../../../../test/tickets.ts';
import { expireUnpaid } from '../../../jobs/expire-unpaid.ts';
import { extendPasses } from './extend-passes.ts';

const KEY = 'the key of the door';

describe.each(DATABASES)('a series pass in use on %s', (kind) => {
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
  const pay = (order: number) => server().make(`PATCH admin:/orders/${order}`, { status: 'completed' }, 'editor');
  const scan = (code: object, query: object = {}) =>
    server().ask('POST tickets:/qr', { query: { api_key: KEY, ...code, ...query } });

  it('is checked in once a night, by the key, the request, or the time', async () => {
    const { events, dates } = await makeSeason(server());
    const order = await buy(server(), [dates[0] ?? 0]);
    await pay(order.id);
    const [first] = await attendeesOf(order.id);
    const code = { ticket_id: first?.id, security_code: first?.security_code };
    const early = await scan(code);
    expect([early.status, early.body.error]).toEqual([403, 'event_not_happening_now']);
    const nights = await server()
      .context.db.query.selectFrom('events')
      .select(['id', 'utc_start_date'])
      .where('id', 'in', events)
      .orderBy('utc_start_date')
      .execute();
    for (const { id, utc_start_date } of nights) {
      server().clock.now = new Date(new Date(`${utc_start_date.replace(' ', 'T')}Z`).getTime() - 3_600_000);
      const answer = await scan(code);
      expect([answer.status, answer.body.attendee.post_id]).toEqual([201, id]);
      const twice = await scan(code);
      expect([twice.status, twice.body.error]).toEqual([403, 'attendee_already_checked_in']);
    }
    server().clock.now = NOON;
    const other = await buy(server(), [dates[0] ?? 0]);
    await pay(other.id);
    const [one] = await attendeesOf(other.id);
    const its = { ticket_id: one?.id, security_code: one?.security_code };
    const named = await scan(its, { event_id: events[9] });
    expect(named.body.attendee.post_id).toBe(events[9]);
    const { key } = await server().make(
      'POST admin:/check-in-keys',
      { name: 'Door', event_id: events[11] },
      'administrator',
    );
    const byKey = () => scan(its, { api_key: key });
    expect((await byKey()).body.attendee.post_id).toBe(events[11]);
    expect((await byKey()).body.error).toBe('attendee_already_checked_in');
    const elsewhere = await scan(its, { event_id: 99 });
    expect([elsewhere.status, elsewhere.body.error]).toEqual([403, 'event_mismatch']);
    expect((await scan({ ...its, security_code: 'wrong' })).body.error).toBe('security_code_not_valid');
    const byHand = (id: number | undefined) =>
      server().ask(`PATCH tickets:/attendees/${id}`, { as: 'door', body: { check_in: true } });
    const rows = await attendeesOf(other.id);
    expect((await byHand(rows[12]?.id)).status).toBe(201);
    expect((await byHand(rows[12]?.id)).body.code).toBe('tec-et-attendee-already-checked-in');
    expect((await byHand(rows[13]?.id)).status).toBe(201);
  });

  it('is refused at the door until it is paid, and not kept beyond its first night', async () => {
    await server().make('PATCH admin:/site', { payment_ways: [{ id: 'door', at_door: true, hold_hours: null }] });
    const { events, dates } = await makeSeason(server());
    const order = await buy(server(), [dates[0] ?? 0]);
    const [first] = await attendeesOf(order.id);
    const code = { ticket_id: first?.id, security_code: first?.security_code };
    server().clock.now = new Date('2027-03-02T00:30:00Z');
    const refused = await scan(code);
    expect([refused.status, refused.body.error]).toEqual([403, 'attendee_not_authorized']);
    expect(refused.body.msg).toContain('$100.00');
    await expireUnpaid(server().context);
    expect(await soldIn(events)).toEqual(each(1));
    server().clock.now = new Date('2027-03-02T03:00:00Z');
    await expireUnpaid(server().context);
    expect(await soldIn(events)).toEqual(each(0));
  });

  it('is transferred with all nights; nights that were used keep their name', async () => {
    const { dates, events } = await makeSeason(server());
    const order = await buy(server(), [dates[0] ?? 0]);
    await pay(order.id);
    const gone = await server().ask(`DELETE /events/${events[19]}`, { as: 'administrator', query: { force: true } });
    expect(gone.status).toBe(200);
    const [first] = await attendeesOf(order.id);
    const code = { ticket_id: first?.id, security_code: first?.security_code };
    const { url } = (await server().ask(`GET admin:/attendees/${first?.id}`, { as: 'editor' })).body;
    server().clock.now = new Date('2027-03-02T00:30:00Z');
    await scan(code);
    const give = (headers: Record<string, string>) =>
      server().ask(`POST tickets:/attendees/${first?.id}/transfer`, {
        headers,
        body: { full_name: 'Grace', email: 'grace@example.test' },
      });
    // Its holder is inside.
    expect((await give(asHolder(url))).body.data.reason).toBe('checked-in');
    server().clock.now = new Date('2027-03-05T12:00:00Z');
    const given = await give(asHolder(url));
    expect(given).toMatchObject({ status: 200, body: { full_name: 'Grace', id: first?.id } });
    const rows = await attendeesOf(order.id);
    expect(rows.map(({ full_name }) => full_name)).toEqual([ADA.name, ...Array.from({ length: 19 }, () => 'Grace')]);
    expect(new Set(rows.map(({ security_code }) => security_code))).toEqual(new Set([given.body.security_code]));
    server().clock.now = new Date('2027-03-09T00:30:00Z');
    expect((await scan(code)).body.error).toBe('security_code_not_valid');
    const now = { ticket_id: first?.id, security_code: given.body.security_code };
    expect((await scan(now)).body.attendee.title).toBe('Grace');
    await server().make(`PATCH tickets:/attendees/${rows[5]?.id}`, { full_name: 'Hopper' }, 'editor');
    expect((await attendeesOf(order.id)).slice(0, 4).map(({ full_name }) => full_name)).toEqual([
      ...[ADA.name, 'Grace', 'Hopper', 'Hopper'],
    ]);
    expect((await give(asHolder(url))).body.code).toBe('ticket-transferred');
    expect((await give(order.headers)).body.code).toBe('ticket-link-required');
    const customer = await server().ask(`GET tickets:/orders/${order.id}`, { headers: order.headers });
    for (const one of customer.body.attendees) expect(one).not.toHaveProperty('security_code');
  });

  it('gets a place in an occurrence that is added later, or is listed', async () => {
    const { series, events, dates } = await makeSeason(server());
    const [early, late] = [await buy(server(), [dates[0] ?? 0]), await buy(server(), [dates[0] ?? 0])];
    await Promise.all([pay(early.id), pay(late.id)]);
    const gone = await buy(server(), [dates[0] ?? 0]);
    await server().ask(`POST tickets:/orders/${gone.id}/cancel`, { headers: gone.headers });
    await server().make(`PATCH /series/${series}`, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=21' } }, 'administrator');
    await runJobs(server().context);
    const all = await eventsOf(server(), series);
    const added = all.find((id) => !events.includes(id)) ?? 0;
    expect(all).toHaveLength(21);
    expect(await sharedCounters(server(), added)).toEqual({ sold: 2, held: 0 });
    const rows = (await attendeesOf(early.id)).filter(({ event_id }) => event_id === added);
    expect(rows).toMatchObject([
      { pass_id: early.attendees[0]?.id, price: 0, security_code: early.attendees[0]?.security_code },
    ]);
    server().clock.now = new Date('2027-07-20T00:30:00Z');
    const code = { ticket_id: early.attendees[0]?.id, security_code: early.attendees[0]?.security_code };
    expect((await scan(code)).body.attendee.post_id).toBe(added);
    server().clock.now = NOON;
    const refunded = await server().ask(`PATCH admin:/orders/${early.id}`, {
      as: 'administrator',
      body: { status: 'refunded' },
    });
    expect(refunded.status).toBe(200);
    expect(await soldIn(all)).toEqual(each(1, 21));

    // A night with too few places for both holders.
    const third = await buy(server(), [dates[0] ?? 0]);
    await pay(third.id);
    const [{ id: single }] = (await server().ask('GET tickets:/tickets', { query: { include_post: String(all[19]) } }))
      .body.tickets;
    await editTicket(server(), single, { post_id: all[19], ticket: { event_capacity: 1 } });
    await server().make(`PATCH /series/${series}`, { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=22' } }, 'administrator');
    const next = (await eventsOf(server(), series)).at(-1) ?? 0;
    const seats = (await server().ask('GET tickets:/tickets', { query: { include_post: String(next) } })).body.tickets;
    await editTicket(server(), seats[0].id, { post_id: next, ticket: { event_capacity: 1 } });
    await runJobs(server().context);
    expect(await sharedCounters(server(), next)).toEqual({ sold: 1, held: 0 });
    const missing = await server().ask(`GET admin:/tickets/${dates[0]}/missing-dates`, { as: 'editor' });
    expect(missing.body).toMatchObject({
      total: 1,
      dates: [{ attendee_id: third.attendees[0]?.id, full_name: ADA.name, event_id: next, order_id: third.id }],
    });
    // The place comes as soon as there is one.
    await editTicket(server(), seats[0].id, { post_id: next, ticket: { event_capacity: 5 } });
    await extendPasses(server().context);
    await runJobs(server().context);
    expect(await sharedCounters(server(), next)).toEqual({ sold: 2, held: 0 });
    const none = await server().ask(`GET admin:/tickets/${dates[0]}/missing-dates`, { as: 'editor' });
    expect(none.body.total).toBe(0);
    expect(await extendPasses(server().context)).toBe(0);
  });
});
