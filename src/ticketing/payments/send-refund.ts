import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { defineJob, NotYet } from '../../platform/jobs/job.ts';
import { findPayment, type Payment } from '../ledger/payments.ts';
import { findRefund, moveRefund, REFUND_JOB, type Refund } from '../ledger/refunds.ts';
import { GatewayRefusal, GatewayUnavailable, type RefundRequest, type RefundState } from './gateways/gateway.ts';
import { callGateway, keyAtGateway } from './gateways/gateways.ts';

/** Seconds between two looks at a refund that its gateway is paying. */
const PENDING_PAUSE = 3600;

/** Background job that sends a refund to its gateway, or asks what became of it. Repeating it pays once. */
export const refundJob = defineJob<{ refund: number }>({
  kind: REFUND_JOB,
  async work(context, { refund: id }) {
    const refund = await findRefund(context.db, id);
    if (!refund || refund.status === 'failed' || refund.offline === 1) return undefined;
    const payment = await findPayment(context.db, refund.payment_id);
    if (!payment?.external_id) return undefined;
    await beginLook(context, refund, payment);
    const current = await findRefund(context.db, id);
    if (!current) return undefined;
    const state = await sendRefund(context, current, { ...payment, external_id: payment.external_id });
    const { status: to } = state;
    // A bank may send money back that had arrived; other news about it do not matter.
    if (refund.status === 'done' && to !== 'failed') return undefined;
    const move = {
      to,
      now: context.now(),
      externalId: state.externalId || undefined,
      error: state.reason.slice(0, 200),
    };
    const book = async (db: Database) => void (await moveRefund(db, refund, move));
    if (to !== 'pending') return book;
    // It takes the gateway days; a webhook may end the pause.
    if (refund.status !== 'pending') await context.db.transaction(book);
    throw new NotYet(PENDING_PAUSE);
  },
});

/**
 * Notes that the gateway is asked, and records the name of the refund there before it is first sent: it depends on the
 * secret of the site, which may change.
 */
const beginLook = ({ db, now, ...context }: Context, refund: Refund, payment: Payment): Promise<unknown> => {
  const name = keyAtGateway(context, `refund-${refund.id}`, [payment.id, refund.amount, refund.created_utc]);
  return db.transaction(({ query }) =>
    query
      .updateTable('refunds')
      .set({
        checked_utc: toUtc(now()),
        gateway_key: sql<string>`CASE WHEN gateway_key = '' THEN ${name} ELSE gateway_key END`,
      })
      .where('id', '=', refund.id)
      .execute(),
  );
};

/** A refund as its gateway knows it. */
export const refundRequestOf = (
  refund: Pick<Refund, 'id' | 'amount' | 'gateway_key' | 'external_id'>,
  payment: Pick<Payment, 'currency'> & { external_id: string },
): RefundRequest => ({
  id: refund.id,
  key: refund.gateway_key,
  refundId: refund.external_id ?? undefined,
  externalId: payment.external_id,
  amount: refund.amount,
  currency: payment.currency,
});

/** @throws {GatewayUnavailable} also while the gateway does not know the payment or a refund that it had accepted */
async function sendRefund(
  context: Context,
  refund: Refund,
  payment: Payment & { external_id: string },
): Promise<RefundState> {
  const request = refundRequestOf(refund, payment);
  try {
    // The gateway forgets keys after a day, so it is asked first.
    const known = await findSent(context, payment.gateway, request);
    return known ?? (await callGateway(context, payment.gateway, (gateway) => gateway.refund(context, request)));
  } catch (error) {
    if (error instanceof GatewayRefusal) return { status: 'failed', externalId: '', reason: error.message };
    if (error instanceof GatewayUnavailable && error.retryAfter !== undefined)
      throw new NotYet(Math.min(3600, Math.max(1, error.retryAfter)));
    throw error;
  }
}

/** The state of a refund that was sent before. A refusal to look for it says nothing about the refund. */
async function findSent(context: Context, name: string, request: RefundRequest): Promise<RefundState | undefined> {
  try {
    const state = await callGateway(context, name, (gateway) => gateway.findRefund(context, request));
    if (!state && request.refundId !== undefined)
      throw new GatewayUnavailable(`${name} does not know the refund that it had accepted`);
    return state;
  } catch (error) {
    throw error instanceof GatewayRefusal ? new GatewayUnavailable(error.message) : error;
  }
}
