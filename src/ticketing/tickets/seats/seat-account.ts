import { availabilityOf, isShared, type SeatCounts, seatsWithin } from './seats.ts';

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
