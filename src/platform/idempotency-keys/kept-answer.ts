import { ApiError, type ErrorReply } from '../../http/core/errors.ts';
import type { CompletedReply } from '../../http/pipeline/idempotency.ts';
import { type DerivedKeys, seal, unseal } from '../../lib/seal.ts';

/**
 * Maximum size of an answer in the database, in characters of Base64. For callers without credentials, who could fill
 * it, it is enough for an order of some hundred seats.
 */
const MAX_SIZE = 256 * 1024;
const STRANGERS_MAX_SIZE = 8 * 1024;

/** The stored form of an answer; null when it is too large or not JSON. */
type KeptContent =
  | (Pick<ErrorReply, 'status' | 'headers'> & { body: unknown; isError: boolean; allow: CompletedReply['allow'] })
  | null;

const contentOf = ({ reply, allow }: CompletedReply): KeptContent => {
  if ('raw' in reply && reply.raw) return null;
  const { status = 200, body, headers } = reply;
  return { status, body, headers, isError: 'isError' in reply, allow };
};

interface SealOptions {
  keys: DerivedKeys;
  random: (bytes: number) => Buffer;
  /** Whether the caller presented a credential that was checked. */
  isKnown: boolean;
}

/** An answer in its stored form. */
export function sealAnswer(settled: CompletedReply, { keys, random, isKnown }: SealOptions): string {
  const sealed = seal(JSON.stringify(contentOf(settled)), keys, random);
  return sealed.length <= (isKnown ? MAX_SIZE : STRANGERS_MAX_SIZE) ? sealed : seal('null', keys, random);
}

/**
 * The answer that was kept.
 * @throws {ApiError} idempotency-answer-not-kept
 */
export function unsealAnswer(answer: string, keys: DerivedKeys): CompletedReply {
  // Written by `sealAnswer` above.
  const kept = JSON.parse(unseal(answer, keys)) as KeptContent;
  if (kept === null) throw new ApiError('idempotency-answer-not-kept');
  const { isError, allow, ...reply } = kept;
  return { reply: (isError ? { ...reply, isError } : reply) as CompletedReply['reply'], allow };
}
