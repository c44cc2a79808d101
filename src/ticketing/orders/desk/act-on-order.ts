import type { Database } from '../../../db/database.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { checkRevision } from '../../../http/core/revisions.ts';
import { logChange } from '../../../platform/audit/log.ts';
import { type Attendee, findAttendeesOfOrder } from '../../attendees/store.ts';
import { seatsLeft } from '../../tickets/seats/seats.ts';
import { SoldOut, withExpiredReleased } from '../../tickets/seats/stock.ts';
import { auditedOrder } from '../audited.ts';
import { findItems, findLog, findOrder, type Order, type OrderItem, type OrderLogEntry } from '../store.ts';

/** All displayed data of an order. */
export interface OrderRows {
  order: Order;
  items: OrderItem[];
  attendees: Attendee[];
  log: OrderLogEntry[];
}

/** An order before and after an action. */
export interface ActedOn {
  before: OrderRows;
  after: OrderRows;
}

/** @throws {ApiError} order-not-found */
export async function getOrderRows(db: Database, id: number): Promise<OrderRows> {
  const order = await findOrder(db, id);
  if (!order) throw new ApiError('order-not-found');
  return {
    order,
    items: await findItems(db, id),
    attendees: await findAttendeesOfOrder(db, id),
    log: await findLog(db, id),
  };
}

/** Ends the transaction of a dry run, which must change nothing. */
class Previewed extends Error {
  readonly acted: ActedOn;
  constructor(acted: ActedOn) {
    super('previewed');
    this.acted = acted;
  }
}

interface ActOptions {
  id: number;
  /** Whether the action is rolled back afterwards: a dry run performs it, so that its result cannot differ. */
  isDryRun: boolean;
}

/**
 * Performs an action on an order, all or nothing, while no other request changes the order.
 * @param act works in the given transaction, on the current order; may throw `SoldOut`
 * @throws {ApiError} order-not-found, tec-tc-insufficient-stock
 * @throws {OutdatedRevision}
 */
export async function actOnOrder(
  ctx: RequestContext,
  { id, isDryRun }: ActOptions,
  act: (db: Database, order: Order) => Promise<void>,
): Promise<ActedOn> {
  const { db } = ctx.context;
  const work = async (trx: Database) => {
    await trx.dialect.lockRow(trx, { table: 'orders', id });
    const before = await getOrderRows(trx, id);
    checkRevision(ctx, before.order);
    await logChange(trx, ctx.actor, { kind: auditedOrder, id }, () => act(trx, before.order));
    const acted = { before, after: await getOrderRows(trx, id) };
    if (isDryRun) throw new Previewed(acted);
    return acted;
  };
  try {
    return await withExpiredReleased(db, ctx.now, () => db.transaction(work));
  } catch (error) {
    if (error instanceof Previewed) return error.acted;
    throw await stockErrorOf(error, ctx);
  }
}

/** Turns a lack of seats into the error with the number left; returns any other error unchanged. */
export async function stockErrorOf(error: unknown, { context, now }: RequestContext): Promise<unknown> {
  if (!(error instanceof SoldOut)) return error;
  const available = await seatsLeft(context.db, error.ticketId, now);
  return new ApiError('tec-tc-insufficient-stock', { data: { ticket_id: error.ticketId, available } });
}
