import type { Database } from '../../db/database.ts';
import type { LocalTime } from '../../lib/dates.ts';
import { returnSeats, type Seats, takeSeats } from '../tickets/stock.ts';
import type { CartItem } from './store.ts';

/**
 * Gives back what the cart no longer holds and takes what is new, giving first: within shared places a cart may swap
 * one ticket for another. Places past their time are taken anew, so that a lowered capacity holds for them too.
 */
export async function moveHolds(
  db: Database,
  { before, after, now }: { before: readonly CartItem[]; after: readonly CartItem[]; now: LocalTime },
): Promise<void> {
  const quantityIn = (items: readonly CartItem[], id: number) =>
    items.find(({ ticket_id }) => ticket_id === id)?.quantity ?? 0;
  const live = before.filter(({ expires_utc }) => expires_utc > now);
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
