import { describe, expect, it } from 'vitest';
import { makeAttendee, makeRsvp, makeSeat } from '../../../test/attendees.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';

describe.each(DATABASES)('sold places on %s', (kind) => {
  const server = useTestServer(kind);
  const read = async (events: readonly number[], as: 'editor' | 'author' = 'editor') =>
    (await server().ask('GET admin:/sold-places', { as, query: { events: events.join() } })).body.events;

  it('count the places of all tickets, shared ones once', async () => {
    const event = await makeEvent(server());
    const shared = { mode: 'global', event_capacity: 30 };
    const seat = (await makeTicket(server(), event, { ticket: shared })).id;
    await makeTicket(server(), event, { ticket: { mode: 'capped', capacity: 12 } });
    await makeSeat(server(), event, 10);
    await makeRsvp(server(), event, 5);
    await makeAttendee(server(), seat);
    expect(await read([event])).toEqual([{ event_id: event, sold: 1, capacity: 45 }]);
  });

  it('have no limit if a ticket has none', async () => {
    const event = await makeEvent(server());
    const reply = await makeRsvp(server(), event);
    await makeSeat(server(), event, 10);
    await makeAttendee(server(), reply);
    await makeAttendee(server(), reply, { attendee_status: 'no' });
    expect(await read([event])).toEqual([{ event_id: event, sold: 1, capacity: -1 }]);
  });

  it('are read by authors for their own events, and absent for events without tickets', async () => {
    const [own, other] = [await makeEvent(server(), { author: server().userId('author') }), await makeEvent(server())];
    for (const event of [own, other]) await makeSeat(server(), event, 10);
    const empty = await makeEvent(server());
    expect(await read([own, other, empty], 'author')).toEqual([{ event_id: own, sold: 0, capacity: 10 }]);
    expect((await read([own, other, empty])).length).toBe(2);
    const refused = await server().ask('GET admin:/sold-places', { as: 'contributor', query: { events: own } });
    expect(refused.status).toBe(403);
  });
});
