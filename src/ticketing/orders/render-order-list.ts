import { z } from 'zod';
import { getEvents } from '../../calendar/events/store.ts';
import { byIds } from '../../db/by-ids.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { loadTranslations } from '../../platform/translations/store.ts';
import { findChargesOfOrders, findPaymentsOfOrders } from '../ledger/payments.ts';
import { formatOf, renderAmount } from './amounts.ts';
import { orderMoneyFields, owedOf } from './money-view.ts';
import type { Order } from './store.ts';
import { orderSchema, renderOrder } from './view.ts';

/** An order in the list for staff. */
export const listedOrderSchema = orderSchema
  .extend({
    places: z.int().describe('Number of places, without cancelled ones.'),
    events: z
      .array(z.object({ id: z.int(), title: z.string().describe('Empty once the event is deleted.') }))
      .describe('Events of its tickets.'),
    owed: orderMoneyFields.owed,
  })
  .meta({ id: 'ListedOrder', description: 'An order, with its events.' });

const itemsByOrder = byIds((query, ids) =>
  query
    .selectFrom('order_items')
    .select(['order_id', 'event_id', 'quantity', 'cancelled'])
    .where('order_id', 'in', ids)
    .orderBy('order_id')
    .orderBy('ticket_id'),
);

/** Renders orders for a list, with a constant number of queries. */
export async function renderListed(
  ctx: RequestContext,
  orders: readonly Order[],
): Promise<z.output<typeof listedOrderSchema>[]> {
  const { db } = ctx.context;
  const ids = orders.map(({ id }) => id);
  const [items, payments, charges] = await Promise.all([
    itemsByOrder(db, ids),
    findPaymentsOfOrders(db, ids),
    findChargesOfOrders(db, ids),
  ]);
  const paymentsOf = Map.groupBy(payments, ({ order_id }) => order_id);
  const chargesOf = Map.groupBy(charges, ({ order_id }) => order_id);
  const eventIds = [...new Set(items.map(({ event_id }) => event_id))];
  const [events, texts] = await Promise.all([
    getEvents(db, eventIds),
    loadTranslations(
      ctx,
      eventIds.map((id) => ({ kind: 'event' as const, id })),
    ),
  ]);
  const titles = new Map(events.map((event) => [event.id, texts.show('event', event).title]));
  const ofOrder = Map.groupBy(items, ({ order_id }) => order_id);
  return orders.map((order) => {
    const own = ofOrder.get(order.id) ?? [];
    const owed = owedOf(order, { payments: paymentsOf.get(order.id) ?? [], charges: chargesOf.get(order.id) ?? [] });
    return {
      ...renderOrder(order, ctx),
      places: own.reduce((sum, { quantity, cancelled }) => sum + quantity - cancelled, 0),
      events: [...new Set(own.map(({ event_id }) => event_id))].map((id) => ({ id, title: titles.get(id) ?? '' })),
      owed: renderAmount(owed, formatOf(order.currency, ctx.context.config)),
    };
  });
}
