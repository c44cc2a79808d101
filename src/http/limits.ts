import type { ClientAddress } from './request-target.ts';

/**
 * Limits that apply to requests. They count outside the transaction of a request, so that counts survive its rollback.
 */
export interface Limits {
  checkSecret: CheckSecret;
  countRequest: CountRequest;
}

/** Each kind is counted separately. */
export type SecretKind = 'account-password' | 'app-password' | 'event-password' | 'check-in-key' | 'security-code';

export interface SecretTry {
  kind: SecretKind;
  /** Id of the record that the secret opens, if it is a single one. */
  subject?: string;
  secret: string;
  /** Stored form of the secret; a correct secret is cached for it. */
  stored: string;
  client: ClientAddress;
  /** Whether even a correct secret counts as an attempt, once. */
  isNeverFree?: boolean;
}

/**
 * Whether a secret is right. The try is counted before it is compared, and past the limit it is not compared at all:
 * the right one is refused too, and tries at the same time do not slip under. One that was right before from the same
 * network is let through, until that network has tried 20 times as many. Never after a transaction of the request has
 * begun.
 * @throws {ApiError} too_many_attempts
 */
export type CheckSecret = (attempt: SecretTry, isRight: () => boolean | Promise<boolean>) => Promise<boolean>;

/** Kinds of requests that are rate-limited for callers without an account. */
export type RequestKind = 'cart-writes' | 'checkouts';

/**
 * Counts a request of a caller without an account. Behind a proxy that nobody declared it counts by cart instead.
 * @param cart hash of the token of the cart
 * @returns headers of the answer
 * @throws {ApiError} too-many-requests
 */
export type CountRequest = (
  kind: RequestKind,
  who: { client: ClientAddress; cart?: string },
) => Promise<Record<string, string>>;
