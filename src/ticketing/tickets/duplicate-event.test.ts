import { describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from '../../../test/attendees.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';

describe.each(DATABASES)('the copy of an event on %s', (kind) => {
  const server = useTestServer(kind);
  const copy = (id: number, body = {}, as: 'administrator' | 'author' = 'administrator') =>
    server().ask(`POST admin:/events/${id}/duplicate`, { as, body });

  it('has what the event has, except its address, its password and its attendees', async () => {
    const fields = {
      categories: ['Jazz'],
      tags: ['Late'],
      venue: { venue: 'Hall' },
      cost: '12',
      website: 'https://a.test',
    };
    const id = await makeEvent(server(), { title: 'Tango night', ...fields, post_password: 'sesame' });
    await server().make(`POST /events/${id}?i18n_language=fr`, { title: 'Nuit de tango' });
    await makeAttendee(server(), await makeSeat(server(), id));
    await server().make(`PATCH /events/${id}`, { event_status: 'cancelled', event_status_reason: 'Storm' });
    const before = (await server().ask(`GET /events/${id}`, { as: 'administrator' })).body;
    const { status, body } = await copy(id);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      title: 'Tango night',
      status: 'draft',
      event_status: 'scheduled',
      ticketed: false,
      cost: '$12',
    });
    for (const name of ['categories', 'tags', 'venue', 'website', 'start_date', 'end_date', 'timezone'])
      expect(body[name], name).toEqual(before[name]);
    const stored = await server()
      .context.db.query.selectFrom('events')
      .select(['password', 'event_status_reason'])
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow();
    expect(stored).toEqual({ password: '', event_status_reason: '' });
    const french = await server().ask(`GET /events/${body.id}`, {
      as: 'administrator',
      query: { i18n_language: 'fr' },
    });
    expect(french.body.title).toBe('Nuit de tango');
    const published = (await copy(id, { status: 'publish', with_password: true })).body;
    expect([published.status, published.slug === before.slug]).toEqual(['publish', false]);
  });

  it('starts when it is asked to, with new tickets whose sale moves along', async () => {
    const id = await makeEvent(server());
    const pool = { mode: 'global', event_capacity: 10 };
    const ticket = await makeTicket(server(), id, {
      ticket: pool,
      start_date: '2027-01-01',
      end_date: '2027-03-05',
      end_time: '18:00:00',
    });
    await makeAttendee(server(), ticket.id);
    const { body } = await copy(id, { start_date: '2027-03-20 19:00', with_tickets: true });
    expect(body).toMatchObject({ start_date: '2027-03-20 19:00:00', end_date: '2027-03-20 21:30:00' });
    const { tickets, pool: shared } = (
      await server().ask(`GET admin:/events/${body.id}/stock`, { as: 'administrator' })
    ).body;
    expect(tickets).toMatchObject([{ title: 'Seat', capacity: 10, available: 10, sold: { total: 0 } }]);
    expect(shared).toMatchObject({ capacity: 10, sold: 0 });
    const [row] = await server()
      .context.db.query.selectFrom('tickets')
      .select(['start_date', 'sale_end_utc', 'sold', 'price'])
      .where('event_id', '=', body.id)
      .execute();
    expect(row).toEqual({ start_date: '2027-01-15', sale_end_utc: '2027-03-19 22:00:00', sold: 0, price: 1000 });
  });

  it('names its original to users who may edit it, until it is published', async () => {
    const id = await makeEvent(server());
    const { body } = await copy(id);
    expect(body.copied_from).toBe(id);
    const read = (as?: 'administrator', prefix = '') => server().ask(`GET ${prefix}/events/${body.id}`, { as });
    expect((await read('administrator', 'tribe:')).body).not.toHaveProperty('copied_from');
    const published = await server().make(`PATCH /events/${body.id}`, { status: 'publish' });
    expect(published).not.toHaveProperty('copied_from');
    expect((await read()).body).not.toHaveProperty('copied_from');
  });

  it('is as long as the original where clocks skip its start', async () => {
    const id = await makeEvent(server(), { start_date: '2027-03-06 19:00', end_date: '2027-03-06 20:00' });
    const { body } = await copy(id, { start_date: '2027-03-14 02:30' });
    expect(body).toMatchObject({ start_date: '2027-03-14 03:30:00', end_date: '2027-03-14 04:30:00' });
  });

  it('of whole days has whole days where clocks skip midnight', async () => {
    const days = { all_day: true, timezone: 'Asia/Beirut', start_date: '2027-03-20', end_date: '2027-03-21' };
    const id = await makeEvent(server(), days);
    const moved = (await copy(id, { start_date: '2027-03-28' })).body;
    expect(moved).toMatchObject({ start_date: '2027-03-28 01:00:00', end_date: '2027-03-29 23:59:59' });
    const back = (await copy(moved.id, { start_date: '2027-04-10' })).body;
    expect(back).toMatchObject({ start_date: '2027-04-10 00:00:00', end_date: '2027-04-11 23:59:59' });
  });

  it('is refused for the events of others, and for those in the trash', async () => {
    const id = await makeEvent(server());
    expect((await copy(id, {}, 'author')).status).toBe(403);
    await server().ask(`DELETE /events/${id}`, { as: 'administrator' });
    expect((await copy(id)).body.code).toBe('event-no-longer-available');
  });
});
