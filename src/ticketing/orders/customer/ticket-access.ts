import type { HandlerContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { isSameSecret } from '../../../lib/hash.ts';
import { isOneOfCodes } from '../../attendees/security-code.ts';
import { type Attendee, findAttendee } from '../../attendees/store.ts';
import { isTicketToken, TICKET_TOKEN } from '../../attendees/ticket-token.ts';
import { findTransfers, type Transfer } from '../../attendees/transfers.ts';
import type { TicketAccess } from '../held-ticket.ts';
import { findOrderByToken, ORDER_TOKEN } from '../order-token.ts';

/** Access to single tickets by the token of the ticket or of its order, or by the security code. */

/** Ticket that a request may read. */
export interface AccessibleTicket {
  attendee: Attendee;
  access: TicketAccess;
  isTransferred: boolean;
}

/**
 * The attendee with an id, if the request has the token of the ticket or of its order, or the security code.
 * @throws {ApiError} attendee-not-found, ticket-transferred, too_many_attempts
 */
export async function getAccessible(
  ctx: HandlerContext,
  id: number,
  code: string | undefined,
): Promise<AccessibleTicket> {
  const { db } = ctx.context;
  const attendee = await findAttendee(db, id);
  const transfers = attendee ? ((await findTransfers(db, [id])).get(id) ?? []) : [];
  const access = await accessTo(ctx, attendee, transfers);
  const isTransferred = transfers.length > 0;
  if (attendee && access) return { attendee, access, isTransferred };
  const former = transfers.map(({ former_code }) => former_code);
  const codes = attendee ? [attendee.security_code, ...former] : [];
  if (code === undefined || !(await isOneOfCodes(attendee ?? { id }, { code, codes }, ctx)) || !attendee)
    throw linkNotFound();
  if (former.some((one) => isSameSecret(code, one))) throw new ApiError('ticket-transferred');
  return { attendee, access: 'code', isTransferred };
}

/**
 * Access by a token; undefined without one, and with a wrong one.
 * @throws {ApiError} ticket-transferred for the token that the ticket had before a transfer
 */
async function accessTo(
  ctx: HandlerContext,
  attendee: Attendee | undefined,
  transfers: readonly Transfer[],
): Promise<'holder' | 'customer' | undefined> {
  if (!attendee) return undefined;
  const { context } = ctx;
  const { id, order_id, pass_id } = attendee;
  const token = ctx.header(TICKET_TOKEN);
  if (token !== undefined) {
    if (isTicketToken(token, context, attendee)) return 'holder';
    if (transfers.some(({ former_code }) => isTicketToken(token, context, { id, pass_id, security_code: former_code })))
      throw new ApiError('ticket-transferred');
  }
  if (ctx.header(ORDER_TOKEN) === undefined || order_id === null) return undefined;
  return (await findOrderByToken(ctx, order_id)) ? 'customer' : undefined;
}

/** Error for a ticket whose link does not work, or no longer. */
export const linkNotFound = (): ApiError => new ApiError('attendee-not-found', { message: 'ticket.link' });

/**
 * The attendee with an id, for a change. The security code alone does not suffice; for a transferred ticket, nor does
 * the token of its order.
 * @throws {ApiError} ticket-link-required, attendee-not-found, ticket-transferred, too_many_attempts
 */
export async function getChangeable(
  ctx: HandlerContext,
  id: number,
  code: string | undefined,
): Promise<AccessibleTicket> {
  const ticket = await getAccessible(ctx, id, code);
  const { access, isTransferred } = ticket;
  if (access === 'code' || (access === 'customer' && isTransferred)) throw new ApiError('ticket-link-required');
  return ticket;
}
