import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeRsvp, makeSeat, soldOf } from '../../../test/attendees.ts';
import { type Answer, type Asking, DATABASES, useTestServer } from '../../../test/server.ts';
import { usualOf } from '../../../test/thoroughness.ts';
import { addTicket, editTicket, makeEvent, makeTicket } from '../../../test/tickets.ts';
import { visitorAt } from '../../../test/visitor.ts';

const codeOf = ({ status, body }: Answer) => (status < 300 ? status : body.code);

describe.each(DATABASES)('the places of one order on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind);
  let event: number;
  let seat: number;
  beforeAll(async () => {
    event = await makeEvent(server());
  });
  beforeEach(async () => {
    seat = await makeSeat(server(), event, 300);
  });

  const visitor = (asking: Omit<Asking, 'body'> = {}) => visitorAt(server(), '192.0.2.1', asking);
  const change = (id: number, max_per_order: unknown) => editTicket(server(), id, { post_id: event, max_per_order });
  const reply = (ticket_id: number, quantity: number, asking: Asking = {}) =>
    server().ask('POST tickets:/replies', {
      ...asking,
      body: { ticket_id, full_name: 'Zoé', email: 'zoe@example.test', quantity },
    });

  it('are at most 20 of a ticket, under every prefix, and any number for viewers who manage attendees', async () => {
    for (const prefix of ['/calendar', '/wp-json/calendar', '/wp-json/tribe'])
      expect(await visitor({ prefix }).put(seat, 21)).toMatchObject({
        status: 400,
        body: { code: 'max-per-order-exceeded', data: { ticket_id: seat, max_per_order: 20 } },
      });
    expect(codeOf(await visitor({ as: 'author' }).put(seat, 21))).toBe('max-per-order-exceeded');
    const one = visitor();
    expect(codeOf(await one.put(seat, 20))).toBe(200);
    expect(codeOf(await one.put(seat, 21))).toBe('max-per-order-exceeded');
    expect(codeOf(await one.buy())).toBe(201);
    const staff = visitor({ as: 'editor' });
    expect(codeOf(await staff.put(seat, 60))).toBe(200);
    expect(codeOf(await staff.buy())).toBe(201);
    expect(await soldOf(server(), seat)).toBe(80);
  });

  usually('are at least as many as the ticket says, except for staff', async () => {
    const set = (min_per_order: number | null) => editTicket(server(), seat, { post_id: event, min_per_order });
    expect((await set(3)).body.min_per_order).toBe(3);
    const one = visitor();
    expect(await one.put(seat, 2)).toMatchObject({
      status: 400,
      body: { code: 'min-per-order-missed', data: { ticket_id: seat, min_per_order: 3 } },
    });
    expect(codeOf(await one.put(seat, 3))).toBe(200);
    await set(4);
    expect(codeOf(await one.buy())).toBe('min-per-order-missed');
    expect(codeOf(await visitor({ as: 'editor' }).put(seat, 1))).toBe(200);
    expect((await set(-1)).status).toBe(400);
    expect((await set(null)).body).not.toHaveProperty('min_per_order');
    expect(codeOf(await visitor().put(seat, 1))).toBe(200);
  });

  usually('have a minimum that the maximum allows', async () => {
    const own = await makeEvent(server());
    const refusedFor = ({ status, body }: Answer) => [status, Object.keys(body.data?.params ?? {})];
    const add = (fields: object) =>
      addTicket(server(), { post_id: own, provider: 'tc', name: 'Group', price: '1', ...fields });
    expect(refusedFor(await add({ min_per_order: 5, max_per_order: 4 }))).toEqual([400, ['min_per_order']]);
    expect(refusedFor(await add({ min_per_order: 21 }))).toEqual([400, ['min_per_order']]);
    expect((await add({ min_per_order: 21, max_per_order: 0 })).status).toBe(202);
    const { id } = (await add({ min_per_order: 4, max_per_order: 4 })).body;
    const edit = (fields: object) => editTicket(server(), id, { post_id: own, ...fields });
    expect(refusedFor(await edit({ max_per_order: 3 }))).toEqual([400, ['max_per_order']]);
    expect(refusedFor(await edit({ min_per_order: 5 }))).toEqual([400, ['min_per_order']]);
    expect((await edit({ min_per_order: 30, max_per_order: 40 })).body).toMatchObject({ max_per_order: 40 });
    expect(refusedFor(await edit({ max_per_order: null }))).toEqual([400, ['max_per_order']]);
    expect((await edit({ name: 'Groups' })).body).toMatchObject({ title: 'Groups', min_per_order: 30 });
    expect((await edit({ max_per_order: null, min_per_order: null })).body).not.toHaveProperty('max_per_order');
  });

  it('are checked before the seats that are left, and again at the checkout', async () => {
    await change(seat, 5);
    expect(codeOf(await visitor().put(seat, 301))).toBe('max-per-order-exceeded');
    const [buyer, staff] = [visitor(), visitor({ as: 'editor' })];
    await buyer.put(seat, 5);
    await change(seat, 4);
    const token = buyer.token;
    const refused = await buyer.buy();
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'max-per-order-exceeded', data: { ticket_id: seat, max_per_order: 4 } },
    });
    expect(refused.body.message).toContain('at most 4 places of the ticket Seat');
    buyer.use(token);
    expect(codeOf(await buyer.put(seat, 4))).toBe(200);
    expect(codeOf(await buyer.buy())).toBe(201);
    // A cart that staff have filled is no way around the limit.
    await staff.put(seat, 9);
    const other = visitor();
    other.use(staff.token);
    expect(codeOf(await other.buy())).toBe('max-per-order-exceeded');
  });

  usually('are what the organizer says, 0 for any number, until null resets it', async () => {
    expect((await change(seat, 0)).body.max_per_order).toBe(0);
    expect(codeOf(await visitor().put(seat, 100))).toBe(200);
    expect((await change(seat, '1')).body.max_per_order).toBe(1);
    expect((await editTicket(server(), seat, { post_id: event, name: 'Chair' })).body.max_per_order).toBe(1);
    expect((await visitor().put(seat, 2)).body.message).toBe(
      'One order may have at most one place of the ticket Chair. Take fewer.',
    );
    expect((await change(seat, null)).body).not.toHaveProperty('max_per_order');
    expect((await change(seat, 20)).body).not.toHaveProperty('max_per_order');
    expect(codeOf(await visitor().put(seat, 21))).toBe('max-per-order-exceeded');
  });

  it.each([-1, 101, 2.5, 'many', [3], true])('cannot be %j', async (max_per_order) => {
    expect(codeOf(await change(seat, max_per_order))).toBe('rest_invalid_param');
    const fields = { post_id: event, provider: 'tc', name: 'Seat', price: '1', max_per_order };
    expect(codeOf(await addTicket(server(), fields))).toBe('rest_invalid_param');
  });

  it('are shown with the ticket and the cart, but not to clients of the reference', async () => {
    const id = await makeSeat(server(), event, 10, { max_per_order: 3 });
    const read = async (asking: Asking = {}) => (await server().ask(`GET tickets:/tickets/${id}`, asking)).body;
    expect((await read()).max_per_order).toBe(3);
    expect((await read({ prefix: '/wp-json/calendar' })).max_per_order).toBe(3);
    expect(await read({ prefix: '/wp-json/tribe' })).not.toHaveProperty('max_per_order');
    const list = await server().ask('GET tickets:/tickets', { query: { include: id } });
    expect(list.body.tickets).toMatchObject([{ id, max_per_order: 3 }]);
    expect((await visitor().put(id, 2)).body.tickets).toMatchObject([{ ticket_id: id, max_per_order: 3 }]);
    expect((await visitor({ prefix: '/wp-json/tribe' }).put(id, 2)).body.tickets[0]).not.toHaveProperty(
      'max_per_order',
    );
    await server().make(`PATCH /events/${event}`, { post_password: 'sesame' });
    expect(await read()).not.toHaveProperty('max_per_order');
    await server().make(`PATCH /events/${event}`, { post_password: '' });
  });

  it('hold for replies of several people', async () => {
    const rsvp = await makeRsvp(server(), event, 300);
    expect(codeOf(await reply(rsvp, 20))).toBe(201);
    expect(await reply(rsvp, 21)).toMatchObject({
      status: 400,
      body: { code: 'max-per-order-exceeded', data: { ticket_id: rsvp, max_per_order: 20 } },
    });
    expect(codeOf(await reply(rsvp, 21, { as: 'editor' }))).toBe(201);
    await change(rsvp, 2);
    expect(codeOf(await reply(rsvp, 3))).toBe('max-per-order-exceeded');
    await change(rsvp, 0);
    expect(codeOf(await reply(rsvp, 60))).toBe(201);
  });

  it('are copied with the event, and in the log, which sets them back', async () => {
    const own = await makeEvent(server());
    const { id } = await makeTicket(server(), own, { max_per_order: 7 });
    const copy = await server().ask(`POST admin:/events/${own}/duplicate`, {
      as: 'editor',
      body: { start_date: '2027-04-01 18:00:00', with_tickets: true, status: 'publish' },
    });
    expect(copy.status).toBe(201);
    const copied = await server().ask('GET tickets:/tickets', { query: { include_post: copy.body.id } });
    expect(copied.body.tickets).toMatchObject([{ max_per_order: 7 }]);
    await editTicket(server(), id, { post_id: own, max_per_order: 9 });
    const query = { kind: 'ticket', id };
    const [listed] = (await server().ask('GET admin:/audit', { as: 'administrator', query })).body.audit;
    const entry = (await server().ask(`GET admin:/audit/${listed.id}`, { as: 'administrator' })).body;
    expect(entry.changes).toContainEqual(expect.objectContaining({ field: 'max_per_order', before: 7, after: 9 }));
    expect((await server().ask(`POST admin:/audit/${entry.id}/restore`, { as: 'administrator' })).status).toBe(200);
    expect((await server().ask(`GET tickets:/tickets/${id}`)).body.max_per_order).toBe(7);
  });
});
