import type { z } from 'zod';
import type { Database } from '../../../db/database.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { checkRevision } from '../../../http/core/revisions.ts';
import { logChange } from '../../../platform/audit/log.ts';
import { type Attendee, findAttendeesOfOrder } from '../../attendees/store.ts';
import { enqueueCorrection } from '../../ledger/invoices.ts';
import { findChargesOfOrder, findPaymentsOfOrder } from '../../ledger/payments.ts';
import { findRefundsOfOrder } from '../../ledger/refunds.ts';
import { seatErrorOf, withExpiredReleased } from '../../seats/seat-counters.ts';
import { getTranslatedTickets } from '../../tickets/store.ts';
import { auditedOrder } from '../audited.ts';
import type { OrderMoney } from '../money-view.ts';
import { findItems, findLog, getOrder, type Order, type OrderItem, type OrderLogEntry } from '../store.ts';
import { type fullOrderSchema, renderFullOrder } from '../view.ts';

/** All displayed data of an order. */
export interface OrderRows extends OrderMoney {
  order: Order;
  items: OrderItem[];
  attendees: Attendee[];
  log: OrderLogEntry[];
}

/** Circumstances of an action on an order: of a request, or of a job that acts for an account. */
export type OrderActionContext = Pick<RequestContext, 'context' | 'viewer' | 'actor' | 'now' | 'expectedRevisions'>;

/** An order before and after an action. */
export interface OrderActionResult {
  before: OrderRows;
  after: OrderRows;
}

/** @throws {ApiError} order-not-found */
async function getOrderRows(db: Database, id: number): Promise<OrderRows> {
  return {
    order: await getOrder(db, id),
    items: await findItems(db, id),
    attendees: await findAttendeesOfOrder(db, id),
    log: await findLog(db, id),
    payments: await findPaymentsOfOrder(db, id),
    refunds: await findRefundsOfOrder(db, id),
    charges: await findChargesOfOrder(db, id),
  };
}

/**
 * An order as staff see it.
 * @throws {ApiError} order-not-found
 */
export async function showOrder(ctx: RequestContext, id: number): Promise<z.output<typeof fullOrderSchema>> {
  const rows = await getOrderRows(ctx.context.db, id);
  const tickets = await getTranslatedTickets(
    ctx,
    rows.items.map(({ ticket_id }) => ticket_id),
  );
  return renderFullOrder(rows.order, { ...rows, tickets }, ctx);
}

/** Ends the transaction of a dry run, which must change nothing. */
class Previewed extends Error {
  readonly acted: OrderActionResult;
  constructor(acted: OrderActionResult) {
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
export async function runOrderAction(
  ctx: OrderActionContext,
  { id, isDryRun }: ActOptions,
  act: (db: Database, order: Order) => Promise<void>,
): Promise<OrderActionResult> {
  const { db } = ctx.context;
  const work = async (trx: Database) => {
    await trx.dialect.lockRow(trx, { table: 'orders', id });
    const before = await getOrderRows(trx, id);
    checkRevision(ctx, before.order);
    // Before statements on seats; the job waits for the end of the transaction.
    await enqueueCorrection(trx, { orderId: id, now: ctx.now });
    await logChange(trx, ctx.actor, { kind: auditedOrder, id }, () => act(trx, before.order));
    const acted = { before, after: await getOrderRows(trx, id) };
    if (isDryRun) throw new Previewed(acted);
    return acted;
  };
  try {
    return await withExpiredReleased(db, ctx.now, () => db.transaction(work));
  } catch (error) {
    if (error instanceof Previewed) return error.acted;
    throw await seatErrorOf(db, error, ctx.now);
  }
}
