import { hash } from 'node:crypto';
import type { Database } from '../db/database.ts';
import type { Call } from '../http/endpoint.ts';
import { ApiError, invalidParam } from '../http/errors.ts';
import { addSeconds, type Wall } from '../lib/dates.ts';

/**
 * Requests that a client may safely send again. The answer is kept in the transaction of what it answers, so either
 * both are there or neither is; an answer that refuses is not kept, and the client may try once more.
 */

/** Seconds an answer is kept. */
const KEPT = 24 * 60 * 60;
const MAX_KEY = 200;

export interface Repeatable {
  /** Whose key it is: keys of others never meet this one. */
  scope: string;
  key: string;
  /** What is asked, as JSON can say it: the same key for something else is refused. */
  asked: unknown;
  /** UTC. */
  now: Wall;
}

export interface Done {
  status: number;
  /** What JSON can say. */
  body: unknown;
}

/**
 * The header `Idempotency-Key` of a request.
 * @throws {InvalidParams} when it is empty or has more than 200 characters
 */
export function idempotencyKeyOf(call: Call): string | undefined {
  const key = call.header('idempotency-key');
  if (key === undefined || (key !== '' && key.length <= MAX_KEY)) return key;
  throw invalidParam('Idempotency-Key', 'param.idempotency_key');
}

/**
 * Runs `work` in a transaction, or gives the answer it gave when the same was asked before. Of several that ask at the
 * same time one works; the others wait on its row and give its answer.
 * @throws {ApiError} idempotency-key-reused
 */
export function once(
  db: Database,
  request: Repeatable | undefined,
  work: (trx: Database) => Promise<Done>,
): Promise<Done> {
  return db.transaction(async (trx) => {
    if (!request) return work(trx);
    const row = hash('sha256', JSON.stringify([request.scope, request.key]), 'hex');
    const fingerprint = hash('sha256', JSON.stringify(request.asked) ?? '', 'hex');
    if (!(await claim(trx, { hash: row, fingerprint, now: request.now }))) return answered(trx, row, fingerprint);
    const done = await work(trx);
    await trx.query
      .updateTable('idempotency_keys')
      .set({ status: done.status, body: JSON.stringify(done.body) })
      .where('hash', '=', row)
      .execute();
    return done;
  });
}

/** Whether the key is ours to use: it is new, or what it was used for is forgotten. */
async function claim(
  db: Database,
  { hash, fingerprint, now }: { hash: string; fingerprint: string; now: Wall },
): Promise<boolean> {
  const fresh = { fingerprint, status: 0, body: '', expires_utc: addSeconds(now, KEPT) };
  const claimed = await db.query
    .insertInto('idempotency_keys')
    .values({ hash, ...fresh })
    .onConflict((conflict) =>
      conflict.column('hash').doUpdateSet(fresh).where('idempotency_keys.expires_utc', '<=', now),
    )
    .returning('hash')
    .executeTakeFirst();
  return claimed !== undefined;
}

async function answered(db: Database, hash: string, fingerprint: string): Promise<Done> {
  const stored = await db.query
    .selectFrom('idempotency_keys')
    .select(['fingerprint', 'status', 'body'])
    .where('hash', '=', hash)
    .executeTakeFirstOrThrow();
  if (stored.fingerprint !== fingerprint) throw new ApiError('idempotency-key-reused');
  return { status: stored.status, body: JSON.parse(stored.body) };
}

/** Forgets the answers whose time is over. */
export async function forgetAnswers(db: Database, now: Wall): Promise<void> {
  await db.query.deleteFrom('idempotency_keys').where('expires_utc', '<=', now).execute();
}
