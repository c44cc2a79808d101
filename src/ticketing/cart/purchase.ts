import type { Database } from '../../db/database.ts';
import { can, type Viewer } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { addSeconds, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { DOOR, FREE, MANUAL, type PaymentWay } from '../../platform/site/settings.ts';
import { CART_LIFE } from '../../platform/users/visitor-token.ts';
import type { Attendee } from '../attendees/store.ts';
import { type NewOrder, placeOrder } from '../orders/create-order.ts';
import { mayTakeAny, takeFreePlaces } from '../orders/free-places.ts';
import { isLimited, requireOrderWithinLimits, type UnpaidTerms } from '../orders/seat-limits.ts';
import type { Order } from '../orders/store.ts';
import { findAvailability } from '../tickets/seats/seats.ts';
import { returnSeats, SoldOut, takeSeats } from '../tickets/seats/stock.ts';
import { getTickets, isOnSaleAt, mostPerOrder } from '../tickets/store.ts';
import { guestExpiry } from '../tickets/unpaid-expiry.ts';
import { eventCancelled, MaxPerOrderExceeded, missingTicket } from './errors.ts';
import { isExpired } from './holds.ts';
import type { GuestEntry } from './input.ts';
import { orderItemsOf, type Purchaser } from './order-lines.ts';
import { findPurchasable, type Purchasable } from './purchasable.ts';
import { type Cart, type CartItem, claimItems, lockCart, removeCart } from './store.ts';

export interface CheckoutInput {
  purchaser: Purchaser;
  guests: readonly GuestEntry[];
  /** Whether staff confirm that the order is paid. */
  isPaidByHand: boolean;
  /** Chosen payment method, if the site has any. */
  way?: PaymentWay;
  /** Network of the client; empty if it has no limits. */
  network: string;
  /** Network of the client, for free seats; empty for none. */
  taker: string;
}

export interface Purchase {
  /** Order from which its token is derived. */
  order: Pick<Order, 'id' | 'access_version'>;
  status: NewOrder['status'];
  /** Minor units. */
  total: number;
  attendees: Attendee[];
}

/**
 * Turns a cart into an order with an attendee for each seat, within the transaction of the caller.
 * @throws {ApiError} cart-is-empty, cart-expired, ticket-does-not-exist, event-cancelled, too-many-open-orders,
 *   too-many-places-held, too-many-free-places
 * @throws {MaxPerOrderExceeded}
 */
export async function buyCart(
  db: Database,
  tokenHash: string,
  { ctx, input }: { ctx: RequestContext; input: CheckoutInput },
): Promise<Purchase> {
  const { context, viewer } = ctx;
  const { timezone, currency } = context.config;
  const now = toUtc(ctx.now);
  const content = await claimCart(db, tokenHash, ctx);
  const { items, tickets, cart } = content;
  const lines = orderItemsOf({ items, tickets, meta: cart.meta, ...input }, { now, timezone });
  const total = lines.reduce((sum, { price, attendees }) => sum + price * attendees.length, 0);
  const isPaid = total === 0 || (input.isPaidByHand && can(viewer, 'manage_attendees'));
  const status = isPaid ? 'completed' : 'pending';
  const accountId = viewer.account?.id ?? 0;
  const gateway = total === 0 ? FREE : (input.way?.id ?? MANUAL);
  const terms = isPaid ? undefined : await unpaidTerms(db, ctx, { content, input });
  const free = lines.flatMap(({ price, attendees }) => (price === 0 ? attendees : []));
  const { email } = input.purchaser;
  await takeFreePlaces(db, ctx, { network: cart.network || input.taker, email, places: free.length });
  await retakeExpired(db, items, now);
  const order: NewOrder = { purchaser: input.purchaser, gateway, status, currency, seats: 'held', items: lines, terms };
  const by = { userId: accountId, authorId: accountId, now: ctx.now, timezone, random: context.random };
  const placed = await placeOrder(db, order, by).catch((error: unknown) => {
    // Held seats are already taken; only their ticket may have been deleted meanwhile.
    throw error instanceof SoldOut ? missingTicket(error.ticketId) : error;
  });
  return { ...placed, status, total };
}

/**
 * The terms of an unpaid order: the payment method may have its own period, and clients without an account have limits.
 */
async function unpaidTerms(
  db: Database,
  ctx: RequestContext,
  { content, input }: { content: Content; input: CheckoutInput },
): Promise<Partial<UnpaidTerms> | undefined> {
  const now = toUtc(ctx.now);
  const atLeast = guestExpiry(now, ctx.context.config.orderHold);
  const own = ownExpiry(input.way, { now, atLeast, content });
  const expires = own === undefined ? atLeast : own;
  if (isLimited(ctx)) return requireOrderWithinLimits(db, ctx, { ...orderGrowth(content, now, input), expires });
  return own === undefined ? undefined : { expires_utc: own };
}

interface ExpiryOptions {
  now: LocalTime;
  atLeast: LocalTime;
  content: Content;
}

/**
 * Expiry set by the payment method: null for never, undefined if it has no period of its own. Orders paid at the door
 * are kept until the last of their events ends.
 */
function ownExpiry(
  way: PaymentWay | undefined,
  { now, atLeast, content }: ExpiryOptions,
): LocalTime | null | undefined {
  if (!way) return undefined;
  const { id, hold_hours: hours } = way;
  if (hours !== null) return hours === 0 ? null : addSeconds(now, hours * 3600);
  if (id !== DOOR) return undefined;
  const ends = content.items.flatMap(({ ticket_id }) => content.tickets.get(ticket_id)?.event_ends ?? []);
  return [...ends, atLeast].sort().at(-1);
}

interface Content {
  items: CartItem[];
  tickets: ReadonlyMap<number, Purchasable>;
  cart: Cart;
}

/** Number of seats that the order adds to those of its network: seats that the cart no longer held there. */
function orderGrowth({ items, cart }: Content, now: LocalTime, { purchaser, network }: CheckoutInput) {
  const seats = items.reduce((sum, { quantity }) => sum + quantity, 0);
  const isCounted = cart.network !== '' || network === '';
  const added = items.filter((item) => !isCounted || isExpired(item, now));
  const growth = added.reduce((sum, { quantity }) => sum + quantity, 0);
  return { network: cart.network || network, email: purchaser.email, seats, growth };
}

/** Claims the items of the cart and removes it; its seats are still held. */
async function claimCart(db: Database, tokenHash: string, { viewer, ...ctx }: RequestContext): Promise<Content> {
  const now: LocalTime = toUtc(ctx.now);
  const cart = await lockCart(db, tokenHash, { now, expires: addSeconds(now, CART_LIFE) });
  if (!cart || cart.isEmptied) throw new ApiError('cart-is-empty');
  const items = await claimItems(db, cart.id);
  // The visitor did not empty the cart, so its items have expired and were released.
  if (items.length === 0) throw cartExpired();
  await removeCart(db, cart.id);
  const ids = items.map(({ ticket_id }) => ticket_id);
  const tickets = await findPurchasable(db, ids, { viewer, now: ctx.now, isAdmitted: true });
  const gone = ids.find((id) => !tickets.has(id));
  if (gone !== undefined) throw missingTicket(gone);
  const cancelled = tickets.values().find(({ isCancelled }) => isCancelled);
  if (cancelled) throw eventCancelled(cancelled);
  requireMaxPerOrder(items, tickets, viewer);
  return { items, tickets, cart };
}

/** Checks again, since the limit may have been lowered, and staff may have filled the cart. */
function requireMaxPerOrder(items: readonly CartItem[], tickets: Content['tickets'], viewer: Viewer): void {
  if (mayTakeAny({ viewer })) return;
  for (const { ticket_id, quantity } of items) {
    const ticket = tickets.get(ticket_id);
    if (ticket && quantity > mostPerOrder(ticket)) throw new MaxPerOrderExceeded(ticket);
  }
}

/**
 * Error with the tickets of the cart that are no longer available; without tickets if the items are no longer known.
 */
const cartExpired = (tickets: { ticket_id: number; quantity: number; available: number }[] = []): ApiError =>
  new ApiError('cart-expired', { data: { tickets } });

/**
 * Handles a checkout after the holds of the cart expired: returns its seats and takes them again like any other cart.
 * @param items claimed from the cart
 * @throws {ApiError} cart-expired, with each ticket that is no longer available in full
 */
async function retakeExpired(db: Database, items: readonly CartItem[], now: LocalTime): Promise<void> {
  const expired = items.filter((item) => isExpired(item, now));
  if (expired.length === 0) return;
  await returnSeats(db, expired, 'held');
  const wanted = await findShortfalls(db, expired, now);
  const missing = wanted.filter(({ quantity, available }) => available < quantity);
  if (missing.length > 0) throw cartExpired(missing);
  try {
    await takeSeats(db, expired, 'held');
  } catch (error) {
    throw error instanceof SoldOut ? cartExpired(wanted) : error;
  }
}

/** Number of available seats of each ticket, regardless of the other tickets. */
async function findShortfalls(db: Database, items: readonly CartItem[], now: LocalTime) {
  const ids = items.map(({ ticket_id }) => ticket_id);
  const tickets = await getTickets(db, ids);
  const left = await findAvailability(db, ids, now);
  return items.map(({ ticket_id, quantity }) => {
    const ticket = tickets.get(ticket_id);
    const available = ticket && isOnSaleAt(ticket, now) ? (left.get(ticket_id)?.available ?? 0) : 0;
    return { ticket_id, quantity, available: available < 0 ? quantity : available };
  });
}
