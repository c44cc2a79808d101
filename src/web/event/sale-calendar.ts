import type { Context } from '../../base/context.ts';
import { getCalendarId } from '../../db/site-settings.ts';
import { calendarFile } from '../calendar/feed.ts';
import { isSaleClosed } from '../cards/event-status.ts';
import { saleOf, saleStartOf } from '../cards/sale.ts';
import { icalSaleStart } from '../feeds/ical.ts';
import type { PageResponse } from '../frame/page-response.ts';
import { NotFound, readEvent } from '../frame/subject.ts';
import type { Visit } from '../frame/visit.ts';
import { passwordOf } from './event-password.ts';
import { codeOf, ticketsWithCode, withCode } from './promotion-code.ts';

/**
 * `/event/SLUG/sale/ID/ical/`: start of a ticket's sale as a calendar file. Redirects to the event once the sale has
 * begun.
 * @throws {NotFound} also for an event whose password the visitor has not given
 */
export async function saleCalendar(
  visit: Visit,
  { slug, id }: { slug: string; id: string },
  { db }: Context,
): Promise<PageResponse> {
  const { t, link, origin } = visit;
  const password = passwordOf(visit, slug);
  const event = await readEvent(visit, slug, password);
  if (!event) throw new NotFound();
  const code = codeOf(visit);
  const { tickets } = await ticketsWithCode(visit, { include_post: event.id, include: id, password }, code);
  const [ticket] = tickets;
  if (!ticket) throw new NotFound();
  const url = withCode(link(new URL(event.url, origin).pathname), code);
  if (saleOf(ticket, visit) !== 'soon' || isSaleClosed(event)) return { redirect: url, status: 302 };
  const body = await icalSaleStart({
    id: ticket.id,
    title: t(`sale.starts.${ticket.provider}`, { title: event.title }),
    start: saleStartOf(ticket, visit),
    modified: ticket.modified_utc,
    url: `${origin}${url}`,
    calendarId: await getCalendarId(db),
  });
  return {
    ...calendarFile(visit, { body, name: `${slug}-sale` }),
    isPersonal: password !== undefined || code !== undefined,
  };
}
