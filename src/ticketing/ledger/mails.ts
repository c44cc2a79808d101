import type { Selectable } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { OrdersTable } from '../../db/tables/ticketing.ts';
import type { MailKind } from '../../lib/mail-kinds.ts';
import { queueMail, readdressMails } from '../../platform/mails/outbox.ts';

/** Mails to the customer of an order. */

type MailedOrder = Pick<Selectable<OrdersTable>, 'id' | 'purchaser_email' | 'language' | 'is_mailed'>;

interface CustomerMail {
  kind: MailKind;
  /** By default the order itself. */
  record?: { kind: 'order' | 'refund' | 'payment'; id: number };
  /** Tells mails of one kind about the same record apart. */
  key?: string;
  delay?: number;
  now: Date;
}

/**
 * Writes the mail about an order, or a refund or payment of it, in the transaction of its reason, before statements on
 * seats. Each is written once.
 */
export async function mailCustomer(
  db: Database,
  order: MailedOrder,
  { kind, record = { kind: 'order', id: order.id }, key = `${kind}-${record.id}`, delay, now }: CustomerMail,
): Promise<void> {
  if (order.is_mailed === 0) return;
  await queueMail(db, {
    ...{ kind, key, to: order.purchaser_email, language: order.language, now, delay },
    ...{ record_kind: record.kind, record_id: record.id },
  });
}

/** Readdresses queued mails about an order, its refunds and its payments to the corrected address of the customer. */
export async function readdressCustomer(
  db: Database,
  order: number,
  change: { from: string; to: string },
): Promise<void> {
  const idsIn = async (table: 'refunds' | 'payments') => {
    const rows = await db.query.selectFrom(table).select('id').where('order_id', '=', order).execute();
    return rows.map(({ id }) => id);
  };
  await readdressMails(db, { ...change, kind: 'order', ids: [order] });
  await readdressMails(db, { ...change, kind: 'refund', ids: await idsIn('refunds') });
  await readdressMails(db, { ...change, kind: 'payment', ids: await idsIn('payments') });
}
