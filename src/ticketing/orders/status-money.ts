import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/core/errors.ts';
import { MANUAL, TRANSFER } from '../../platform/site/payment-gateways.ts';
import {
  type Entry,
  findChargesOfOrder,
  insertPayment,
  isOffline,
  keptOf,
  movePayment,
  type Payment,
  refundableOf,
  settledOf,
} from '../ledger/payments.ts';
import { requestRefunds } from '../ledger/refunds.ts';
import { isUnpaid, type OrderStatus } from './statuses.ts';
import type { Order } from './store.ts';

interface StatusMoney {
  to: OrderStatus;
  /** Payments of the order. */
  payments: readonly Payment[];
  /** Whether money received offline is not booked as given back. */
  keepsOffline?: boolean;
  entry: Entry;
}

/**
 * Books the money that a manual change of an order's status states, in the transaction of the change: `completed` means
 * that the rest was received, `refunded` that everything is given back, `reversed` that the bank took it back, and a
 * status before payment that money was booked by mistake. Other statuses move no money; what is then kept is shown as
 * owed.
 * @throws {ApiError} order-status-not-allowed if an order is to wait for money that a gateway has, or of which some was
 *   given back
 */
export async function bookStatusMoney(
  db: Database,
  order: Order,
  { to, payments, keepsOffline = false, entry }: StatusMoney,
): Promise<void> {
  const settled = settledOf(payments);
  const offline = payments.filter((payment) => isOffline(payment) && payment.status === 'paid');
  if (to === 'completed' && settled < order.total)
    await receiveOffline(db, order, { amount: order.total - settled, entry });
  if (to === 'refunded') await giveBack(db, order, { payments, keepsOffline, entry });
  if (to === 'reversed') for (const payment of offline) await movePayment(db, payment, { to: 'lost', entry });
  if (!isUnpaid(to)) return;
  // Neither it nor a partly refunded payment was booked by mistake.
  if (payments.some((payment) => settledOf([payment]) > 0 && (!isOffline(payment) || payment.refunded > 0)))
    throw new ApiError('order-status-not-allowed', { values: { from: order.status, to } });
  for (const payment of offline) if (payment.refunded === 0) await movePayment(db, payment, { to: 'cancelled', entry });
}

/** Gives back what is not kept on purpose. */
async function giveBack(
  db: Database,
  { id }: Order,
  { payments, keepsOffline, entry }: Pick<StatusMoney, 'payments' | 'keepsOffline' | 'entry'>,
): Promise<void> {
  const from = keepsOffline ? payments.filter((payment) => !isOffline(payment)) : payments;
  const owed = refundableOf(payments) - keptOf(await findChargesOfOrder(db, id));
  const amount = Math.min(refundableOf(from), owed);
  if (amount > 0) await requestRefunds(db, from, { amount, entry });
}

interface Received {
  /** Minor units. */
  amount: number;
  entry: Entry;
  /** Id of the payment method; by default the one of the order. */
  method?: string;
  /** Such as the line of a bank statement. */
  reference?: string;
}

/** Books money received offline for an order. */
export const receiveOffline = (
  db: Database,
  order: Pick<Order, 'id' | 'gateway' | 'currency'>,
  { amount, entry, method = order.gateway, reference = '' }: Received,
): Promise<Payment> =>
  insertPayment(
    db,
    {
      order_id: order.id,
      gateway: method === TRANSFER ? TRANSFER : MANUAL,
      method,
      amount,
      currency: order.currency,
      reference,
    },
    entry,
  );
