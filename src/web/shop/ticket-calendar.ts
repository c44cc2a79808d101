import type { Context } from '../../base/context.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import { calendarFile, cancelledMark } from '../calendar/feed.ts';
import { icalTicket } from '../feeds/ical.ts';
import type { File } from '../frame/answer.ts';
import { NotFound } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { eventOf, pathOf, readTicket, type TicketAddress } from './ticket-address.ts';

/**
 * `/ticket/ID/CODE/ical/`: event and ticket for the calendar of the holder.
 * @throws {NotFound} also for an invalid ticket
 */
export async function ticketCalendar(visit: Visit, address: TicketAddress, { db }: Context): Promise<File> {
  const { language, origin, link } = visit;
  const ticket = await readTicket(visit, address);
  const event = ticket.security_code === undefined ? undefined : await eventOf(visit, ticket);
  if (!event) throw new NotFound();
  const { id, title, full_name } = ticket;
  const body = await icalTicket({
    event,
    // A ticket is imported once, so its own changes do not matter.
    attendee: { id, title: full_name, ticket: { title }, modified_utc: '' },
    ...{ calendarId: await getCalendarId(db), language, url: `${origin}${link(pathOf(address))}` },
    cancelled: cancelledMark(visit),
  });
  return { ...calendarFile(visit, { body, name: `ticket-${id}` }), isPersonal: true };
}
