import type { Database } from '../../db/database.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { addSeconds, type LocalTime, localDay, toUtc } from '../../lib/dates/dates.ts';
import { CART_LIFE, newToken, type Visitor } from '../../platform/users/visitor-token.ts';
import { mayTakeAny, requireFreePlacesInCart } from '../orders/free-places.ts';
import { requireCartWithinLimits } from '../orders/seat-limits.ts';
import { returnSeats, SoldOut, type Ticket, withExpiredReleased } from '../tickets/seats/stock.ts';
import { isOnSaleAt, MAX_PER_ORDER, mostPerOrder, priceOn } from '../tickets/store.ts';
import {
  eventCancelled,
  maxPerOrderExceeded,
  missingTicket,
  notAvailable,
  notOnSale,
  seatsFor,
  seatsForNew,
} from './errors.ts';
import { isExpired, moveHolds } from './holds.ts';
import type { Entry } from './input.ts';
import { findPurchasable } from './purchasable.ts';
import {
  type Cart,
  type CartItem,
  type CartMeta,
  claimItems,
  emptyCart,
  fillCart,
  insertCart,
  insertItems,
  lockCart,
  updateMeta,
} from './store.ts';

/** Maximum number of different tickets in a cart. */
const MAX_TICKETS = 50;
const ATTEMPTS = 3;
/** Maximum size in bytes of JSON. */
const MAX_META = 64 * 1024;

/** Changes of a write, the last one for each ticket. */
export interface CartChange {
  entries: ReadonlyMap<number, Entry>;
  meta: ReadonlyMap<number, CartMeta[string]>;
  /** Event password, already counted by `admitPasswordFor`. */
  password?: string;
  /** Network under which the cart counts when it grows; empty for none. */
  network: string;
  /** Network of the client, for free seats; empty for none. */
  taker: string;
}

interface CartWrite {
  ctx: RequestContext;
  change: CartChange;
  tickets: ReadonlyMap<number, Ticket>;
  visitor: Visitor;
  fresh: { token: string; tokenHash: string };
  now: LocalTime;
  /** Expiry of the holds, and of the cart. */
  heldUntil: LocalTime;
  expires: LocalTime;
}

/**
 * Changes a cart, completely or not at all, and creates one for a visitor without a cart. Every change renews the holds
 * of all its seats.
 * @returns the token of the cart, even if it is empty now; undefined if there is none
 * @throws {ApiError} ticket-does-not-exist, event-cancelled, max-per-order-exceeded, ticket-capacity-not-available,
 *   too-many-carts, too-many-places-held, too-many-free-places
 */
export async function writeCart(
  ctx: RequestContext,
  visitor: Visitor,
  change: CartChange,
): Promise<string | undefined> {
  if (change.entries.size === 0 && change.meta.size === 0) return visitor.token;
  const { context } = ctx;
  const now = toUtc(ctx.now);
  const write: CartWrite = {
    ctx,
    change,
    tickets: await checkEntries(ctx, visitor, change),
    visitor,
    fresh: newToken(context.random),
    now,
    heldUntil: addSeconds(now, context.config.cartHold * 60),
    expires: addSeconds(now, CART_LIFE),
  };
  return attempt(ctx, write, ATTEMPTS);
}

/** Retries when seats were returned concurrently, after a lack of seats was found. */
async function attempt(ctx: RequestContext, write: CartWrite, left: number): Promise<string | undefined> {
  const { db } = ctx.context;
  try {
    return await withExpiredReleased(db, ctx.now, () => db.transaction((trx) => apply(trx, write)));
  } catch (error) {
    // A lack of seats takes precedence over the limits, so that all clients get the same error for it.
    if (error instanceof ApiError && error.status === 429) await requireAvailable(ctx, write);
    const ticket = error instanceof SoldOut && write.tickets.get(error.ticketId);
    if (!ticket) throw error;
    const available = await seatsFor(ctx, write.visitor, ticket);
    const wanted = write.change.entries.get(ticket.id)?.quantity ?? 0;
    if (left === 1 || available < wanted) throw await notAvailable(ctx, ticket, available);
    return attempt(ctx, write, left - 1);
  }
}

/** @throws {ApiError} ticket-capacity-not-available for the first ticket without enough seats */
async function requireAvailable(ctx: RequestContext, { visitor, tickets, change }: CartWrite): Promise<void> {
  for (const ticket of tickets.values()) {
    const available = await seatsFor(ctx, visitor, ticket);
    const wanted = change.entries.get(ticket.id)?.quantity ?? 0;
    if (available < wanted) throw await notAvailable(ctx, ticket, available);
  }
}

const wantedEntries = (entries: CartChange['entries']): Entry[] =>
  [...entries.values()].filter(({ quantity }) => quantity > 0);

/** Ids of the tickets of which a write takes seats. */
export const wantedTickets = ({ entries }: Pick<CartChange, 'entries'>): number[] =>
  wantedEntries(entries).map(({ ticket_id }) => ticket_id);

/** Checks the tickets of which the write takes seats. The first unavailable one refuses the whole write. */
async function checkEntries(
  ctx: RequestContext,
  visitor: Visitor,
  { entries, password }: CartChange,
): Promise<ReadonlyMap<number, Ticket>> {
  const wanted = wantedEntries(entries);
  const ids = wanted.map(({ ticket_id }) => ticket_id);
  const { context, viewer, now } = ctx;
  const tickets = await findPurchasable(context.db, ids, { viewer, now, password });
  for (const { ticket_id, quantity } of wanted) {
    const ticket = tickets.get(ticket_id);
    if (!ticket) throw missingTicket(ticket_id);
    if (ticket.isCancelled) throw eventCancelled(ticket);
    if (!isOnSaleAt(ticket, toUtc(now))) throw await notOnSale(ctx, ticket);
    if (quantity > mostPerOrder(ticket) && !mayTakeAny(ctx)) throw await maxPerOrderExceeded(ctx, ticket);
    // Most requests for sold-out tickets have no cart; fail before the transaction.
    if (visitor.tokenHash !== undefined && quantity <= MAX_PER_ORDER) continue;
    const available = visitor.tokenHash === undefined ? seatsForNew(ticket) : await seatsFor(ctx, visitor, ticket);
    if (available < quantity) throw await notAvailable(ctx, ticket, available);
  }
  return tickets;
}

async function apply(db: Database, write: CartWrite): Promise<string | undefined> {
  const { ctx, visitor, fresh, now, expires } = write;
  const cart = visitor.tokenHash ? await lockCart(db, visitor.tokenHash, { now, expires }) : undefined;
  const before = cart ? await claimItems(db, cart.id) : [];
  const after = itemsAfter(before, write);
  if (after.length > MAX_TICKETS) throw invalidParam('tickets', 'param.cart_items');
  if (after.length === 0) {
    if (cart) await emptyCart(db, cart.id);
    await returnSeats(db, before, 'held');
    return cart && visitor.token;
  }
  const live = before.filter((item) => !isExpired(item, now));
  const network = countingNetwork(write.change.network, cart, seatsOf(after) > seatsOf(live));
  const kept = cart ?? (await insertCart(db, { token_hash: fresh.tokenHash, expires_utc: expires, network }));
  if (kept.network !== network || kept.isEmptied) await fillCart(db, kept.id, network);
  await insertItems(
    db,
    after.map((item) => ({ ...item, cart_id: kept.id, network })),
  );
  await saveMeta(db, kept, { change: write.change, items: after });
  const isNew = cart?.network !== network;
  const growth = seatsOf(after) - (isNew ? 0 : seatsOf(live));
  await requireCartWithinLimits(db, ctx, { cartId: kept.id, network, seats: seatsOf(after), growth, isNew });
  // Free seats counted for another network are counted again.
  if ((cart && isNew) || takesMoreForFree(live, write))
    await requireFreePlacesInCart(db, ctx, { cartId: kept.id, network: network || write.change.taker });
  await moveHolds(db, { before, after, now });
  return cart ? visitor.token : fresh.token;
}

const seatsOf = (items: readonly CartItem[]): number => items.reduce((sum, { quantity }) => sum + quantity, 0);

function takesMoreForFree(live: readonly CartItem[], { ctx, change, tickets, now }: CartWrite): boolean {
  const today = localDay(now, ctx.context.config.timezone);
  return wantedEntries(change.entries).some(({ ticket_id, quantity }) => {
    const ticket = tickets.get(ticket_id);
    const before = live.find((item) => item.ticket_id === ticket_id)?.quantity ?? 0;
    return ticket !== undefined && quantity > before && priceOn(ticket, today) === 0;
  });
}

/**
 * A cart counts with all its seats for the network from which it last grew. Removing seats keeps the network, so that
 * it is always possible.
 */
const countingNetwork = (network: string, cart: Cart | undefined, isGrowing: boolean): string =>
  cart && !isGrowing ? cart.network : network;

/** Items of the cart after the write. Expired items that the write does not name again are dropped. */
function itemsAfter(before: readonly CartItem[], { change, tickets, now, heldUntil }: CartWrite): CartItem[] {
  const items = new Map(before.map((item) => [item.ticket_id, { ...item, expires_utc: heldUntil }]));
  for (const item of before) if (isExpired(item, now)) items.delete(item.ticket_id);
  let position = Math.max(0, ...before.map((item) => item.position));
  for (const { ticket_id, quantity, optout } of change.entries.values()) {
    const ticket = tickets.get(ticket_id);
    const known = before.find((item) => item.ticket_id === ticket_id);
    if (quantity === 0 || !ticket) items.delete(ticket_id);
    else {
      position += 1;
      items.set(ticket_id, {
        cart_id: 0,
        ticket_id,
        event_id: ticket.event_id,
        quantity,
        optout: optout ?? known?.optout ?? 0,
        position: known?.position ?? position,
        expires_utc: heldUntil,
        network: '',
      });
    }
  }
  return [...items.values()];
}

async function saveMeta(
  db: Database,
  cart: Cart,
  { change, items }: { change: CartChange; items: readonly CartItem[] },
): Promise<void> {
  const meta = Object.fromEntries(
    items.flatMap(({ ticket_id }) => {
      const answers = change.meta.get(ticket_id) ?? cart.meta[ticket_id] ?? [];
      return answers.length > 0 ? [[ticket_id, answers]] : [];
    }),
  );
  const json = JSON.stringify(meta);
  if (Buffer.byteLength(json) > MAX_META) throw invalidParam('meta', 'param.cart_meta');
  if (json !== JSON.stringify(cart.meta)) await updateMeta(db, cart.id, json);
}
