import type { Updateable } from 'kysely';
import type { Context } from '../../base/context.ts';
import { withPresentChoices } from '../../base/site-config.ts';
import type { Database } from '../../db/database.ts';
import type { PaymentsTable } from '../../db/tables/ticketing.ts';
import { ApiError } from '../../http/core/errors.ts';
import { addSeconds, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { defineJob, GiveUp, NotYet } from '../../platform/jobs/job.ts';
import { enqueue } from '../../platform/jobs/queue.ts';
import { enqueueCorrection } from '../ledger/invoices.ts';
import { mailCustomer } from '../ledger/mails.ts';
import { isMade, isOpenPayment } from '../ledger/payment-statuses.ts';
import {
  type Entry,
  findPayment,
  findPaymentsOfOrder,
  isOffline,
  movePayment,
  type Payment,
  settledOf,
} from '../ledger/payments.ts';
import { bookReturned } from '../ledger/refunds.ts';
import { changeStatus } from '../orders/change-status.ts';
import { followMoney } from '../orders/follow-money.ts';
import { isUnpaid, mayBecome } from '../orders/statuses.ts';
import { findOrder, type Order } from '../orders/store.ts';
import { expiryOf } from '../orders/unpaid-expiry.ts';
import { SoldOut, withExpiredReleased } from '../seats/seat-counters.ts';
import { isCountedStatus } from '../seats/seats.ts';
import {
  GatewayRefusal,
  type GatewayState,
  GatewayUnavailable,
  type PaymentRequest,
  type StartedPayment,
} from './gateways/gateway.ts';
import { callGateway } from './gateways/gateways.ts';
import { creditBeyond } from './request-refund.ts';

/**
 * The only way in which the server learns the state of a payment: it asks the gateway. A webhook, the return of the
 * customer, the deadline, staff and the periodic look are only reasons to ask.
 */

export type CheckSource =
  | 'webhook'
  | 'return'
  | 'deadline'
  | 'look'
  | 'staff'
  | 'other-payment'
  | 'cancelled'
  | 'customer'
  | 'reconciliation';

const CHECK_JOB = 'payments.check';

/** Checks a payment soon, in the transaction of the reason. */
export const enqueueCheck = (
  db: Database,
  { id, source, now, orderId }: { id: number; source: CheckSource; now: Date; orderId?: number },
): Promise<void> =>
  enqueue(db, {
    kind: CHECK_JOB,
    key: `payment-${id}`,
    payload: { payment: id, source },
    now,
    isAnew: source !== 'look' && source !== 'deadline',
    ...(orderId !== undefined && { record: { kind: 'order', id: orderId } }),
  });

/** Seconds between two attempts while a gateway does not respond. */
const PAUSE = 30;

/** Background job that checks a payment. */
export const checkJob = defineJob<{ payment: number; source: CheckSource }>({
  kind: CHECK_JOB,
  async work(context, { payment, source }) {
    try {
      await checkPayment(await withPresentChoices(context), payment, { source, userId: 0, now: context.now() });
    } catch (error) {
      if (error instanceof GatewayRefusal) throw new GiveUp(error.message);
      if (error instanceof GatewayUnavailable && error.retryAfter !== undefined)
        throw new NotYet(Math.min(3600, Math.max(PAUSE, error.retryAfter)));
      throw error;
    }
    return undefined;
  },
});

/** Minutes after its deadline for which an order waits for a response of the gateway before it gives up its places. */
const PATIENCE = 15;

/** Whether an order may no longer be paid, so that its payments must be ended at their gateways. */
async function mustEnd(order: Order | undefined, { db, config, now }: Context): Promise<boolean> {
  if (!order || !isCountedStatus(order.status)) return true;
  const expires = expiryOf(order, config.orderHold);
  return (expires !== null && expires <= toUtc(now())) || (await hasCancelledEvent(db, order.id));
}

/** Whether an order has a place in a cancelled event. */
export async function hasCancelledEvent({ query }: Database, orderId: number): Promise<boolean> {
  const found = await query
    .selectFrom('attendees')
    .innerJoin('events', 'events.id', 'attendees.event_id')
    .select('attendees.id')
    .where('attendees.order_id', '=', orderId)
    .where('attendees.status', '=', 'publish')
    .where('events.event_status', '=', 'cancelled')
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Asks the gateway for the state of a payment and books it. A payment of an order that may no longer be paid is ended
 * at the gateway first; whatever it then says is booked.
 * @throws {GatewayUnavailable}
 * @throws {GatewayRefusal}
 */
export async function checkPayment(context: Context, id: number, entry: Entry): Promise<void> {
  const payment = await findPayment(context.db, id);
  if (!payment || isOffline(payment)) return;
  const order = await findOrder(context.db, payment.order_id);
  await bookState(context, payment, { entry, isEnded: isOpenPayment(payment) && (await mustEnd(order, context)) });
}

/**
 * Makes a payment impossible at its gateway, unless the money is there or on its way, and books what it says; for staff
 * also another amount than expected.
 * @throws {ApiError} payment-open if it could not be ended
 */
export async function closePayment(context: Context, payment: Payment, entry: Entry): Promise<void> {
  try {
    await bookState(context, payment, { entry, isEnded: true, isAccepted: entry.source === 'staff' });
  } catch (error) {
    if (error instanceof GatewayUnavailable || error instanceof GatewayRefusal) throw new ApiError('payment-open');
    throw error;
  }
  const after = await findPayment(context.db, payment.id);
  if (after && isOpenPayment(after)) throw new ApiError('payment-open');
}

interface Look {
  entry: Entry;
  /** Whether the payment is to be ended at the gateway first. */
  isEnded: boolean;
  /** Whether an amount that differs from the expected one is booked, as staff decide. */
  isAccepted?: boolean;
}

/** Times that a gateway is asked again because the payment changed during its response. */
const REPETITIONS = 3;

async function bookState(context: Context, payment: Payment, look: Look, repetitions = REPETITIONS): Promise<void> {
  const { entry, isEnded } = look;
  await noteLook(context.db, payment.id, entry.now);
  const { external_id: externalId, page_url: pageUrl } = payment;
  const started =
    externalId === null ? await findStarted(context, payment, { entry, isEnded }) : { externalId, pageUrl };
  if (!started) return;
  const state = await askGateway(context, payment, { externalId: started.externalId, isEnded });
  if (await applyState(context, payment, { state, started, ...look })) return;
  // Another check was faster; this response may be older than the one it booked.
  if (repetitions === 0) throw new GatewayUnavailable('the payment changed during each response');
  const current = await findPayment(context.db, payment.id);
  if (current) await bookState(context, current, look, repetitions - 1);
}

/** Notes that a gateway is asked, so that one that does not respond is not asked all the time. */
const noteLook = (db: Database, id: number, now: Date) =>
  db.transaction(({ query }) =>
    query
      .updateTable('payments')
      .set({ checked_utc: toUtc(now) })
      .where('id', '=', id)
      .execute(),
  );

/**
 * The state of a payment at its gateway. An open one that the gateway does not know, as after a change of account,
 * failed.
 */
async function askGateway(
  context: Context,
  payment: Payment,
  { externalId, isEnded }: { externalId: string; isEnded: boolean },
): Promise<GatewayState> {
  try {
    return await callGateway(context, payment.gateway, (gateway) =>
      isEnded ? gateway.cancel(context, externalId) : gateway.check(context, externalId),
    );
  } catch (error) {
    if (!(error instanceof GatewayRefusal) || !isOpenPayment(payment)) throw error;
    const { amount, currency, instrument, fee } = payment;
    return { status: 'failed', amount, currency, instrument, fee, returned: 0, reason: error.message };
  }
}

/**
 * Finds a payment at the gateway that was not completely started: its start is repeated, which finds the same page. No
 * customer has its page yet, so it can be ended without the gateway, if it must be.
 */
async function findStarted(
  context: Context,
  payment: Payment,
  { entry, isEnded }: Pick<Look, 'entry' | 'isEnded'>,
): Promise<StartedPayment | undefined> {
  if (payment.status !== 'created') return undefined;
  if (payment.request !== '') {
    // Written by start-payment.ts.
    const request = JSON.parse(payment.request) as PaymentRequest;
    try {
      return await callGateway(context, payment.gateway, (gateway) => gateway.start(context, request));
    } catch (error) {
      if (error instanceof GatewayUnavailable && isEnded) {
        await endUnseen(context.db, payment, entry);
        return undefined;
      }
      if (!(error instanceof GatewayRefusal)) throw error;
      const failed = { ...entry, details: { reason: error.message } };
      await context.db.transaction((db) =>
        movePayment(db, payment, { to: 'failed', entry: failed, change: { request: '' } }),
      );
      return undefined;
    }
  }
  if (isEnded) await endUnseen(context.db, payment, entry);
  return undefined;
}

/**
 * Ends a payment whose page no customer has: a request that is still on its way to the gateway finds it ended, and
 * gives its page to no customer.
 */
export const endUnseen = (db: Database, payment: Payment, entry: Entry): Promise<boolean> =>
  db.transaction((trx) => movePayment(trx, payment, { to: 'cancelled', entry, change: { request: '' } }));

interface Applied extends Pick<Look, 'entry' | 'isAccepted'> {
  state: GatewayState;
  started: StartedPayment;
}

/**
 * Books a state of a payment, and lets its order follow. If places that were given up are taken, the money goes back
 * instead.
 * @param asked the payment as it was before the gateway was asked
 * @returns false if the payment has changed since
 */
async function applyState(context: Context, asked: Payment, applied: Applied): Promise<boolean> {
  const { db } = context;
  const apply = (canRetake: boolean) =>
    db.transaction((trx) => applyIn(trx, context, { asked, canRetake, ...applied }));
  try {
    return await withExpiredReleased(db, applied.entry.now, () => apply(true));
  } catch (error) {
    if (!(error instanceof SoldOut)) throw error;
    return await apply(false);
  }
}

async function applyIn(
  db: Database,
  context: Context,
  { asked, canRetake, state, started, entry, isAccepted = false }: Applied & { asked: Payment; canRetake: boolean },
): Promise<boolean> {
  const { id } = asked;
  await db.dialect.lockRow(db, { table: 'orders', id: asked.order_id });
  const [payment, order] = [await findPayment(db, id), await findOrder(db, asked.order_id)];
  if (!payment || !order) return true;
  if (payment.status !== asked.status || payment.refunded !== asked.refunded) return false;
  const mismatch = mismatchOf(payment, state);
  const status = mismatch ? statusOfMismatch(payment, { state, isAccepted }) : state.status;
  const known = knownFacts(payment, { state, started, checked: toUtc(entry.now) });
  if (status === payment.status) {
    await db.query.updateTable('payments').set(known).where('id', '=', id).execute();
    if (status === 'paid') await followReturned(db, context, { order, payment, state, entry });
    return true;
  }
  const details = { ...mismatch, ...(state.reason !== '' && { reason: state.reason.slice(0, 200) }) };
  const change = { ...known, ...(mismatch && status === state.status && { amount: state.amount }) };
  const isMoved = await movePayment(db, payment, { to: status, entry: { ...entry, details }, change });
  if (!isMoved) {
    await db.query
      .updateTable('payments')
      .set({ checked_utc: toUtc(entry.now) })
      .where('id', '=', id)
      .execute();
    return true;
  }
  if (status === 'failed' && isUnpaid(order.status))
    await mailCustomer(db, order, { kind: 'payment_failed', record: { kind: 'payment', id }, now: entry.now });
  const payments = await findPaymentsOfOrder(db, order.id);
  const changed = payments.find((one) => one.id === id);
  if (!changed) return true;
  await followMoney(db, { order, payments, changed, before: payment.status, config: context.config, canRetake, entry });
  if (status === 'paid') await followReturned(db, context, { order, payment: changed, state, entry });
  return true;
}

interface Returned extends Pick<Applied, 'state' | 'entry'> {
  order: Order;
  payment: Payment;
}

/** Books what went back at the gateway without a refund of ours: by its account, or by a bank that took a part back. */
async function followReturned(db: Database, context: Context, { order, payment, state, entry }: Returned) {
  const current = await findPayment(db, payment.id);
  if (!current) return;
  const amount = Math.min(state.returned - current.refunded, current.amount - current.refunded);
  const payments = await findPaymentsOfOrder(db, order.id);
  if (amount <= 0 || !(await bookReturned(db, current, { amount, entry }))) return;
  const isAll = settledOf(await findPaymentsOfOrder(db, order.id)) === 0;
  const present = await findOrder(db, order.id);
  if (!present) return;
  const { userId, now } = entry;
  if (isAll && isCountedStatus(present.status) && mayBecome(present.status, 'refunded'))
    await changeStatus(db, { orderId: order.id, to: 'refunded', isMoneyBooked: true, userId, now });
  else {
    await enqueueCorrection(db, { orderId: order.id, now });
    await creditBeyond(db, present, { amount, payments }, { context, now });
  }
}

/** Amounts that differ from what was asked for never pay an order: staff decide. */
function mismatchOf(payment: Payment, state: GatewayState): Record<string, string | number> | undefined {
  const isOnItsWay = state.status === 'processing';
  if (!isMade(state) && !isOnItsWay) return undefined;
  if (state.amount === payment.amount && state.currency === payment.currency) return undefined;
  return {
    expected: payment.amount,
    received: state.amount,
    ...(state.currency !== payment.currency && { currency: state.currency }),
  };
}

/**
 * Staff accept another amount by ending the payment; money in another currency is theirs to deal with at the gateway.
 */
function statusOfMismatch(
  payment: Payment,
  { state, isAccepted }: { state: GatewayState; isAccepted: boolean },
): GatewayState['status'] {
  if (!isAccepted) return 'action';
  return state.currency === payment.currency ? state.status : 'failed';
}

const knownFacts = (
  payment: Payment,
  { state, started, checked }: { state: GatewayState; started: StartedPayment; checked: LocalTime },
): Updateable<PaymentsTable> => ({
  external_id: started.externalId,
  page_url: started.pageUrl,
  request: '',
  checked_utc: checked,
  instrument: state.instrument.slice(0, 100) || payment.instrument,
  fee: state.fee ?? payment.fee,
});

/** Whether an order with an open payment has waited long enough for its gateway. */
export const patienceEnds = (now: LocalTime): LocalTime => addSeconds(now, -PATIENCE * 60);
