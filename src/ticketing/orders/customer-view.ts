import { z } from 'zod';
import { INVOICE_KINDS } from '../../db/price-tables.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { link, utcTime } from '../../http/output/output.ts';
import { orderNumber } from '../../lib/order-number.ts';
import { TRANSFER } from '../../platform/site/payment-gateways.ts';
import type { PaymentMethod } from '../../platform/site/settings.ts';
import { type Attendee, findAttendeesOfOrder } from '../attendees/store.ts';
import { findTransfers } from '../attendees/transfers.ts';
import { bodyOf, findInvoicesOfOrder, invoiceNumber } from '../ledger/invoices.ts';
import { findChargesOfOrder, findPaymentsOfOrder } from '../ledger/payments.ts';
import { findRefundsOfOrder } from '../ledger/refunds.ts';
import { amountSchema, formatOf, reductionFields, renderAmount, renderCharges, renderReductions } from './amounts.ts';
import { cancellationRefusal, findCancellationRule } from './cancellation.ts';
import { customerMoneyFields, renderCustomerMoney, shownExpiry } from './customer-money.ts';
import { heldTicketSchema, isToPayAtDoor, loadHeldRelations, renderHeldTicket } from './held-ticket.ts';
import { orderUrl } from './order-token.ts';
import { findPaymentMethods } from './payment-methods.ts';
import { findItems, type Order } from './store.ts';
import { fullOrderSchema, renderItems, renderOrder } from './view.ts';

const paymentSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    text: z.string().describe('Instructions for the customer.'),
    reference: z
      .string()
      .nullable()
      .describe('Reference to give with a bank transfer: the number of the order. Null for other methods.'),
  })
  .meta({ id: 'OrderPayment', description: 'Payment method of an order.' });

/** Order in responses to its customer. */
export const customerOrderSchema = fullOrderSchema
  .pick({ id: true, number: true, status: true, currency: true, total: true, date: true, date_utc: true })
  .extend({
    purchaser: z.object({ name: z.string(), email: z.string() }),
    items: fullOrderSchema.shape.items,
    charges: fullOrderSchema.shape.charges,
    ...reductionFields,
    ...customerMoneyFields,
    invoices: z
      .array(
        z
          .object({
            number: z.string(),
            kind: z.enum(INVOICE_KINDS).describe('`credit`: a credit note.'),
            date: z.string().describe('Day of issue.'),
            total: amountSchema,
            url: link.describe('Page to be printed; accessible to anyone with the link.'),
          })
          .meta({ id: 'OrderInvoice', description: 'An invoice or a credit note of an order.' }),
      )
      .describe('In the order of issue.'),
    attendees: z.array(heldTicketSchema),
    expires_utc: utcTime
      .nullable()
      .describe(
        'Until when a `pending` order keeps its places, UTC; for a bank transfer, the date by which to pay. Null for never, and for other statuses.',
      ),
    at_door: z
      .boolean()
      .describe('Whether it is to be paid at the door: its tickets have codes, which admit once it is paid.'),
    payment: paymentSchema.nullable().describe('Payment method of an unpaid order; null for other orders.'),
    may_cancel: z.boolean().describe('Whether the customer may cancel it now.'),
    url: link.describe('Page of the order; accessible to anyone with the link.'),
  })
  .meta({ id: 'BuyersOrder', description: 'An order, for its customer.' });

/** Renders an order for its customer. Must not be called inside a transaction. */
export async function renderCustomerOrder(
  ctx: RequestContext,
  order: Order,
): Promise<z.output<typeof customerOrderSchema>> {
  const { context, now } = ctx;
  const [items, charges, payments, refunds, invoices, attendees, ways, rule] = await Promise.all([
    findItems(context.db, order.id),
    findChargesOfOrder(context.db, order.id),
    findPaymentsOfOrder(context.db, order.id),
    findRefundsOfOrder(context.db, order.id),
    findInvoicesOfOrder(context.db, order.id),
    findAttendeesOfOrder(context.db, order.id),
    findPaymentMethods(ctx),
    findCancellationRule(ctx),
  ]);
  const format = formatOf(order.currency, context.config);
  const relations = await loadHeldRelations(ctx, [...items, ...attendees]);
  const {
    purchaser,
    gateway: _gateway,
    modified_utc: _modified,
    revision: _revision,
    ...shown
  } = renderOrder(order, ctx);
  const begins = [...relations.events.values()].map(({ utc_start_date }) => utc_start_date).sort()[0];
  const transfers = await findTransfers(
    context.db,
    attendees.map(({ id }) => id),
  );
  const refusal = cancellationRefusal({ order, begins, isAnyCheckedIn: attendees.some(isIn) }, rule, now);
  return {
    ...shown,
    purchaser: { name: purchaser.name, email: purchaser.email },
    items: renderItems(
      order,
      { items: items.filter(({ quantity, cancelled }) => quantity > cancelled), tickets: relations.tickets },
      ctx,
    ),
    charges: renderCharges(charges, { format, language: ctx.language }),
    ...renderReductions(order, { items, charges }, format),
    invoices: invoices.map((invoice) => ({
      ...{ number: invoiceNumber(invoice), kind: invoice.kind, date: bodyOf(invoice).date },
      total: renderAmount(invoice.total, format),
      url: `${orderUrl(ctx, order)}invoice/${invoiceNumber(invoice)}/`,
    })),
    attendees: attendees.map((attendee) =>
      renderHeldTicket(attendee, {
        ...{ relations, ctx, order, access: 'customer' },
        transfers: transfers.get(attendee.id) ?? [],
      }),
    ),
    ...renderCustomerMoney(ctx, order, { payments, refunds, ways }),
    at_door: isToPayAtDoor(order),
    expires_utc: shownExpiry(order, ways, context.config),
    payment: order.status === 'pending' ? paymentOf(ways, order) : null,
    may_cancel: refusal === undefined,
    url: orderUrl(ctx, order),
  };
}

const isIn = ({ status, checked_in }: Attendee): boolean => status === 'publish' && checked_in === 1;

function paymentOf(ways: readonly PaymentMethod[], order: Order): z.output<typeof paymentSchema> | null {
  const way = ways.find(({ id }) => id === order.gateway);
  if (!way) return null;
  const reference = way.gateway === TRANSFER ? orderNumber(order.id) : null;
  return { id: way.id, name: way.name, text: way.text, reference };
}
