import { sql } from 'kysely';
import { byIds } from '../../../db/by-ids.ts';
import type { Database } from '../../../db/database.ts';
import { isSharedSql } from './seats.ts';

/** Sold places and capacities of events with tickets; a capacity is -1 if a ticket has no limit. */
export async function findSoldPlaces(db: Database, events: readonly number[]) {
  const rows = await placesOfEvents(db, events);
  return rows.map(({ event_id, sold, own, shared, unlimited }) => ({
    event_id,
    sold: Number(sold),
    capacity: Number(unlimited) > 0 ? -1 : Number(own) + Number(shared ?? 0),
  }));
}

const placesOfEvents = byIds((query, eventIds) =>
  query
    .selectFrom('tickets as t')
    .leftJoin('event_stock as s', 's.event_id', 't.event_id')
    .select(({ fn }) => [
      't.event_id',
      fn.sum<number>('t.sold').as('sold'),
      sql<number>`sum(CASE WHEN ${isSharedSql('t')} THEN 0 ELSE coalesce(t.capacity, 0) END)`.as('own'),
      sql<number | null>`max(CASE WHEN ${isSharedSql('t')} THEN s.capacity END)`.as('shared'),
      sql<number>`sum(CASE WHEN (CASE WHEN ${isSharedSql('t')} THEN s.capacity ELSE t.capacity END) IS NULL
        THEN 1 ELSE 0 END)`.as('unlimited'),
    ])
    .where('t.event_id', 'in', eventIds)
    .where('t.is_deleted', '=', 0)
    .groupBy('t.event_id')
    .orderBy('t.event_id'),
);
