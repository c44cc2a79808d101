import type { Database } from '../../db/database.ts';
import { fold } from '../../lib/text/text.ts';
import type { PurchaserChange } from './holder-input.ts';
import { type Order, updatePurchaser } from './store.ts';

/** The text by which the buyer of an order is found. */
export const purchaserKey = ({ name, email }: { name: string; email: string }): string => fold(`${name}\n${email}`);

/** Changes the buyer of an order, in the transaction of the caller. */
export async function changePurchaser(db: Database, order: Order, change: PurchaserChange): Promise<void> {
  const name = change.name ?? order.purchaser_name;
  const email = change.email?.trim() ?? order.purchaser_email;
  const search_text = purchaserKey({ name, email });
  await updatePurchaser(db, order.id, { purchaser_name: name, purchaser_email: email, search_text });
}
