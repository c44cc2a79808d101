import type { Database } from '../../db/database.ts';
import { secretHash } from '../../lib/hash.ts';
import { canonicalAddress } from '../../lib/text/email.ts';
import type { Promotion, PromotionRefusal } from './promotion-rules.ts';

/**
 * Uses of promotions, counted like seats: each order has one. The counter of a promotion changes before the seats of the
 * order, so that all sales lock in the same order: promotions, tickets, shared seats of events.
 */

/** Finds a promotion by the key of its code. */
export const findPromotionByKey = (db: Database, key: string): Promise<Promotion | undefined> =>
  db.query.selectFrom('promotions').selectAll().where('code_key', '=', key).executeTakeFirst();

/** Key under which the orders of a customer count. */
const customerKey = (email: string): string => secretHash(canonicalAddress(email));

/**
 * Takes a use of a promotion, in the transaction of the sale and before its seats. The order that gets it is then
 * recorded by `recordUse`.
 * @returns the refusal if there is no use left; the transaction must then be rolled back
 */
export async function takeUse(
  db: Database,
  { id, max_per_buyer }: Promotion,
  email: string,
): Promise<PromotionRefusal | undefined> {
  const taken = await db.query
    .updateTable('promotions')
    .set((eb) => ({ used: eb('used', '+', 1) }))
    .where('id', '=', id)
    .where((eb) => eb.or([eb('max_uses', 'is', null), eb('used', '<', eb.ref('max_uses'))]))
    .returning('id')
    .executeTakeFirst();
  if (!taken) return 'used-up';
  if (max_per_buyer === null) return undefined;
  // The row of the promotion is locked, so that no other order of the customer is placed meanwhile.
  const { uses } = await db.query
    .selectFrom('promotion_uses')
    .select((eb) => eb.fn.countAll<number>().as('uses'))
    .where('promotion_id', '=', id)
    .where('buyer', '=', customerKey(email))
    .executeTakeFirstOrThrow();
  return Number(uses) >= max_per_buyer ? 'customer' : undefined;
}

interface Use {
  order_id: number;
  promotion_id: number;
  email: string;
}

/** Records the order of a use that was taken. */
export async function recordUse(db: Database, { order_id, promotion_id, email }: Use): Promise<void> {
  await db.query
    .insertInto('promotion_uses')
    .values({ order_id, promotion_id, buyer: customerKey(email) })
    .execute();
}

/** Returns the use of an order that is given up without having been paid. */
export async function returnUse(db: Database, orderId: number): Promise<void> {
  const returned = await db.query
    .deleteFrom('promotion_uses')
    .where('order_id', '=', orderId)
    .returning('promotion_id')
    .executeTakeFirst();
  if (!returned) return;
  await db.query
    .updateTable('promotions')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('id', '=', returned.promotion_id)
    .execute();
}

/**
 * Takes a use again for an order that regains its seats, even beyond the maximum: its customer was promised the price.
 */
export async function retakeUse(db: Database, use: Use): Promise<void> {
  const taken = await db.query
    .updateTable('promotions')
    .set((eb) => ({ used: eb('used', '+', 1) }))
    .where('id', '=', use.promotion_id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('promotion_uses').select('order_id').where('order_id', '=', use.order_id))),
    )
    .returning('id')
    .executeTakeFirst();
  if (taken) await recordUse(db, use);
}
