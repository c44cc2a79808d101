import type { Database } from '../../db/database.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import { returnSeats, type Seats, takeSeats } from '../seats/seat-counters.ts';
import type { CartItem } from './store.ts';

/** Whether the hold of an item has expired: its seats are free for others, even before they are released. */
export const isExpired = ({ expires_utc }: Pick<CartItem, 'expires_utc'>, now: LocalTime): boolean =>
  expires_utc <= now;

/**
 * Returns the seats that the cart no longer holds, then takes the new ones: in this order, a cart may swap one ticket
 * for another of the same shared seats. Seats of expired holds are taken again, so that a lowered capacity applies to
 * them too.
 */
export async function moveHolds(
  db: Database,
  { before, after, now }: { before: readonly CartItem[]; after: readonly CartItem[]; now: LocalTime },
): Promise<void> {
  const quantityIn = (items: readonly CartItem[], id: number) =>
    items.find(({ ticket_id }) => ticket_id === id)?.quantity ?? 0;
  const live = before.filter((item) => !isExpired(item, now));
  const returned: Seats[] = before.map(({ ticket_id, quantity }) => {
    const stays = Math.min(quantityIn(live, ticket_id), quantityIn(after, ticket_id));
    return { ticket_id, quantity: quantity - stays };
  });
  const taken: Seats[] = after.map(({ ticket_id, quantity }) => ({
    ticket_id,
    quantity: quantity - Math.min(quantity, quantityIn(live, ticket_id)),
  }));
  await returnSeats(db, returned, 'held');
  await takeSeats(db, taken, 'held');
}
