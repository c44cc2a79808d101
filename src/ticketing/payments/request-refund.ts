import type { Database } from '../../db/database.ts';
import { ApiError } from '../../http/core/errors.ts';
import { formatMoney, type MoneyFormat, siteMoney } from '../../lib/money/money.ts';
import { differenceByRate, shareByRate } from '../../lib/money/rate-parts.ts';
import { logChanges } from '../../platform/audit/log.ts';
import { auditedAttendee } from '../attendees/audited.ts';
import { findAttendeesOfOrder } from '../attendees/store.ts';
import {
  findChargesOfOrder,
  findPaymentsOfOrder,
  keptOf,
  openOf,
  type Payment,
  refundableOf,
} from '../ledger/payments.ts';
import { NothingLeft, requestRefunds } from '../ledger/refunds.ts';
import { cancellationRefused } from '../orders/cancellation.ts';
import { changeStatus } from '../orders/change-status.ts';
import { completeIfPaid } from '../orders/follow-money.ts';
import { owedOf } from '../orders/money-view.ts';
import { cancelSeats, findCancellable } from '../orders/staff/cancel-seats.ts';
import type { OrderActionContext } from '../orders/staff/order-action.ts';
import { addCharges, creditOrder, keepOfOrder, placesLeft } from '../orders/staff-charges.ts';
import { mayBecome } from '../orders/statuses.ts';
import { findItems, findOrder, type Order } from '../orders/store.ts';
import { isCountedStatus } from '../seats/seats.ts';

export interface RefundWish {
  /** Minor units; by default the price of the places, or everything. */
  amount?: number;
  /** Ids of attendees whose places are cancelled; absent for all, or with an amount alone for none. */
  attendees?: readonly number[];
  /** Whether all places are cancelled, also with an amount. */
  all?: boolean;
  reason?: string;
  /** Origin of the refund in the ledger; by default `staff`. */
  source?: string;
}

/**
 * Gives money of an order back, in the transaction of `runOrderAction`: for single places, for all, or an amount with no
 * place. Afterwards the lines of the order add up to the money that is kept.
 * @throws {ApiError} payment-open, refund-not-allowed, order-not-cancellable
 * @throws {InvalidParams} for attendees of other orders
 */
export async function refundOrder(
  db: Database,
  order: Order,
  wish: RefundWish,
  ctx: OrderActionContext,
): Promise<void> {
  const payments = await findPaymentsOfOrder(db, order.id);
  if (openOf(payments).length > 0) throw new ApiError('payment-open');
  const settled = refundableOf(payments);
  const refuse = () => tooMuch(settled, siteMoney(ctx.context.config, order.currency));
  if (settled <= 0) throw refuse();
  const { places, isAll } = await choosePlaces(db, order, wish, ctx.now);
  // Their money may be given back as an amount.
  const areGone = places.length === 0 && !isAll && wish.amount === undefined;
  if (areGone) throw cancellationRefused('status');
  const price = isAll ? settled : places.reduce((sum, place) => sum + place.price, 0);
  const amount = wish.amount ?? Math.min(price, settled);
  if (amount > settled || (places.length > 0 && amount > price)) throw refuse();
  const entry = { source: wish.source ?? 'staff', userId: ctx.viewer.account?.id ?? 0, now: ctx.now };
  const attendees = places.map(({ id }) => id);
  try {
    if (amount > 0) await requestRefunds(db, payments, { amount, reason: wish.reason, attendees, entry });
  } catch (error) {
    throw error instanceof NothingLeft ? refuse() : error;
  }
  const change = { amount, price, settled };
  if (isAll) await refundAll(db, order, change, ctx);
  else if (places.length > 0) await refundPlaces(db, order, { ...change, attendees, reason: wish.reason }, ctx);
  else await creditBeyond(db, order, { amount, payments }, ctx);
}

/**
 * Reduces what an order costs by money given back beyond what was owed, as for places cancelled before.
 * @param payments of the order, before the refund
 */
export async function creditBeyond(
  db: Database,
  order: Order,
  { amount, payments }: { amount: number; payments: readonly Payment[] },
  { context: { config }, now }: Pick<OrderActionContext, 'context' | 'now'>,
): Promise<void> {
  const charges = await findChargesOfOrder(db, order.id);
  const beyond = Math.max(0, amount - Math.max(0, owedOf(order, { payments, charges })));
  await creditOrder(db, order, { amount: beyond, config, now });
}

/** Refusal of a refund of more than is left, in minor units. */
export const tooMuch = (left: number, format: MoneyFormat): ApiError =>
  new ApiError('refund-not-allowed', { data: { left }, values: { left: formatMoney(left, format) } });

/** The places that a refund cancels; `isAll` if none is left. */
async function choosePlaces(db: Database, order: Order, { attendees, amount, all }: RefundWish, now: Date) {
  if (all || !attendees) return { places: [], isAll: all || amount === undefined };
  const { open, chosen: places } = await findCancellable(db, order, { attendees, now });
  return { places, isAll: places.length > 0 && places.length === open.length };
}

interface Amounts {
  /** Minor units given back, price of the cancelled places, and money of the order before. */
  amount: number;
  price: number;
  settled: number;
}

async function refundAll(
  db: Database,
  order: Order,
  { amount, settled }: Amounts,
  ctx: OrderActionContext,
): Promise<void> {
  const isSettled = !isCountedStatus(order.status) && keptOf(await findChargesOfOrder(db, order.id)) >= settled;
  await keepOfOrder(db, order, { amount: settled - amount, isSettled, config: ctx.context.config, now: ctx.now });
  // The places of a final order are gone already.
  const to = amount > 0 ? 'refunded' : 'voided';
  if (!mayBecome(order.status, to)) return;
  const places = (await findAttendeesOfOrder(db, order.id)).filter(({ status }) => status === 'publish');
  const records = places.map(({ id }) => ({ kind: auditedAttendee, id }));
  await logChanges(db, ctx.actor, records, () =>
    changeStatus(db, {
      orderId: order.id,
      to,
      isMoneyBooked: true,
      userId: ctx.viewer.account?.id ?? 0,
      now: ctx.now,
    }),
  );
}

async function refundPlaces(
  db: Database,
  order: Order,
  { amount, price, settled, attendees, reason }: Amounts & { attendees: readonly number[]; reason: string | undefined },
  ctx: OrderActionContext,
): Promise<void> {
  const before = placesLeft(await findItems(db, order.id));
  await cancelSeats(db, order, { attendees, reason }, ctx);
  const circumstances = { config: ctx.context.config, now: ctx.now };
  const kept = Math.min(price, settled) - amount;
  const cancelled = differenceByRate(before, placesLeft(await findItems(db, order.id)));
  await addCharges(db, order, { kind: 'kept', parts: shareByRate(kept, cancelled), ...circumstances });
  // Money given back before for these places is no longer owed, unless their cancellation has settled it.
  const { total } = (await findOrder(db, order.id)) ?? order;
  const due = order.total - price + kept;
  await creditOrder(db, order, { amount: Math.min(0, amount + kept - price + total - due), ...circumstances });
  await completeIfPaid(db, order.id, {
    userId: ctx.viewer.account?.id ?? 0,
    invoices: ctx.context.config.invoices,
    now: ctx.now,
  });
}
