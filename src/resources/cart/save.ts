import type { Database } from '../../db/database.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import { ApiError, invalidParam } from '../../http/errors.ts';
import { addSeconds, type LocalTime, toWall } from '../../lib/dates.ts';
import { requireRoom } from '../orders/seat-limits.ts';
import { withExpiredReleased } from '../tickets/reserve.ts';
import { returnPlaces, SoldOut, type Ticket } from '../tickets/stock.ts';
import { isOnSaleAt } from '../tickets/store.ts';
import { missingTicket, notAvailable, notOnSale, placesFor } from './errors.ts';
import { moveHolds } from './holds.ts';
import { type Entry, MAX_SEATS } from './input.ts';
import { findSellable } from './purchasable.ts';
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
import { CART_LIFE, newToken, type Visitor } from './visitor-token.ts';

/** Different tickets in one cart. */
const MAX_TICKETS = 50;
const ATTEMPTS = 3;
/** Bytes of JSON. */
const MAX_META = 64 * 1024;

/** What a write asks for: the last word on each ticket. */
export interface CartChange {
  entries: ReadonlyMap<number, Entry>;
  meta: ReadonlyMap<number, CartMeta[string]>;
  /** Of the events that have one; `admitPasswordFor` has counted it. */
  password?: string;
  /** Network that the cart counts for when it grows; empty for none. */
  network: string;
}

interface Write {
  ctx: RequestContext;
  change: CartChange;
  tickets: ReadonlyMap<number, Ticket>;
  visitor: Visitor;
  fresh: { token: string; tokenHash: string };
  now: LocalTime;
  /** Until when the places are held, and until when the cart is remembered. */
  heldUntil: LocalTime;
  expires: LocalTime;
}

/**
 * Changes a cart, all of it or nothing, and makes one for a visitor who has none. Its places are held anew for the
 * whole time, whichever of them changed.
 * @returns the token of the cart, also of one that is emptied; undefined when there is none
 * @throws {ApiError} ticket-does-not-exist, ticket-capacity-not-available, too-many-carts, too-many-places-held
 */
export async function writeCart(
  ctx: RequestContext,
  visitor: Visitor,
  change: CartChange,
): Promise<string | undefined> {
  if (change.entries.size === 0 && change.meta.size === 0) return visitor.token;
  const { context } = ctx;
  const now = toWall(ctx.now);
  const write: Write = {
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

/** Whoever gives places back at the same time may have done so just after we looked: then it is worth another try. */
async function attempt(ctx: RequestContext, write: Write, left: number): Promise<string | undefined> {
  const { db } = ctx.context;
  try {
    return await withExpiredReleased(db, ctx.now, () => db.transaction((trx) => apply(trx, write)));
  } catch (error) {
    // Checked before the limits: places that do not exist are refused alike for everybody.
    if (error instanceof ApiError && error.status === 429) await requireStock(ctx, write);
    const ticket = error instanceof SoldOut && write.tickets.get(error.ticketId);
    if (!ticket) throw error;
    const available = await placesFor(ctx, write.visitor, ticket);
    const wanted = write.change.entries.get(ticket.id)?.quantity ?? 0;
    if (left === 1 || available < wanted) throw await notAvailable(ctx, ticket, available);
    return attempt(ctx, write, left - 1);
  }
}

/** @throws {ApiError} ticket-capacity-not-available for the first ticket that has not enough places */
async function requireStock(ctx: RequestContext, { visitor, tickets, change }: Write): Promise<void> {
  for (const ticket of tickets.values()) {
    const available = await placesFor(ctx, visitor, ticket);
    const wanted = change.entries.get(ticket.id)?.quantity ?? 0;
    if (available < wanted) throw await notAvailable(ctx, ticket, available);
  }
}

const wantedEntries = (entries: CartChange['entries']): Entry[] =>
  [...entries.values()].filter(({ quantity }) => quantity > 0);

/** Ids of the tickets that a write wants places of. */
export const wantedTickets = ({ entries }: Pick<CartChange, 'entries'>): number[] =>
  wantedEntries(entries).map(({ ticket_id }) => ticket_id);

/** The tickets that the write wants places of. The first that cannot be had refuses the whole. */
async function checkEntries(
  ctx: RequestContext,
  visitor: Visitor,
  { entries, password }: CartChange,
): Promise<ReadonlyMap<number, Ticket>> {
  const wanted = wantedEntries(entries);
  const ids = wanted.map(({ ticket_id }) => ticket_id);
  const tickets = await findSellable(ctx.context.db, ids, { viewer: ctx.viewer, password });
  for (const { ticket_id, quantity } of wanted) {
    const ticket = tickets.get(ticket_id);
    if (!ticket) throw missingTicket(ticket_id);
    if (!isOnSaleAt(ticket, toWall(ctx.now))) throw await notOnSale(ctx, ticket);
    // Most of those who come too late bring no cart: they are spared a transaction that could only fail.
    if (visitor.tokenHash !== undefined && quantity <= MAX_SEATS) continue;
    const available = await placesFor(ctx, visitor, ticket);
    if (available < quantity) throw await notAvailable(ctx, ticket, available);
  }
  return tickets;
}

async function apply(db: Database, write: Write): Promise<string | undefined> {
  const { ctx, visitor, fresh, now, expires } = write;
  const cart = visitor.tokenHash ? await lockCart(db, visitor.tokenHash, { now, expires }) : undefined;
  const before = cart ? await claimItems(db, cart.id) : [];
  const after = itemsAfter(before, write);
  if (after.length > MAX_TICKETS) throw invalidParam('tickets', 'param.cart_items');
  if (after.length === 0) {
    if (cart) await emptyCart(db, cart.id);
    await returnPlaces(db, before, 'held');
    return cart && visitor.token;
  }
  const live = before.filter(({ expires_utc }) => expires_utc > now);
  const network = countingNetwork(write.change.network, cart, placesOf(after) > placesOf(live));
  const kept = cart ?? (await insertCart(db, { token_hash: fresh.tokenHash, expires_utc: expires, network }));
  if (kept.network !== network || kept.isEmptied) await fillCart(db, kept.id, network);
  await insertItems(
    db,
    after.map((item) => ({ ...item, cart_id: kept.id, network })),
  );
  await saveMeta(db, kept, { change: write.change, items: after });
  const isNew = cart?.network !== network;
  const growth = placesOf(after) - (isNew ? 0 : placesOf(live));
  await requireRoom(db, ctx, { cartId: kept.id, network, places: placesOf(after), growth, isNew });
  await moveHolds(db, { before, after, now });
  return cart ? visitor.token : fresh.token;
}

const placesOf = (items: readonly CartItem[]): number => items.reduce((sum, { quantity }) => sum + quantity, 0);

/**
 * A cart counts for the network from which it last grew, with all its places. Removing places keeps the network, so
 * that it is always possible.
 */
const countingNetwork = (network: string, cart: Cart | undefined, isGrowing: boolean): string =>
  cart && !isGrowing ? cart.network : network;

/** The items of the cart after the write. What it no longer held and the write does not name again is gone. */
function itemsAfter(before: readonly CartItem[], { change, tickets, now, heldUntil }: Write): CartItem[] {
  const items = new Map(before.map((item) => [item.ticket_id, { ...item, expires_utc: heldUntil }]));
  for (const item of before) if (item.expires_utc <= now) items.delete(item.ticket_id);
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
      const said = change.meta.get(ticket_id) ?? cart.meta[ticket_id] ?? [];
      return said.length > 0 ? [[ticket_id, said]] : [];
    }),
  );
  const json = JSON.stringify(meta);
  if (Buffer.byteLength(json) > MAX_META) throw invalidParam('meta', 'param.cart_meta');
  if (json !== JSON.stringify(cart.meta)) await updateMeta(db, cart.id, json);
}
