import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { CompletedResponse } from '../../http/pipeline/idempotency.ts';
import { deriveKeys } from '../../lib/seal.ts';
import { sealResponse, unsealResponse } from './run-once.ts';

const KIB = 1024;
const keys = deriveKeys('key', 'scope');

/** A response of slightly more than this many characters of Base64. */
const answerOf = (size: number): CompletedResponse => ({
  response: { status: 201, body: { noise: randomBytes(Math.floor((size * 3) / 8)).toString('hex') } },
  allow: ['GET'],
});

describe('a stored response', () => {
  it.each([
    { who: 'an account', isKnown: true, size: 230 * KIB },
    { who: 'a visitor', isKnown: false, size: 6 * KIB },
  ])('of $who is read unchanged', ({ isKnown, size }) => {
    const settled = answerOf(size);
    const sealed = sealResponse(settled, { keys, random: randomBytes, isKnown });
    expect(unsealResponse(sealed, keys)).toEqual(settled);
  });

  it.each([
    { who: 'an account', isKnown: true, size: 257 * KIB },
    { who: 'a visitor', isKnown: false, size: 9 * KIB },
  ])('of $who becomes a note when it is too large', ({ isKnown, size }) => {
    const sealed = sealResponse(answerOf(2 * size), { keys, random: randomBytes, isKnown });
    expect(sealed.length).toBeLessThan(100);
    expect(() => unsealResponse(sealed, keys)).toThrow('idempotency-answer-not-kept');
  });
});
