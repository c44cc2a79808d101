import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import { fromUtc } from '../../lib/dates/dates.ts';
import { calendarFile, cancelledMark } from '../calendar/feed.ts';
import { icalTicket } from '../feeds/ical.ts';
import type { File } from '../frame/page-response.ts';
import type { Event, HeldTicket } from '../frame/responses.ts';
import { NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { eventOf, readTicket, type TicketAddress } from './ticket-address.ts';

/**
 * `/ticket/ID/TOKEN/ical/`: event and ticket for the calendar of the holder, which may be shared. So it links to the event,
 * not to the ticket. A series pass has an entry for each coming date.
 * @throws {NotFound} also for an invalid ticket
 */
export async function ticketCalendar(visit: Visit, address: TicketAddress, { db }: Context): Promise<File> {
  const ticket = await readTicket(visit, address);
  const events = ticket.security_code === undefined ? [] : await eventsOf(visit, ticket);
  if (events.length === 0) throw new NotFound();
  const { id, title, full_name = '' } = ticket;
  const sequences = await findSequences(db, events);
  const body = await icalTicket({
    events: events.map((event) => ({
      event: { ...event, ical_sequence: sequences.get(event.id) ?? 0 },
      url: event.url,
    })),
    // The event's changes matter, those of the ticket do not.
    attendee: { id, title: full_name, ticket: { title }, modified_utc: '' },
    ...{ calendarId: await getCalendarId(db), language: visit.language },
    cancelled: cancelledMark(visit),
  });
  return { ...calendarFile(visit, { body, name: `ticket-${id}` }), isPersonal: true };
}

/** The event of a ticket, or those of the coming dates of a series pass, as far as visitors may see them. */
async function eventsOf(visit: Visit, ticket: HeldTicket): Promise<Event[]> {
  const coming = (ticket.pass?.dates ?? []).filter(
    ({ status, event }) => status === 'publish' && fromUtc(event.utc_end_date) > visit.now,
  );
  const held = coming.length > 0 ? coming.map(({ event }) => event) : [ticket.event];
  const events: Event[] = [];
  for (const event of held) {
    const shown = await eventOf(visit, { event });
    if (shown) events.push({ ...shown, online_url: event?.online_url });
  }
  return events;
}

async function findSequences({ query }: Database, events: readonly Event[]): Promise<ReadonlyMap<number, number>> {
  const rows = await query
    .selectFrom('events')
    .select(['id', 'ical_sequence'])
    .where(
      'id',
      'in',
      events.map(({ id }) => id),
    )
    .execute();
  return new Map(rows.map(({ id, ical_sequence }) => [id, ical_sequence]));
}
