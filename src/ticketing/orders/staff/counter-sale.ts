import type { z } from 'zod';
import { getEvents } from '../../../calendar/events/store.ts';
import type { Database } from '../../../db/database.ts';
import { type EventRight, eventScope, forbidden, isInScope } from '../../../http/core/auth.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../../http/core/errors.ts';
import { email, field, integer, type Json, plainLine } from '../../../http/input/schemas.ts';
import { readInput } from '../../../http/input/validate.ts';
import { localDay, toUtc } from '../../../lib/dates/dates.ts';
import { translate } from '../../../lib/i18n.ts';
import { parsePrice, siteMoney } from '../../../lib/money/money.ts';
import { isRecord, membersOf } from '../../../lib/text/list.ts';
import { type Counted, withinLimits } from '../../../platform/limits/limits.ts';
import { countedMails, countedMailsOfAuthors } from '../../../platform/users/counted-mails.ts';
import { originOf, type SellAtCounter } from '../../attendees/create.ts';
import type { HolderData } from '../../attendees/new-attendee.ts';
import { findPassDates } from '../../passes/pass-dates.ts';
import { getSitePrices } from '../../prices/site-prices.ts';
import { seatErrorOf, withExpiredReleased } from '../../seats/seat-counters.ts';
import { statusRefusal } from '../../tickets/sale-window.ts';
import type { Ticket } from '../../tickets/store.ts';
import { getTickets, priceOn } from '../../tickets/store.ts';
import { placeOrder, pricedItems } from '../create-order.ts';
import type { CustomerChange } from '../holder-input.ts';
import { logStep } from '../order-log.ts';
import type { Order } from '../store.ts';

/** Counter sales: tickets sold by staff and paid at once, whether or not they are on sale for the public. */

/** Payment methods at the counter. */
export const COUNTER_PAYMENTS = ['cash', 'card', 'transfer', 'free'] as const;

/** Maximum number of seats of one sale. */
const MAX_PLACES = 500;

const holderFields = {
  full_name: plainLine('Name of the attendee; defaults to the name of the customer.', { max: 200 }),
  email: email('E-mail address of the attendee; defaults to the address of the customer.'),
};

const lineFields = {
  ticket_id: integer('Ticket to sell.', { min: 1 }),
  quantity: integer('Number of places; by default the number of attendees.', { min: 1, max: MAX_PLACES }),
};

const line: Json = {
  $id: 'SaleLineInput',
  type: 'object',
  properties: {
    ...Object.fromEntries(Object.entries(lineFields).map(([name, schema]) => [name, schema.meta()])),
    price: {
      anyOf: [{ type: 'number' }, { type: 'string' }],
      description: "Price of a place if it differs from today's price; requires `reason`.",
    },
    attendees: {
      type: 'array',
      maxItems: MAX_PLACES,
      items: {
        type: 'object',
        properties: Object.fromEntries(Object.entries(holderFields).map(([name, schema]) => [name, schema.meta()])),
      },
      description: 'Attendees of the first places.',
    },
  },
  required: ['ticket_id'],
};

type NamedHolder = { full_name?: string; email?: string };

export interface SaleLine {
  ticket_id: number;
  quantity: number;
  /** As sent; undefined for today's price. */
  price: unknown;
  attendees: NamedHolder[];
}

/** `items` of a sale. */
export const saleLines: z.ZodType<SaleLine[]> = field(
  { type: 'array', items: line, minItems: 1, maxItems: MAX_PLACES, description: 'Tickets to sell, each once.' },
  'param.sale_items',
  (value) => {
    const members = typeof value === 'object' && value !== null ? membersOf(value) : undefined;
    if (!members || members.length === 0 || members.length > MAX_PLACES) return undefined;
    const lines = members.flatMap((member) => lineOf(member) ?? []);
    const places = lines.reduce((sum, { quantity }) => sum + quantity, 0);
    const isOnce = new Set(lines.map(({ ticket_id }) => ticket_id)).size === members.length;
    return isOnce && places <= MAX_PLACES ? lines : undefined;
  },
);

function lineOf(member: unknown): SaleLine | undefined {
  if (!isRecord(member)) return undefined;
  const { input, problems } = readInput(lineFields, [], new Map(Object.entries(member)));
  const people = member.attendees ?? [];
  const named = typeof people === 'object' ? membersOf(people) : undefined;
  if (!named || named.length > MAX_PLACES) return undefined;
  const attendees = named.flatMap((person) => holderOf(person) ?? []);
  const { ticket_id, quantity = attendees.length } = input;
  if (problems.size > 0 || attendees.length < named.length || ticket_id === undefined) return undefined;
  if (quantity < Math.max(1, attendees.length)) return undefined;
  return { ticket_id, quantity, price: member.price ?? undefined, attendees };
}

function holderOf(person: unknown): NamedHolder | undefined {
  if (!isRecord(person)) return undefined;
  const { input, problems } = readInput(holderFields, [], new Map(Object.entries(person)));
  return problems.size === 0 ? input : undefined;
}

/** Codes of the errors of endpoints that sell through `sellAtCounter`. */
export const SALE_ERRORS = [
  'rest_missing_callback_param',
  'rest_forbidden',
  'event-cancelled',
  'event-postponed',
  'tec-tc-insufficient-stock',
  'too-many-mails',
] as const;

export interface CounterSale {
  items: readonly SaleLine[];
  payment: (typeof COUNTER_PAYMENTS)[number];
  purchaser?: CustomerChange;
  /** Reason for prices that differ from today's. */
  reason?: string;
  /** Events of the gate that sells, instead of those for which the viewer may sell. */
  within?: ReadonlySet<number>;
  /** Logs the sale in its transaction, instead of the log of the counter. */
  also?(db: Database, order: Order): Promise<void>;
}

/**
 * Sells seats that are paid at once: the order is completed immediately.
 * @returns the id of the order
 * @throws {InvalidParams}
 * @throws {ApiError} rest_forbidden, rest_missing_callback_param, event-cancelled, event-postponed,
 * tec-tc-insufficient-stock, too-many-mails
 */
export async function sellAtCounter(ctx: RequestContext, sale: CounterSale): Promise<number> {
  const { db, config } = ctx.context;
  const purchaser = {
    name: sale.purchaser?.name ?? translate(ctx.language, 'desk.walk_in'),
    email: sale.purchaser?.email ?? '',
  };
  const offered = await findTickets(ctx, sale);
  const listed = pricedLines(ctx, sale, offered).map(({ ticket, price, quantity, attendees }) => ({
    ticket,
    price,
    attendees: Array.from({ length: quantity }, (_, place): HolderData => {
      const { full_name = purchaser.name, email: address = purchaser.email } = attendees[place] ?? {};
      // Opted out, since the attendee did not agree to be listed.
      return { full_name, email: address, optout: 1, information: undefined };
    }),
  }));
  const { totals, ...items } = pricedItems(listed, await getSitePrices(ctx.context));
  if (sale.payment === 'free' && totals.total > 0) throw invalidParam('payment', 'param.sale_free');
  const gateway = totals.total === 0 ? 'free' : sale.payment;
  const { currency, invoices } = config;
  const paid = { purchaser, gateway, status: 'completed', currency, invoices, isMailed: true } as const;
  const by = { userId: ctx.viewer.account?.id ?? 0, now: ctx.now };
  const work = async (trx: Database) => {
    const { order } = await placeOrder(trx, { ...paid, ...items, seats: 'take', seller: ctx.actor }, originOf(ctx));
    const details = sale.reason === undefined ? {} : { reason: sale.reason };
    if (sale.also) await sale.also(trx, order);
    else await logStep(trx, order, { action: 'sale', details, ...by });
    return order.id;
  };
  const mails = purchaser.email === '' ? [] : await mailsOfSale(ctx, offered.authors);
  try {
    return await withinLimits(ctx.context, 'too-many-mails', mails, () =>
      withExpiredReleased(db, ctx.now, () => db.transaction(work)),
    );
  } catch (error) {
    throw await seatErrorOf(db, error, ctx.now);
  }
}

/**
 * Lines of a sale with their prices.
 * @throws {InvalidParams}
 * @throws {ApiError} rest_forbidden, rest_missing_callback_param for prices that the viewer may not state, or without a reason
 */
function pricedLines(ctx: RequestContext, { items, reason }: CounterSale, { tickets, mayStatePrice }: OfferedTickets) {
  const passes = [...tickets.values()].flatMap(({ pass_id }) => pass_id ?? []);
  // Tickets of two dates may belong to the same pass.
  if (new Set(passes).size < passes.length) throw invalidParam('items', 'param.sale_items');
  const priced = items.map((line) => ({ ...line, ...pricedAs(line, getSold(tickets, line), ctx) }));
  const stated = priced.filter(({ isStated }) => isStated);
  if (!stated.every(({ ticket }) => mayStatePrice(ticket))) throw forbidden(ctx.viewer);
  if (reason === undefined && stated.length > 0) throw missingReason();
  return priced;
}

/** The mail of a sale, counted for the account that sells or, at a device, for the authors of the events. */
const mailsOfSale = async ({ context, viewer }: RequestContext, authors: readonly number[]): Promise<Counted[]> =>
  viewer.device ? countedMailsOfAuthors(context.db, authors) : countedMails(viewer);

interface OfferedTickets {
  /** By id, without those of events for which the viewer does not sell. */
  tickets: ReadonlyMap<number, Ticket>;
  /** Authors of their events. */
  authors: readonly number[];
  /** Tests if the viewer may sell a ticket at another price than today's. */
  mayStatePrice(ticket: Ticket): boolean;
}

/** Tickets of a sale; a series pass requires the rights for the events of all its coming dates. */
async function findTickets(
  ctx: RequestContext,
  { items, within }: Pick<CounterSale, 'items' | 'within'>,
): Promise<OfferedTickets> {
  const { db } = ctx.context;
  const tickets = await getTickets(
    db,
    items.map(({ ticket_id }) => ticket_id),
  );
  const passIds = [...tickets.values()].map(({ pass_id }) => pass_id);
  const dates = await findPassDates(db, passIds, toUtc(ctx.now));
  const eventsOf = ({ event_id, pass_id }: Ticket): number[] => [
    ...new Set([event_id, ...(dates.get(pass_id ?? 0) ?? []).map((date) => date.event_id)]),
  ];
  const events = await getEvents(db, [...new Set([...tickets.values()].flatMap(eventsOf))]);
  const known = new Map(events.map((event) => [event.id, event]));
  const isAllowed = (right: EventRight, ticket: Ticket): boolean => {
    if (within) return right === 'sell' && eventsOf(ticket).every((id) => within.has(id));
    const scope = eventScope(ctx.viewer, right);
    return eventsOf(ticket).every((id) => isInScope(scope, known.get(id)));
  };
  for (const ticket of tickets.values()) {
    const event = known.get(ticket.event_id);
    const isOffered = event && ticket.is_deleted === 0 && isAllowed('sell', ticket);
    const refusal = event && statusRefusal(ticket, event);
    if (!isOffered) tickets.delete(ticket.id);
    else if (refusal) throw refusal;
  }
  const authors = events.map(({ author_id }) => author_id);
  return { tickets, authors, mayStatePrice: (ticket) => isAllowed('manage_attendees', ticket) };
}

function getSold(tickets: ReadonlyMap<number, Ticket>, { ticket_id }: SaleLine): Ticket {
  const ticket = tickets.get(ticket_id);
  if (ticket?.provider !== 'tc') throw invalidParam('items', 'param.sale_ticket');
  return ticket;
}

/** Today's price, or the one stated by staff. */
function pricedAs({ price: sent }: SaleLine, ticket: Ticket, { context, now }: RequestContext) {
  const today = priceOn(ticket, localDay(toUtc(now), context.config.timezone));
  const stated = sent === undefined ? today : parsePrice(sent, siteMoney(context.config).decimals);
  if (stated === undefined) throw invalidParam('items', 'param.counter_price');
  return { ticket, price: stated, isStated: stated !== today };
}

const missingReason = (): ApiError =>
  new ApiError('rest_missing_callback_param', {
    data: { params: ['reason'] },
    values: { count: 1, params: 'reason' },
  });

/** Sells one seat at the counter: `SellAtCounter` of attendees. */
export const sellSeatAtCounter: SellAtCounter = async (db, ctx, { ticket, holder }) => {
  const { config } = ctx.context;
  const today = localDay(toUtc(ctx.now), config.timezone);
  const listed = [{ ticket, price: priceOn(ticket, today), attendees: [holder] }];
  const { totals: _totals, ...items } = pricedItems(listed, await getSitePrices({ db }));
  const { attendees } = await placeOrder(
    db,
    {
      purchaser: { name: holder.full_name, email: holder.email },
      gateway: 'manual',
      status: 'completed',
      currency: config.currency,
      invoices: config.invoices,
      seats: 'take',
      ...items,
      seller: ctx.actor,
    },
    originOf(ctx),
  );
  const attendee = attendees.find(({ ticket_id }) => ticket_id === ticket.id);
  if (!attendee) throw new Error('an order for one seat has no attendee');
  return attendee;
};
