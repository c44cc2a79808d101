import type { ClientAddress } from './client-address.ts';

/** Limits on requests. Counts are kept outside the transaction of a request, so that they survive its rollback. */
export interface Limits {
  checkSecret: CheckSecret;
  countRequest: CountRequest;
  countRefusal: CountRefusal;
}

/** Kinds of secrets, each counted separately. */
export type SecretKind =
  | 'account-password'
  | 'app-password'
  | 'event-password'
  | 'check-in-key'
  | 'pairing-code'
  | 'security-code'
  | 'second-factor'
  | 'promotion-code';

export interface SecretTry {
  kind: SecretKind;
  /** Id of the record that the secret unlocks, if there is only one. */
  subject?: string;
  secret: string;
  /** Stored form of the secret; a correct secret is cached for it. */
  stored: string;
  client: ClientAddress;
  /** True if even a correct secret counts as an attempt when it is first checked. */
  isNeverFree?: boolean;
  /** True for a single-use secret, whose check is neither cached nor shared. */
  isSpent?: boolean;
}

/**
 * Checks a secret. Attempts are counted before they are compared, so that concurrent ones cannot exceed the limit;
 * beyond it, even the correct secret is refused. A secret that was correct before from the same network remains
 * accepted until that network has made 20 times as many attempts. Must not be called within a transaction.
 * @throws {ApiError} too_many_attempts
 */
export type CheckSecret = (attempt: SecretTry, isRight: () => boolean | Promise<boolean>) => Promise<boolean>;

/** Kinds of requests with a rate limit for visitors. */
export type RequestKind =
  | 'cart-writes'
  | 'checkouts'
  | 'heavy-reads'
  | 'webhook-signatures-by-network'
  | 'ticket-mails'
  | 'all-ticket-mails'
  | 'bounce-addresses-by-network';

/**
 * Counts a request of a visitor: by network, or by cart behind an undeclared proxy. Must not be called within a
 * transaction.
 * @param cart hash of the token of the cart
 * @param points weight of the request, 1 by default
 * @returns headers of the response
 * @throws {ApiError} too-many-requests
 */
export type CountRequest = (
  kind: RequestKind,
  who: { client: ClientAddress; cart?: string; points?: number },
) => Promise<Record<string, string>>;

/** Limits whose refusals are counted for organizers. */
export type RefusedKind = 'free-places';

/**
 * Counts a refusal for today, so that organizers notice the effect of a limit. Must not be called within a transaction.
 */
export type CountRefusal = (kind: RefusedKind) => Promise<void>;
