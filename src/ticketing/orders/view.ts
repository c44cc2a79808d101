import { z } from 'zod';
import type { Config } from '../../base/config.ts';
import { can, hasEventRights, type Viewer } from '../../http/core/auth.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { revisionSchema } from '../../http/core/revisions.ts';
import type { Urls } from '../../http/core/urls.ts';
import { boolean, filledText, integer, withDefault } from '../../http/input/schemas.ts';
import { link, localTime, utcTime } from '../../http/output/output.ts';
import { siteMoney } from '../../lib/money/money.ts';
import { orderNumber } from '../../lib/order-number.ts';
import type { Attendee } from '../attendees/store.ts';
import { passOfAttendee } from '../attendees/view.ts';
import { settledOf } from '../ledger/payments.ts';
import { passOfAttendeeSchema } from '../tickets/attendee-schema.ts';
import type { Ticket } from '../tickets/store.ts';
import { amountSchema, reductionFields, renderAmount, renderReductions } from './amounts.ts';
import { billingOf } from './holder-input.ts';
import { type OrderMoney, orderMoneyFields, renderMoney } from './money-view.ts';
import { LOGGED_ACTIONS, type StepDetails } from './order-log.ts';
import { orderUrl } from './order-token.ts';
import { isUnpaid, nextStatuses, ORDER_STATUSES } from './statuses.ts';
import type { Order, OrderItem, OrderLogEntry } from './store.ts';
import { expiryOf } from './unpaid-expiry.ts';

const status = z.enum(ORDER_STATUSES);

/** An order in a list; rendered by `renderOrder`. */
export const orderSchema = z
  .object({
    id: z.int(),
    number: z.string().optional().describe('Short number for people, no secret. Absent under `/wp-json/tribe`.'),
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
        pass: z
          .object({ ticket_id: z.int() })
          .optional()
          .describe(
            'Only for a series pass, each of whose dates has a part of its price: the ticket by which it was bought.',
          ),
      }),
    ),
    ...reductionFields,
    attendees: z.array(
      z.object({
        id: z.int(),
        ticket_id: z.int(),
        name: z.string(),
        email: z.string(),
        status: z.string().describe('`publish`, or `trash` once archived.'),
        checked_in: z.boolean(),
        pass: passOfAttendeeSchema.optional().describe('Only for a series pass.'),
      }),
    ),
    ...orderMoneyFields,
    billing: z
      .object({ company: z.string(), vat_number: z.string(), address: z.string() })
      .meta({ id: 'Billing', description: 'Data of the customer for invoices; empty texts for none.' }),
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
            gate: z.string().optional().describe('Gate of a sale at the door.'),
            device: z.string().optional(),
          })
          .optional(),
        user_id: z.int(),
        date_utc: utcTime,
      }),
    ),
    expires_utc: utcTime
      .nullable()
      .describe('When a `pending` order expires, UTC; null for never, and for other statuses.'),
    next: z.array(status).describe('Statuses that the user may change the order to.'),
    url: link
      .optional()
      .describe(
        'Page of the order; anyone with the link may act for the customer. For users who manage its attendees.',
      ),
  })
  .meta({ id: 'FullOrder', description: 'An order with its items, attendees and log.' });

/** The number of an order for people; clients of the reference do not get it. */
export const numberOfOrder = ({ id }: Pick<Order, 'id'>, { isReference }: Urls): { number?: string } =>
  isReference ? {} : { number: orderNumber(id) };

type RenderContext = Pick<RequestContext, 'context' | 'urls' | 'viewer' | 'language'>;

export const renderOrder = (
  order: Order,
  { context: { config }, urls }: RenderContext,
): z.output<typeof orderSchema> => ({
  id: order.id,
  ...numberOfOrder(order, urls),
  // create-order.ts and change-status.ts write no other values.
  status: order.status as z.output<typeof status>,
  gateway: order.gateway,
  purchaser: { name: order.purchaser_name, email: order.purchaser_email, user_id: order.user_id },
  currency: order.currency,
  total: renderAmount(order.total, siteMoney(config, order.currency)),
  date: order.date,
  date_utc: order.date_utc,
  modified_utc: order.modified_utc,
  revision: order.revision,
});

export interface OrderParts extends OrderMoney {
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
  { context: { config }, urls: { isReference } }: Pick<RenderContext, 'context' | 'urls'>,
): z.output<typeof fullOrderSchema>['items'] {
  const format = siteMoney(config, currency);
  return items.map(({ ticket_id, event_id, quantity, cancelled, price, pass_id }) => ({
    ticket_id,
    event_id,
    title: tickets.get(ticket_id)?.title ?? '',
    quantity: quantity - cancelled,
    ...(cancelled > 0 && { cancelled }),
    price: renderAmount(price, format),
    subtotal: renderAmount(price * (quantity - cancelled), format),
    ...(pass_id !== null && !isReference && { pass: { ticket_id: pass_id } }),
  }));
}

/** Expiry of an order; null for never, and for orders that are not unpaid. */
export const expiryOfOrder = (order: Order, { orderHold }: Config) => expiryOf(order, orderHold);

export function renderFullOrder(order: Order, parts: OrderParts, ctx: RenderContext): z.output<typeof fullOrderSchema> {
  const { config } = ctx.context;
  return {
    ...renderOrder(order, ctx),
    items: renderItems(order, parts, ctx),
    ...renderReductions(order, parts, siteMoney(config, order.currency)),
    attendees: parts.attendees.map((attendee) => ({
      id: attendee.id,
      ticket_id: attendee.ticket_id,
      name: attendee.full_name,
      email: attendee.email,
      status: attendee.status,
      checked_in: attendee.checked_in === 1,
      ...passOfAttendee(attendee, ctx.urls),
    })),
    ...renderMoney(order, parts, { format: siteMoney(config, order.currency), language: ctx.language }),
    billing: billingOf(order),
    note: order.note,
    log: parts.log.map(renderStep),
    expires_utc: expiryOfOrder(order, config),
    next: nextFor(ctx.viewer, order, settledOf(parts.payments)),
    // Viewers who read an order also manage it, except at the box office.
    ...(hasEventRights(ctx.viewer, 'manage_attendees') && { url: orderUrl(ctx, order) }),
  };
}

/** Viewers who only sell complete unpaid orders; see `orders.update`. Not all may give money back. */
function nextFor(viewer: Viewer, order: Order, settled: number): z.output<typeof status>[] {
  if (hasEventRights(viewer, 'manage_attendees'))
    return nextStatuses(order.status).filter((to) => to !== 'refunded' || settled <= 0 || can(viewer, 'refund'));
  return hasEventRights(viewer, 'sell') && isUnpaid(order.status) ? ['completed'] : [];
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

/** Maximum length of the reason of an action, in the log of its order. */
export const MAX_REASON = 500;

export const actionReason = filledText('Reason, for the log.', { max: MAX_REASON });

export const dryRun = withDefault(
  boolean('true: only preview the action; the response is complete, but nothing is changed.'),
  false,
);
