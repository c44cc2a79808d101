import type { EventStock, ShownTicket, Ticket } from '../../../../packages/client/src/marquee-client.ts';

/** Tickets that the box office sells. */

/** Maximum number of places of a ticket in one sale. */
const MOST = 100;

export interface Offer {
  ticket_id: number;
  title: string;
  /** Price of today, in the main unit of the currency. */
  price: number;
  /** Number that can be sold, the same as for the public. */
  available: number;
}

export type Payment = 'cash' | 'card' | 'transfer';
export const PAYMENTS: readonly Payment[] = ['cash', 'card', 'transfer'];

/** Places by ticket. */
export type Choice = Readonly<Record<number, number>>;

/** The tickets of an event that are sold, without RSVPs. */
export function offersOf(tickets: readonly ShownTicket[], stock: EventStock): Offer[] {
  const left = new Map(stock.tickets.map(({ ticket_id, available }) => [ticket_id, available]));
  return tickets
    .filter((ticket): ticket is Ticket => ticket.provider === 'tc' && ticket.status === 'publish')
    .map((ticket) => {
      const available = left.get(ticket.id) ?? 0;
      return {
        ticket_id: ticket.id,
        title: ticket.title,
        price: priceOf(ticket),
        available: available < 0 ? MOST : Math.min(MOST, available),
      };
    });
}

function priceOf({ on_sale, sale_price_data: sale, cost_details }: Ticket): number {
  const reduced = on_sale && !Array.isArray(sale) ? (sale as { sale_price?: unknown }).sale_price : undefined;
  const price = Number(reduced ?? cost_details.values[0] ?? 0);
  return Number.isFinite(price) ? price : 0;
}

/** Items of a sale; tickets with a quantity of zero are left out. */
export const itemsOf = (choice: Choice): { ticket_id: number; quantity: number }[] =>
  Object.entries(choice)
    .filter(([, quantity]) => quantity > 0)
    .map(([id, quantity]) => ({ ticket_id: Number(id), quantity }));

export const placesOf = (choice: Choice): number => Object.values(choice).reduce((sum, one) => sum + one, 0);

/** Price of a choice in the main unit of the currency. The server calculates the amount due. */
export function totalOf(offers: readonly Offer[], choice: Choice): number {
  const cents = offers.reduce(
    (sum, { ticket_id, price }) => sum + Math.round(price * 1000) * (choice[ticket_id] ?? 0),
    0,
  );
  return cents / 1000;
}

/**
 * Idempotency keys of sales: a second press, or a retry after a lost response, repeats the same sale. A different choice
 * is another sale.
 */
export function createSaleKeys(random: () => string) {
  let last = { content: '', key: '' };
  return {
    keyOf(sale: object): string {
      const content = JSON.stringify(sale);
      if (last.content !== content) last = { content, key: random() };
      return last.key;
    },
    /** After a sale, the same choice is the next one. */
    finish(): void {
      last = { content: '', key: '' };
    },
  };
}

interface ListedEvent {
  id: number;
  status: string;
  utc_start_date: string;
  utc_end_date: string;
}

/** Published upcoming events first, the next one at the top; then past ones, the latest first, and drafts; `now` is in UTC. */
export function byCounterOrder<E extends ListedEvent>(events: readonly E[], now: string): E[] {
  const rankOf = ({ status, utc_end_date: end }: E): number => {
    if (status === 'draft' || status === 'pending') return 2;
    return end > now ? 0 : 1;
  };
  const once = [...new Map(events.map((event) => [event.id, event])).values()];
  return once.toSorted((one, other) => {
    const rank = rankOf(one) - rankOf(other);
    if (rank !== 0) return rank;
    const later = one.utc_start_date.localeCompare(other.utc_start_date);
    return rankOf(one) === 1 ? -later : later;
  });
}

/** Change of a cash payment; negative if money is missing. */
export const changeOf = (given: number, total: number): number => Math.round((given - total) * 1000) / 1000;
