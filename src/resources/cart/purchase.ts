import type { Database } from '../../db/database.ts';
import { can } from '../../http/auth.ts';
import type { Call } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { addSeconds, toWall } from '../../lib/dates.ts';
import type { Attendee } from '../attendees/store.ts';
import { getAttendees } from '../attendees/store.ts';
import { type NewOrder, placeOrder } from '../orders/place.ts';
import { SoldOut, type Ticket } from '../tickets/stock.ts';
import type { GuestEntry } from './entries.ts';
import { CART_LIFE } from './identity.ts';
import { cartExpired, retakeExpired } from './late.ts';
import { missingTicket } from './refusals.ts';
import { orderItemsOf, type Purchaser } from './seats.ts';
import { findSellable } from './sellable.ts';
import { type CartItem, type CartMeta, claimItems, lockCart, removeCart } from './store.ts';

export interface Wish {
  purchaser: Purchaser;
  guests: readonly GuestEntry[];
  payment?: 'manual';
}

export interface Purchase {
  orderId: number;
  status: NewOrder['status'];
  /** Minor units. */
  total: number;
  attendees: Attendee[];
}

/**
 * Turns a cart into an order with an attendee for each place, within the transaction of the caller.
 * @throws {ApiError} cart-is-empty, cart-expired, ticket-does-not-exist
 */
export async function buyCart(
  db: Database,
  tokenHash: string,
  { call, wish }: { call: Call; wish: Wish },
): Promise<Purchase> {
  const { context, viewer } = call;
  const { timezone, currency } = context.config;
  const { items, tickets, meta } = await takeOver(db, tokenHash, call);
  const lines = orderItemsOf({ items, tickets, meta, ...wish }, { now: toWall(call.now), timezone });
  const total = lines.reduce((sum, { price, attendees }) => sum + price * attendees.length, 0);
  const isPaid = total === 0 || (wish.payment === 'manual' && can(viewer, 'manage_attendees'));
  const status = isPaid ? 'completed' : 'pending';
  const accountId = viewer.account?.id ?? 0;
  const gateway = total === 0 ? 'free' : 'manual';
  const order: NewOrder = { purchaser: wish.purchaser, gateway, status, currency, places: 'held', items: lines };
  const by = { userId: accountId, authorId: accountId, now: call.now, timezone, random: context.random };
  const { orderId, attendeeIds } = await placeOrder(db, order, by).catch((error: unknown) => {
    // Held places are there; only their ticket can have gone in the meantime.
    throw error instanceof SoldOut ? missingTicket(error.ticketId) : error;
  });
  return { orderId, status, total, attendees: await getAttendees(db, attendeeIds) };
}

interface Content {
  items: CartItem[];
  tickets: ReadonlyMap<number, Ticket>;
  meta: CartMeta;
}

/** Takes everything out of the cart and removes it; the places it held are still held. */
async function takeOver(db: Database, tokenHash: string, { viewer, ...call }: Call): Promise<Content> {
  const now = toWall(call.now);
  const cart = await lockCart(db, tokenHash, { now, expires: addSeconds(now, CART_LIFE) });
  if (!cart) throw new ApiError('cart-is-empty');
  const items = await claimItems(db, cart.id);
  // A cart that its visitor empties is removed, so what was in this one was released.
  if (items.length === 0) throw cartExpired();
  await removeCart(db, cart.id);
  const ids = items.map(({ ticket_id }) => ticket_id);
  const tickets = await findSellable(db, ids, { viewer, isAdmitted: true });
  const gone = ids.find((id) => !tickets.has(id));
  if (gone !== undefined) throw missingTicket(gone);
  await retakeExpired(db, items, now);
  return { items, tickets, meta: cart.meta };
}
