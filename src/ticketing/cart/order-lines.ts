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
  holders: readonly HolderEntry[];
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
  const holdersOf = Map.groupBy(input.holders, ({ ticket_id }) => ticket_id);
  const lines = input.items.flatMap((item) => {
    const ticket = input.tickets.get(item.ticket_id);
    const holders = holdersOf.get(item.ticket_id) ?? [];
    holdersOf.delete(item.ticket_id);
    if (holders.length > item.quantity) throw invalidParam('attendees', 'param.cart_attendees');
    const attendees = Array.from({ length: item.quantity }, (_, seat) => holderAt(input, item, { holders, seat }));
    const price = ticket && chosenPrice(ticket, { chosen: item.chosen_price, day });
    return ticket && price !== undefined ? [{ ticket, price, attendees }] : [];
  });
  if (holdersOf.size > 0) throw invalidParam('attendees', 'param.cart_attendees');
  return lines;
}

function holderAt(
  { purchaser, meta }: OrderLinesInput,
  item: CartItem,
  { holders, seat }: { holders: readonly HolderEntry[]; seat: number },
): HolderData {
  const holder = holders[seat];
  return {
    full_name: holder?.full_name?.trim() || purchaser.name,
    email: holder?.email ?? purchaser.email,
    optout: holder?.optout ?? item.optout,
    information: holder?.information ?? meta[item.ticket_id]?.[seat] ?? {},
  };
}
