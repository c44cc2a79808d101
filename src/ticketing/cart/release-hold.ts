import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { eventScope, forbidden, hasEventRights } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { integer } from '../../http/input/schemas.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { returnSeats } from '../seats/seat-counters.ts';
import { testerOf } from '../tickets/event-scope.ts';
import { isExpired } from './holds.ts';
import { claimItems, lockCartById } from './store.ts';

const releasedSchema = z
  .object({
    id: z.int(),
    tickets: z.array(z.object({ ticket_id: z.int(), event_id: z.int(), places: z.int() })),
  })
  .meta({ id: 'ReleasedHold', description: 'Places released from a cart.' });

export const releaseHoldEndpoint: AnyEndpoint = endpoint({
  namespace: 'admin',
  methods: ['DELETE'],
  path: '/holds/{id}',
  name: 'holds.release',
  summary: 'Release the places held by a cart',
  description:
    'All places of the cart become available at once, as if the hold had expired; its visitor gets the same message. `GET /events/{id}/stock` has the ids.',
  input: { id: integer('Id of the hold.', { min: 1 }) },
  required: ['id'],
  responses: { 200: releasedSchema },
  errors: ['rest_forbidden', 'hold-not-found'],
  may: (viewer) => hasEventRights(viewer, 'manage_attendees'),
  async handle(ctx, { id }) {
    const tickets = await ctx.context.db.transaction((db) => releaseHold(db, id, ctx));
    return ok({ id, tickets });
  },
});

/**
 * Takes all items from a cart and returns their seats. The cart itself stays, so that its visitor learns that the hold
 * has expired. A concurrent checkout of the same cart comes before or after, since both lock it first. All of its places
 * must be of events that the viewer manages.
 */
async function releaseHold(db: Database, cartId: number, { viewer, now }: RequestContext) {
  const scope = eventScope(viewer, 'manage_attendees');
  // Viewers who manage some events must not learn which holds exist.
  const missing = () => (scope === 'all' ? new ApiError('hold-not-found') : forbidden(viewer));
  if (!(await lockCartById(db, cartId))) throw missing();
  const items = await claimItems(db, cartId);
  const isManaged = await testerOf(
    db,
    scope,
    items.map(({ event_id }) => event_id),
  );
  const live = items.filter((item) => !isExpired(item, toUtc(now)));
  if (live.length === 0 || !items.every(({ event_id }) => isManaged(event_id))) throw missing();
  await returnSeats(db, items, 'held');
  return live.map(({ ticket_id, event_id, quantity }) => ({ ticket_id, event_id, places: quantity }));
}
