import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { makeAttendee } from '../../../test/attendees.ts';
import { runJobs } from '../../../test/jobs.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { usualOf } from '../../../test/thoroughness.ts';
import { addTicket, deleteTicket, editTicket, makeTicket, nonce } from '../../../test/tickets.ts';
import type { Database } from '../../db/database.ts';

const MONDAY = { title: 'Pottery', start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' };
const OWN = { ticket: { mode: 'own', capacity: 10 } };

/** Makes every change of the tickets of an event fail, until the returned function is called. */
async function refuseTickets(db: Database, event: number): Promise<() => Promise<void>> {
  const execute = (text: string) => sql.raw(text).execute(db.query);
  if (db.dialect.kind === 'sqlite') {
    await execute(`CREATE TRIGGER refused BEFORE UPDATE ON tickets WHEN new.event_id = ${event}
      BEGIN SELECT RAISE(ABORT, 'refused'); END`);
    return async () => void (await execute('DROP TRIGGER refused'));
  }
  await execute(`ALTER TABLE tickets ADD CONSTRAINT refused CHECK (event_id <> ${event}) NOT VALID`);
  return async () => void (await execute('ALTER TABLE tickets DROP CONSTRAINT refused'));
}

interface Shown {
  id: number;
  title: string;
  cost: string;
  capacity: number;
  available_from: string;
  available_until: string;
}

describe.each(DATABASES)('tickets of a series on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind);
  /** Ids of the events of a new series. */
  const begin = async (count = 4): Promise<number[]> => {
    const recurrence = { rrule: `FREQ=WEEKLY;COUNT=${count}` };
    const series = await server().make('POST /series', { event: MONDAY, recurrence });
    const { body } = await server().ask(`GET /series/${series.id}/occurrences`, { as: 'editor' });
    return body.occurrences.map(({ id }: { id: number }) => id);
  };
  const run = () => runJobs(server().context);
  const tickets = async (event: number | undefined): Promise<Shown[]> => {
    const query = { include_post: event ?? 0 };
    const { body } = await server().ask('GET tickets:/tickets', { as: 'editor', query });
    return body.tickets;
  };
  const each = async <T>(events: readonly number[], read: (ticket: Shown | undefined) => T): Promise<T[]> =>
    Promise.all(events.map(async (event) => read((await tickets(event))[0])));
  const ticketOf = async (event: number | undefined) => (await tickets(event))[0]?.id ?? 0;

  it('are added to all coming events, or to later ones, with places of their own', async () => {
    const events = await begin();
    const [first, second, third] = events;
    await makeTicket(server(), first ?? 0, { ...OWN, start_date: '2027-02-22', scope: 'all' });
    await run();
    expect(await each(events, (one) => [one?.title, one?.capacity, one?.available_from])).toEqual([
      ...[
        ['Seat', 10, '2027-02-22'],
        ['Seat', 10, '2027-03-01'],
        ['Seat', 10, '2027-03-08'],
        ['Seat', 10, '2027-03-15'],
      ],
    ]);
    await makeAttendee(server(), await ticketOf(second));
    await makeTicket(server(), third ?? 0, { name: 'Child', ...OWN, scope: 'following' });
    await makeTicket(server(), first ?? 0, { name: 'Guest', ...OWN });
    await run();
    expect(
      await Promise.all(events.map(async (event) => (await tickets(event)).map(({ title }) => title).sort())),
    ).toEqual([...[['Guest', 'Seat'], ['Seat'], ['Child', 'Seat'], ['Child', 'Seat']]]);
    const counters = server().context.db.query.selectFrom('tickets').select(['event_id', 'sold']);
    const sold = await counters.where('title', '=', 'Seat').where('event_id', 'in', events).orderBy('id').execute();
    expect(sold.map((row) => row.sold)).toEqual([0, 1, 0, 0]);
  });

  it('are changed where they are still the same', async () => {
    const events = await begin();
    const [first, second, third] = events;
    await makeTicket(server(), first ?? 0, { ...OWN, scope: 'all' });
    await run();
    await editTicket(server(), await ticketOf(second), { post_id: second, price: '12' });
    await editTicket(server(), await ticketOf(third), { post_id: third, ticket: { capacity: 25 } });
    const change = { name: 'Place', price: '15', ticket: { capacity: 20 }, end_date: '2027-02-28', scope: 'all' };
    const changed = await editTicket(server(), await ticketOf(first), { post_id: first, ...change });
    expect(changed.status).toBe(202);
    await run();
    await run();
    const read = (one: Shown | undefined) => [one?.title, one?.cost, one?.capacity, one?.available_until.slice(0, 10)];
    expect(await each(events, read)).toEqual([
      ['Place', '$15.00', 20, '2027-02-28'],
      ['Place', '$12.00', 20, '2027-03-07'],
      ['Place', '$15.00', 25, '2027-03-14'],
      ['Place', '$15.00', 20, '2027-03-21'],
    ]);
  });

  it('keep a minimum of their own below the maximum', async () => {
    const events = await begin(3);
    await makeTicket(server(), events[0] ?? 0, { ...OWN, scope: 'all' });
    await run();
    const [first = 0, second = 0] = await Promise.all(events.slice(0, 2).map(ticketOf));
    await editTicket(server(), second, { post_id: events[1], min_per_order: 5 });
    await editTicket(server(), first, { post_id: events[0], max_per_order: 3, scope: 'all' });
    await run();
    const limits = await server()
      .context.db.query.selectFrom('tickets')
      .select(['min_per_order', 'max_per_order'])
      .where('event_id', 'in', events)
      .orderBy('event_id')
      .execute();
    expect(limits).toEqual([
      { min_per_order: 0, max_per_order: 3 },
      { min_per_order: 5, max_per_order: 20 },
      { min_per_order: 0, max_per_order: 3 },
    ]);
    const wrong = { post_id: events[0], min_per_order: 4, scope: 'all' };
    expect((await editTicket(server(), first, wrong)).status).toBe(400);
  });

  it('are changed in the order of the requests, also by events that the first one has not reached', async () => {
    const events = await begin(3);
    const [first, second] = events;
    await makeTicket(server(), first ?? 0, { ...OWN, scope: 'all' });
    await run();
    const id = await ticketOf(second);
    await editTicket(server(), await ticketOf(first), { post_id: first, price: '15', scope: 'all' });
    await editTicket(server(), id, { post_id: second, price: '18', scope: 'all' });
    await run();
    server().clock.now = new Date(server().clock.now.getTime() + 5000);
    await run();
    expect(await each(events, (one) => one?.cost)).toEqual(['$18.00', '$18.00', '$18.00']);
  });

  it('are changed although an earlier change fails in one event, in which both are made later, each once', async () => {
    const events = await begin(3);
    const [first, second, third] = events;
    await makeTicket(server(), first ?? 0, { ...OWN, scope: 'all' });
    await run();
    const change = async (event: number | undefined, fields: object) =>
      editTicket(server(), await ticketOf(event), { post_id: event, scope: 'all', ...fields });
    const mend = await refuseTickets(server().context.db, second ?? 0);
    await change(first, { price: '12' });
    await run();
    expect(await each(events, (one) => one?.cost)).toEqual(['$12.00', '$10.00', '$12.00']);
    expect((await change(third, { price: '10' })).status).toBe(202);
    expect((await change(first, { name: 'Place' })).status).toBe(202);
    await run();
    server().clock.now = new Date(server().clock.now.getTime() + 5000);
    await run();
    const read = (one: Shown | undefined) => [one?.title, one?.cost];
    expect(await each(events, read)).toEqual([
      ['Place', '$10.00'],
      ['Seat', '$10.00'],
      ['Place', '$10.00'],
    ]);
    await mend();
    server().clock.now = new Date(server().clock.now.getTime() + 600_000);
    await run();
    await run();
    expect(await each(events, read)).toEqual(events.map(() => ['Place', '$10.00']));
    expect((await server().ask('GET admin:/jobs', { as: 'administrator' })).body.jobs).toEqual([]);
  });

  it('are also changed in the events of a series that is split before', async () => {
    const events = await begin();
    const [first, , third] = events;
    await makeTicket(server(), first ?? 0, { ...OWN, scope: 'all' });
    await run();
    await editTicket(server(), await ticketOf(first), { post_id: first, price: '15', scope: 'all' });
    await server().make(`PATCH /events/${third}`, { title: 'Glazing', scope: 'following' });
    await run();
    expect(await each(events, (one) => one?.cost)).toEqual(events.map(() => '$15.00'));
    // A change after the split concerns one part.
    await editTicket(server(), await ticketOf(first), { post_id: first, price: '16', scope: 'all' });
    await run();
    expect(await each(events, (one) => one?.cost)).toEqual(['$16.00', '$16.00', '$15.00', '$15.00']);
  });

  usually('are removed unless they are sold', async () => {
    const events = await begin();
    const [first, second] = events;
    await makeTicket(server(), first ?? 0, { ...OWN, scope: 'all' });
    await run();
    await makeAttendee(server(), await ticketOf(second));
    const post_id = first ?? 0;
    const remove_ticket_nonce = await nonce(server(), 'remove_ticket_nonce', 'administrator', post_id);
    const { status } = await server().ask(`DELETE tickets:/tickets/${await ticketOf(first)}`, {
      ...{ as: 'administrator', query: { post_id, remove_ticket_nonce, scope: 'all' } },
    });
    expect(status).toBe(202);
    await run();
    expect(await each(events, (one) => one?.title)).toEqual([undefined, 'Seat', undefined, undefined]);
  });

  it('keep past events, and events that may not be managed', async () => {
    const { make, ask, clock, userId } = server();
    const [first, second, third] = await begin(3);
    await make(`PATCH /events/${first}`, { author: userId('author'), scope: 'all' });
    await make(`PATCH /events/${third}`, { author: userId('editor') });
    const fields = { post_id: second, provider: 'tc', name: 'Seat', price: '5', scope: 'all' };
    expect((await addTicket(server(), fields, 'author')).status).toBe(403);
    expect((await addTicket(server(), { ...fields, scope: 'this' }, 'author')).status).toBe(202);
    await deleteTicket(server(), await ticketOf(second), second ?? 0);
    const before = clock.now;
    clock.now = new Date('2027-03-05T12:00:00Z');
    expect((await addTicket(server(), fields)).status).toBe(202);
    await run();
    clock.now = before;
    expect(await each([first ?? 0, second ?? 0, third ?? 0], (one) => one?.title)).toEqual([undefined, 'Seat', 'Seat']);
    const twice = await addTicket(server(), fields);
    expect([twice.status, Object.keys(twice.body.data.params)]).toEqual([400, ['scope']]);
    expect((await tickets(second)).length).toBe(1);
    const single = await make('POST /events', MONDAY);
    expect((await addTicket(server(), { ...fields, post_id: single.id })).status).toBe(202);
    expect((await ask('GET admin:/jobs', { as: 'administrator' })).body.jobs).toEqual([]);
  });
});
