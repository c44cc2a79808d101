import type { Config } from '../../base/config.ts';
import type { Database } from '../../db/database.ts';
import { addSeconds, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { enqueueCorrection } from '../ledger/invoices.ts';
import { isMade } from '../ledger/payment-statuses.ts';
import {
  type Entry,
  findChargesOfOrder,
  findPaymentsOfOrder,
  keptOf,
  openOf,
  type Payment,
  settledOf,
} from '../ledger/payments.ts';
import { requestRefunds } from '../ledger/refunds.ts';
import { isCountedStatus } from '../seats/seats.ts';
import { changeStatus, type Transition } from './change-status.ts';
import { creditOrder } from './staff-charges.ts';
import { isUnpaid, type OrderStatus } from './statuses.ts';
import { findOrder, type Order } from './store.ts';

/** `MARQUEE_LATE_PAYMENT`: fate of money that arrives for an order whose places were given up. */
type LatePolicy = 'retake' | 'refund' | 'ask';

/** Money of an order, and its latest change. */
interface Money {
  /** Received and not given back, in minor units. */
  settled: number;
  /** Remaining amount of the payment that has just been paid; 0 without one, and for money won in a dispute. */
  arrived: number;
  /** Money that staff keep of an order without places, on purpose. */
  kept: number;
  /** Whether a bank has just taken a payment back. */
  isLost: boolean;
  /** Whether a payment is being processed, or waits for an action of the customer. */
  isProcessing: boolean;
  needsAction: boolean;
}

interface Consequence {
  /** New status of the order, if it changes. */
  to?: OrderStatus;
  /** Minor units to give back of the payment that has just been paid. */
  refund: number;
  /** Reason for the refund, as in the ledger. */
  reason: 'surplus' | 'late' | 'called-off' | '';
}

const NOTHING: Consequence = { refund: 0, reason: '' };

/**
 * Consequence for an order when its money changes: the order follows the sum of its payments, never a single one. Money
 * without a place goes back to where it came from.
 * @param canRetake whether places that were given up are free
 */
export function consequenceOf(
  { status, total }: Pick<Order, 'status' | 'total'>,
  { settled, arrived, kept, isLost, isProcessing, needsAction }: Money,
  { late, canRetake }: { late: LatePolicy; canRetake: boolean },
): Consequence {
  const isPaid = settled >= total;
  const surplus = Math.min(arrived, Math.max(0, settled - total));
  const back: Consequence = surplus > 0 ? { refund: surplus, reason: 'surplus' } : NOTHING;
  if (status === 'completed') return isLost && !isPaid ? { ...NOTHING, to: 'reversed' } : back;
  if (isUnpaid(status)) {
    if (isPaid) return { ...back, to: 'completed' };
    const to = unpaidStatus({ isProcessing, needsAction });
    return to === status ? NOTHING : { ...NOTHING, to };
  }
  const owed = Math.min(arrived, settled - kept);
  if (owed <= 0) return NOTHING;
  if (status !== 'not-completed') return { refund: owed, reason: 'called-off' };
  if (late === 'ask') return NOTHING;
  if (late === 'retake' && canRetake && isPaid) return { ...back, to: 'completed' };
  return { refund: owed, reason: 'late' };
}

function unpaidStatus({ isProcessing, needsAction }: Pick<Money, 'isProcessing' | 'needsAction'>): OrderStatus {
  if (isProcessing) return 'approved';
  return needsAction ? 'action-req' : 'pending';
}

interface Follow {
  order: Order;
  /** Payments of the order, after the change. */
  payments: readonly Payment[];
  /** The payment that changed, and its status before. */
  changed: Payment;
  before: Payment['status'];
  config: Pick<Config, 'latePayment' | 'payWithin' | 'invoices' | 'languages'>;
  canRetake: boolean;
  entry: Entry;
}

/**
 * Lets an order follow its money, in the transaction that changed a payment at a gateway and has locked the order.
 * @throws {SoldOut} if places that were given up are taken; the transaction must be rolled back and run again without
 *   `canRetake`
 */
export async function followMoney(db: Database, follow: Follow): Promise<void> {
  const { order, payments, changed, before, config, entry } = follow;
  const open = openOf(payments);
  const consequence = consequenceOf(
    order,
    {
      settled: settledOf(payments),
      // Money that a bank leaves after a dispute had arrived before: staff decide about it.
      arrived: changed.status === 'paid' && !isMade({ status: before }) ? changed.amount - changed.refunded : 0,
      kept: keptOf(await findChargesOfOrder(db, order.id)),
      isLost: changed.status === 'lost',
      isProcessing: open.some(({ status }) => status === 'processing'),
      needsAction: open.some(({ status }) => status === 'action'),
    },
    { late: config.latePayment, canRetake: follow.canRetake },
  );
  if (consequence.refund > 0)
    await requestRefunds(db, [changed], {
      amount: consequence.refund,
      entry: { ...entry, source: consequence.reason },
    });
  const { to } = consequence;
  if (to === undefined) await enqueueCorrection(db, { orderId: order.id, now: entry.now });
  else
    await changeStatus(db, {
      orderId: order.id,
      to,
      isMoneyBooked: true,
      invoices: config.invoices,
      ...(isCountedStatus(to) && to !== 'completed' && { expires: expiryAfter(order, { before, config, entry }) }),
      userId: entry.userId,
      now: entry.now,
    });
  if (changed.status === 'lost') await keepWhatIsLeft(db, follow);
}

/** Reduces the kept money of an order without places to the amount that a bank has left. */
async function keepWhatIsLeft(db: Database, { order: { id }, payments, config, entry }: Follow): Promise<void> {
  const order = await findOrder(db, id);
  if (!order || isCountedStatus(order.status)) return;
  const kept = keptOf(await findChargesOfOrder(db, id));
  const lost = kept - Math.max(0, settledOf(payments));
  if (lost > 0) await creditOrder(db, order, { amount: lost, config, now: entry.now });
}

/** Completes an unpaid order whose total has fallen to the money received. */
export async function completeIfPaid(
  db: Database,
  orderId: number,
  by: Pick<Transition, 'userId' | 'now' | 'invoices'>,
): Promise<void> {
  const order = await findOrder(db, orderId);
  if (!order || !isUnpaid(order.status) || order.total === 0) return;
  if (settledOf(await findPaymentsOfOrder(db, orderId)) < order.total) return;
  await changeStatus(db, { orderId, to: 'completed', isMoneyBooked: true, ...by });
}

/**
 * End of the time to pay of an unpaid order. It stays while money is on its way; a customer whose bank refused it after
 * days may try again.
 */
function expiryAfter(
  order: Order,
  { before, config, entry }: Pick<Follow, 'before' | 'config' | 'entry'>,
): LocalTime | null {
  const { expires_utc: expires } = order;
  const again = addSeconds(toUtc(entry.now), config.payWithin * 60);
  return expires !== null && before === 'processing' && expires < again ? again : expires;
}
