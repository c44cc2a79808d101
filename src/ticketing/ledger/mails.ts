import type { Selectable } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { MailKind } from '../../db/platform-tables.ts';
import type { OrdersTable } from '../../db/ticketing-tables.ts';
import { queueMail } from '../../platform/mails/outbox.ts';

/** Mails to the customer of an order. */

type MailedOrder = Pick<Selectable<OrdersTable>, 'id' | 'purchaser_email' | 'language' | 'is_mailed'>;

/**
 * Writes the mail about an order or a refund of it, in the transaction of its reason, before statements on seats. Each is
 * written once.
 */
export async function mailCustomer(
  db: Database,
  order: MailedOrder,
  { kind, refundId, delay, now }: { kind: MailKind; refundId?: number; delay?: number; now: Date },
): Promise<void> {
  if (order.is_mailed === 0) return;
  const record_id = refundId ?? order.id;
  await queueMail(db, {
    ...{ kind, key: `${kind}-${record_id}`, to: order.purchaser_email, language: order.language, now, delay },
    record_kind: refundId === undefined ? 'order' : 'refund',
    record_id,
  });
}
