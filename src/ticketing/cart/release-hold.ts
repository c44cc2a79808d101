import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { can } from '../../http/core/auth.ts';
import { type AnyEndpoint, endpoint, ok } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { integer } from '../../http/input/schemas.ts';
import { type LocalTime, toUtc } from '../../lib/dates/dates.ts';
import { returnSeats } from '../tickets/seats/stock.ts';
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
  answers: { 200: releasedSchema },
  errors: ['rest_forbidden', 'hold-not-found'],
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle({ context, now }, { id }) {
    const tickets = await context.db.transaction((db) => releaseHold(db, id, toUtc(now)));
    return ok({ id, tickets });
  },
});

/**
 * Takes all items from a cart and returns their seats. The cart itself stays, so that its visitor learns that the hold
 * has expired. A concurrent checkout of the same cart comes before or after, since both lock it first.
 */
async function releaseHold(db: Database, cartId: number, now: LocalTime) {
  if (!(await lockCartById(db, cartId))) throw new ApiError('hold-not-found');
  const items = await claimItems(db, cartId);
  const live = items.filter((item) => !isExpired(item, now));
  if (live.length === 0) throw new ApiError('hold-not-found');
  await returnSeats(db, items, 'held');
  return live.map(({ ticket_id, event_id, quantity }) => ({ ticket_id, event_id, places: quantity }));
}
