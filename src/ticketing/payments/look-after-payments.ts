import { sql } from 'kysely';
import type { Context } from '../../base/context.ts';
import { addSeconds, type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { OPEN_STATUSES } from '../ledger/payment-statuses.ts';
import { hasOpenPayment } from '../ledger/payments.ts';
import { enqueueRefund } from '../ledger/refunds.ts';
import { isUnpaidExpired } from '../orders/unpaid-expiry.ts';
import { enqueueCheck } from './check-payment.ts';

const BATCH = 100;
/** Seconds after which an open payment is looked at for the first time, and again. */
const FIRST_LOOK = 600;
const NEXT_LOOK = 3600;

/** Whether the last look was long ago. One in the future was before a clock was corrected. */
const isLookDue = (utc: LocalTime) =>
  sql<boolean>`(checked_utc <= ${addSeconds(utc, -NEXT_LOOK)} OR checked_utc > ${utc})`;

const isOpen = sql<boolean>`status IN (${sql.join(OPEN_STATUSES.map((status) => sql.lit(status)))})`;

/**
 * Asks gateways about payments whose orders have expired, about those that have been open for long (a webhook may have
 * been lost), and about refunds under way. Safe to run in several processes at once.
 */
export async function lookAfterPayments(context: Context): Promise<void> {
  const { config, db, now } = context;
  const moment = now();
  const utc = toUtc(moment);
  const due = await db.query
    .selectFrom('payments')
    .select('id')
    .where('order_id', 'in', ({ selectFrom }) =>
      selectFrom('orders')
        .select('orders.id')
        .where((eb) => isUnpaidExpired(eb, utc, config.orderHold))
        .where(hasOpenPayment),
    )
    .where(isOpen)
    .orderBy('checked_utc')
    .limit(BATCH)
    .execute();
  const open = await db.query
    .selectFrom('payments')
    .select('id')
    .where(isOpen)
    .where('created_utc', '<=', addSeconds(utc, -FIRST_LOOK))
    .where(isLookDue(utc))
    .where(({ or, eb }) => or([eb('external_id', 'is not', null), eb('request', '<>', '')]))
    .orderBy('checked_utc')
    .limit(BATCH)
    .execute();
  for (const { id } of due) await enqueueCheck(db, { id, source: 'deadline', now: moment });
  for (const { id } of open) await enqueueCheck(db, { id, source: 'look', now: moment });
  const refunds = await db.query
    .selectFrom('refunds')
    .select(['id', 'order_id'])
    .where(sql<boolean>`status IN ('requested', 'pending')`)
    .where(isLookDue(utc))
    .orderBy('checked_utc')
    .limit(BATCH)
    .execute();
  for (const refund of refunds) await enqueueRefund(db, refund, { now: moment });
}
