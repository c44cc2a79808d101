import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { FREE_WORDS } from '../../../lib/free.ts';

type Cost = RawBuilder<string>;

/** The stored form of no cost, see `save.ts`. */
const hasNoCost = (cost: Cost) => sql`${cost} = ${sql.lit('[]')}`;

/** The word for "free" alone, or amounts without any digit but zero: amounts precede words, as in `renderCost`. */
function saysFree(cost: Cost) {
  const words = FREE_WORDS.map((word) => sql.lit(JSON.stringify([word])));
  const digits = Array.from({ length: 9 }, (_digit, index) => sql`${cost} NOT LIKE ${sql.lit(`%${index + 1}%`)}`);
  return sql`lower(${cost}) IN (${sql.join(words)})
    OR (${cost} LIKE ${sql.lit('%0%')} AND ${sql.join(digits, sql` AND `)})`;
}

/** Highest price of an event's tickets; -1 with RSVPs only, and -2 without tickets. */
const highestPrice = (id: RawBuilder<number>) => sql`coalesce((
  SELECT max(CASE k.provider WHEN 'tc' THEN k.price ELSE -1 END) FROM tickets AS k
  WHERE k.event_id = ${id} AND k.is_deleted = 0 AND k.status = 'publish'), -2)`;

/**
 * Condition: the displayed `cost` of an event is free. As in `costOfTickets`, the prices of its tickets replace its own
 * cost, and RSVPs are free unless the event has a cost.
 */
export const isFreeEvent = (id: RawBuilder<number>, cost: Cost): RawBuilder<SqlBool> => sql`CASE ${highestPrice(id)}
  WHEN 0 THEN TRUE
  WHEN -1 THEN ${hasNoCost(cost)} OR ${saysFree(cost)}
  WHEN -2 THEN ${saysFree(cost)}
  ELSE FALSE END`;
