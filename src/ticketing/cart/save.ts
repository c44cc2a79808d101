import type { Database } from '../../db/database.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { addSeconds, type LocalTime, localDay, toUtc } from '../../lib/dates/dates.ts';
import { CART_LIFE, newToken, type Visitor } from '../../platform/users/visitor-token.ts';
import { isExemptFromSeatLimits, requireFreeSeatsInCart } from '../orders/free-seats.ts';
import { requireCartWithinLimits } from '../orders/seat-limits.ts';
import { isChosen } from '../passes/pass-dates.ts';
import type { Promotion } from '../prices/promotion-rules.ts';
import { returnSeats, SoldOut, withExpiredReleased } from '../seats/seat-counters.ts';
import type { Ticket } from '../tickets/store.ts';
import { chosenPrice, isOnSaleAt, MAX_PER_ORDER, maxPerOrder } from '../tickets/store.ts';
import {
  MaxPerOrderExceeded,
  maxPerOrderExceeded,
  minPerOrderMissed,
  missingTicket,
  nameOf,
  notAvailable,
  notOnSale,
  priceNotAccepted,
  seatsForCart,
  seatsForNewCart,
} from './errors.ts';
import { isExpired, moveHolds } from './holds.ts';
import type { Entry } from './input.ts';
import { datesOfPasses, itemsOf, type PassDatesByTicket, requirePassPlaces } from './pass-items.ts';
import { findPromotionOfCart, withoutHidden } from './promotion.ts';
import { findPurchasable } from './purchasable.ts';
import {
  type Cart,
  type CartItem,
  type CartMeta,
  claimItems,
  emptyCart,
  insertCart,
  insertItems,
  lockCart,
  markFilled,
  updateDonation,
  updateMeta,
  updatePromotion,
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
  /** Promotion of the entered code; null removes it, undefined keeps it. */
  promotion?: Promotion | null;
  /** Donation in minor units; undefined keeps it. */
  donation?: number | undefined;
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
  /** Dates of the series passes among the tickets. */
  dates: PassDatesByTicket;
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
 * @throws {ApiError} cart-is-empty for a promotion code or a donation, ticket-does-not-exist, event-cancelled, event-postponed,
 *   max-per-order-exceeded, min-per-order-missed, price-not-accepted, ticket-capacity-not-available, too-many-carts,
 *   too-many-places-held, too-many-free-places
 */
export async function writeCart(
  ctx: RequestContext,
  visitor: Visitor,
  change: CartChange,
): Promise<string | undefined> {
  if (change.entries.size === 0 && change.meta.size === 0 && isKept(change)) return visitor.token;
  const { context } = ctx;
  const now = toUtc(ctx.now);
  const write: CartWrite = {
    ctx,
    change,
    ...(await checkEntries(ctx, visitor, change)),
    visitor,
    fresh: newToken(context.random),
    now,
    heldUntil: addSeconds(now, context.config.cartHold * 60),
    expires: addSeconds(now, CART_LIFE),
  };
  return attempt(ctx, write, ATTEMPTS);
}

const isKept = ({ promotion, donation }: CartChange): boolean => promotion === undefined && donation === undefined;

/** Retries when seats were returned concurrently, after a lack of seats was found. */
async function attempt(ctx: RequestContext, write: CartWrite, left: number): Promise<string | undefined> {
  const { db } = ctx.context;
  try {
    return await withExpiredReleased(db, ctx.now, () => db.transaction((trx) => apply(trx, write)));
  } catch (error) {
    // A lack of seats takes precedence over the limits, so that all clients get the same error for it.
    if (error instanceof ApiError && error.status === 429) await requireAvailable(ctx, write);
    if (error instanceof MaxPerOrderExceeded) throw await maxPerOrderExceeded(ctx, error.ticket);
    const ticket = error instanceof SoldOut && soldOutTicket(write, error.ticketId);
    if (!ticket) throw error;
    const available = await seatsForCart(ctx, write.visitor, ticket);
    const wanted = write.change.entries.get(ticket.id)?.quantity ?? 0;
    if (left === 1 || available < wanted) throw await notAvailable(ctx, ticket, available);
    return attempt(ctx, write, left - 1);
  }
}

/** The ticket of the write that has too few seats, perhaps in another occurrence. */
function soldOutTicket({ tickets, dates }: CartWrite, ticketId: number): Ticket | undefined {
  const [chosen = ticketId] = [...dates].find(([, of]) => of.some(({ id }) => id === ticketId)) ?? [];
  return tickets.get(chosen);
}

/** @throws {ApiError} ticket-capacity-not-available for the first ticket without enough seats */
async function requireAvailable(ctx: RequestContext, { visitor, tickets, change }: CartWrite): Promise<void> {
  for (const ticket of tickets.values()) {
    const available = await seatsForCart(ctx, visitor, ticket);
    const wanted = change.entries.get(ticket.id)?.quantity ?? 0;
    if (available < wanted) throw await notAvailable(ctx, ticket, available);
  }
}

const wantedEntries = (entries: CartChange['entries']): Entry[] =>
  [...entries.values()].filter(({ quantity }) => quantity > 0);

/** Ids of the tickets whose seats a write takes. */
export const wantedTickets = ({ entries }: Pick<CartChange, 'entries'>): number[] =>
  wantedEntries(entries).map(({ ticket_id }) => ticket_id);

/** Checks the tickets whose seats the write takes. The first unavailable one refuses the whole write. */
async function checkEntries(
  ctx: RequestContext,
  visitor: Visitor,
  { entries, password, promotion }: CartChange,
): Promise<Pick<CartWrite, 'tickets' | 'dates'>> {
  const wanted = wantedEntries(entries);
  const ids = wanted.map(({ ticket_id }) => ticket_id);
  const { context, viewer, now } = ctx;
  const findPromotion = async () =>
    promotion === undefined
      ? findPromotionOfCart(context.db, { ...visitor, now: toUtc(now) })
      : (promotion ?? undefined);
  const tickets = await findPurchasable(context.db, ids, { viewer, now, password, findPromotion });
  const dates = await datesOfPasses(context.db, tickets, toUtc(now));
  for (const { ticket_id, quantity, price } of wanted) {
    const ticket = tickets.get(ticket_id);
    if (!ticket) throw missingTicket(ticket_id);
    if (ticket.refusal) throw ticket.refusal;
    if (!isOnSaleAt(ticket, toUtc(now))) throw await notOnSale(ctx, ticket);
    if (ticket.pass_id !== null && !dates.has(ticket_id)) throw missingTicket(ticket_id);
    if (!isExemptFromSeatLimits(ctx)) await requirePerOrder(ctx, ticket, quantity);
    if (price !== undefined && price !== null) await requirePrice(ctx, ticket, price);
    // Most requests for sold-out tickets have no cart; fail before the transaction.
    if (visitor.tokenHash !== undefined && quantity <= MAX_PER_ORDER) continue;
    const available =
      visitor.tokenHash === undefined ? seatsForNewCart(ticket) : await seatsForCart(ctx, visitor, ticket);
    if (available < quantity) throw await notAvailable(ctx, ticket, available);
  }
  return { tickets, dates };
}

/** @throws {ApiError} max-per-order-exceeded, min-per-order-missed */
async function requirePerOrder(ctx: RequestContext, ticket: Ticket, quantity: number): Promise<void> {
  if (quantity > maxPerOrder(ticket)) throw await maxPerOrderExceeded(ctx, ticket);
  if (quantity < ticket.min_per_order) throw minPerOrderMissed(ticket, await nameOf(ctx, ticket));
}

/** @throws {ApiError} price-not-accepted */
async function requirePrice(ctx: RequestContext, ticket: Ticket, price: number): Promise<void> {
  if (ticket.min_price === null || price < ticket.min_price) throw await priceNotAccepted(ctx, ticket);
}

async function apply(db: Database, write: CartWrite): Promise<string | undefined> {
  const { ctx, visitor, fresh, now, expires } = write;
  const cart = visitor.tokenHash ? await lockCart(db, visitor.tokenHash, { now, expires }) : undefined;
  const before = cart ? await claimItems(db, cart.id) : [];
  const { promotion: entered } = write.change;
  const all = itemsAfter(before, write);
  // The tickets of a new cart were checked with its code.
  const isNewWithoutCode = entered === undefined && before.length === 0;
  const after = isNewWithoutCode ? all : await withoutHidden(db, all, await readerOf(db, write));
  if (after.filter(isChosen).length > MAX_TICKETS) throw invalidParam('tickets', 'param.cart_items');
  requirePassPlaces(after, write.tickets);
  if (after.length === 0) {
    if (entered || write.change.donation) throw new ApiError('cart-is-empty');
    if (cart) await emptyCart(db, cart.id);
    await returnSeats(db, before, 'held');
    return cart && visitor.token;
  }
  const live = before.filter((item) => !isExpired(item, now));
  const network = countingNetwork(write.change.network, cart, seatsOf(after) > seatsOf(live));
  const kept = cart ?? (await insertCart(db, { token_hash: fresh.tokenHash, expires_utc: expires, network }));
  if (kept.network !== network || kept.isEmptied) await markFilled(db, kept.id, network);
  await insertItems(
    db,
    after.map((item) => ({ ...item, cart_id: kept.id, network: isChosen(item) ? network : '' })),
  );
  await saveMeta(db, kept, { change: write.change, items: after });
  const promotionId = entered === undefined ? kept.promotionId : (entered?.id ?? null);
  if (promotionId !== kept.promotionId) await updatePromotion(db, kept.id, promotionId);
  const { donation = kept.donation } = write.change;
  if (donation !== kept.donation) await updateDonation(db, kept.id, donation);
  const isNew = cart?.network !== network;
  const growth = seatsOf(after) - (isNew ? 0 : seatsOf(live));
  await requireCartWithinLimits(db, ctx, { cartId: kept.id, network, seats: seatsOf(after), growth, isNew });
  // Free seats counted for another network are counted again.
  if ((cart && isNew) || takesMoreForFree(live, after, write))
    await requireFreeSeatsInCart(db, ctx, { cartId: kept.id, network: network || write.change.taker });
  await moveHolds(db, { before, after, now });
  return cart ? visitor.token : fresh.token;
}

/** The viewer with the promotion of the cart after the write. One that has ended or was deleted opens nothing. */
async function readerOf(db: Database, { ctx: { viewer }, visitor, change: { promotion }, now }: CartWrite) {
  return {
    viewer,
    promotion: promotion === undefined ? await findPromotionOfCart(db, { ...visitor, now }) : promotion,
  };
}

/** Seats that count for the limits: a pass takes one in each occurrence, and counts once. */
const seatsOf = (items: readonly CartItem[]): number =>
  items.filter(isChosen).reduce((sum, { quantity }) => sum + quantity, 0);

function takesMoreForFree(
  live: readonly CartItem[],
  after: readonly CartItem[],
  { ctx, tickets, now }: CartWrite,
): boolean {
  const day = localDay(now, ctx.context.config.timezone);
  const freeIn = (items: readonly CartItem[], ticket: Ticket): number =>
    items
      .filter(
        ({ ticket_id, chosen_price: chosen }) => ticket_id === ticket.id && chosenPrice(ticket, { chosen, day }) === 0,
      )
      .reduce((sum, { quantity }) => sum + quantity, 0);
  return [...tickets.values()].some((ticket) => freeIn(after, ticket) > freeIn(live, ticket));
}

/**
 * A cart counts with all its seats for the network from which it last grew. Removing seats keeps the network, so that
 * it is always possible.
 */
const countingNetwork = (network: string, cart: Cart | undefined, isGrowing: boolean): string =>
  cart && !isGrowing ? cart.network : network;

/** Items of the cart after the write. Expired items that the write does not name again are dropped. */
function itemsAfter(before: readonly CartItem[], { change, tickets, dates, now, heldUntil }: CartWrite): CartItem[] {
  const items = new Map(before.map((item) => [item.ticket_id, { ...item, expires_utc: heldUntil }]));
  for (const item of before) if (isExpired(item, now)) items.delete(item.ticket_id);
  let position = Math.max(0, ...before.map((item) => item.position));
  for (const { ticket_id, quantity, optout, price } of change.entries.values()) {
    const ticket = tickets.get(ticket_id);
    const sold = dates.get(ticket_id) ?? [ticket ?? []].flat();
    const known = itemsOf(before, ticket_id, sold)[0];
    for (const item of itemsOf([...items.values()], ticket_id, sold)) items.delete(item.ticket_id);
    if (quantity === 0 || !ticket) continue;
    position += 1;
    const chosen = price === undefined ? (known?.chosen_price ?? null) : price;
    for (const { id, event_id } of sold)
      items.set(id, {
        cart_id: 0,
        ticket_id: id,
        event_id,
        quantity,
        optout: optout ?? known?.optout ?? 0,
        position: known?.position ?? position,
        expires_utc: heldUntil,
        network: '',
        pass_id: ticket.pass_id === null ? null : ticket_id,
        chosen_price: ticket.min_price === null ? null : chosen,
      });
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
