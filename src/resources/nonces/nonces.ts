import { z } from 'zod';
import { can } from '../../http/auth.ts';
import { type AnyEndpoint, created, endpoint } from '../../http/endpoint.ts';
import { integer, oneOf } from '../../http/input.ts';
import { utcTime } from '../../http/output.ts';
import { addSeconds, toWall } from '../../lib/dates.ts';
import { findEvent } from '../events/store.ts';
import { mayManageTickets } from '../tickets/rights.ts';
import { insertNonce, NONCE_ACTIONS } from './store.ts';

/** Seconds a token lives. */
const LIFETIME = 12 * 3600;
const NONCE_BYTES = 24;

const create = endpoint({
  namespace: 'tickets',
  methods: ['POST'],
  path: '/nonces',
  name: 'nonces.create',
  summary: 'Get a one-time token for writing a ticket',
  description:
    'It is good for one successful write of the account that asked, for twelve hours. A write that fails leaves it usable.',
  input: {
    action: oneOf('The parameter that the token is for.', NONCE_ACTIONS),
    post_id: integer('Event whose tickets may be written with it; any event when absent.', { min: 1 }),
  },
  required: ['action'],
  body: 'NonceInput',
  answers: {
    201: z
      .object({ action: z.enum(NONCE_ACTIONS), nonce: z.string(), expires: utcTime })
      .meta({ id: 'Nonce', description: 'A token that works once.' }),
  },
  errors: ['rest_missing_callback_param', 'rest_forbidden'],
  async find({ post_id }, { context, viewer }, refuse) {
    if (post_id === undefined) return undefined;
    const event = await findEvent(context.db, post_id);
    // Strangers do not learn which events exist.
    if (!event && can(viewer, 'manage_tickets')) refuse('post_id', { key: 'param.event_unknown' });
    return event;
  },
  may: (viewer, event) =>
    viewer.account !== undefined && (event ? mayManageTickets(viewer, event) : can(viewer, 'manage_tickets')),
  async handle({ context, viewer, now }, { action, post_id = null }) {
    const nonce = context.random(NONCE_BYTES).toString('base64url');
    const expires_utc = addSeconds(toWall(now), LIFETIME);
    const userId = viewer.account?.id ?? 0;
    await context.db.transaction((db) =>
      insertNonce(db, { nonce, userId, action, eventId: post_id, now, expires_utc }),
    );
    return created({ action, nonce, expires: expires_utc }, { 'Cache-Control': 'no-store' });
  },
});

export const nonceEndpoints: AnyEndpoint[] = [create];
