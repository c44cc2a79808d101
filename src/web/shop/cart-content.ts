import type { Cart, Event } from '../frame/responses.ts';
import type { Visit } from '../frame/visit.ts';

/** Cart with the events of its tickets. */
export interface CartContent {
  cart: Cart;
  events: ReadonlyMap<number, Event>;
}

export async function readCart(visit: Visit): Promise<CartContent> {
  const cart = await visit.ask('cart.read');
  return { cart, events: await eventsOf(visit, cart.tickets) };
}

/** Events of tickets, by id. */
export async function eventsOf(
  { ask }: Visit,
  tickets: readonly { post_id: number }[],
): Promise<ReadonlyMap<number, Event>> {
  const ids = [...new Set(tickets.map(({ post_id }) => post_id))];
  const { events } =
    ids.length === 0 ? { events: [] } : await ask('events.list', { include: ids, per_page: ids.length });
  return new Map(events.map((event) => [event.id, event]));
}
