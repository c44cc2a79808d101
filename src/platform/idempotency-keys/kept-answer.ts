import { ApiError, type ErrorResponse } from '../../http/core/errors.ts';
import type { CompletedResponse } from '../../http/pipeline/idempotency.ts';
import { type DerivedKeys, seal, unseal } from '../../lib/seal.ts';

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
export function sealAnswer(settled: CompletedResponse, { keys, random, isKnown }: SealOptions): string {
  const sealed = seal(JSON.stringify(contentOf(settled)), keys, random);
  return sealed.length <= (isKnown ? MAX_SIZE : ANONYMOUS_MAX_SIZE) ? sealed : seal('null', keys, random);
}

/**
 * Reads a stored response.
 * @throws {ApiError} idempotency-answer-not-kept
 */
export function unsealAnswer(answer: string, keys: DerivedKeys): CompletedResponse {
  // Written by `sealAnswer` above.
  const kept = JSON.parse(unseal(answer, keys)) as StoredContent;
  if (kept === null) throw new ApiError('idempotency-answer-not-kept');
  const { isError, allow, ...response } = kept;
  return { response: (isError ? { ...response, isError } : response) as CompletedResponse['response'], allow };
}
