import { z } from 'zod';
import { availabilityOf, isShared, type SeatCounts, seatsWithin, type TightestDate } from '../seats/seats.ts';

/** Reasons why seats are not available. */

/** Seats sold beyond a capacity. */
const excess = (capacity: number | null, { sold, held }: { sold: number; held: number }): number =>
  capacity === null ? 0 : Math.max(0, sold + held - capacity);

/** Limits on the available seats, by the ticket and by the shared seats. */
export function limitsOf(counts: SeatCounts) {
  const { ticket, expired } = counts;
  const taken = { sold: ticket.sold, held: ticket.held - expired.own };
  if (!isShared(ticket.mode)) return { blocked_by_others: 0, over: excess(ticket.capacity, taken), pool: null };
  const { capacity, sold, held } = counts.shared ?? { capacity: 0, sold: 0, held: 0 };
  const shared = { sold, held: held - expired.shared };
  const { available } = availabilityOf(counts);
  const within = seatsWithin(counts);
  const isCapped = ticket.mode === 'capped' && ticket.capacity !== null;
  // A ticket without its own limit may use every shared seat not used by other tickets.
  const ofOthers = capacity === null ? 0 : shared.sold - taken.sold + shared.held - taken.held;
  return {
    blocked_by_others: isCapped ? within.own - available : ofOthers,
    over: isCapped ? excess(ticket.capacity, taken) : excess(capacity, shared),
    pool: {
      capacity: capacity ?? -1,
      ...shared,
      available,
      blocked_by_cap: capacity === null ? 0 : within.shared - available,
      over: excess(capacity, shared),
    },
  };
}

/** Schema of `accountOfPass`. */
export const passSchema = z
  .object({
    id: z.int(),
    tightest: z
      .object({ ticket_id: z.int(), event_id: z.int() })
      .nullable()
      .describe('The date with the fewest places, which limits the others; null if none is sold.'),
  })
  .optional()
  .describe('Only for a series pass.');

/** Account of a series pass in an event: seats left here are not available if another date has fewer. */
export function accountOfPass(
  { available, blocked_by_others }: { available: number; blocked_by_others: number },
  id: number,
  tightest: TightestDate | undefined,
) {
  const pass = { id, tightest: tightest ? { ticket_id: tightest.ticket_id, event_id: tightest.event_id } : null };
  const least = tightest?.available ?? 0;
  if (least < 0) return { available, blocked_by_others, pass };
  if (available < 0) return { available: least, blocked_by_others, pass };
  const lost = Math.max(0, available - least);
  return { available: available - lost, blocked_by_others: blocked_by_others + lost, pass };
}
