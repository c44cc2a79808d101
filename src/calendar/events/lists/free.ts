import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { FREE_WORDS } from '../../../lib/free.ts';

type Cost = RawBuilder<string>;

/** As `save.ts` writes it. */
const hasNoCost = (cost: Cost) => sql`${cost} = ${sql.lit('[]')}`;

/** The word for "free" alone, or amounts without any digit but zero: these go before words, as in `renderCost`. */
function saysFree(cost: Cost) {
  const words = FREE_WORDS.map((word) => sql.lit(JSON.stringify([word])));
  const digits = Array.from({ length: 9 }, (_digit, index) => sql`${cost} NOT LIKE ${sql.lit(`%${index + 1}%`)}`);
  return sql`lower(${cost}) IN (${sql.join(words)})
    OR (${cost} LIKE ${sql.lit('%0%')} AND ${sql.join(digits, sql` AND `)})`;
}

/** The highest price of an event's tickets; -1 with replies only, and -2 without tickets. */
const highestPrice = (id: RawBuilder<number>) => sql`coalesce((
  SELECT max(CASE k.provider WHEN 'tc' THEN k.price ELSE -1 END) FROM tickets AS k
  WHERE k.event_id = ${id} AND k.is_deleted = 0 AND k.status = 'publish'), -2)`;

/**
 * Condition: an event shows as its `cost` that it is free. As in `costOfTickets`, the prices of its tickets replace its
 * own cost, and without any cost a reply is free.
 */
export const isFreeEvent = (id: RawBuilder<number>, cost: Cost): RawBuilder<SqlBool> => sql`CASE ${highestPrice(id)}
  WHEN 0 THEN TRUE
  WHEN -1 THEN ${hasNoCost(cost)} OR ${saysFree(cost)}
  WHEN -2 THEN ${saysFree(cost)}
  ELSE FALSE END`;
