import type { ClientAddress } from './arrival.ts';

/**
 * Limits as requests meet them. They count in the database itself and never in the transaction of a request, so that
 * what was counted stays counted whatever becomes of the request.
 */
export interface Limits {
  checkSecret: CheckSecret;
  countRequest: CountRequest;
}

/** Each kind has counts of its own. */
export type SecretKind = 'account-password' | 'app-password' | 'event-password' | 'check-in-key' | 'security-code';

export interface SecretTry {
  kind: SecretKind;
  /** Id of what the secret opens, when it is one thing. */
  subject?: string;
  secret: string;
  /** What it is compared with, in any form: a right secret is remembered for this. */
  stored: string;
  client: ClientAddress;
  /** Whether even a right secret costs a try, once. */
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

/** Kinds of requests that callers without an account may send only so often. */
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
