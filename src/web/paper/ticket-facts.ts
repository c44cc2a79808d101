import { findCalendarEvents } from '../../calendar/events/lists/feed.ts';
import { ANONYMOUS } from '../../http/core/auth.ts';
import type { HandlerContext, RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { getSite, type Site } from '../../platform/site/settings.ts';
import { currentOf, findPassAttendees } from '../../ticketing/attendees/pass-attendees.ts';
import { codeContent } from '../../ticketing/attendees/qr-content.ts';
import { type Attendee, findAttendee } from '../../ticketing/attendees/store.ts';
import { ticketSigner } from '../../ticketing/attendees/ticket-signature.ts';
import { findTransfers } from '../../ticketing/attendees/transfers.ts';
import { type AccessibleTicket, getAccessible } from '../../ticketing/orders/customer/ticket-access.ts';
import { heldEvent, loadHeldRelations, renderHeldTicket } from '../../ticketing/orders/held-ticket.ts';
import { findOrder } from '../../ticketing/orders/store.ts';
import { hasRightById } from '../../ticketing/tickets/event-scope.ts';
import { eventTickets } from '../../ticketing/tickets/event-tickets.ts';
import { wordingIn } from '../frame/visit.ts';
import type { SheetFacts, SheetTicket } from './ticket-sheet.ts';

/** A single ticket for paper or a wallet. */

/** Ticket with the proof of the request; `staff` may read the attendees of the event. */
export interface ReadableTicket {
  attendee: Attendee;
  access: AccessibleTicket['access'] | 'staff';
}

/**
 * The attendee with an id, for staff and for requests with the token of the ticket or of its order, or with the security
 * code.
 * @throws {ApiError} attendee-not-found, ticket-transferred, too_many_attempts
 */
export async function getReadableTicket(
  ctx: HandlerContext,
  { id, code }: { id: number; code: string | undefined },
): Promise<ReadableTicket> {
  const attendee = await findAttendee(ctx.context.db, id);
  if (attendee && (await hasRightById(ctx, 'read_attendees', attendee.event_id))) return { attendee, access: 'staff' };
  return getAccessible(ctx, id, code);
}

/** A ticket with its facts. */
export interface TicketFacts extends SheetFacts {
  ticket: SheetTicket;
  site: Site;
}

/**
 * Reads a ticket in the language of the request. A security code alone does not give away the name of the holder.
 * @throws {ApiError} ticket-not-accessible for a ticket without a code: unpaid, cancelled, or transferred to another person
 */
export async function readTicketFacts(ctx: RequestContext, { attendee, access }: ReadableTicket): Promise<TicketFacts> {
  const { context, urls, language } = ctx;
  const { db } = context;
  const { id, order_id, pass_id } = attendee;
  const passDates = ((await findPassAttendees(db, [pass_id])).get(pass_id ?? 0) ?? []).filter(
    ({ status, isTrashed }) => status === 'publish' && !isTrashed,
  );
  const shown = pass_id === null ? attendee : (currentOf(passDates, toUtc(ctx.now)) ?? attendee);
  const [relations, order, transfers, site] = await Promise.all([
    loadHeldRelations(ctx, [shown, ...passDates]),
    order_id === null ? undefined : findOrder(db, order_id),
    findTransfers(db, [id]),
    getSite(context, language),
  ]);
  const options = { relations, ctx, order, transfers: transfers.get(id) ?? [] };
  const held = renderHeldTicket(shown, { ...options, access: access === 'customer' ? 'customer' : 'holder' });
  if (held.security_code === undefined) throw new ApiError('ticket-not-accessible', { status: 403 });
  const ticket: SheetTicket = {
    content: codeContent(attendee, urls, await ticketSigner(context)),
    code: held.security_code,
    holder: access === 'code' ? '' : (held.full_name ?? ''),
    title: held.title,
    event: held.event,
    dates: passDates.flatMap(({ event_id }) => {
      const event = relations.events.get(event_id);
      return event ? [heldEvent(event, urls)] : [];
    }),
  };
  const eventIds = held.event ? [held.event.id] : [];
  return {
    ...wordingIn(context, { language, now: ctx.now, siteName: site.name }),
    site,
    events: await findCalendarEvents({ ...ctx, viewer: ANONYMOUS }, eventIds, eventTickets),
    ticket,
    tickets: [ticket],
    number: order && orderNumber(order.id),
    unpaid: held.unpaid,
  };
}
