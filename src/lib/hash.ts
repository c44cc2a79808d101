import { createHash, hash, timingSafeEqual } from 'node:crypto';

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares digests in constant time, so that timing reveals neither length nor content. */
export const isSameSecret = (given: string, right: string): boolean => timingSafeEqual(digest(given), digest(right));

/**
 * SHA-256, hexadecimal. Sufficient for fully random secrets: they cannot be guessed, so a slow hash would only slow
 * down every request.
 */
export const secretHash = (secret: string): string => hash('sha256', secret, 'hex');
