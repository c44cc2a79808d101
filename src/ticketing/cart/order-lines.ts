import { invalidParam } from '../../http/core/errors.ts';
import { type LocalTime, localDay } from '../../lib/dates/dates.ts';
import type { HolderData } from '../attendees/new-attendee.ts';
import type { ListedItem } from '../orders/create-order.ts';
import type { Ticket } from '../tickets/store.ts';
import { chosenPrice } from '../tickets/store.ts';
import type { HolderEntry } from './input.ts';
import type { CartItem, CartMeta } from './store.ts';

export interface Customer {
  name: string;
  email: string;
}

export interface OrderLinesInput {
  items: readonly CartItem[];
  /** All tickets of the items. */
  tickets: ReadonlyMap<number, Ticket>;
  meta: CartMeta;
  purchaser: Customer;
  guests: readonly HolderEntry[];
}

/**
 * The lines of the order: the chosen or today's price of each ticket, and the holder of each seat.
 * @throws {InvalidParams} for holders without a seat
 */
export function orderItemsOf(
  input: OrderLinesInput,
  { now, timezone }: { now: LocalTime; timezone: string },
): ListedItem[] {
  const day = localDay(now, timezone);
  const guestsOf = Map.groupBy(input.guests, ({ ticket_id }) => ticket_id);
  const lines = input.items.flatMap((item) => {
    const ticket = input.tickets.get(item.ticket_id);
    const guests = guestsOf.get(item.ticket_id) ?? [];
    guestsOf.delete(item.ticket_id);
    if (guests.length > item.quantity) throw invalidParam('attendees', 'param.cart_attendees');
    const attendees = Array.from({ length: item.quantity }, (_, seat) => guestAt(input, item, { guests, seat }));
    const price = ticket && chosenPrice(ticket, { chosen: item.chosen_price, day });
    return ticket && price !== undefined ? [{ ticket, price, attendees }] : [];
  });
  if (guestsOf.size > 0) throw invalidParam('attendees', 'param.cart_attendees');
  return lines;
}

function guestAt(
  { purchaser, meta }: OrderLinesInput,
  item: CartItem,
  { guests, seat }: { guests: readonly HolderEntry[]; seat: number },
): HolderData {
  const guest = guests[seat];
  return {
    full_name: guest?.full_name?.trim() || purchaser.name,
    email: guest?.email ?? purchaser.email,
    optout: guest?.optout ?? item.optout,
    information: guest?.information ?? meta[item.ticket_id]?.[seat] ?? {},
  };
}
