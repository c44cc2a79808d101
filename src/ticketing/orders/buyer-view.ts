import { z } from 'zod';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { link } from '../../http/output/output.ts';
import type { PaymentWay } from '../../platform/site/settings.ts';
import { type Attendee, findAttendeesOfOrder } from '../attendees/store.ts';
import { cancellationRefusal, findCancellationRule } from './cancellation.ts';
import { heldTicketSchema, loadHeldRelations, renderHeldTicket } from './held-ticket.ts';
import { orderUrl } from './order-token.ts';
import { findPaymentWays } from './payment-ways.ts';
import { findItems, type Order } from './store.ts';
import { fullOrderSchema, renderItems, renderOrder, unpaidUntil } from './view.ts';

const paymentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    text: z.string().describe('Instructions for the customer.'),
  })
  .meta({ id: 'OrderPayment', description: 'Payment method of an order.' });

/** Order in responses to its customer. */
export const buyersOrderSchema = fullOrderSchema
  .pick({ id: true, status: true, currency: true, total: true, date: true, date_utc: true })
  .extend({
    purchaser: z.object({ name: z.string(), email: z.string() }),
    items: fullOrderSchema.shape.items,
    attendees: z.array(heldTicketSchema),
    expires_utc: fullOrderSchema.shape.expires_utc,
    payment: paymentSchema.nullable().describe('Payment method of an unpaid order; null for other orders.'),
    may_cancel: z.boolean().describe('Whether the customer may cancel it now.'),
    url: link.describe('Page of the order; accessible to anyone with the link.'),
  })
  .meta({ id: 'BuyersOrder', description: 'An order, for its customer.' });

/** Renders an order for its customer. Must not be called inside a transaction. */
export async function renderBuyersOrder(
  ctx: RequestContext,
  order: Order,
): Promise<z.output<typeof buyersOrderSchema>> {
  const { context, urls, now } = ctx;
  const [items, attendees, ways, rule] = await Promise.all([
    findItems(context.db, order.id),
    findAttendeesOfOrder(context.db, order.id),
    findPaymentWays(ctx),
    findCancellationRule(ctx),
  ]);
  const relations = await loadHeldRelations(ctx, [...items, ...attendees]);
  const {
    purchaser,
    gateway,
    modified_utc: _modified,
    revision: _revision,
    ...shown
  } = renderOrder(order, context.config);
  const begins = [...relations.events.values()].map(({ utc_start_date }) => utc_start_date).sort()[0];
  const refusal = cancellationRefusal({ order, begins, isAnybodyIn: attendees.some(isIn) }, rule, now);
  return {
    ...shown,
    purchaser: { name: purchaser.name, email: purchaser.email },
    items: renderItems(
      order,
      { items: items.filter(({ quantity, cancelled }) => quantity > cancelled), tickets: relations.tickets },
      context.config,
    ),
    attendees: attendees.map((attendee) => renderHeldTicket(attendee, { relations, urls, isBuyer: true })),
    expires_utc: unpaidUntil(order, context.config),
    payment: order.status === 'pending' ? paymentOf(ways, gateway) : null,
    may_cancel: refusal === undefined,
    url: orderUrl(ctx, order),
  };
}

const isIn = ({ status, checked_in }: Attendee): boolean => status === 'publish' && checked_in === 1;

function paymentOf(ways: readonly PaymentWay[], id: string): z.output<typeof paymentSchema> | null {
  const way = ways.find((candidate) => candidate.id === id);
  return way ? { id, name: way.name, text: way.text } : null;
}
