import { z } from 'zod';
import type { Config } from '../../base/config.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { revisionSchema } from '../../http/core/revisions.ts';
import { boolean, integer, withDefault } from '../../http/input/schemas.ts';
import { link, localTime, utcTime } from '../../http/output/output.ts';
import { formatMoney, type MoneyFormat, moneyFormat, symbolOf } from '../../lib/money/money.ts';
import type { Attendee } from '../attendees/store.ts';
import type { Ticket } from '../tickets/seats/stock.ts';
import { expiryOf } from '../tickets/unpaid-expiry.ts';
import { LOGGED_ACTIONS, type StepDetails } from './desk/order-log.ts';
import { orderUrl } from './order-token.ts';
import { nextStatuses, ORDER_STATUSES } from './statuses.ts';
import type { Order, OrderItem, OrderLogEntry } from './store.ts';

export const amountSchema = z
  .object({ minor: z.int().describe('In the smallest unit of the currency.'), formatted: z.string() })
  .meta({ id: 'Amount', description: 'An amount of money.' });

const status = z.enum(ORDER_STATUSES);

/** An order in a list; rendered by `renderOrder`. */
export const orderSchema = z
  .object({
    id: z.int(),
    status,
    gateway: z.string().describe('Payment method: `manual`, `free`, a method of the site, or a payment provider.'),
    purchaser: z.object({ name: z.string(), email: z.string(), user_id: z.int().describe('0 without an account.') }),
    currency: z.string(),
    total: amountSchema,
    date: localTime,
    date_utc: utcTime,
    modified_utc: utcTime,
    ...revisionSchema,
  })
  .meta({ id: 'Order', description: 'Tickets that were bought together.' });

/** Single order; rendered by `renderFullOrder`. */
export const fullOrderSchema = orderSchema
  .extend({
    items: z.array(
      z.object({
        ticket_id: z.int(),
        event_id: z.int(),
        title: z.string(),
        quantity: z.int().describe('Without cancelled places.'),
        cancelled: z.int().optional().describe('Number of individually cancelled places; absent for none.'),
        price: amountSchema,
        subtotal: amountSchema,
      }),
    ),
    attendees: z.array(
      z.object({
        id: z.int(),
        ticket_id: z.int(),
        name: z.string(),
        email: z.string(),
        status: z.string().describe('`publish`, or `trash` once archived.'),
        checked_in: z.boolean(),
      }),
    ),
    note: z.string().describe('For staff only, never shown to the customer.'),
    log: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        action: z.enum(LOGGED_ACTIONS).optional().describe('Action, unless only the status changed.'),
        details: z
          .object({
            attendees: z.array(z.int()).optional(),
            ticket_id: z.int().optional().describe('New ticket of the moved attendees.'),
            amount: z.int().optional().describe('Price of cancelled places, in the smallest unit of the currency.'),
            reason: z.string().optional(),
          })
          .optional(),
        user_id: z.int(),
        date_utc: utcTime,
      }),
    ),
    expires_utc: utcTime
      .nullable()
      .describe('When a `pending` order expires, UTC; null for never, and for other statuses.'),
    next: z.array(status).describe('Statuses that the order may change to.'),
    url: link.describe('Page of the order; anyone with the link may act for the customer.'),
  })
  .meta({ id: 'FullOrder', description: 'An order with its items, attendees and log.' });

/** The format of amounts in a currency. */
export const formatOf = (currency: string, { languages, currency: own, currencySymbol }: Config): MoneyFormat =>
  moneyFormat(currency, languages[0] ?? 'en', currency === own ? currencySymbol : symbolOf(currency));

/** An amount of money in responses. */
export const renderAmount = (minor: number, format: MoneyFormat) => ({ minor, formatted: formatMoney(minor, format) });

export const renderOrder = (order: Order, config: Config): z.output<typeof orderSchema> => ({
  id: order.id,
  // create-order.ts and transitions.ts write no other values.
  status: order.status as z.output<typeof status>,
  gateway: order.gateway,
  purchaser: { name: order.purchaser_name, email: order.purchaser_email, user_id: order.user_id },
  currency: order.currency,
  total: renderAmount(order.total, formatOf(order.currency, config)),
  date: order.date,
  date_utc: order.date_utc,
  modified_utc: order.modified_utc,
  revision: order.revision,
});

export interface OrderParts {
  items: readonly OrderItem[];
  attendees: readonly Attendee[];
  log: readonly OrderLogEntry[];
  /** Including deleted ones. */
  tickets: ReadonlyMap<number, Ticket>;
}

/** Items of an order in responses. */
export function renderItems(
  { currency }: Order,
  { items, tickets }: Pick<OrderParts, 'items' | 'tickets'>,
  config: Config,
): z.output<typeof fullOrderSchema>['items'] {
  const format = formatOf(currency, config);
  return items.map(({ ticket_id, event_id, quantity, cancelled, price }) => ({
    ticket_id,
    event_id,
    title: tickets.get(ticket_id)?.title ?? '',
    quantity: quantity - cancelled,
    ...(cancelled > 0 && { cancelled }),
    price: renderAmount(price, format),
    subtotal: renderAmount(price * (quantity - cancelled), format),
  }));
}

/** Expiry of an order; null for never, and for orders that are not unpaid. */
export const unpaidUntil = (order: Order, { orderHold }: Config) => expiryOf(order, orderHold);

export function renderFullOrder(
  order: Order,
  parts: OrderParts,
  ctx: Pick<RequestContext, 'context' | 'urls'>,
): z.output<typeof fullOrderSchema> {
  const { config } = ctx.context;
  return {
    ...renderOrder(order, config),
    items: renderItems(order, parts, config),
    attendees: parts.attendees.map((attendee) => ({
      id: attendee.id,
      ticket_id: attendee.ticket_id,
      name: attendee.full_name,
      email: attendee.email,
      status: attendee.status,
      checked_in: attendee.checked_in === 1,
    })),
    note: order.note,
    log: parts.log.map(renderStep),
    expires_utc: unpaidUntil(order, config),
    next: nextStatuses(order.status),
    url: orderUrl(ctx, order),
  };
}

function renderStep({
  from_status: from,
  to_status: to,
  action,
  details,
  user_id,
  date_utc,
}: OrderLogEntry): z.output<typeof fullOrderSchema>['log'][number] {
  const known = LOGGED_ACTIONS.find((name) => name === action);
  if (!known) return { from, to, user_id, date_utc };
  // order-log.ts writes no other values.
  return { from, to, action: known, details: JSON.parse(details) as StepDetails, user_id, date_utc };
}

/** Parameters shared by the actions on orders. */

export const orderId = integer('Id of the order.', { min: 1 });

export const dryRun = withDefault(
  boolean('true: only preview the action; the response is complete, but nothing is changed.'),
  false,
);
