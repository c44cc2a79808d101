import { z } from 'zod';
import { type Event, findEvent } from '../../calendar/events/store.ts';
import { can, mayManageSomeTickets, mayManageTickets, type Viewer } from '../../http/core/auth.ts';
import { type AnyEndpoint, created, endpoint } from '../../http/core/endpoint.ts';
import { integer, oneOf } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import { insertNonce, NONCE_ACTIONS } from './store.ts';

/** Lifetime of a token in seconds. */
const LIFETIME = 12 * 3600;
const NONCE_BYTES = 24;

interface Target {
  /** Set if no event is named. The token is then valid for any event, and the write is authorised by its own event. */
  isAny: boolean;
  event?: Event;
}

/** `OPTIONS` has no target. */
function mayGet(viewer: Viewer, target: Target | undefined): boolean {
  if (!target || target.isAny) return mayManageSomeTickets(viewer);
  return target.event !== undefined && mayManageTickets(viewer, target.event);
}

const create = endpoint({
  namespace: 'tickets',
  methods: ['POST'],
  path: '/nonces',
  name: 'nonces.create',
  summary: 'Get a one-time token for writing a ticket',
  description:
    'Valid for twelve hours and one successful write by the same account. A failed write does not use it up.',
  input: {
    action: oneOf('Parameter for which the token is valid.', NONCE_ACTIONS),
    post_id: integer(
      'Event whose tickets the token may change; by default, any event whose tickets the account may manage.',
      { min: 1 },
    ),
  },
  required: ['action'],
  body: 'NonceInput',
  responses: {
    201: z
      .object({ action: z.enum(NONCE_ACTIONS), nonce: z.string(), expires: utcTime })
      .meta({ id: 'Nonce', description: 'A one-time token.' }),
  },
  errors: ['rest_missing_callback_param', 'rest_forbidden'],
  async find({ post_id }, { context, viewer }, addProblem): Promise<Target> {
    if (post_id === undefined) return { isAny: true };
    const event = await findEvent(context.db, post_id);
    // Visitors must not learn which events exist.
    if (!event && can(viewer, 'manage_tickets')) addProblem('post_id', { key: 'param.event_unknown' });
    return { isAny: false, event };
  },
  may: (viewer, target) => viewer.account !== undefined && mayGet(viewer, target),
  async handle({ context, viewer, now }, { action, post_id = null }) {
    const nonce = context.random(NONCE_BYTES).toString('base64url');
    const expires_utc = addSeconds(toUtc(now), LIFETIME);
    const userId = viewer.account?.id ?? 0;
    await context.db.transaction((db) =>
      insertNonce(db, { nonce, userId, action, eventId: post_id, now, expires_utc }),
    );
    return created({ action, nonce, expires: expires_utc }, { 'Cache-Control': 'no-store' });
  },
});

export const nonceEndpoints: AnyEndpoint[] = [create];
