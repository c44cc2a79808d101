import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { fromUtc, type LocalTime, localDay, toUtc, utcToLocal, zoneAbbreviation } from '../../lib/dates/dates.ts';
import { formatMoment } from '../../lib/i18n.ts';
import { formatMoney, siteMoney } from '../../lib/money/money.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import type { Visitor } from '../../platform/users/visitor-token.ts';
import { availabilityOf, seatsLeft } from '../seats/seats.ts';
import type { Ticket } from '../tickets/store.ts';
import { type CountedTicket, MAX_PER_ORDER, priceOn } from '../tickets/store.ts';
import { findCartContent, type ShownItem } from './store.ts';

/** Errors for tickets that cannot be bought; `data` has the ticket and its available seats. */

export const missingTicket = (ticket_id: number): ApiError =>
  new ApiError('ticket-does-not-exist', { data: { ticket_id }, values: { ticket: String(ticket_id) } });

/** Names the ticket in the language of the request. Must not be called inside a transaction. */
export async function notAvailable(ctx: RequestContext, ticket: Ticket, available: number): Promise<ApiError> {
  return new ApiError('ticket-capacity-not-available', {
    data: { ticket_id: ticket.id, available },
    ...(available === 0 && { message: 'sale.sold_out' }),
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

/** @param title of the ticket, in the language of the request outside transactions */
export const minPerOrderMissed = ({ id, min_per_order }: Ticket, title: string): ApiError =>
  new ApiError('min-per-order-missed', {
    data: { ticket_id: id, min_per_order },
    values: { ticket: title, count: min_per_order },
  });

/** Names the prices that customers may choose. Must not be called inside a transaction. */
export async function priceNotAccepted(ctx: RequestContext, ticket: Ticket): Promise<ApiError> {
  const { id, min_price } = ticket;
  const { config } = ctx.context;
  const price = min_price ?? priceOn(ticket, localDay(toUtc(ctx.now), config.timezone));
  return new ApiError('price-not-accepted', {
    data: { ticket_id: id, min_price: price },
    ...(min_price === null && { message: 'sale.fixed_price' }),
    values: { ticket: await nameOf(ctx, ticket), price: formatMoney(price, siteMoney(config)) },
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

export async function nameOf(ctx: RequestContext, ticket: Ticket): Promise<string> {
  const texts = await loadTranslations(ctx, [{ kind: 'ticket', id: ticket.id }]);
  return texts.show('ticket', ticket).title;
}

/** Formats a UTC time in the time zone of the site and the language of the request. */
function siteMoment({ context, language }: RequestContext, utc: LocalTime): string {
  const { timezone } = context.config;
  return `${formatMoment(language, fromUtc(utcToLocal(utc, timezone)))} ${zoneAbbreviation(utc, timezone)}`;
}

/** Number of seats of a ticket that a new cart may have. */
export function seatsForNewCart({ counts }: CountedTicket): number {
  const { available } = availabilityOf(counts);
  return available < 0 ? MAX_PER_ORDER : Math.min(available, MAX_PER_ORDER);
}

/** Number of seats of a ticket that the cart may have: the available ones, and those that it already holds. */
export async function seatsForCart(
  { context, now }: RequestContext,
  { tokenHash }: Visitor,
  ticket: Ticket,
): Promise<number> {
  const left = await seatsLeft(context.db, ticket.id, now);
  const content = tokenHash ? await findCartContent(context.db, tokenHash, toUtc(now)) : undefined;
  const isSame = ({ ticket_id, pass_id }: ShownItem): boolean =>
    ticket_id === ticket.id || (pass_id !== null && pass_id === ticket.pass_id);
  const own = content?.items.find(isSame)?.quantity ?? 0;
  return left < 0 ? MAX_PER_ORDER : Math.min(left + own, MAX_PER_ORDER);
}
