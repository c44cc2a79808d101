import { z } from 'zod';
import { type Event, getEvents } from '../../calendar/events/store.ts';
import { pageUrl } from '../../calendar/posts/view.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import type { Urls } from '../../http/core/urls.ts';
import { link, localTime, utcTime } from '../../http/output/output.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import { isAdmitted } from '../attendees/admission.ts';
import type { Attendee } from '../attendees/store.ts';
import type { Ticket } from '../tickets/seats/stock.ts';
import { getTickets } from '../tickets/store.ts';

/** Tickets as seen by their customers or holders. */

/** Headers of these responses, which contain personal data and admission codes. */
export const PRIVATE = { 'Cache-Control': 'private, no-store' };

export const heldEventSchema = z
  .object({
    id: z.int(),
    title: z.string(),
    url: link,
    all_day: z.boolean(),
    start_date: localTime,
    end_date: localTime,
    timezone: z.string(),
    utc_start_date: utcTime,
    utc_end_date: utcTime,
  })
  .meta({ id: 'HeldEvent', description: 'The event of a ticket, for its holder.' });

/** Ticket in responses to its customer or holder; rendered by `renderHeldTicket`. */
export const heldTicketSchema = z
  .object({
    id: z.int().describe('Id of the attendee.'),
    ticket_id: z.int(),
    title: z.string().describe('Name of the ticket.'),
    provider: z.enum(['rsvp', 'tc']),
    event: heldEventSchema.nullable().describe('null once the event is deleted.'),
    full_name: z.string(),
    email: z.string().optional().describe('For the customer only.'),
    optout: z.boolean().describe('Whether the name is hidden from public lists.'),
    status: z.string().describe('`publish`, or `trash` once the ticket is cancelled.'),
    attendee_status: z.string().describe('RSVP answer, or status of the order.'),
    checked_in: z.boolean(),
    checkin_utc: utcTime.nullable(),
    security_code: z.string().optional().describe('Admits the holder; only for a ticket that admits.'),
    url: link
      .optional()
      .describe('Page of the ticket, accessible to anyone with the link; only for a ticket that admits.'),
  })
  .meta({ id: 'HeldTicket', description: 'A ticket, for its customer or holder.' });

export type HeldEvent = z.output<typeof heldEventSchema>;
type HeldTicketView = z.output<typeof heldTicketSchema>;

/** Related data needed to render tickets. */
interface HeldRelations {
  /** Including deleted ones. */
  tickets: ReadonlyMap<number, Ticket>;
  events: ReadonlyMap<number, Event>;
}

/** Tickets and events, with their texts in the language of the request. */
export async function loadHeldRelations(
  ctx: RequestContext,
  lines: readonly { ticket_id: number; event_id: number }[],
): Promise<HeldRelations> {
  const { db } = ctx.context;
  const ticketIds = [...new Set(lines.map(({ ticket_id }) => ticket_id))];
  const eventIds = [...new Set(lines.map(({ event_id }) => event_id))];
  const [tickets, events, texts] = await Promise.all([
    getTickets(db, ticketIds),
    getEvents(db, eventIds),
    loadTranslations(ctx, [
      ...ticketIds.map((id) => ({ kind: 'ticket' as const, id })),
      ...eventIds.map((id) => ({ kind: 'event' as const, id })),
    ]),
  ]);
  return {
    tickets: new Map([...tickets].map(([id, ticket]) => [id, texts.show('ticket', ticket)])),
    events: new Map(events.map((event) => [event.id, texts.show('event', event)])),
  };
}

/** Page of a ticket, accessible to anyone with its URL. */
export const ticketUrl = (urls: Urls, { id, security_code }: Pick<Attendee, 'id' | 'security_code'>): string =>
  urls.page(`/ticket/${id}/${security_code}/`);

interface HeldTicketOptions {
  relations: HeldRelations;
  urls: Urls;
  /** Whether the request has the token of the order. */
  isBuyer: boolean;
}

export function renderHeldTicket(attendee: Attendee, { relations, urls, isBuyer }: HeldTicketOptions): HeldTicketView {
  const event = relations.events.get(attendee.event_id);
  const { security_code } = attendee;
  return {
    id: attendee.id,
    ticket_id: attendee.ticket_id,
    title: relations.tickets.get(attendee.ticket_id)?.title ?? attendee.ticket_title,
    provider: attendee.provider,
    event: event ? heldEvent(event, urls) : null,
    full_name: attendee.full_name,
    ...(isBuyer && { email: attendee.email }),
    optout: attendee.optout === 1,
    status: attendee.status,
    attendee_status: attendee.attendance_status,
    checked_in: attendee.checked_in === 1,
    checkin_utc: attendee.checked_in === 1 ? attendee.checkin_utc : null,
    ...(isAdmitted(attendee) && { security_code, url: ticketUrl(urls, attendee) }),
  };
}

/** The event of a ticket in responses. */
export const heldEvent = (event: Event, urls: Urls): HeldEvent => ({
  id: event.id,
  title: event.title,
  url: pageUrl('event', event, urls),
  all_day: event.all_day === 1,
  start_date: event.start_date,
  end_date: event.end_date,
  timezone: event.timezone,
  utc_start_date: event.utc_start_date,
  utc_end_date: event.utc_end_date,
});
