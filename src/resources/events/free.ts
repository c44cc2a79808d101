import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { FREE_WORDS } from '../../lib/free.ts';

const ticketsOf = (id: RawBuilder<number>) =>
  sql`tickets AS k WHERE k.event_id = ${id} AND k.is_deleted = 0 AND k.status = 'publish'`;

/** `events.cost` of an event without a cost, as `save.ts` writes it. */
const NO_COST = sql.lit('[]');
const WORDS = FREE_WORDS.map((word) => sql.lit(JSON.stringify([word])));

/** Whether texts have no digit but zero: then all amounts are zero. */
const NOTHING_TO_PAY = sql.join(
  [
    sql`f.cost LIKE '%0%'`,
    ...Array.from({ length: 9 }, (_digit, index) => sql`f.cost NOT LIKE ${sql.lit(`%${index + 1}%`)}`),
  ],
  sql` AND `,
);

/**
 * Condition: an event shows as its `cost` that it is free. As in `costOfTickets`, the prices of its tickets replace its
 * own cost, and without any cost a reply is free; as in `renderCost`, amounts go before words.
 */
export const isFreeEvent = (id: RawBuilder<number>): RawBuilder<SqlBool> => sql`coalesce(
  (SELECT max(k.price) = 0 FROM ${ticketsOf(id)} AND k.provider = 'tc'),
  (SELECT f.cost <> ${NO_COST} AND (lower(f.cost) IN (${sql.join(WORDS)}) OR (${NOTHING_TO_PAY}))
      OR f.cost = ${NO_COST} AND EXISTS (SELECT 1 FROM ${ticketsOf(sql`f.id`)})
    FROM events AS f WHERE f.id = ${id}))`;
