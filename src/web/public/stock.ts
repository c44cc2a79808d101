import type { EventBody, TicketBody } from './bodies.ts';
import type { Visit } from './visit.ts';

/** What is worth saying about the places of an event. */
export type Stock = 'sold_out' | 'few_left';

/** Milliseconds for which the places that are left may be shown; the cart tells the truth. */
const STOCK_AGE_MS = 10_000;
/** Places, or per cent of them, that are few. */
const FEW = 10;
const MOST = 100;

/** Which of some events have few places left or none. */
export async function stockOf(visit: Visit, events: readonly EventBody[]): Promise<ReadonlyMap<number, Stock>> {
  const ticketed = events.filter(({ ticketed: providers }) => providers).map(({ id }) => id);
  if (ticketed.length === 0) return new Map();
  const { tickets } = await visit.ask(
    'tickets.list',
    { include_post: ticketed, per_page: MOST },
    {},
    visit.now.getTime() + STOCK_AGE_MS,
  );
  const byEvent = Map.groupBy(tickets, ({ post_id }) => post_id);
  return new Map(
    ticketed.flatMap((id) => {
      const stock = stockOfTickets(byEvent.get(id) ?? []);
      return stock ? [[id, stock] as const] : [];
    }),
  );
}

function stockOfTickets(tickets: readonly TicketBody[]): Stock | undefined {
  if (tickets.length === 0) return undefined;
  const left = tickets.map(({ capacity_details: { available, available_percentage: share } }) => ({
    available,
    share,
  }));
  if (left.every(({ available }) => available === 0)) return 'sold_out';
  const isFew = ({ available, share }: (typeof left)[number]) => available !== -1 && (available <= FEW || share <= FEW);
  return left.every(isFew) ? 'few_left' : undefined;
}
