import type { z } from 'zod';
import { getEvents } from '../../../calendar/events/store.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../../http/core/errors.ts';
import { email, field, integer, type Json, plainLine } from '../../../http/input/schemas.ts';
import { readInput } from '../../../http/input/validate.ts';
import { localDay, toUtc } from '../../../lib/dates/dates.ts';
import { translate } from '../../../lib/i18n.ts';
import { parsePrice, siteMoney } from '../../../lib/money/money.ts';
import { isRecord, membersOf } from '../../../lib/text/list.ts';
import { originOf, type SellByHand } from '../../attendees/create.ts';
import type { Guest } from '../../attendees/new-attendee.ts';
import { type Ticket, withExpiredReleased } from '../../tickets/seats/stock.ts';
import { getTickets, priceOn } from '../../tickets/store.ts';
import { placeOrder } from '../create-order.ts';
import type { PurchaserChange } from '../holder-input.ts';
import { stockErrorOf } from './act-on-order.ts';
import { logStep } from './order-log.ts';

/** Counter sales: tickets sold by staff and paid at once, whether or not they are on sale for the public. */

/** Payment methods at the counter. */
export const COUNTER_PAYMENTS = ['cash', 'card', 'transfer', 'free'] as const;

/** Maximum number of seats of one sale. */
const MAX_PLACES = 500;

const guestFields = {
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
        properties: Object.fromEntries(Object.entries(guestFields).map(([name, schema]) => [name, schema.meta()])),
      },
      description: 'Attendees of the first places.',
    },
  },
  required: ['ticket_id'],
};

type NamedGuest = { full_name?: string; email?: string };

export interface SaleLine {
  ticket_id: number;
  quantity: number;
  /** As sent; undefined for today's price. */
  price: unknown;
  attendees: NamedGuest[];
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
  const attendees = named.flatMap((person) => guestOf(person) ?? []);
  const { ticket_id, quantity = attendees.length } = input;
  if (problems.size > 0 || attendees.length < named.length || ticket_id === undefined) return undefined;
  if (quantity < Math.max(1, attendees.length)) return undefined;
  return { ticket_id, quantity, price: member.price ?? undefined, attendees };
}

function guestOf(person: unknown): NamedGuest | undefined {
  if (!isRecord(person)) return undefined;
  const { input, problems } = readInput(guestFields, [], new Map(Object.entries(person)));
  return problems.size === 0 ? input : undefined;
}

export interface CounterSale {
  items: readonly SaleLine[];
  payment: (typeof COUNTER_PAYMENTS)[number];
  purchaser?: PurchaserChange;
  /** Reason for prices that differ from today's. */
  reason?: string;
}

/**
 * Sells seats that are paid at once: the order is completed immediately.
 * @returns the id of the order
 * @throws {InvalidParams}
 * @throws {ApiError} rest_missing_callback_param, event-cancelled, tec-tc-insufficient-stock
 */
export async function sellAtCounter(ctx: RequestContext, sale: CounterSale): Promise<number> {
  const { db, config } = ctx.context;
  const purchaser = {
    name: sale.purchaser?.name ?? translate(ctx.language, 'desk.walk_in'),
    email: sale.purchaser?.email ?? '',
  };
  const tickets = await findTickets(ctx, sale.items);
  const priced = sale.items.map((line) => ({ ...line, ...pricedAs(line, getSold(tickets, line), ctx) }));
  if (sale.reason === undefined && priced.some(({ isStated }) => isStated)) throw missingReason();
  const total = priced.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  if (sale.payment === 'free' && total > 0) throw invalidParam('payment', 'param.sale_free');
  const items = priced.map(({ ticket, price, quantity, attendees }) => ({
    ticket,
    price,
    attendees: Array.from({ length: quantity }, (_, place): Guest => {
      const { full_name = purchaser.name, email: address = purchaser.email } = attendees[place] ?? {};
      // Opted out, since the attendee did not agree to be listed.
      return { full_name, email: address, optout: 1, information: undefined };
    }),
  }));
  const gateway = total === 0 ? 'free' : sale.payment;
  const paid = { purchaser, gateway, status: 'completed', currency: config.currency } as const;
  const by = { userId: ctx.viewer.account?.id ?? 0, now: ctx.now };
  try {
    return await withExpiredReleased(db, ctx.now, () =>
      db.transaction(async (trx) => {
        const { order } = await placeOrder(trx, { ...paid, seats: 'take', items, seller: ctx.actor }, originOf(ctx));
        const details = sale.reason === undefined ? {} : { reason: sale.reason };
        await logStep(trx, order, { action: 'sale', details, ...by });
        return order.id;
      }),
    );
  } catch (error) {
    throw await stockErrorOf(error, ctx);
  }
}

/** Tickets of a sale by id. */
async function findTickets(ctx: RequestContext, items: readonly SaleLine[]): Promise<ReadonlyMap<number, Ticket>> {
  const { db } = ctx.context;
  const tickets = await getTickets(
    db,
    items.map(({ ticket_id }) => ticket_id),
  );
  const events = await getEvents(db, [...new Set([...tickets.values()].map(({ event_id }) => event_id))]);
  const known = new Map(events.map((event) => [event.id, event]));
  for (const ticket of tickets.values()) {
    const event = known.get(ticket.event_id);
    if (!event || ticket.is_deleted === 1) tickets.delete(ticket.id);
    else if (event.event_status === 'cancelled')
      throw new ApiError('event-cancelled', { data: { ticket_id: ticket.id, post_id: event.id } });
  }
  return tickets;
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

/** Sells one seat at the counter: `SellByHand` of attendees. */
export const sellByHand: SellByHand = async (db, ctx, { ticket, guest }) => {
  const { config } = ctx.context;
  const today = localDay(toUtc(ctx.now), config.timezone);
  const { attendees } = await placeOrder(
    db,
    {
      purchaser: { name: guest.full_name, email: guest.email },
      gateway: 'manual',
      status: 'completed',
      currency: config.currency,
      seats: 'take',
      items: [{ ticket, price: priceOn(ticket, today), attendees: [guest] }],
      seller: ctx.actor,
    },
    originOf(ctx),
  );
  const [attendee] = attendees;
  if (!attendee) throw new Error('an order for one seat has no attendee');
  return attendee;
};
