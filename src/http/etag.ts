import { hash } from 'node:crypto';

/** Strong entity tag of a body (RFC 9110, 8.8.3). */
export const entityTag = (body: string | Uint8Array): string => `"${hash('sha1', body, 'base64url')}"`;

/**
 * Whether an `If-None-Match` header names a tag. The comparison is weak, as RFC 9110 requires: a proxy that compressed
 * the answer has marked the tag with `W/`.
 */
export const matchesTag = (header: string | null | undefined, tag: string): boolean =>
  header?.trim() === '*' || (header ?? '').split(',').some((item) => item.trim().replace(/^W\//, '') === tag);
