import type { Database } from '../../db/database.ts';
import type { Billing } from '../../db/site-settings.ts';
import { can, type Viewer } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { addSeconds, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { siteMoney } from '../../lib/money/money.ts';
import { isRemoteGateway, MANUAL, TRANSFER } from '../../platform/site/payment-gateways.ts';
import { FREE, type PaymentMethod } from '../../platform/site/settings.ts';
import { CART_LIFE } from '../../platform/users/visitor-token.ts';
import type { Attendee } from '../attendees/store.ts';
import type { Payment } from '../ledger/payments.ts';
import { renderTotals } from '../orders/amounts.ts';
import { type ListedItem, listedLinesOf, type NewOrder, placeOrder, pricedItems } from '../orders/create-order.ts';
import { isExemptFromSeatLimits, takeFreeSeats } from '../orders/free-seats.ts';
import { billingText } from '../orders/holder-input.ts';
import { isLimited, requireOrderWithinLimits } from '../orders/seat-limits.ts';
import type { Order } from '../orders/store.ts';
import { BANK_DAYS, expiryByEvents, type OrderPeriod, UNTIL_END, visitorExpiry } from '../orders/unpaid-expiry.ts';
import { isChosen } from '../passes/pass-dates.ts';
import { findPriceRecord } from '../prices/price-records.ts';
import { promotionRefused } from '../prices/promotion-entry.ts';
import { discountOf, type Promotion } from '../prices/promotion-rules.ts';
import { recordUse, takeUse } from '../prices/promotion-uses.ts';
import type { SitePrices } from '../prices/site-prices.ts';
import { returnSeats, SoldOut, takeSeats } from '../seats/seat-counters.ts';
import { findAvailability } from '../seats/seats.ts';
import { getTickets, isOnSaleAt, maxPerOrder } from '../tickets/store.ts';
import { donationTerm } from './donation.ts';
import { MaxPerOrderExceeded, minPerOrderMissed, missingTicket } from './errors.ts';
import { isExpired } from './holds.ts';
import type { HolderEntry } from './input.ts';
import { type Customer, orderItemsOf } from './order-lines.ts';
import { forChosenDates } from './pass-items.ts';
import { findCartPromotion, withoutHidden } from './promotion.ts';
import { findPurchasable, type Purchasable } from './purchasable.ts';
import { type Cart, type CartItem, claimItems, groupOf, lockCart, removeCart } from './store.ts';

export interface CheckoutInput {
  purchaser: Customer;
  holders: readonly HolderEntry[];
  /** Data for the invoice. */
  billing?: Billing;
  /** Whether staff confirm that the order is paid. */
  isPaidByHand: boolean;
  /** Chosen payment method, if the site has any. */
  paymentMethod?: PaymentMethod;
  /** Page to which a gateway sends the customer; empty for the page of the order. */
  returnUrl: string;
  /** Tax rates and fees. */
  prices: SitePrices;
  acceptsDonations: boolean;
  /** Total that the customer has seen, in minor units. */
  expectedTotal?: number;
  /** Network of the client; empty if it has no limits. */
  network: string;
  /** Network of the client, for free seats; empty for none. */
  taker: string;
}

export interface Purchase {
  /** Order from which its token is derived. */
  order: Pick<Order, 'id' | 'access_version' | 'gateway' | 'at_door' | 'expires_utc'>;
  /** Payment at a gateway, which begins when the customer opens its page. */
  payment?: Payment;
  status: NewOrder['status'];
  /** Minor units. */
  total: number;
  attendees: Attendee[];
}

/**
 * Turns a cart into an order with an attendee for each seat, within the transaction of the caller.
 * @throws {ApiError} cart-is-empty, cart-expired, total-changed, promotion-not-valid, ticket-does-not-exist, event-cancelled, event-postponed,
 *   too-many-open-orders, too-many-places-held, too-many-free-places
 * @throws {MaxPerOrderExceeded}
 */
export async function checkOutCart(
  db: Database,
  tokenHash: string,
  { ctx, input }: { ctx: RequestContext; input: CheckoutInput },
): Promise<Purchase> {
  const { context, viewer } = ctx;
  const { timezone, currency } = context.config;
  const content = await claimCart(db, tokenHash, ctx);
  const { promotion, totals, ...priced } = await pricedCart(db, content, { ctx, input });
  const { total } = totals;
  if (input.expectedTotal !== undefined && input.expectedTotal !== total)
    throw new ApiError('total-changed', { data: { totals: renderTotals(totals, siteMoney(context.config)) } });
  const isPaid = total === 0 || (input.isPaidByHand && can(viewer, 'manage_attendees'));
  const status = isPaid ? 'completed' : 'pending';
  const gateway = total === 0 ? FREE : (input.paymentMethod?.id ?? MANUAL);
  const terms = isPaid ? undefined : await unpaidTerms(db, ctx, { content, input });
  const { email } = input.purchaser;
  const refusal = promotion && (await takeUse(db, promotion, email));
  if (refusal) throw promotionRefused(refusal);
  const free = priced.items.flatMap(({ price, attendees }) => (price === 0 ? attendees : []));
  await takeFreeSeats(db, ctx, { network: content.cart.network || input.taker, email, places: free.length });
  await returnSeats(db, content.lost, 'held');
  await retakeExpiredSeats(db, content.items, toUtc(ctx.now));
  const order: NewOrder = {
    ...{ purchaser: input.purchaser, gateway, status, currency, seats: 'held', ...priced, terms },
    payment: isPaid ? undefined : paymentOf(input),
    promotionId: promotion?.id,
    invoices: context.config.invoices,
    isTransfer: input.paymentMethod?.gateway === TRANSFER,
    billing: input.billing && billingText(input.billing),
    language: ctx.language,
    isMailed: true,
  };
  const accountId = viewer.account?.id ?? 0;
  const by = { userId: accountId, authorId: accountId, now: ctx.now, timezone, random: context.random };
  const placed = await placeOrder(db, order, by).catch((error: unknown) => {
    // Held seats are already taken; only their ticket may have been deleted meanwhile.
    throw error instanceof SoldOut ? missingTicket(error.ticketId) : error;
  });
  if (promotion) await recordUse(db, { order_id: placed.order.id, promotion_id: promotion.id, email });
  return { ...placed, status, total };
}

/** The items of a cart with their holders, priced by today's prices and the promotion of the cart. */
async function pricedCart(
  db: Database,
  content: Content,
  { ctx, input }: { ctx: RequestContext; input: CheckoutInput },
) {
  const { items, tickets, cart } = content;
  const { timezone } = ctx.context.config;
  const chosen = items.filter(isChosen);
  const details = await forChosenDates(db, { chosen, tickets }, { meta: cart.meta, holders: input.holders });
  const clock = { now: toUtc(ctx.now), timezone };
  const listed = orderItemsOf({ items: chosen, tickets, ...input, ...details }, clock).map((line) =>
    line.ticket.pass_id === null ? line : { ...line, dates: datesIn(content, line.ticket.id) },
  );
  const promotion = await promotionOf(db, content, { listed, ctx, input });
  const priced = pricedItems(listed, input.prices, {
    discount: promotion && discountOf(promotion),
    ...donationTerm(input.acceptsDonations ? cart.donation : 0, ctx),
  });
  return { ...priced, promotion };
}

/**
 * The promotion of the cart; none once it is deleted.
 * @throws {ApiError} promotion-not-valid, so that the customer does not pay more than the cart showed
 */
async function promotionOf(
  db: Database,
  { cart }: Content,
  { listed, ctx, input }: { listed: readonly ListedItem[]; ctx: RequestContext; input: CheckoutInput },
): Promise<Promotion | undefined> {
  if (cart.promotionId === null) return undefined;
  const lines = listedLinesOf(listed, input.prices.taxRates);
  const found = await findCartPromotion(db, { id: cart.promotionId, lines }, ctx);
  const refusal = found?.refusal;
  // A code for access changes no price: an order without its tickets does not use it.
  if (refusal === 'opens-nothing') return undefined;
  if (refusal) throw promotionRefused(refusal);
  return found?.promotion;
}

/**
 * The terms of an unpaid order: the payment method may have its own period, and clients without an account have limits.
 */
async function unpaidTerms(
  db: Database,
  ctx: RequestContext,
  { content, input }: { content: Content; input: CheckoutInput },
): Promise<NewOrder['terms']> {
  const now = toUtc(ctx.now);
  const atLeast = visitorExpiry(now, ctx.context.config.orderHold);
  const { payWithin, transferDays } = ctx.context.config;
  const own = ownExpiry(input.paymentMethod, { now, atLeast, content, payWithin, transferDays });
  const expires = own === undefined ? atLeast : own;
  const terms = isLimited(ctx)
    ? await requireOrderWithinLimits(db, ctx, {
        ...orderGrowth(content, now, input),
        expires,
        isAtGateway: isAtGateway(input.paymentMethod),
      })
    : own !== undefined && { expires_utc: own };
  return {
    ...terms,
    ...(input.paymentMethod?.at_door && { at_door: 1 as const, hold_until: holdUntil(input.paymentMethod) }),
  };
}

/** Whether a payment method takes its payments at a gateway. */
const isAtGateway = (method: PaymentMethod | undefined): boolean =>
  method !== undefined && isRemoteGateway(method.gateway);

/** Payment of an order at the gateway of its method, if it has one. */
const paymentOf = ({ paymentMethod: method, returnUrl }: CheckoutInput): NewOrder['payment'] =>
  method && isAtGateway(method) ? { gateway: method.gateway, returnUrl } : undefined;

/** `hold_until` of an order to be paid at the door. */
const holdUntil = ({ hold_hours }: PaymentMethod): number => hold_hours ?? UNTIL_END;

interface ExpiryOptions {
  now: LocalTime;
  atLeast: LocalTime;
  content: Content;
  /** Minutes. */
  payWithin: number;
  transferDays: number;
}

/** Expiry set by the payment method: null for never, undefined if it has no period of its own. */
function ownExpiry(
  method: PaymentMethod | undefined,
  { now, atLeast, content, payWithin, transferDays }: ExpiryOptions,
): LocalTime | null | undefined {
  if (!method) return undefined;
  if (isAtGateway(method)) return addSeconds(now, payWithin * 60);
  if (method.at_door) return expiryByEvents(holdUntil(method), periodOf(content), atLeast);
  const { hold_hours: hours } = method;
  if (hours === null && method.gateway !== TRANSFER) return undefined;
  if (hours === 0) return null;
  const period = hours === null ? (transferDays + BANK_DAYS) * 86_400 : hours * 3600;
  return expiryByEvents(0, periodOf(content), atLeast, addSeconds(now, period));
}

function periodOf({ items, tickets }: Content): OrderPeriod {
  const bought = items.flatMap(({ ticket_id }) => tickets.get(ticket_id) ?? []);
  // A pass that is not paid at its first date is not kept for the others.
  const kept = [...Map.groupBy(items, groupOf).values()].map((group) =>
    group.map(({ ticket_id }) => tickets.get(ticket_id)?.event_ends ?? '').sort(),
  );
  return {
    starts: bought.map(({ event_starts }) => event_starts).sort()[0] ?? '',
    ends:
      kept
        .flatMap(([ends = '']) => ends)
        .sort()
        .at(-1) ?? '',
  };
}

/** The tickets of a pass in a cart, by the start of their events. */
function datesIn({ items, tickets }: Content, chosen: number): Purchasable[] {
  const held = items.filter(({ pass_id }) => pass_id === chosen);
  return held
    .flatMap(({ ticket_id }) => tickets.get(ticket_id) ?? [])
    .toSorted((a, b) => a.event_starts.localeCompare(b.event_starts) || a.id - b.id);
}

interface Content {
  items: CartItem[];
  /** Items of hidden tickets and of dates of passes that are no longer sold; their seats are still held. */
  lost: CartItem[];
  tickets: ReadonlyMap<number, Purchasable>;
  cart: Cart;
}

/** Number of seats that the order adds to the sum of its network: seats that the cart no longer held there. */
function orderGrowth({ items, cart }: Content, now: LocalTime, { purchaser, network }: CheckoutInput) {
  const counted = items.filter(isChosen);
  const seats = counted.reduce((sum, { quantity }) => sum + quantity, 0);
  const isCounted = cart.network !== '' || network === '';
  const added = counted.filter((item) => !isCounted || isExpired(item, now));
  const growth = added.reduce((sum, { quantity }) => sum + quantity, 0);
  return { network: cart.network || network, email: purchaser.email, seats, growth };
}

/** Claims the items of the cart and removes it; its seats are still held. */
async function claimCart(db: Database, tokenHash: string, { viewer, ...ctx }: RequestContext): Promise<Content> {
  const now: LocalTime = toUtc(ctx.now);
  const cart = await lockCart(db, tokenHash, { now, expires: addSeconds(now, CART_LIFE) });
  if (!cart || cart.isEmptied) throw new ApiError('cart-is-empty');
  const claimed = await claimItems(db, cart.id);
  // The visitor did not empty the cart, so its items have expired and were released.
  if (claimed.length === 0) throw cartExpired();
  await removeCart(db, cart.id);
  const held = claimed.map(({ ticket_id }) => ticket_id);
  const { promotionId } = cart;
  const findPromotion = async () => (promotionId === null ? undefined : findPriceRecord(db, 'promotions', promotionId));
  const tickets = await findPurchasable(db, held, { viewer, now: ctx.now, isAdmitted: true, findPromotion });
  // Tickets that were hidden, or whose code was deleted, since they were put into the cart, which no longer shows them.
  const isAllOpen = held.every((id) => tickets.has(id));
  const open = isAllOpen ? claimed : await withoutHidden(db, claimed, { viewer, promotion: await findPromotion() });
  const items = withoutLostDates(open, tickets, now);
  const [first] = claimed;
  if (items.length === 0 && first) throw missingTicket(first.ticket_id);
  const lost = claimed.filter(({ ticket_id }) => !items.some((item) => item.ticket_id === ticket_id));
  const ids = items.map(({ ticket_id }) => ticket_id);
  const gone = ids.find((id) => !tickets.has(id));
  if (gone !== undefined) throw missingTicket(gone);
  const refused = ids.map((id) => tickets.get(id)).find((ticket) => ticket?.refusal);
  if (refused?.refusal) throw refused.refusal;
  requirePerOrder(items, tickets, viewer);
  return { items, lost, tickets, cart };
}

/**
 * The items of a cart without dates of a pass that have ended or no longer take place. If none is left, they stay, so that
 * the checkout is refused.
 */
function withoutLostDates(
  items: readonly CartItem[],
  tickets: ReadonlyMap<number, Purchasable>,
  now: LocalTime,
): CartItem[] {
  const isSold = (ticket: Purchasable | undefined) => ticket && !ticket.refusal && ticket.event_ends > now;
  return [...Map.groupBy(items, groupOf).values()].flatMap((group) => {
    const kept = group.filter(({ ticket_id }) => isSold(tickets.get(ticket_id)));
    const [first] = kept;
    if (!first) return group;
    if (kept.some(isChosen)) return kept;
    const chosen = first.ticket_id;
    return kept.map((item) => ({ ...item, pass_id: chosen }));
  });
}

/** Checks again, since the limits may have changed, and staff may have filled the cart. */
function requirePerOrder(items: readonly CartItem[], tickets: Content['tickets'], viewer: Viewer): void {
  if (isExemptFromSeatLimits({ viewer })) return;
  for (const { ticket_id, quantity } of items) {
    const ticket = tickets.get(ticket_id);
    if (ticket && quantity > maxPerOrder(ticket)) throw new MaxPerOrderExceeded(ticket);
    if (ticket && quantity < ticket.min_per_order) throw minPerOrderMissed(ticket, ticket.title);
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
 * @throws {ApiError} cart-expired, with the tickets that are no longer available in full; with all of them if others
 *   took seats meanwhile
 */
async function retakeExpiredSeats(db: Database, items: readonly CartItem[], now: LocalTime): Promise<void> {
  const expired = items.filter((item) => isExpired(item, now));
  if (expired.length === 0) return;
  await returnSeats(db, expired, 'held');
  const wanted = await findAvailable(db, expired, now);
  const missing = wanted.filter(({ quantity, available }) => available < quantity);
  if (missing.length > 0) throw cartExpired(missing);
  try {
    await takeSeats(db, expired, 'held');
  } catch (error) {
    throw error instanceof SoldOut ? cartExpired(wanted) : error;
  }
}

/**
 * Number of available seats of each ticket, regardless of the other tickets. A pass is named by its chosen ticket only.
 */
async function findAvailable(db: Database, all: readonly CartItem[], now: LocalTime) {
  const items = all.filter(isChosen);
  const ids = items.map(({ ticket_id }) => ticket_id);
  const tickets = await getTickets(db, ids);
  const left = await findAvailability(db, ids, now);
  return items.map(({ ticket_id, quantity }) => {
    const ticket = tickets.get(ticket_id);
    const available = ticket && isOnSaleAt(ticket, now) ? (left.get(ticket_id)?.available ?? 0) : 0;
    return { ticket_id, quantity, available: available < 0 ? quantity : available };
  });
}
