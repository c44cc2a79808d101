import type { Insertable } from 'kysely';
import type { Database } from '../../db/database.ts';
import { newRecordIds } from '../../db/record-ids.ts';
import type { AttendeesTable } from '../../db/tables/ticketing.ts';
import { ApiError } from '../../http/core/errors.ts';
import type { Actor } from '../../lib/actor.ts';
import { toUtc, utcToLocal } from '../../lib/dates/dates.ts';
import { fold, plainText } from '../../lib/text/text.ts';
import { logCreations } from '../../platform/audit/log.ts';
import { createdAttendee } from '../attendees/audited.ts';
import { type AttendeeOrigin, attendeeRow, type HolderData, type NewAttendee } from '../attendees/new-attendee.ts';
import { type Attendee, insertAttendees } from '../attendees/store.ts';
import { enqueueInvoice, type InvoicePolicy } from '../ledger/invoices.ts';
import { mailCustomer, readdressCustomer } from '../ledger/mails.ts';
import { insertPayment, type Payment } from '../ledger/payments.ts';
import { findPassDates, MAX_PASS_PLACES, shareOf } from '../passes/pass-dates.ts';
import type { Charge } from '../prices/order-prices.ts';
import { type ListedLine, type OrderPrices, type PriceTerms, priceOrder } from '../prices/order-prices.ts';
import type { SitePrices } from '../prices/site-prices.ts';
import { SoldOut, sellHeldSeats, takeSeats } from '../seats/seat-counters.ts';
import type { Ticket } from '../tickets/store.ts';
import { createdOrder } from './audited.ts';
import type { CustomerChange } from './holder-input.ts';
import type { UnpaidTerms } from './seat-limits.ts';
import { receiveOffline } from './status-money.ts';
import { type Order, updateCustomer } from './store.ts';

export interface NewOrder {
  purchaser: { name: string; email: string };
  /** `manual`, `free`, or the id of a payment method or of a payment provider. */
  gateway: string;
  status: 'pending' | 'completed';
  /** ISO 4217. */
  currency: string;
  /** Whether its seats must still be taken, or are held by a cart. */
  seats: 'take' | 'held';
  /** Terms of an unpaid order; the default is MARQUEE_ORDER_HOLD. */
  terms?: Partial<UnpaidTerms & Pick<Order, 'at_door' | 'hold_until'>>;
  /** One per ticket and price. */
  items: readonly NewOrderItem[];
  /** Amounts besides the prices of the items. */
  charges?: readonly Charge[];
  /** Reduction of the list prices by its promotion, in minor units. */
  discount?: number;
  promotionId?: number;
  /** MARQUEE_INVOICES; by default the order gets no invoice. */
  invoices?: InvoicePolicy;
  /** Whether it is to be paid by bank transfer. */
  isTransfer?: boolean;
  /** JSON of the customer's data for the invoice. */
  billing?: string;
  /** Language of the customer. */
  language?: string;
  /** Whether its customer gets mails. */
  isMailed?: boolean;
  /** Gateway at which it is to be paid; absent for orders that are free or paid offline. */
  payment?: { gateway: string; returnUrl: string };
  /** Seller for the audit log; absent for visitors, whose orders it does not record. */
  seller?: Actor;
}

interface NewOrderItem {
  ticket: Ticket;
  /** Per seat, or per pass, in minor units. */
  price: number;
  /** Tax in the prices of all its seats, with its rate. */
  tax_rate?: number;
  tax?: number;
  attendees: readonly HolderData[];
  /** Tickets of a series pass, by the start of their events; by default those of all coming ones. */
  dates?: readonly Ticket[];
}

/** A ticket of an order: of a series pass, one for each date. */
interface OrderLine {
  /** Position of its item. */
  item: number;
  ticket: Ticket;
  price: number;
  tax_rate: number;
  tax: number;
  attendees: readonly HolderData[];
  pass_id: number | null;
}

/** Statuses in the log of a new order. */
const STATUS_PATH = { pending: ['created', 'pending'], completed: ['created', 'pending', 'completed'] } as const;

/**
 * Creates an order with one attendee for each seat, and takes the seats, in the transaction of the caller. The seats
 * come last, so that on PostgreSQL the most contended rows are locked for the shortest time. A series pass takes a seat
 * in each of its dates; its attendees have one security code.
 * @throws {SoldOut} when there are not enough; the transaction must then be rolled back
 * @throws {ApiError} max-per-order-exceeded for too many attendees of passes, cart-is-empty for an order of nothing
 */
export async function placeOrder(
  db: Database,
  order: NewOrder,
  origin: AttendeeOrigin,
): Promise<{ order: Order; attendees: Attendee[]; payment: Payment | undefined }> {
  const lines = await orderLinesOf(db, order.items, origin.now);
  if (lines.length === 0) throw new ApiError('cart-is-empty');
  requirePlaces(lines);
  const holders = holdersOf(lines);
  const newAttendees = holders.flatMap((places) =>
    places.map((place) => ({ ...place, attendance_status: order.status })),
  );
  const [orderId, ...attendeeIds] = await newRecordIds(db, ['order', ...newAttendees.map(() => 'attendee' as const)]);
  const keys = { id: orderId, access_version: firstAccessVersion(origin) };
  const placed = await insertOrder(db, keys, { order, lines, origin });
  const all = attendeeIds.flatMap((id, position) => {
    const attendee = newAttendees[position];
    return attendee ? attendeeRow(id, { ...attendee, order_id: orderId }, origin) : [];
  });
  const attendees = await insertAttendees(db, withSharedCodes(all, holders));
  await logCreations(db, order.seller, [createdOrder(placed), ...attendees.map(createdAttendee)]);
  const payment = await addPayment(db, placed, order, origin);
  await addInvoice(db, placed, order, origin);
  await addMail(db, placed, order, origin);
  const seats = [...Map.groupBy(lines, ({ ticket }) => ticket.id)].map(([ticket_id, same]) => ({
    ticket_id,
    quantity: quantityOf(same),
  }));
  if (order.seats === 'held') await sellHeldSeats(db, seats);
  else await takeSeats(db, seats, 'sold');
  return { order: placed, attendees, payment };
}

/** Books the money of a paid order, or begins the payment of one that is paid at a gateway. */
async function addPayment(
  db: Database,
  placed: Order,
  { payment }: NewOrder,
  origin: AttendeeOrigin,
): Promise<Payment | undefined> {
  const { total, currency, gateway: method } = placed;
  const entry = { source: 'checkout', userId: origin.authorId, now: origin.now };
  if (total > 0 && placed.status === 'completed') return receiveOffline(db, placed, { amount: total, entry });
  if (!payment) return undefined;
  const { gateway, returnUrl: return_url } = payment;
  return insertPayment(db, { order_id: placed.id, gateway, method, amount: total, currency, return_url }, entry);
}

/** Has a job issue the invoice of an order that is paid, or of one to be paid by bank transfer. */
async function addInvoice(db: Database, { id, total, status }: Order, order: NewOrder, { now }: AttendeeOrigin) {
  const { invoices = 'off', isTransfer = false } = order;
  const isPaid = status === 'completed';
  if (invoices === 'off' || total === 0 || !(isPaid || (invoices === 'placed' && isTransfer))) return;
  await enqueueInvoice(db, { orderId: id, reason: isPaid ? 'paid' : 'due', now });
}

/** Seconds that a customer at a payment service has before a mail reminds of the order. */
const PAYMENT_TIME = 600;

/** Writes the mail with the tickets of a paid order, or about the payment of an unpaid one. */
const addMail = (db: Database, placed: Order, { payment }: NewOrder, { now }: AttendeeOrigin): Promise<void> =>
  mailCustomer(db, placed, {
    kind: placed.status === 'completed' ? 'tickets' : 'order',
    delay: payment ? PAYMENT_TIME : 0,
    now,
  });

/** The lines of an order; the price of a pass is divided among its dates. */
async function orderLinesOf(db: Database, items: NewOrder['items'], now: Date): Promise<OrderLine[]> {
  const sought = items.filter(({ ticket, dates }) => ticket.pass_id !== null && !dates);
  const found = await findPassDates(
    db,
    sought.map(({ ticket }) => ticket.pass_id),
    toUtc(now),
  );
  return items.flatMap(({ ticket, price, tax_rate = 0, tax = 0, attendees, dates }, item): OrderLine[] => {
    const { pass_id } = ticket;
    if (pass_id === null) return [{ item, ticket, price, tax_rate, tax, attendees, pass_id }];
    const sold = dates ?? found.get(pass_id) ?? [];
    if (!sold.some(({ id }) => id === ticket.id)) throw new SoldOut(ticket.id);
    return sold.map((date, at) => ({
      item,
      ticket: date,
      price: shareOf(price, { at, of: sold.length }),
      tax_rate,
      tax: shareOf(tax, { at, of: sold.length }),
      attendees,
      pass_id: ticket.id,
    }));
  });
}

/**
 * Limits the attendees of passes that one order makes.
 * @throws {ApiError} max-per-order-exceeded
 */
function requirePlaces(lines: readonly OrderLine[]): void {
  const dates = lines.filter(({ pass_id }) => pass_id !== null);
  const places = dates.reduce((sum, { attendees }) => sum + attendees.length, 0);
  const [first] = dates;
  if (!first || places <= MAX_PASS_PLACES) return;
  const max = Math.floor(MAX_PASS_PLACES / dates.filter(({ item }) => item === first.item).length);
  throw new ApiError('max-per-order-exceeded', {
    data: { ticket_id: first.pass_id, max_per_order: max },
    values: { ticket: first.ticket.title, count: max },
  });
}

type Place = Pick<NewAttendee, 'ticket' | 'price' | 'holder'>;

/** The seats of each holder: of a series pass, one in each date. */
function holdersOf(lines: readonly OrderLine[]): Place[][] {
  const groups = Map.groupBy(lines, ({ item }) => item);
  return [...groups.values()].flatMap((group) =>
    (group[0]?.attendees ?? []).map((holder) => group.map(({ ticket, price }) => ({ ticket, price, holder }))),
  );
}

/** Gives the attendees of each pass the security code of the first of them. */
function withSharedCodes(
  rows: readonly Insertable<AttendeesTable>[],
  holders: readonly Place[][],
): Insertable<AttendeesTable>[] {
  let at = 0;
  return holders.flatMap((places) => {
    const own = rows.slice(at, at + places.length);
    at += places.length;
    const [first] = own;
    if (!first || places[0]?.ticket.pass_id === null) return own;
    return own.map((row) => ({ ...row, pass_id: first.id, security_code: first.security_code }));
  });
}

/**
 * Random number below 2^30, which leaves room for increments that revoke a link. After a backup is restored, ids are
 * assigned again: the link of a lost order must not open the order that now has its id.
 */
const firstAccessVersion = ({ random }: Pick<AttendeeOrigin, 'random'>): number => random(4).readUInt32BE() >>> 2;

async function insertOrder(
  db: Database,
  keys: Pick<Order, 'id' | 'access_version'>,
  { order, lines, origin }: { order: NewOrder; lines: readonly OrderLine[]; origin: AttendeeOrigin },
): Promise<Order> {
  const { status, gateway, currency, items, charges = [], discount = 0, promotionId: promotion_id = null } = order;
  const purchaser = { name: plainText(order.purchaser.name), email: order.purchaser.email.trim() };
  const total =
    items.reduce((sum, { price, attendees }) => sum + price * attendees.length, 0) +
    charges.reduce((sum, { amount }) => sum + amount, 0);
  const date_utc = toUtc(origin.now);
  const placed = await db.query
    .insertInto('orders')
    .values({
      ...keys,
      status,
      gateway,
      purchaser_name: purchaser.name,
      purchaser_email: purchaser.email,
      search_text: customerKey(purchaser),
      user_id: origin.userId,
      currency,
      total,
      discount,
      promotion_id,
      billing: order.billing,
      language: order.language,
      is_mailed: order.isMailed ? 1 : 0,
      date: utcToLocal(date_utc, origin.timezone),
      date_utc,
      modified_utc: date_utc,
      ...order.terms,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await db.query.insertInto('order_items').values(itemRows(keys.id, lines)).execute();
  const charged = charges.map((charge) => ({ ...charge, order_id: keys.id, date_utc }));
  if (charged.length > 0) await db.query.insertInto('order_charges').values(charged).execute();
  await db.query
    .insertInto('order_log')
    .values(firstSteps(placed, status, origin))
    .execute();
  return placed;
}

/** Steps of the log that lead to the status of a new order. */
const firstSteps = ({ id, date_utc }: Order, status: NewOrder['status'], { authorId }: AttendeeOrigin) =>
  STATUS_PATH[status].map((to_status, position, path) => ({
    order_id: id,
    from_status: path[position - 1] ?? '',
    to_status,
    user_id: authorId,
    date_utc,
  }));

const quantityOf = (lines: readonly OrderLine[]): number =>
  lines.reduce((sum, { attendees }) => sum + attendees.length, 0);

/** One row for the seats of a ticket at a price: shares of passes of different prices may be equal. */
function itemRows(order_id: number, lines: readonly OrderLine[]) {
  const groups = Map.groupBy(lines, ({ ticket, price }) => `${ticket.id} ${price}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { ticket, price, pass_id, tax_rate } = first;
    const tax = same.reduce((sum, line) => sum + line.tax, 0);
    const quantity = quantityOf(same);
    return { order_id, ticket_id: ticket.id, event_id: ticket.event_id, quantity, price, pass_id, tax_rate, tax };
  });
}

/** Search key of an order's customer. */
const customerKey = ({ name, email }: { name: string; email: string }): string => fold(`${name}\n${email}`);

/** Changes the customer of an order, in the transaction of the caller. */
export async function changeCustomer(db: Database, order: Order, change: CustomerChange): Promise<void> {
  const name = change.name ?? order.purchaser_name;
  const email = change.email?.trim() ?? order.purchaser_email;
  const search_text = customerKey({ name, email });
  await updateCustomer(db, order.id, { purchaser_name: name, purchaser_email: email, search_text });
  await readdressCustomer(db, order.id, { from: order.purchaser_email, to: email });
}

/** Seats of one ticket at its list price. */
export type ListedItem = Pick<NewOrderItem, 'ticket' | 'price' | 'attendees' | 'dates'>;

type Priced = Pick<NewOrder, 'items' | 'charges' | 'discount'> & Pick<OrderPrices, 'totals'>;

/** The lines of items at list prices. */
export const listedLinesOf = (listed: readonly ListedItem[], taxRates: SitePrices['taxRates']): ListedLine[] =>
  listed.map(({ ticket, price, attendees }) => ({
    ticket_id: ticket.id,
    event_id: ticket.event_id,
    pass_id: ticket.pass_id,
    isHidden: ticket.requires_code === 1,
    quantity: attendees.length,
    price,
    tax: taxRates.get(ticket.tax_rate_id ?? 0),
  }));

/**
 * The items of a new order with what they cost, and its charges. Seats of one ticket that cost different amounts are
 * several items.
 */
export function pricedItems(
  listed: readonly ListedItem[],
  { taxRates, fees }: SitePrices,
  terms: Omit<PriceTerms, 'fees'> = {},
): Priced {
  const lines = listedLinesOf(listed, taxRates);
  const { lines: priced, charges, totals } = priceOrder(lines, { ...terms, fees });
  const items = listed.flatMap((item, at) => {
    let from = 0;
    return (priced[at] ?? []).map(({ quantity, price, tax }): NewOrderItem => {
      const attendees = item.attendees.slice(from, from + quantity);
      from += quantity;
      return { ...item, price, tax, tax_rate: lines[at]?.tax?.rate ?? 0, attendees };
    });
  });
  return { items, charges, discount: totals.discount, totals };
}
