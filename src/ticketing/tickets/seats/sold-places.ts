import { sql } from 'kysely';
import { z } from 'zod';
import { byIds } from '../../../db/by-ids.ts';
import type { Database } from '../../../db/database.ts';
import { eventScope, hasEventRights } from '../../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok } from '../../../http/core/endpoint.ts';
import { PRIVATE_NO_STORE } from '../../../http/core/response.ts';
import { ids } from '../../../http/input/schemas.ts';
import { testerOf } from '../event-scope.ts';
import { isSharedSql } from './seats.ts';

const soldSchema = z
  .object({
    events: z.array(
      z.object({
        event_id: z.int(),
        sold: z.int().describe('Places that count: paid, unpaid, or RSVP yes.'),
        capacity: z.int().describe('Places of all its tickets; -1 if any has no limit.'),
      }),
    ),
  })
  .meta({ id: 'SoldPlaces', description: 'Sold places and capacities of events.' });

/** Sold places of several events, for lists. */
export const soldPlacesEndpoint: AnyEndpoint = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/sold-places',
  name: 'sold_places.read',
  summary: 'Read the sold places and capacities of events',
  description: 'Of the events with tickets whose attendees the user may read; shared places count once.',
  input: { events: ids('Ids of the events.') },
  required: ['events'],
  answers: { 200: soldSchema },
  errors: ['rest_missing_callback_param', 'rest_forbidden'],
  may: (viewer) => hasEventRights(viewer, 'read_attendees'),
  async handle({ context: { db }, viewer }, { events }) {
    const isReadable = await testerOf(db, eventScope(viewer, 'read_attendees'), events);
    return ok({ events: await findSoldPlaces(db, events.filter(isReadable)) }, PRIVATE_NO_STORE);
  },
});

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
