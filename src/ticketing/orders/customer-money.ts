import { z } from 'zod';
import type { Config } from '../../base/config.ts';
import { PAYMENT_STATUSES } from '../../db/ticketing-tables.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { link, utcTime } from '../../http/output/output.ts';
import { addSeconds, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { isRemoteGateway, TRANSFER } from '../../platform/site/payment-gateways.ts';
import type { PaymentMethod } from '../../platform/site/settings.ts';
import { isSettled } from '../ledger/payment-statuses.ts';
import { MAX_PAYMENTS, openOf, type Payment, settledOf } from '../ledger/payments.ts';
import type { Refund } from '../ledger/refunds.ts';
import { BANK_DAYS } from '../tickets/unpaid-expiry.ts';
import { amountSchema, formatOf, renderAmount } from './amounts.ts';
import { payUrl } from './order-token.ts';
import type { Order } from './store.ts';
import { expiryOfOrder } from './view.ts';

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

export const customerMoneyFields = {
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

export function renderCustomerMoney(ctx: RequestContext, order: Order, { payments, refunds, ways }: CustomerMoney) {
  const format = formatOf(order.currency, ctx.context.config);
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
export function shownExpiry(order: Order, ways: readonly PaymentMethod[], config: Config): LocalTime | null {
  const expires = expiryOfOrder(order, config);
  const way = ways.find(({ id }) => id === order.gateway);
  if (expires === null || way?.gateway !== TRANSFER || way.hold_hours !== null) return expires;
  const due = addSeconds(order.date_utc, config.transferDays * 86_400);
  const early = addSeconds(expires, -BANK_DAYS * 86_400);
  if (expires <= due) return expires;
  return early > due ? early : due;
}
