import { beforeAll, describe, expect, it } from 'vitest';
import { addAttendee, makeAttendee, makeRsvp, makeSeat, soldOf } from '../../../test/attendees.ts';
import { type Asking, DATABASES, useTestServer } from '../../../test/server.ts';
import { deleteTicket, makeEvent } from '../../../test/tickets.ts';

/** Noon in New York and in UTC. */
const NOW = { local: '2026-11-21 12:00:00', utc: '2026-11-21 17:00:00' };
const SALE = { start_date: '2026-11-01', end_date: '2027-01-31' };
const NOW_DETAILS = { year: '2026', month: '11', day: '21', hour: '12', minutes: '00', seconds: '00' };

describe.each(DATABASES)('attendees on %s', (kind) => {
  const server = useTestServer(kind, { qrApiKey: 'door-key' });
  let event: number;
  let rsvp: number;
  let seat: number;
  beforeAll(async () => {
    event = await makeEvent(server());
    rsvp = await makeRsvp(server(), event);
    seat = await makeSeat(server(), event, 10, { name: 'Stalls', description: 'Row A', price: '12.5', ...SALE });
  });

  const patch = (id: number, body: unknown, asking: Asking = { as: 'administrator' }) =>
    server().ask(`PATCH tickets:/attendees/${id}`, { ...asking, body });

  it('of a paid ticket have every member in order', async () => {
    const { context } = server();
    const made = await makeAttendee(server(), seat, { full_name: ' Dee <b>Ash</b> ', email: 'dee@party.test' });
    const { order_id } = await context.db.query
      .selectFrom('attendees')
      .select('order_id')
      .where('id', '=', made.id)
      .executeTakeFirstOrThrow();
    const rest_url = `http://localhost/calendar/tickets/v1/attendees/${made.id}`;
    const global_id = `localhost?type=attendee&id=${made.id}`;
    const expected = {
      id: made.id,
      post_id: event,
      ticket_id: seat,
      global_id,
      global_id_lineage: [global_id],
      author: String(server().userId('administrator')),
      status: 'publish',
      date: NOW.local,
      date_utc: NOW.utc,
      modified: NOW.local,
      modified_utc: NOW.utc,
      revision: 1,
      rest_url,
      ticket: {
        id: seat,
        title: 'Stalls',
        description: 'Row A',
        raw_price: '12.5',
        formatted_price: '12.50',
        currency_config: {
          symbol: '$',
          placement: 'prefix',
          decimal_point: '.',
          thousands_sep: ',',
          number_of_decimals: 2,
        },
        start_sale: SALE.start_date,
        end_sale: SALE.end_date,
      },
      title: 'Dee Ash',
      optout: false,
      provider: 'tc',
      order: order_id,
      sku: '',
      email: 'dee@party.test',
      checked_in: false,
      checkin_details: false,
      is_subscribed: false,
      is_purchaser: true,
      payment: { provider: 'tc', price: '12.5', currency: '$', date: NOW.local, date_details: NOW_DETAILS },
    };
    expect(made).toEqual(expected);
    expect(Object.keys(made)).toEqual(Object.keys(expected));
    const stranger = await server().ask(`GET tickets:/attendees/${made.id}`);
    expect(Object.keys(stranger.body)).toEqual(Object.keys(expected).slice(0, 16));
    expect(stranger.body).toMatchObject({ title: 'Dee Ash', optout: false });
  });

  it('of an RSVP are opted out and going by default', async () => {
    const made = await makeAttendee(server(), rsvp);
    expect(made).toMatchObject({ provider: 'rsvp', order: made.id, rsvp_going: true, optout: true });
    expect(made).toMatchObject({ ticket: { raw_price: '', formatted_price: '0.00' } });
    expect(made).not.toHaveProperty('payment');
  });

  it.each([
    ['a ticket that is not there', { ticket_id: 999_999 }, 400, 'rest_invalid_param'],
    ['no e-mail address', { email: 'nope' }, 400, 'rest_invalid_param'],
    ['a name that is all markup', { full_name: '<br>' }, 400, 'rest_invalid_param'],
    ['an unknown answer', { attendee_status: 'maybe' }, 400, 'invalid-attendee-status'],
    [
      'a checked-in attendee who does not come',
      { attendee_status: 'no', check_in: true },
      400,
      'tec-et-attendee-invalid-check-in',
    ],
  ])('are not created with %s', async (_name, fields, status, code) => {
    const before = await server().ask('GET tickets:/attendees', { as: 'administrator' });
    expect(await addAttendee(server(), rsvp, fields)).toMatchObject({ status, body: { code } });
    const after = await server().ask('GET tickets:/attendees', { as: 'administrator' });
    expect(after.body.total).toBe(before.body.total);
  });

  it('of paid tickets have no RSVP answer', async () => {
    expect(await addAttendee(server(), seat, { attendee_status: 'yes' })).toMatchObject({
      status: 400,
      body: { code: 'invalid-attendee-status' },
    });
  });

  it('are created only by viewers who manage attendees', async () => {
    const body = { ticket_id: rsvp, full_name: 'X', email: 'x@party.test' };
    const asked = (asking: Asking) => server().ask('POST tickets:/attendees', { ...asking, body });
    expect(await asked({})).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } });
    for (const as of ['subscriber', 'author', 'door'] as const) expect((await asked({ as })).status).toBe(403);
    expect((await asked({ query: { api_key: 'door-key' } })).status).toBe(401);
    expect((await asked({ as: 'editor' })).status).toBe(201);
  });

  it.each(['cancelled', 'postponed'])('are not created for an event that is %s', async (event_status) => {
    const event = await makeEvent(server());
    const [seat, rsvp] = [await makeSeat(server(), event), await makeRsvp(server(), event)];
    await server().make(`PATCH /events/${event}`, { event_status });
    const add = (ticket_id: number, fields = {}) =>
      server().ask('POST tickets:/attendees', {
        as: 'editor',
        body: { ticket_id, full_name: 'Ada', email: 'ada@party.test', ...fields },
      });
    for (const ticket of [seat, rsvp]) {
      expect(await add(ticket)).toMatchObject({ status: 409, body: { code: `event-${event_status}` } });
      expect(await soldOf(server(), ticket)).toBe(0);
    }
    expect((await add(rsvp, { attendee_status: 'no' })).status).toBe(201);
    if (event_status === 'cancelled') return;
    await server().make(`PATCH /events/${event}`, { sale_stays_open: true });
    expect((await add(seat)).status).toBe(201);
  });

  it('can be created as checked in', async () => {
    const made = await makeAttendee(server(), seat, { check_in: true });
    expect(made).toMatchObject({
      checked_in: true,
      checkin_details: {
        date: NOW.local,
        date_details: NOW_DETAILS,
        source: 'site',
        author: server().userId('administrator'),
      },
    });
  });

  it.each(['tc', 'rsvp'])(
    'never exceed the seats of a %s ticket, and a refusal leaves nothing behind',
    async (provider) => {
      const { context } = server();
      const full = provider === 'tc' ? await makeSeat(server(), event, 1) : await makeRsvp(server(), event, 1);
      await makeAttendee(server(), full);
      const count = async () => {
        const rows = (table: 'records' | 'attendees' | 'orders' | 'order_log') =>
          context.db.query
            .selectFrom(table)
            .select((eb) => eb.fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow();
        return Promise.all(
          (['records', 'attendees', 'orders', 'order_log'] as const).map(async (t) => Number((await rows(t)).n)),
        );
      };
      const before = await count();
      const refused = await addAttendee(server(), full);
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'attendee-creation-failed', data: { status: 409, ticket_id: full, available: 0 } },
      });
      expect(await count()).toEqual(before);
      expect(await soldOf(server(), full)).toBe(1);
    },
  );

  it('take seats of expired carts', async () => {
    const { context, clock } = server();
    const last = await makeSeat(server(), event, 1);
    const { db } = context;
    const cart = await db.query
      .insertInto('carts')
      .values({ token_hash: 'late', meta: '[]', expires_utc: '2026-11-21 16:59:00' })
      .returning('id')
      .executeTakeFirstOrThrow();
    await db.query
      .insertInto('cart_items')
      .values({
        cart_id: cart.id,
        ticket_id: last,
        event_id: event,
        quantity: 1,
        optout: 0,
        position: 0,
        expires_utc: '2026-11-21 16:59:00',
      })
      .execute();
    await db.query.updateTable('tickets').set({ held: 1 }).where('id', '=', last).execute();
    expect(clock.now.toISOString()).toBe('2026-11-21T17:00:00.000Z');
    expect((await addAttendee(server(), last)).status).toBe(201);
    expect((await addAttendee(server(), last)).status).toBe(409);
  });

  it('change only in the fields that are sent', async () => {
    const { id } = await makeAttendee(server(), rsvp, { attendee_status: 'no' });
    expect(await patch(id, { full_name: 'Benny Oak', optout: false })).toMatchObject({
      status: 201,
      body: { title: 'Benny Oak', email: 'ada@party.test', rsvp_going: false, optout: false },
    });
    expect(await patch(id, { email: 'oak@party.test' })).toMatchObject({
      body: { title: 'Benny Oak', email: 'oak@party.test', rsvp_going: false },
    });
    const found = await server().ask('GET tickets:/attendees', {
      as: 'administrator',
      query: { name: 'benny', email: 'OAK@' },
    });
    expect(found.body.attendees.map((one: { id: number }) => one.id)).toEqual([id]);
  });

  it('change completely or not at all', async () => {
    const { id } = await makeAttendee(server(), rsvp, { attendee_status: 'no' });
    const refused = await patch(id, { full_name: 'Changed', check_in: true });
    expect(refused).toMatchObject({ status: 400, body: { code: 'tec-et-attendee-invalid-check-in' } });
    expect((await server().ask(`GET tickets:/attendees/${id}`, { as: 'editor' })).body.title).toBe('Ada Park');
  });

  it('take and return a seat with their RSVP answer', async () => {
    const two = await makeRsvp(server(), event, 2);
    const { id } = await makeAttendee(server(), two);
    const { id: other } = await makeAttendee(server(), two, { attendee_status: 'no' });
    const steps: [id: number, answer: string, status: number, sold: number][] = [
      [id, 'yes', 201, 1],
      [id, 'no', 201, 0],
      [id, 'no', 201, 0],
      [id, 'yes', 201, 1],
      [other, 'yes', 201, 2],
    ];
    for (const [who, attendee_status, status, sold] of steps) {
      expect((await patch(who, { attendee_status })).status).toBe(status);
      expect(await soldOf(server(), two)).toBe(sold);
    }
    const { id: late } = await makeAttendee(server(), two, { attendee_status: 'no' });
    expect(await patch(late, { attendee_status: 'yes', full_name: 'Late' })).toMatchObject({
      status: 409,
      body: { code: 'ticket-capacity-not-available', data: { ticket_id: two, available: 0 } },
    });
    expect((await server().ask(`GET tickets:/attendees/${late}`, { as: 'editor' })).body).toMatchObject({
      title: 'Ada Park',
      rsvp_going: false,
    });
  });

  it('return one seat in concurrent requests with the same answer', async () => {
    const ticket = await makeRsvp(server(), event, 5);
    await makeAttendee(server(), ticket);
    const { id } = await makeAttendee(server(), ticket);
    const answers = await Promise.all(Array.from({ length: 6 }, () => patch(id, { attendee_status: 'no' })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    expect(await soldOf(server(), ticket)).toBe(1);
  });

  it('are checked in, but not renamed, by door staff', async () => {
    const { id } = await makeAttendee(server(), seat);
    for (const asking of [{ as: 'door' as const }, { headers: { 'x-api-key': 'door-key' } }]) {
      expect((await patch(id, { check_in: true }, asking)).status).toBe(201);
      expect((await patch(id, { check_in: '' }, asking)).body.checked_in).toBe(false);
      const status = 'as' in asking ? 403 : 401;
      for (const field of [{ full_name: 'X' }, { email: 'x@y.test' }, { attendee_status: 'no' }, { optout: true }]) {
        expect((await patch(id, { check_in: true, ...field }, asking)).status).toBe(status);
      }
    }
    expect((await server().ask(`GET tickets:/attendees/${id}`, { as: 'door' })).body).toMatchObject({
      title: 'Ada Park',
      checked_in: false,
    });
  });

  it('that do not exist are not found, or not accessible', async () => {
    const status = async (as?: Asking['as']) => (await server().ask('GET tickets:/attendees/999999', { as })).status;
    expect([await status('editor'), await status('door'), await status('author'), await status()]).toEqual([
      404, 404, 401, 401,
    ]);
    expect(await patch(999_999, { check_in: true })).toMatchObject({
      status: 404,
      body: { code: 'attendee-not-found' },
    });
    expect((await patch(999_999, { check_in: true }, {})).status).toBe(401);
  });

  it('keep the title of a deleted ticket', async () => {
    const gone = await makeSeat(server(), event, 5, { name: 'Balcony' });
    const { id } = await makeAttendee(server(), gone);
    expect((await deleteTicket(server(), gone, event)).status).toBe(202);
    const { body } = await server().ask(`GET tickets:/attendees/${id}`, { as: 'editor' });
    expect(body.ticket).toMatchObject({ id: gone, title: 'Balcony' });
    expect((await addAttendee(server(), gone)).status).toBe(400);
  });
});
