import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { buy } from '../../../../test/buyers.ts';
import { makeSeason } from '../../../../test/season.ts';
import { BOTH_DATABASES, DATABASES, useTestServer } from '../../../../test/server.ts';
import { ADA } from '../../../../test/shopper.ts';
import { deleteTicket, editTicket, makeTicket } from '../../../../test/tickets.ts';
import { queueMail } from '../../../platform/mails/outbox.ts';
import { findSharedSeats } from '../../tickets/store.ts';

describe.each(DATABASES)('rights for a series pass on %s', (kind) => {
  const server = useTestServer(kind);
  const attendeesOf = (order: number) =>
    server().context.db.query.selectFrom('attendees').selectAll().where('order_id', '=', order).orderBy('id').execute();
  const give = (events: readonly number[]) =>
    Promise.all(events.map((id) => server().make(`PATCH /events/${id}`, { author: server().userId('author') })));

  it('are those for all its dates, except to check in', async () => {
    const { events, dates } = await makeSeason(server(), {}, 4);
    const order = await buy(server(), [dates[0] ?? 0]);
    await server().make(`PATCH admin:/orders/${order.id}`, { status: 'completed' }, 'editor');
    const own = (await attendeesOf(order.id))[1];
    const asAuthor = (call: string, body?: object) => server().ask(call, { as: 'author', body });
    const sale = (price?: number) => ({
      items: [{ ticket_id: dates[1], quantity: 1, ...(price !== undefined && { price }) }],
      ...(price !== undefined && { reason: 'friend' }),
      payment: price === 0 ? 'free' : 'cash',
    });
    const attempts = () =>
      Promise.all([
        asAuthor('POST admin:/orders', sale()),
        asAuthor('POST admin:/orders', sale(0)),
        asAuthor(`PATCH tickets:/attendees/${own?.id}`, { full_name: 'Eve' }),
        asAuthor(`POST admin:/attendees/${own?.id}/security-code`),
        asAuthor(`GET admin:/tickets/${dates[1]}/missing-dates`),
      ]);
    const inspected = async () => (await asAuthor(`GET admin:/attendees/${own?.id}`)).body;

    await give(events.slice(1, 2));
    expect((await attempts()).map(({ status }) => status)).toEqual([400, 400, 403, 403, 403]);
    expect(await attendeesOf(order.id)).toMatchObject(events.map(() => ({ full_name: ADA.name })));
    expect(await inspected()).toMatchObject({ id: own?.id });
    expect(await inspected()).not.toHaveProperty('url');
    expect((await asAuthor(`PATCH tickets:/attendees/${own?.id}`, { check_in: true })).status).toBe(201);
    const other = (await attendeesOf(order.id))[2];
    expect((await asAuthor(`PATCH tickets:/attendees/${other?.id}`, { check_in: true })).status).toBe(403);

    await give(events);
    expect((await attempts()).map(({ status }) => status)).toEqual([201, 201, 201, 200, 200]);
    expect(await inspected()).toHaveProperty('url');
  });
});

describe.each(BOTH_DATABASES)('rights for mails to the holder of a series pass on %s', (kind) => {
  const server = useTestServer(kind);

  it('are those for all its dates', async () => {
    const { db } = server().context;
    const { events, dates } = await makeSeason(server(), {}, 4);
    const order = await buy(server(), [dates[0] ?? 0]);
    const attendees = await db.query
      .selectFrom('attendees')
      .select(['id', 'event_id'])
      .where('order_id', '=', order.id)
      .orderBy('id')
      .execute();
    const [, own] = attendees;
    const mail = {
      attendeeId: own?.id,
      eventId: own?.event_id,
      record_kind: 'attendee' as const,
      record_id: own?.id ?? 0,
    };
    await queueMail(db, {
      ...mail,
      kind: 'reminder',
      key: 'one',
      language: 'en',
      to: ADA.email,
      now: server().context.now(),
    });
    const give = (ids: readonly number[]) =>
      Promise.all(ids.map((id) => server().make(`PATCH /events/${id}`, { author: server().userId('author') })));
    const listed = async (as: 'editor' | 'author') =>
      (await server().ask('GET admin:/mails', { as, query: { attendee: own?.id ?? 0, kind: 'reminder' } })).body.mails;
    const [{ id }] = await listed('editor');
    const attempts = () =>
      Promise.all([
        server().ask(`GET admin:/mails/${id}`, { as: 'author' }),
        server().ask(`POST admin:/mails/${id}/send`, { as: 'author', body: {} }),
        // Only accounts that manage the attendees of all events name other addresses.
        server().ask(`POST admin:/mails/${id}/send`, { as: 'author', body: { to: 'eve@example.test' } }),
      ]);

    await give(events.slice(1, 2));
    expect((await attempts()).map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(await listed('author')).toEqual([]);

    await give(events);
    expect(await listed('author')).toMatchObject([{ id, attendee: own?.id }]);
    expect((await attempts()).map(({ status }) => status)).toEqual([200, 201, 403]);
  });
});

describe.each(DATABASES)('the tickets of a series pass on %s', (kind) => {
  const server = useTestServer(kind);
  const capacities = async (events: readonly number[]) => {
    const shared = await Promise.all(events.map((id) => findSharedSeats(server().context.db, id)));
    return shared.map((seats) => seats?.capacity);
  };

  it('leave the capacities of other halls alone', async () => {
    const { events, dates } = await makeSeason(server(), {}, 4);
    const [named = 0, small = 0] = events;
    const listed = await server().ask('GET tickets:/tickets', { query: { include_post: String(small) } });
    await editTicket(server(), listed.body.tickets[0].id, { post_id: small, ticket: { event_capacity: 5 } });
    await editTicket(server(), dates[0] ?? 0, { post_id: named, ticket: { event_capacity: 20 } });
    expect(await capacities(events)).toEqual([20, 5, 10, 10]);
    const pool = { mode: 'global', event_capacity: 30 };
    await makeTicket(server(), named, { name: 'Another pass', scope: 'series', ticket: pool });
    expect(await capacities(events)).toEqual([30, 5, 10, 10]);
    const stock = await server().ask(`GET admin:/events/${named}/stock`, { as: 'editor' });
    const passes = stock.body.tickets.map(({ pass }: { pass?: { id: number } }) => pass?.id);
    expect(passes).toEqual([undefined, dates[0], expect.any(Number)]);
  });

  it('are accounted for by the night with the fewest places', async () => {
    const { events, dates } = await makeSeason(server(), {}, 4);
    const [first = 0, , third = 0] = events;
    const [pass = 0, , tight = 0] = dates;
    const read = async () => {
      const [one, all] = await Promise.all([
        server().ask(`GET admin:/tickets/${pass}/availability`, { as: 'editor' }),
        server().ask(`GET admin:/events/${first}/stock`, { as: 'editor' }),
      ]);
      const ofPass = all.body.tickets.find(({ ticket_id }: { ticket_id: number }) => ticket_id === pass);
      return [one.body, ofPass].map(({ available, blocked_by_others, capacity, pass: limits }) => {
        return { available, blocked_by_others, capacity, tightest: limits.tightest };
      });
    };
    await buy(server(), [pass]);
    const tightest = { ticket_id: pass, event_id: first };
    const even = { available: 9, blocked_by_others: 0, capacity: 10, tightest };
    expect(await read()).toEqual([even, even]);
    await editTicket(server(), tight, { post_id: third, ticket: { event_capacity: 4 } });
    const limits = { ticket_id: tight, event_id: third };
    const limited = { available: 3, blocked_by_others: 6, capacity: 10, tightest: limits };
    expect(await read()).toEqual([limited, limited]);
    for (const id of events) await server().make(`PATCH /events/${id}`, { event_status: 'cancelled' });
    expect(await read()).toMatchObject([1, 2].map(() => ({ available: 0, tightest: null })));
  });

  it('share the sent capacity where there is none yet', async () => {
    const event = { title: 'Felting', start_date: '2027-03-01 19:00:00', end_date: '2027-03-01 21:00:00' };
    const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=3' };
    const { id: series } = await server().make('POST /series', { event, recurrence });
    const { body } = await server().ask(`GET /series/${series}/occurrences`, { as: 'editor' });
    const events = body.occurrences.map(({ id }: { id: number }) => id);
    const pool = { mode: 'global', event_capacity: 7 };
    await makeTicket(server(), events[2], { name: 'All nights', scope: 'series', ticket: pool });
    expect(await capacities(events)).toEqual([7, 7, 7]);
  });
});

// SQLite has one writer.
describe('a write of a series pass on postgres', () => {
  const server = useTestServer('postgres');

  it('waits for the events that are being made for a part of its series', async () => {
    const { ask, make, context } = server();
    const { events, dates } = await makeSeason(server(), {}, 4);
    await make(`PATCH /events/${events[2]}`, { title: 'Later', scope: 'following' });
    const part = (await ask(`GET /events/${events[2]}`)).body.series.id;
    const isWaiting = async (): Promise<string> => {
      const { rows } = await sql`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`.execute(context.db.query);
      return rows.length > 0 ? 'waiting' : isWaiting();
    };
    let removal: Promise<unknown> | undefined;
    await context.db.transaction(async (trx) => {
      await trx.dialect.lock(trx, `series-${part}`);
      removal = deleteTicket(server(), dates[0] ?? 0, events[0] ?? 0);
      expect(await Promise.race([removal.then(() => 'removed'), isWaiting()])).toBe('waiting');
    });
    await removal;
    const left = context.db.query.selectFrom('tickets').select('id').where('id', 'in', dates);
    expect(await left.where('is_deleted', '=', 0).execute()).toEqual([]);
  });
});
