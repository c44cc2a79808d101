import type { Database } from '../../db/database.ts';
import { addSeconds, type LocalTime } from '../../lib/dates/dates.ts';

/**
 * Seconds until a claim expires after its process has ended. If a claim expires because its process is slow, the work
 * of the request is lost: it can no longer commit (docs/adr/0020-idempotency-keys.md).
 */
export const CLAIMED = 6;
/** Seconds for which a response is stored. */
const RETENTION = 24 * 60 * 60;

/** Claim of a request on a key. */
export interface Claim {
  /** Hash of the key. */
  hash: string;
  /** Fingerprint of the request. */
  fingerprint: string;
  /** Id of the request. */
  owner: string;
}

/** State of a key claimed by another request. */
export interface ClaimedKey {
  fingerprint: string;
  /** Sealed; empty while the request is in progress. */
  answer: string;
  expires_utc: LocalTime;
}

/** Current time, read after the transaction has begun, which may wait for others. */
type Clock = () => LocalTime;

/** Claims a new or expired key; otherwise returns its state. */
export function claimKey(db: Database, claim: Claim, clock: Clock): Promise<ClaimedKey | undefined> {
  return db.transaction(async ({ query }) => {
    const now = clock();
    const fresh = { ...claim, answer: '', expires_utc: addSeconds(now, CLAIMED) };
    const claimed = await query
      .insertInto('idempotency_keys')
      .values(fresh)
      .onConflict((conflict) =>
        conflict.column('hash').doUpdateSet(fresh).where('idempotency_keys.expires_utc', '<=', now),
      )
      .returning('hash')
      .executeTakeFirst();
    if (claimed) return undefined;
    return query
      .selectFrom('idempotency_keys')
      .select(['fingerprint', 'answer', 'expires_utc'])
      .where('hash', '=', claim.hash)
      .executeTakeFirst();
  });
}

/** Renews a claim for its full lifetime. */
export const renewClaim = (db: Database, claim: Claim, clock: Clock): Promise<void> =>
  db.transaction(async ({ query }) => {
    await query
      .updateTable('idempotency_keys')
      .set({ expires_utc: addSeconds(clock(), CLAIMED) })
      .where('hash', '=', claim.hash)
      .where('owner', '=', claim.owner)
      .where('answer', '=', '')
      .execute();
  });

/** Stores the response of a request; false if its claim has expired and been taken over. */
export async function saveResponse(
  db: Database,
  claim: Claim,
  kept: { answer: string; now: LocalTime },
): Promise<boolean> {
  const row = await db.query
    .updateTable('idempotency_keys')
    .set({ answer: kept.answer, expires_utc: addSeconds(kept.now, RETENTION) })
    .where('hash', '=', claim.hash)
    .where('owner', '=', claim.owner)
    .returning('hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** Releases a key, so that the next request with it does the work. */
export async function releaseClaim(db: Database, claim: Claim): Promise<void> {
  await db.query
    .deleteFrom('idempotency_keys')
    .where('hash', '=', claim.hash)
    .where('owner', '=', claim.owner)
    .execute();
}

/** Deletes expired responses and claims. */
export async function removeExpiredResponses(db: Database, now: LocalTime): Promise<void> {
  await db.query.deleteFrom('idempotency_keys').where('expires_utc', '<=', now).execute();
}
