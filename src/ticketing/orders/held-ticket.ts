import { z } from 'zod';
import { modeOf } from '../../calendar/events/attendance.ts';
import { EVENT_STATUSES, previousStart } from '../../calendar/events/event-status.ts';
import { type Event, getEvents } from '../../calendar/events/store.ts';
import { pageUrl } from '../../calendar/posts/view.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import type { Urls } from '../../http/core/urls.ts';
import { link, localTime, utcTime } from '../../http/output/output.ts';
import { siteMoney } from '../../lib/money/money.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import { isAdmitted } from '../attendees/admission.ts';
import type { Attendee } from '../attendees/store.ts';
import { ticketUrl } from '../attendees/ticket-token.ts';
import type { Transfer } from '../attendees/transfers.ts';
import { passOfAttendee } from '../attendees/view.ts';
import { isCountedStatus } from '../seats/seats.ts';
import type { Ticket } from '../tickets/store.ts';
import { getTickets } from '../tickets/store.ts';
import { amountSchema, renderAmount } from './amounts.ts';
import type { Order } from './store.ts';
import { expiryOfOrder } from './view.ts';

/** Tickets as seen by their customers or holders. */

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
    online_url: link.optional().describe('Address for attending online; only for a ticket that admits.'),
    event_status: z
      .enum(EVENT_STATUSES)
      .optional()
      .describe('Absent for an event that takes place as planned, and in lists of attendees.'),
    event_status_reason: z
      .string()
      .optional()
      .describe('Note of the organizer, as plain text; only with `event_status`. Absent with the security code alone.'),
    previous_start_date: localTime.optional().describe('Start before the event was rescheduled, in its time zone.'),
  })
  .meta({ id: 'HeldEvent', description: 'The event of a ticket, for its holder.' });

const unpaidSchema = z
  .object({
    total: amountSchema.describe('Total of its order.'),
    currency: z.string().describe('ISO 4217 code.'),
    expires_utc: utcTime.nullable().describe('Until when the places are kept, UTC; null for no limit.'),
  })
  .meta({ id: 'Unpaid', description: 'Amount to be paid at the door before a ticket admits.' });

const passDateSchema = z.object({
  id: z.int().describe('Id of the attendee.'),
  event: heldEventSchema,
  status: z.string().describe('`publish`, or `trash` once it is cancelled.'),
  admits: z.boolean(),
  checked_in: z.boolean(),
});

const heldPassSchema = z
  .object({
    id: z.int().describe('Its first attendee, whose id the QR code has.'),
    dates: z.array(passDateSchema).optional().describe('By start; only in responses with a single ticket.'),
  })
  .meta({ id: 'HeldPass', description: 'A series pass: tickets with the same id have one code and one page.' });

/** Ticket in responses to its customer or holder; rendered by `renderHeldTicket`. */
export const heldTicketSchema = z
  .object({
    id: z.int().describe('Id of the attendee.'),
    ticket_id: z.int(),
    title: z.string().describe('Name of the ticket.'),
    provider: z.enum(['rsvp', 'tc']),
    pass: heldPassSchema.optional().describe('Only for a series pass; absent under `/wp-json/tribe`.'),
    event: heldEventSchema.nullable().describe('null once the event is deleted.'),
    full_name: z
      .string()
      .optional()
      .describe(
        'Absent with the security code alone. For the customer of a transferred ticket, the name of the recipient.',
      ),
    email: z.string().optional().describe('For the customer only, unless the ticket was transferred.'),
    optout: z
      .boolean()
      .optional()
      .describe('Whether the name is hidden from public lists. Absent with the security code alone.'),
    status: z.string().describe('`publish`, or `trash` once the ticket is cancelled.'),
    attendee_status: z.string().describe('RSVP answer, or status of the order.'),
    admits: z.boolean().describe('Whether its order is paid, or its RSVP is a yes; only then the code admits.'),
    companions: z
      .array(z.object({ id: z.int(), full_name: z.string(), attendee_status: z.string(), checked_in: z.boolean() }))
      .optional()
      .describe(
        'For the holder of the first ticket of an RSVP: other attendees whose answer it may change, without transferred tickets. Absent if there are none.',
      ),
    unpaid: unpaidSchema
      .optional()
      .describe('Only for a ticket of an order that is to be paid at the door. Absent with the security code alone.'),
    transferred_utc: utcTime
      .optional()
      .describe('For the customer: when the ticket was transferred. Its code is on the page of its new holder only.'),
    checked_in: z.boolean(),
    checkin_utc: utcTime.nullable(),
    security_code: z
      .string()
      .optional()
      .describe(
        'Admits the holder; only for a ticket that admits, or that is to be paid at the door. Absent with the code alone.',
      ),
    url: link
      .optional()
      .describe(
        'Page of the ticket, accessible to anyone with the link; its last segment is the token for `X-Ticket-Token`. Only with `security_code`.',
      ),
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

/** Proof in a request: the token of the order, the token of the ticket's page, or only the security code. */
export type TicketAccess = 'customer' | 'holder' | 'code';

export interface HeldTicketOptions {
  relations: HeldRelations;
  ctx: RequestContext;
  access: TicketAccess;
  /** Absent for an RSVP. */
  order: Order | undefined;
  /** Oldest first. */
  transfers: readonly Transfer[];
  /** The others of an RSVP, for the holder of its first ticket. */
  companions?: readonly Attendee[];
}

export function renderHeldTicket(attendee: Attendee, options: HeldTicketOptions): HeldTicketView {
  const { relations, ctx, access } = options;
  const event = relations.events.get(attendee.event_id);
  return {
    id: attendee.id,
    ticket_id: attendee.ticket_id,
    title: relations.tickets.get(attendee.ticket_id)?.title ?? attendee.ticket_title,
    provider: attendee.provider,
    ...passOfAttendee(attendee, ctx.urls),
    event: event
      ? {
          ...heldEvent(event, ctx.urls),
          ...statusMembers(event, access),
          ...(seesAddress(attendee, options) && onlineAddress(event)),
        }
      : null,
    ...(access !== 'code' && holderMembers(attendee, options)),
    status: attendee.status,
    attendee_status: attendee.attendance_status,
    admits: isAdmitted(attendee),
    checked_in: attendee.checked_in === 1,
    checkin_utc: attendee.checked_in === 1 ? attendee.checkin_utc : null,
  };
}

/** A date of a pass; undefined if its event is deleted. */
export function renderPassDate(
  attendee: Attendee,
  { events }: HeldRelations,
  { urls }: RequestContext,
): z.output<typeof passDateSchema> | undefined {
  const event = events.get(attendee.event_id);
  if (!event) return undefined;
  const { id, status, checked_in } = attendee;
  const shown = { ...heldEvent(event, urls), ...statusMembers(event, 'holder') };
  return { id, event: shown, status, admits: isAdmitted(attendee), checked_in: checked_in === 1 };
}

/** Members for the holder, or for the customer, who keeps only the name of the recipient of a transferred ticket. */
function holderMembers(
  attendee: Attendee,
  { access, ctx, order, transfers: [transfer], companions = [] }: HeldTicketOptions,
): Partial<HeldTicketView> {
  const optout = attendee.optout === 1;
  if (access === 'customer' && transfer)
    return { full_name: transfer.full_name, optout, transferred_utc: transfer.date_utc };
  const isUnpaid = order !== undefined && attendee.status === 'publish' && isToPayAtDoor(order);
  return {
    full_name: attendee.full_name,
    ...(access === 'customer' && { email: attendee.email }),
    optout,
    ...(companions.length > 0 && { companions: companions.map(renderCompanion) }),
    ...(isUnpaid && { unpaid: renderUnpaid(order, ctx) }),
    ...((isUnpaid || isAdmitted(attendee)) && {
      security_code: attendee.security_code,
      url: ticketUrl(ctx, attendee),
    }),
  };
}

const renderCompanion = ({ id, full_name, attendance_status, checked_in }: Attendee) => ({
  id,
  full_name,
  attendee_status: attendance_status,
  checked_in: checked_in === 1,
});

/** Whether tickets of an order have codes although it is not paid yet. */
export const isToPayAtDoor = ({ at_door, status }: Pick<Order, 'at_door' | 'status'>): boolean =>
  at_door === 1 && isCountedStatus(status) && status !== 'completed';

const renderUnpaid = (order: Order, { context: { config } }: RequestContext): z.output<typeof unpaidSchema> => ({
  total: renderAmount(order.total, siteMoney(config, order.currency)),
  currency: order.currency,
  expires_utc: expiryOfOrder(order, config),
});

/** Whether a response may have the address of an online event: not for a bare code, nor after a transfer to others. */
const seesAddress = (attendee: Attendee, { access, transfers }: HeldTicketOptions): boolean =>
  access !== 'code' && !(access === 'customer' && transfers.length > 0) && isAdmitted(attendee);

/** Address at which the holder of a valid ticket attends online. */
const onlineAddress = (event: Event): Pick<HeldEvent, 'online_url'> =>
  event.online_url === '' || event.status === 'trash' || modeOf(event) === 'on_site'
    ? {}
    : { online_url: event.online_url };

/** Status of an event that does not take place as planned. */
function statusMembers(event: Event, access: TicketAccess): Partial<HeldEvent> {
  const { event_status, event_status_reason } = event;
  if (event_status === 'scheduled') return {};
  const former = event_status === 'rescheduled' ? previousStart(event) : null;
  return {
    event_status,
    ...(access !== 'code' && event_status_reason !== '' && { event_status_reason }),
    ...(former !== null && { previous_start_date: former }),
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
