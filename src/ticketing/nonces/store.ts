import type { Database } from '../../db/database.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { secretHash } from '../../lib/hash.ts';

/** The actions of one-time tokens, which are also the names of their parameters. */
export const NONCE_ACTIONS = ['add_ticket_nonce', 'edit_ticket_nonce', 'remove_ticket_nonce'] as const;
export type NonceAction = (typeof NONCE_ACTIONS)[number];

interface NewNonce {
  nonce: string;
  userId: number;
  action: NonceAction;
  /** null: valid for tickets of any event. */
  eventId: number | null;
  now: Date;
  expires_utc: string;
}

/** Stores the hash of a new token, and removes expired ones. */
export async function insertNonce(db: Database, { nonce, userId, action, eventId, now, expires_utc }: NewNonce) {
  await db.query.deleteFrom('nonces').where('expires_utc', '<=', toUtc(now)).execute();
  await db.query
    .insertInto('nonces')
    .values({ hash: secretHash(nonce), user_id: userId, action, event_id: eventId, expires_utc })
    .execute();
}

export interface NonceUse {
  nonce: string;
  userId: number;
  action: NonceAction;
  eventId: number;
  now: Date;
}

/** Whether a token would be accepted, without consuming it. */
export async function isGoodNonce(db: Database, use: NonceUse): Promise<boolean> {
  const found = await db.query
    .selectFrom('nonces')
    .select('event_id')
    .where('hash', '=', secretHash(use.nonce))
    .where('user_id', '=', use.userId)
    .where('action', '=', use.action)
    .where('expires_utc', '>', toUtc(use.now))
    .executeTakeFirst();
  return found !== undefined && (found.event_id === null || found.event_id === use.eventId);
}

/**
 * Consumes a token in the transaction of its write, so that a failed write leaves it valid. Of two writes with the same
 * token only one deletes the row; the other gets false.
 */
export async function consumeNonce(db: Database, use: NonceUse): Promise<boolean> {
  const { userId, action, eventId, now } = use;
  const consumed = await db.query
    .deleteFrom('nonces')
    .where('hash', '=', secretHash(use.nonce))
    .where('user_id', '=', userId)
    .where('action', '=', action)
    .where((eb) => eb.or([eb('event_id', 'is', null), eb('event_id', '=', eventId)]))
    .where('expires_utc', '>', toUtc(now))
    .returning('hash')
    .executeTakeFirst();
  return consumed !== undefined;
}
