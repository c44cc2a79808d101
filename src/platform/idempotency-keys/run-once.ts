import { deferCommit } from '../../db/deferred-commit.ts';
import type { HandlerContext } from '../../http/core/endpoint.ts';
import { ApiError, type ErrorCode, type ErrorResponse } from '../../http/core/errors.ts';
import { withoutSecrets } from '../../http/core/shown-once.ts';
import type { CompletedResponse, HandleOnce, KeyedWrite } from '../../http/pipeline/idempotency.ts';
import { networkOf } from '../../lib/addresses.ts';
import { secondsBetween, toUtc } from '../../lib/dates/dates.ts';
import { type DerivedKeys, deriveKeys, fingerprintOf, seal, unseal } from '../../lib/seal.ts';
import { type AuthMethod, type SignedIn, signedInOf } from '../users/sign-in/credentials.ts';
import { visitorOf } from '../users/visitor-token.ts';
import { CLAIMED, type Claim, claimKey, releaseClaim, renewClaim, saveResponse } from './store.ts';

/** Milliseconds between renewals of a claim: two in a row may fail. */
const RENEWAL = (CLAIMED * 1000) / 3;
const OWNER_BYTES = 16;

interface Attempt {
  write: KeyedWrite;
  claim: Claim;
  keys: DerivedKeys;
  /** Whether the client presented a verified credential. */
  isKnown: boolean;
}

type Work = (ctx: HandlerContext) => Promise<CompletedResponse>;

/**
 * Runs a write with an `Idempotency-Key` once. The key is claimed in a transaction of its own, so that other requests
 * see it; the response is stored in the transaction that does the work, so that both are stored or neither is. A
 * request that has lost its claim cannot commit.
 */
export const handleOnce: HandleOnce = async (write, work) => {
  const { context } = write.ctx;
  const { name, isKnown } = keyScopeOf(write.ctx);
  const keys = deriveKeys(write.key, JSON.stringify([name, write.operation]));
  const owner = context.random(OWNER_BYTES).toString('hex');
  const claim = { hash: keys.id, fingerprint: fingerprintOf(write.asked, keys), owner };
  const clock = () => toUtc(context.now());
  const known = await claimKey(context.db, claim, clock);
  if (known) {
    if (known.fingerprint !== claim.fingerprint) throw new ApiError('idempotency-key-reused');
    if (known.answer === '') throw inProgress(secondsBetween(clock(), known.expires_utc));
    return unsealResponse(known.answer, keys);
  }
  const renewal = renewPeriodically(() => renewClaim(context.db, claim, clock));
  try {
    const attempt = { write, claim, keys, isKnown };
    return await (write.isAtomic ? workAtomically(attempt, work) : workAndRecord(attempt, work));
  } catch (error) {
    // If the database is unreachable, the claim expires by itself.
    await releaseClaim(context.db, claim).catch(() => undefined);
    throw error;
  } finally {
    renewal.stop();
  }
};

/** One renewal at a time: pending ones would pile up at a slow database. */
function renewPeriodically(renew: () => Promise<void>): { stop(): void } {
  let isRenewing = false;
  const timer = setInterval(async () => {
    if (isRenewing) return;
    isRenewing = true;
    await renew().catch(() => undefined);
    isRenewing = false;
  }, RENEWAL);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** @param seconds until the claim expires, unless its process renews it */
const inProgress = (seconds: number) =>
  new ApiError('request-in-progress', { headers: { 'Retry-After': String(Math.max(1, seconds)) } });

async function workAtomically(attempt: Attempt, work: Work): Promise<CompletedResponse> {
  const { ctx } = attempt.write;
  const deferred = deferCommit(ctx.context.db);
  const settled = await work({ ...ctx, context: { ...ctx.context, db: deferred.db } }).catch(async (error) => {
    await deferred.rollback();
    throw error;
  });
  if (isRefusal(settled)) {
    await deferred.rollback();
    return storeOrRelease(attempt, settled);
  }
  await deferred.commit(async (trx) => {
    if (!(await storeResponse(attempt, settled, trx))) throw inProgress(CLAIMED);
  });
  return settled;
}

const workAndRecord = async (attempt: Attempt, work: Work): Promise<CompletedResponse> =>
  storeOrRelease(attempt, await work(attempt.write.ctx));

/** Stores the response to committed work, or releases the key. The response is valid even if this fails. */
async function storeOrRelease(attempt: Attempt, settled: CompletedResponse): Promise<CompletedResponse> {
  const { db, log } = attempt.write.ctx.context;
  try {
    if (isStored(attempt, settled)) await storeResponse(attempt, settled, db);
    else await releaseClaim(db, attempt.claim);
  } catch (err) {
    log.warn({ err }, 'the response to a request with an Idempotency-Key was not kept');
  }
  return settled;
}

function storeResponse(
  { write, claim, keys, isKnown }: Attempt,
  settled: CompletedResponse,
  db: HandlerContext['context']['db'],
): Promise<boolean> {
  const { random, now } = write.ctx.context;
  const kept = { ...settled, response: withoutSecrets(settled.response, write.secrets) };
  return saveResponse(db, claim, { answer: sealResponse(kept, { keys, random, isKnown }), now: toUtc(now()) });
}

const isRefusal = ({ response }: CompletedResponse): boolean => 'isError' in response;

/** Conflicts and rate limits, like server errors: a retry may succeed. */
const PASSING = [409, 429];

/** The same request may succeed after re-authentication. */
const isConfirmable = (response: CompletedResponse['response']): boolean =>
  'isError' in response && response.body.code === ('confirmation-required' satisfies ErrorCode);

/**
 * Refusals change nothing, so they need not be stored; clients without credentials could fill the table with them for
 * free.
 */
function isStored({ isKnown }: Attempt, { response }: CompletedResponse): boolean {
  const { status = 200 } = response;
  if (status < 400) return true;
  return isKnown && status < 500 && !PASSING.includes(status) && !isConfirmable(response);
}

interface KeyScope {
  /** Namespace of the keys, separate from other scopes. */
  name: string;
  /** Whether the credential was verified. */
  isKnown: boolean;
}

/**
 * Scope of an idempotency key: an account with certain rights, a check-in key, a cart, or a network address. The same
 * account with other rights has another scope: a stored response must not show data that it may no longer see. Clients
 * without credentials share no scope, since a response may contain a cart.
 */
function keyScopeOf(ctx: HandlerContext): KeyScope {
  const { key } = ctx.viewer;
  const viewer = signedInOf(ctx.viewer);
  const names = [viewer && accountName(viewer), key && `check-in key ${key.id ?? 'of the settings'}`];
  const known = names.filter((name) => name !== undefined);
  if (known.length > 0) return { name: known.join(' with '), isKnown: true };
  const { tokenHash } = visitorOf(ctx);
  const name = tokenHash === undefined ? `network ${networkOf(ctx.client.address)}` : `cart ${tokenHash}`;
  return { name, isKnown: false };
}

const accountName = ({ account, means }: SignedIn): string =>
  `account ${account.id} ${account.role} ${rightsOf(means)}`;

/** The part of a sign-in that determines its rights besides the role: people may do things that programs may not. */
function rightsOf(means: AuthMethod): string {
  if (means.kind === 'token') return `token ${means.scopes.toSorted().join()}`;
  return means.kind === 'app-password' ? 'app-password' : 'person';
}

/**
 * Maximum size of a stored response, in characters of Base64. Enough for an order of some hundred seats by a client
 * without credentials, who could fill the table.
 */
const MAX_SIZE = 256 * 1024;
const ANONYMOUS_MAX_SIZE = 8 * 1024;

/** Stored form of a response; null when it is too large or not JSON. */
type StoredContent =
  | (Pick<ErrorResponse, 'status' | 'headers'> & { body: unknown; isError: boolean; allow: CompletedResponse['allow'] })
  | null;

const contentOf = ({ response, allow }: CompletedResponse): StoredContent => {
  if ('raw' in response && response.raw) return null;
  const { status = 200, body, headers } = response;
  return { status, body, headers, isError: 'isError' in response, allow };
};

interface SealOptions {
  keys: DerivedKeys;
  random: (bytes: number) => Buffer;
  /** Whether the client presented a verified credential. */
  isKnown: boolean;
}

/** Seals a response for storage. */
export function sealResponse(settled: CompletedResponse, { keys, random, isKnown }: SealOptions): string {
  const sealed = seal(JSON.stringify(contentOf(settled)), keys, random);
  return sealed.length <= (isKnown ? MAX_SIZE : ANONYMOUS_MAX_SIZE) ? sealed : seal('null', keys, random);
}

/**
 * Reads a stored response.
 * @throws {ApiError} idempotency-answer-not-kept
 */
export function unsealResponse(answer: string, keys: DerivedKeys): CompletedResponse {
  // Written by `sealResponse` above.
  const kept = JSON.parse(unseal(answer, keys)) as StoredContent;
  if (kept === null) throw new ApiError('idempotency-answer-not-kept');
  const { isError, allow, ...response } = kept;
  return { response: (isError ? { ...response, isError } : response) as CompletedResponse['response'], allow };
}
