import type { ClientAddress } from './client-address.ts';

/** Limits on requests. Counts are kept outside the transaction of a request, so that they survive its rollback. */
export interface Limits {
  checkSecret: CheckSecret;
  countRequest: CountRequest;
  countRefusal: CountRefusal;
}

/** Each kind is counted separately. */
export type SecretKind =
  | 'account-password'
  | 'app-password'
  | 'event-password'
  | 'check-in-key'
  | 'security-code'
  | 'second-factor';

export interface SecretTry {
  kind: SecretKind;
  /** Id of the record that the secret unlocks, if it is a single one. */
  subject?: string;
  secret: string;
  /** Stored form of the secret; a correct secret is cached for it. */
  stored: string;
  client: ClientAddress;
  /** Whether even a correct secret counts as an attempt, once. */
  isNeverFree?: boolean;
  /** Whether a correct secret is spent by its check, so that it is neither cached nor shared. */
  isSpent?: boolean;
}

/**
 * Whether a secret is correct. Attempts are counted before they are compared, so concurrent ones cannot slip under the
 * limit; past it even the correct secret is refused. A secret that was correct before from the same network stays
 * accepted until that network has made 20 times as many attempts. Must not be called within a transaction.
 * @throws {ApiError} too_many_attempts
 */
export type CheckSecret = (attempt: SecretTry, isRight: () => boolean | Promise<boolean>) => Promise<boolean>;

/** Kinds of requests that are rate-limited for callers without an account. */
export type RequestKind = 'cart-writes' | 'checkouts' | 'heavy-reads';

/**
 * Counts a request of a caller without an account: by network, or by cart behind an undeclared proxy.
 * Must not be called within a transaction.
 * @param cart hash of the token of the cart
 * @param points what the request counts for, 1 unless given
 * @returns headers of the answer
 * @throws {ApiError} too-many-requests
 */
export type CountRequest = (
  kind: RequestKind,
  who: { client: ClientAddress; cart?: string; points?: number },
) => Promise<Record<string, string>>;

/** Limits whose refusals are counted for organizers. */
export type RefusedKind = 'free-places';

/** Counts a refusal of today, so that organizers see that a limit bites. Must not be called within a transaction. */
export type CountRefusal = (kind: RefusedKind) => Promise<void>;
