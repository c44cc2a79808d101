import { CATEGORIES, ORGANIZERS, VENUES } from './city.ts';
import type { FillCounts } from './fill.ts';
import { type PlannedEvent, programme } from './programme.ts';
import { tagsOf } from './records.ts';
import { offersFor } from './ticket-sales.ts';

/** Days around today that the examples fill: some months of a calendar, created in a second or two. */
const NEAR = { before: 21, after: 70 };
const SEED = 1;

/** Examples around a day, in the quantity of a small town. */
export const examplesOf = (now: Date) => ({ planned: programme({ now, seed: SEED, near: NEAR }), seed: SEED });

export type ExampleCounts = Omit<FillCounts, 'orders' | 'check-ins'>;

/** Predicted effects of a plan. */
export function countsOf(plan: { planned: readonly PlannedEvent[]; seed: number }, now: Date): ExampleCounts {
  const offers = [...offersFor(plan.planned, { seed: plan.seed, now }).offers.values()].flat();
  const size = (records: object) => Object.keys(records).length;
  return {
    events: plan.planned.length,
    venues: size(VENUES),
    organizers: size(ORGANIZERS),
    categories: size(CATEGORIES),
    tags: tagsOf(plan.planned).size,
    images: new Set(plan.planned.flatMap(({ poster }) => poster ?? [])).size,
    tickets: offers.length,
    attendees: offers.reduce((sum, { going, declined }) => sum + going + declined, 0),
  };
}
