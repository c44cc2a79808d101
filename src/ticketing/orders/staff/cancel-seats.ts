import type { Database } from '../../../db/database.ts';
import { updateUnlessEdited } from '../../../db/guarded-update.ts';
import { ApiError, invalidParam } from '../../../http/core/errors.ts';
import { type LocalTime, toUtc } from '../../../lib/dates/dates.ts';
import { logChanges } from '../../../platform/audit/log.ts';
import { auditedAttendee } from '../../attendees/audited.ts';
import { mailCancelledHolders } from '../../attendees/holder-mails.ts';
import { findPassAttendees } from '../../attendees/pass-attendees.ts';
import { type Attendee, findAttendeesOfOrder } from '../../attendees/store.ts';
import { mailCustomer } from '../../ledger/mails.ts';
import { findPaymentsOfOrder, openOf } from '../../ledger/payments.ts';
import { returnSeats, seatsOf } from '../../seats/seat-counters.ts';
import { isCountedStatus } from '../../seats/seats.ts';
import { cancellationRefused } from '../cancellation.ts';
import { changeStatus } from '../change-status.ts';
import { logStep } from '../order-log.ts';
import { creditOrder } from '../staff-charges.ts';
import { CANCELLED_SEAT, isUnpaid } from '../statuses.ts';
import { findItems, findOrder, type Order, taxOfPlaces } from '../store.ts';
import type { OrderActionContext } from './order-action.ts';

interface CancelledPlaces {
  /** Ids of attendees of the order. */
  attendees: readonly number[];
  reason?: string;
}

/**
 * Cancels seats of an order in the transaction of `runOrderAction`: their attendees are archived for good and the seats
 * returned. An order without any other seat becomes `voided`. Cancelled seats stay cancelled. For a series pass, all
 * coming seats that are not used are cancelled.
 * @throws {ApiError} order-not-cancellable
 * @throws {InvalidParams} for attendees of other orders
 */
export async function cancelSeats(
  db: Database,
  order: Order,
  { attendees: ids, reason }: CancelledPlaces,
  ctx: OrderActionContext,
): Promise<void> {
  const { open, chosen } = await findCancellable(db, order, { attendees: ids, now: ctx.now });
  if (chosen.length === 0) return;
  if (!isCountedStatus(order.status)) throw cancellationRefused('status');
  if (isUnpaid(order.status) && openOf(await findPaymentsOfOrder(db, order.id)).length > 0)
    throw new ApiError('payment-open');
  const by = { userId: ctx.viewer.account?.id ?? 0, now: ctx.now };
  const records = chosen.map(({ id }) => ({ kind: auditedAttendee, id }));
  await logChanges(db, ctx.actor, records, () =>
    chosen.length === open.length
      ? changeStatus(db, { orderId: order.id, to: 'voided', unlessCheckedIn: true, ...by })
      : cancelSome(db, order, chosen, ctx),
  );
  const amount = chosen.reduce((sum, { price }) => sum + price, 0);
  const current = (await findOrder(db, order.id)) ?? order;
  const details = { attendees: chosen.map(({ id }) => id), amount, ...(reason !== undefined && { reason }) };
  await logStep(db, current, { action: 'places', details, ...by });
}

/**
 * The attendees of an order that a cancellation of some would cancel, and all that are left.
 * @throws {ApiError} order-not-cancellable if they are checked in
 * @throws {InvalidParams} for attendees of other orders
 */
export async function findCancellable(
  db: Database,
  { id: orderId }: Order,
  { attendees, now }: { attendees: readonly number[]; now: Date },
): Promise<{ open: Attendee[]; chosen: Attendee[] }> {
  const all = await findAttendeesOfOrder(db, orderId);
  const wanted = new Set(attendees);
  if (all.filter(({ id }) => wanted.has(id)).length < wanted.size) throw invalidParam('attendees', 'param.holders');
  const open = all.filter(({ status }) => status === 'publish');
  const chosen = await withPasses(db, open, { wanted, now: toUtc(now) });
  if (chosen.length === 0 && open.some(({ id }) => wanted.has(id))) throw cancellationRefused('checked-in');
  return { open, chosen };
}

/** The wanted attendees, and of each series pass the coming ones that are not checked in. */
async function withPasses(
  db: Database,
  open: readonly Attendee[],
  { wanted, now }: { wanted: ReadonlySet<number>; now: LocalTime },
): Promise<Attendee[]> {
  const passes = new Set(open.filter(({ id }) => wanted.has(id)).flatMap(({ pass_id }) => pass_id ?? []));
  const coming = [...(await findPassAttendees(db, [...passes])).values()]
    .flat()
    .filter(({ ends, checked_in }) => ends > now && checked_in === 0);
  const ids = new Set(coming.map(({ id }) => id));
  return open.filter(({ id, pass_id }) => (pass_id === null ? wanted.has(id) : ids.has(id)));
}

/** Keeps the time of the last change of the order, which may determine when it expires. */
async function cancelSome(
  db: Database,
  order: Order,
  chosen: readonly Attendee[],
  { context: { config }, now }: OrderActionContext,
): Promise<void> {
  const rows = await db.query
    .updateTable('attendees')
    .set({ attendance_status: CANCELLED_SEAT, status: 'trash' })
    .where(
      'id',
      'in',
      chosen.map(({ id }) => id),
    )
    .where('status', '=', 'publish')
    .where('checked_in', '=', 0)
    .returning(['id', 'ticket_id', 'price'])
    .execute();
  if (rows.length < chosen.length) throw cancellationRefused('checked-in');
  for (const item of await findItems(db, order.id)) {
    const { ticket_id, price } = item;
    const count = rows.filter((row) => row.ticket_id === ticket_id && row.price === price).length;
    if (count === 0) continue;
    await db.query
      .updateTable('order_items')
      .set({ cancelled: item.cancelled + count, tax: item.tax - taxOfPlaces(item, count) })
      .where('order_id', '=', order.id)
      .where('ticket_id', '=', ticket_id)
      .where('price', '=', price)
      .execute();
  }
  const total = order.total - rows.reduce((sum, { price }) => sum + price, 0);
  await updateUnlessEdited(db, 'orders', order, { total });
  // Money given back before for these places is no longer owed: no order costs less than nothing.
  await creditOrder(db, order, { amount: Math.min(0, total), config, now });
  const key = `place_cancelled-${order.id}-places-${rows[0]?.id}`;
  await mailCustomer(db, order, { kind: 'place_cancelled', key, now });
  await mailCancelledHolders(db, chosen, { customer: order.purchaser_email, now });
  await returnSeats(db, seatsOf(rows), 'sold');
}
