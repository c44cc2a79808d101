import { describe, expect, it } from 'vitest';
import { makeAttendee, makeRsvp } from '../../../test/attendees.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';
import { type Event, getEvents, withDerived } from '../../calendar/events/store.ts';
import { STATUSES } from '../../calendar/posts/post.ts';
import { ORDER_STATUSES } from '../orders/statuses.ts';
import { getTickets } from '../tickets/store.ts';
import { isPublicAttendee, isPublicSql } from './filter.ts';
import { type Attendee, getAttendee } from './store.ts';

const MISSING_EVENT = 9_999;
const FIRST_EVENT = 10_000;
const FIRST_ATTENDEE = 20_000;

describe.each(DATABASES)('the rule for attendees that visitors may see on %s', (kind) => {
  const server = useTestServer(kind);
  const query = () => server().context.db.query;

  async function insertRecords(rows: readonly { id: number }[], of: 'event' | 'attendee'): Promise<void> {
    await query()
      .insertInto('records')
      .values(rows.map(({ id }) => ({ id, kind: of })))
      .execute();
  }

  /** An event of each status, with and without a password. */
  async function makeEvents(pattern: Event): Promise<Event[]> {
    const states = STATUSES.flatMap((status) => ['', 'sesame'].map((password) => ({ status, password })));
    const events = states.map((state, index) => ({
      ...pattern,
      ...state,
      slug: `event-${index}`,
      id: FIRST_EVENT + index,
    }));
    await insertRecords(events, 'event');
    await query()
      .insertInto('events')
      .values(events.map(({ id, ...values }) => ({ id, ...withDerived(values) })))
      .execute();
    return events;
  }

  /** An attendee of each status, RSVP answer or order status, and privacy choice, for each event and ticket. */
  async function makeAttendees(
    pattern: Attendee,
    eventIds: readonly number[],
    ticketIds: readonly number[],
  ): Promise<Attendee[]> {
    const attendees = eventIds
      .flatMap((event_id) => ([0, 1] as const).map((optout) => ({ event_id, optout })))
      .flatMap((row) => ['publish', 'trash'].map((status) => ({ ...row, status })))
      .flatMap((row) =>
        ['yes', 'no', '', ...ORDER_STATUSES].map((attendance_status) => ({ ...row, attendance_status })),
      )
      .flatMap((row) => ticketIds.map((ticket_id) => ({ ...row, ticket_id })))
      .map((row, index) => ({ ...pattern, ...row, id: FIRST_ATTENDEE + index }));
    await insertRecords(attendees, 'attendee');
    // Two statements, each within the number of variables that SQLite takes.
    for (const half of Map.groupBy(attendees, ({ ticket_id }) => ticket_id).values())
      await query().insertInto('attendees').values(half).execute();
    return attendees;
  }

  it('is the same in TypeScript and in SQL for every state of attendee and event', async () => {
    const { db } = server().context;
    const eventId = await makeEvent(server());
    const { id } = await makeAttendee(server(), await makeRsvp(server(), eventId));
    const [event] = await getEvents(db, [eventId]);
    const events = await makeEvents(event!);
    const byId = new Map(events.map((one) => [one.id, one]));
    const hidden = await makeTicket(server(), eventId, { requires_code: true });
    const pattern = await getAttendee(db, id);
    const ticketIds = [pattern.ticket_id, hidden.id];
    const attendees = await makeAttendees(pattern, [MISSING_EVENT, ...byId.keys()], ticketIds);
    const tickets = await getTickets(db, ticketIds);
    const rows = await query()
      .selectFrom('attendees')
      .select('id')
      .where('id', '>=', FIRST_ATTENDEE)
      .where(isPublicSql)
      .orderBy('id')
      .execute();
    const open = attendees.filter((attendee) =>
      isPublicAttendee(attendee, byId.get(attendee.event_id), tickets.get(attendee.ticket_id)),
    );
    expect(rows.map((row) => row.id)).toEqual(open.map((attendee) => attendee.id));
    expect(open).not.toEqual([]);
  });
});
