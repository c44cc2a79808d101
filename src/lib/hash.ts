import { createHash, hash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares by digest: neither length nor content of the right text shows in how long it takes. */
export const isSameSecret = (given: string, right: string): boolean => timingSafeEqual(digest(given), digest(right));

/**
 * SHA-256, hexadecimal. Enough for secrets that are random throughout: there is nothing to guess, so a slow hash would
 * only slow down every request.
 */
export const secretHash = (secret: string): string => hash('sha256', secret, 'hex');
