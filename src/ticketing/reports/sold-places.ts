import { z } from 'zod';
import { eventScope, hasEventRights } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok } from '../../http/core/endpoint.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { ids } from '../../http/input/schemas.ts';
import { testerOf } from '../tickets/event-scope.ts';
import { findSoldPlaces } from '../tickets/store.ts';

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
  responses: { 200: soldSchema },
  errors: ['rest_missing_callback_param', 'rest_forbidden'],
  may: (viewer) => hasEventRights(viewer, 'read_attendees'),
  async handle({ context: { db }, viewer }, { events }) {
    const isReadable = await testerOf(db, eventScope(viewer, 'read_attendees'), events);
    return ok({ events: await findSoldPlaces(db, events.filter(isReadable)) }, PRIVATE_NO_STORE);
  },
});
