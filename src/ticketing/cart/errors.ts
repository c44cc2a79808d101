import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { fromUtc, type LocalTime, toUtc, utcToLocal, zoneAbbreviation } from '../../lib/dates/dates.ts';
import { formatMoment } from '../../lib/i18n.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import type { Visitor } from '../../platform/users/visitor-token.ts';
import { availabilityOf, seatsLeft } from '../tickets/seats/seats.ts';
import type { Ticket } from '../tickets/seats/stock.ts';
import { type CountedTicket, MAX_PER_ORDER } from '../tickets/store.ts';
import { findCartContent } from './store.ts';

/** Errors for tickets that cannot be bought; `data` has the ticket and its available seats. */

export const missingTicket = (ticket_id: number): ApiError =>
  new ApiError('ticket-does-not-exist', { data: { ticket_id }, values: { ticket: String(ticket_id) } });

export const eventCancelled = ({ id, event_id }: Ticket): ApiError =>
  new ApiError('event-cancelled', { data: { ticket_id: id, post_id: event_id } });

/** Names the ticket in the language of the request. Must not be called inside a transaction. */
export async function notAvailable(ctx: RequestContext, ticket: Ticket, available: number): Promise<ApiError> {
  return new ApiError('ticket-capacity-not-available', {
    data: { ticket_id: ticket.id, available },
    values: { ticket: await nameOf(ctx, ticket), count: available },
  });
}

/** Names the ticket in the language of the request. Must not be called inside a transaction. */
export async function maxPerOrderExceeded(ctx: RequestContext, ticket: Ticket): Promise<ApiError> {
  const { id, max_per_order } = ticket;
  return new ApiError('max-per-order-exceeded', {
    data: { ticket_id: id, max_per_order },
    values: { ticket: await nameOf(ctx, ticket), count: max_per_order },
  });
}

/** Thrown when the transaction of a checkout finds more seats of a ticket than one order may have. */
export class MaxPerOrderExceeded extends Error {
  readonly ticket: Ticket;
  constructor(ticket: Ticket) {
    super(`more than ${ticket.max_per_order} places of ticket ${ticket.id}`);
    this.ticket = ticket;
  }
}

/** Says when the sale of the ticket begins, or that it has ended. Must not be called inside a transaction. */
export async function notOnSale(ctx: RequestContext, ticket: Ticket): Promise<ApiError> {
  const isUpcoming = toUtc(ctx.now) < ticket.sale_start_utc;
  return new ApiError('ticket-capacity-not-available', {
    data: { ticket_id: ticket.id, available: 0 },
    message: isUpcoming ? 'sale.begins' : 'sale.ended',
    values: { ticket: await nameOf(ctx, ticket), ...(isUpcoming && { date: siteMoment(ctx, ticket.sale_start_utc) }) },
  });
}

async function nameOf(ctx: RequestContext, ticket: Ticket): Promise<string> {
  const texts = await loadTranslations(ctx, [{ kind: 'ticket', id: ticket.id }]);
  return texts.show('ticket', ticket).title;
}

/** Formats a UTC time in the time zone of the site and the language of the request. */
function siteMoment({ context, language }: RequestContext, utc: LocalTime): string {
  const { timezone } = context.config;
  return `${formatMoment(language, fromUtc(utcToLocal(utc, timezone)))} ${zoneAbbreviation(utc, timezone)}`;
}

/** Number of seats of a ticket that a new cart may have. */
export function seatsForNew({ counts }: CountedTicket): number {
  const { available } = availabilityOf(counts);
  return available < 0 ? MAX_PER_ORDER : Math.min(available, MAX_PER_ORDER);
}

/** Number of seats of a ticket that the cart may have: the available ones, and those that it already holds. */
export async function seatsFor(
  { context, now }: RequestContext,
  { tokenHash }: Visitor,
  ticket: Ticket,
): Promise<number> {
  const left = await seatsLeft(context.db, ticket.id, now);
  const content = tokenHash ? await findCartContent(context.db, tokenHash, toUtc(now)) : undefined;
  const own = content?.items.find(({ ticket_id }) => ticket_id === ticket.id)?.quantity ?? 0;
  return left < 0 ? MAX_PER_ORDER : Math.min(left + own, MAX_PER_ORDER);
}
