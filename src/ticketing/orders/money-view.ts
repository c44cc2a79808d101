import { z } from 'zod';
import { PAYMENT_STATUSES, REFUND_STATUSES } from '../../db/tables/ticketing.ts';
import { utcTime } from '../../http/output/output.ts';
import type { MoneyFormat } from '../../lib/money/money.ts';
import { type Charge, keptOf, type Payment, settledOf } from '../ledger/payments.ts';
import type { Refund } from '../ledger/refunds.ts';
import { isCountedStatus } from '../seats/seats.ts';
import { amountSchema, chargesSchema, renderAmount, renderCharges } from './amounts.ts';
import type { Order } from './store.ts';

/** Money of an order, for staff. */

/** Payment in responses to staff; rendered by `renderStaffPayment`. */
export const staffPaymentSchema = z
  .object({
    id: z.int(),
    order_id: z.int(),
    status: z
      .enum(PAYMENT_STATUSES)
      .describe('`disputed`: the bank of the customer asks for it back; `lost`: the bank took it back.'),
    gateway: z.string().describe('Payment service; `manual` and `transfer` for money received offline.'),
    method: z.string().describe('Id of the payment method.'),
    amount: amountSchema,
    refunded: amountSchema.describe('Sum of its refunds that have not failed.'),
    fee: amountSchema.nullable().describe('Fee of the payment service; null if unknown.'),
    currency: z.string(),
    instrument: z.string().describe('Means of payment, such as `Visa •••• 4242`; empty if unknown.'),
    reference: z.string().describe('Reference of money received offline.'),
    external_id: z.string().nullable().describe('Id at the payment service.'),
    created_utc: utcTime,
    paid_utc: utcTime.nullable(),
  })
  .meta({ id: 'Payment', description: 'An attempt to pay an order, or money received offline.' });

/** Refund in responses to staff; rendered by `renderRefund`. */
export const refundSchema = z
  .object({
    id: z.int(),
    payment_id: z.int(),
    order_id: z.int(),
    status: z
      .enum(REFUND_STATUSES)
      .describe('`requested`: not sent yet. `pending`: the payment service is paying it. `failed`: staff must act.'),
    amount: amountSchema,
    reason: z.string(),
    source: z
      .string()
      .describe('`staff`, `event-ID` for a cancelled event, or why the server gives the money back by itself.'),
    attendees: z.array(z.int()).describe('Attendees whose places it is for.'),
    error: z.string().describe('Why it failed, in the words of the payment service; otherwise empty.'),
    user_id: z.int().describe('0 for the server itself.'),
    created_utc: utcTime,
    modified_utc: utcTime,
  })
  .meta({ id: 'Refund', description: 'Money of a payment that is given back.' });

export const orderMoneyFields = {
  charges: chargesSchema,
  payments: z.array(staffPaymentSchema).describe('Oldest first.'),
  refunds: z.array(refundSchema).describe('Oldest first.'),
  paid: amountSchema.describe('Money received and not given back.'),
  owed: amountSchema.describe(
    'Money received beyond the price of the places: it should be given back, or kept on purpose. Negative while something is to be paid.',
  ),
};

export interface OrderMoney {
  payments: readonly Payment[];
  refunds: readonly Refund[];
  charges: readonly Charge[];
}

/** Minor units of an order that are received beyond what it costs; negative while something is to be paid. */
export function owedOf(order: Order, { payments, charges }: Pick<OrderMoney, 'payments' | 'charges'>): number {
  return settledOf(payments) - (isCountedStatus(order.status) ? order.total : keptOf(charges));
}

export const renderMoney = (
  order: Order,
  money: OrderMoney,
  { format, language }: { format: MoneyFormat; language: string },
) => {
  const owed = owedOf(order, money);
  return {
    charges: renderCharges(money.charges, { format, language }),
    payments: money.payments.map((payment) => renderStaffPayment(payment, format)),
    refunds: money.refunds.map((refund) => renderRefund(refund, format)),
    paid: renderAmount(settledOf(money.payments), format),
    owed: renderAmount(owed === 0 ? 0 : owed, format),
  };
};

export const renderStaffPayment = (payment: Payment, format: MoneyFormat): z.output<typeof staffPaymentSchema> => ({
  id: payment.id,
  order_id: payment.order_id,
  status: payment.status,
  gateway: payment.gateway,
  method: payment.method,
  amount: renderAmount(payment.amount, format),
  refunded: renderAmount(payment.refunded, format),
  fee: payment.fee === null ? null : renderAmount(payment.fee, format),
  currency: payment.currency,
  instrument: payment.instrument,
  reference: payment.reference,
  external_id: payment.external_id,
  created_utc: payment.created_utc,
  paid_utc: payment.paid_utc || null,
});

export const renderRefund = (refund: Refund, format: MoneyFormat): z.output<typeof refundSchema> => ({
  id: refund.id,
  payment_id: refund.payment_id,
  order_id: refund.order_id,
  status: refund.status,
  amount: renderAmount(refund.amount, format),
  reason: refund.reason,
  source: refund.source,
  // Written by the ledger.
  attendees: JSON.parse(refund.attendees) as number[],
  error: refund.error,
  user_id: refund.user_id,
  created_utc: refund.created_utc,
  modified_utc: refund.modified_utc,
});
