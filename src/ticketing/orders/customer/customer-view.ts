import { z } from 'zod';
import type { Config } from '../../../base/config.ts';
import { INVOICE_KINDS } from '../../../db/tables/price.ts';
import { PAYMENT_STATUSES } from '../../../db/tables/ticketing.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { link, utcTime } from '../../../http/output/output.ts';
import { addSeconds, type LocalTime, toUtc } from '../../../lib/dates/dates.ts';
import { siteMoney } from '../../../lib/money/money.ts';
import { orderNumber } from '../../../lib/order-number.ts';
import { isRemoteGateway, TRANSFER } from '../../../platform/site/payment-gateways.ts';
import type { PaymentMethod } from '../../../platform/site/settings.ts';
import { type Attendee, findAttendeesOfOrder } from '../../attendees/store.ts';
import { findTransfers } from '../../attendees/transfers.ts';
import { bodyOf, findInvoicesOfOrder, type Invoice, invoiceNumber } from '../../ledger/invoices.ts';
import { isSettled } from '../../ledger/payment-statuses.ts';
import {
  findChargesOfOrder,
  findPaymentsOfOrder,
  MAX_PAYMENTS,
  openOf,
  type Payment,
  settledOf,
} from '../../ledger/payments.ts';
import type { Refund } from '../../ledger/refunds.ts';
import { findRefundsOfOrder } from '../../ledger/refunds.ts';
import { amountSchema, reductionFields, renderAmount, renderCharges, renderReductions } from '../amounts.ts';
import { cancellationRefusal, findCancellationRule } from '../cancellation.ts';
import { heldTicketSchema, isToPayAtDoor, loadHeldRelations, renderHeldTicket } from '../held-ticket.ts';
import { orderUrl, payUrl } from '../order-token.ts';
import { findPaymentMethods } from '../payment-methods.ts';
import { findItems, type Order, type OrderItem } from '../store.ts';
import { BANK_DAYS } from '../unpaid-expiry.ts';
import { expiryOfOrder, fullOrderSchema, renderItems, renderOrder } from '../view.ts';

/** Money of an order, for its customer. */

/** Reasons for which the server gives money back by itself; see follow-money.ts. */
const OWN_REASONS = ['late', 'surplus', 'called-off'] as const;

const receiptSchema = z
  .object({
    name: z.string().describe('Payment method; empty for one that the site no longer has.'),
    instrument: z.string().describe('Means of payment, such as `Visa •••• 4242`; empty if unknown.'),
    amount: amountSchema,
    paid_utc: utcTime,
  })
  .meta({ id: 'PaymentReceipt', description: 'Money received for an order, for its customer.' });

const customerRefundSchema = z
  .object({
    amount: amountSchema,
    status: z
      .enum(['pending', 'done'])
      .describe('`pending`: on its way to the customer. A refund that failed is pending until staff settle it.'),
    cause: z
      .enum([...OWN_REASONS, 'other'])
      .describe(
        '`late`: the money came after the places were given to others. `surplus`: more was paid than the price. `called-off`: the order was cancelled before the money came.',
      ),
    date_utc: utcTime,
  })
  .meta({ id: 'CustomerRefund', description: 'Money of an order that is given back, for its customer.' });

const customerMoneyFields = {
  paid: amountSchema.describe('Money received and not given back.'),
  refunded: amountSchema.describe('Money given back, or on its way back.'),
  receipts: z.array(receiptSchema).describe('Money received, oldest first.'),
  refunds: z.array(customerRefundSchema).describe('Oldest first.'),
  payment_status: z
    .enum(PAYMENT_STATUSES)
    .nullable()
    .describe('Status of the latest payment at a payment service; null if none was begun.'),
  pay_url: link
    .nullable()
    .describe('Page that leads to the payment service; null unless the order can be paid at one now.'),
};

interface CustomerMoney {
  payments: readonly Payment[];
  refunds: readonly Refund[];
  ways: readonly PaymentMethod[];
}

function renderCustomerMoney(ctx: RequestContext, order: Order, { payments, refunds, ways }: CustomerMoney) {
  const format = siteMoney(ctx.context.config, order.currency);
  const nameOf = (method: string) => ways.find(({ id }) => id === method)?.name ?? '';
  const remote = payments.filter(({ gateway }) => isRemoteGateway(gateway));
  return {
    paid: renderAmount(settledOf(payments), format),
    refunded: renderAmount(
      payments.reduce((sum, { refunded }) => sum + refunded, 0),
      format,
    ),
    receipts: payments.filter(isSettled).map(({ method, instrument, amount, paid_utc }) => ({
      ...{ name: nameOf(method), instrument, paid_utc },
      amount: renderAmount(amount, format),
    })),
    refunds: refunds.map((refund) => ({
      amount: renderAmount(refund.amount, format),
      status: refund.status === 'done' ? ('done' as const) : ('pending' as const),
      cause: OWN_REASONS.find((reason) => reason === refund.source) ?? ('other' as const),
      date_utc: refund.modified_utc,
    })),
    payment_status: remote.at(-1)?.status ?? null,
    pay_url: isPayable(ctx, order, { payments, ways }) ? payUrl(ctx, order) : null,
  };
}

/** Whether an order can be paid at a gateway now; orders to be paid at the door are paid there. */
function isPayable(
  { context, now }: RequestContext,
  order: Order,
  { payments, ways }: Pick<CustomerMoney, 'payments' | 'ways'>,
): boolean {
  const expires = expiryOfOrder(order, context.config);
  return (
    order.status === 'pending' &&
    order.at_door === 0 &&
    settledOf(payments) < order.total &&
    (payments.length < MAX_PAYMENTS || openOf(payments).length > 0) &&
    (expires === null || expires > toUtc(now)) &&
    ways.some(({ gateway, available }) => available && isRemoteGateway(gateway))
  );
}

/**
 * Expiry of an order as its customer sees it: for a transfer, without the days by which banks report it late, unless its
 * events leave less time.
 */
function shownExpiry(order: Order, ways: readonly PaymentMethod[], config: Config): LocalTime | null {
  const expires = expiryOfOrder(order, config);
  const way = ways.find(({ id }) => id === order.gateway);
  if (expires === null || way?.gateway !== TRANSFER || way.hold_hours !== null) return expires;
  const due = addSeconds(order.date_utc, config.transferDays * 86_400);
  const early = addSeconds(expires, -BANK_DAYS * 86_400);
  if (expires <= due) return expires;
  return early > due ? early : due;
}

const invoiceSchema = z
  .object({
    number: z.string(),
    kind: z.enum(INVOICE_KINDS).describe('`credit`: a credit note.'),
    date: z.string().describe('Day of issue.'),
    total: amountSchema,
    url: link.describe('Page to be printed; accessible to anyone with the link.'),
  })
  .meta({ id: 'OrderInvoice', description: 'An invoice or a credit note of an order.' });

function renderInvoice(ctx: RequestContext, order: Order, invoice: Invoice): z.output<typeof invoiceSchema> {
  const number = invoiceNumber(invoice);
  return {
    ...{ number, kind: invoice.kind, date: bodyOf(invoice).date },
    total: renderAmount(invoice.total, siteMoney(ctx.context.config, order.currency)),
    url: `${orderUrl(ctx, order)}invoice/${number}/`,
  };
}

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
    invoices: z.array(invoiceSchema).describe('In the order of issue.'),
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
  const format = siteMoney(context.config, order.currency);
  const relations = await loadHeldRelations(ctx, [...items, ...attendees]);
  const {
    purchaser,
    gateway: _gateway,
    modified_utc: _modified,
    revision: _revision,
    ...shown
  } = renderOrder(order, ctx);
  const begins = [...relations.events.values()].map(({ utc_start_date }) => utc_start_date).sort()[0];
  const attendeeIds = attendees.map(({ id }) => id);
  const transfers = await findTransfers(context.db, attendeeIds);
  const refusal = cancellationRefusal({ order, begins, isAnyCheckedIn: attendees.some(isIn) }, rule, now);
  return {
    ...shown,
    purchaser: { name: purchaser.name, email: purchaser.email },
    items: renderItems(order, { items: items.filter(isKept), tickets: relations.tickets }, ctx),
    charges: renderCharges(charges, { format, language: ctx.language }),
    ...renderReductions(order, { items, charges }, format),
    invoices: invoices.map((invoice) => renderInvoice(ctx, order, invoice)),
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

/** Whether an item still has seats. */
const isKept = ({ quantity, cancelled }: OrderItem): boolean => quantity > cancelled;

const isIn = ({ status, checked_in }: Attendee): boolean => status === 'publish' && checked_in === 1;

function paymentOf(ways: readonly PaymentMethod[], order: Order): z.output<typeof paymentSchema> | null {
  const way = ways.find(({ id }) => id === order.gateway);
  if (!way) return null;
  const reference = way.gateway === TRANSFER ? orderNumber(order.id) : null;
  return { id: way.id, name: way.name, text: way.text, reference };
}
