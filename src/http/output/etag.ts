import { hash } from 'node:crypto';

/** Digest of a body. */
export const digestOf = (body: string | Uint8Array): string => hash('sha1', body, 'base64url');

/** Strong entity tag of a body (RFC 9110, 8.8.3). */
export const entityTag = (body: string | Uint8Array): string => `"${digestOf(body)}"`;

/** Strong form of a strong or weak tag. */
export const strongTag = (tag: string): string => tag.replace(/^W\//, '');

/** Tag of a body in another encoding: equal in content, but not in bytes. */
export const weakTag = (tag: string): string => `W/${tag}`;

/**
 * Tests if an `If-None-Match` header contains a strong tag. The comparison is weak, as RFC 9110 requires: the same
 * response, compressed here or by a proxy, has a weak tag.
 */
export function matchesTag(header: string | null | undefined, tag: string): boolean {
  if (!header) return false;
  if (header === tag || header.trim() === '*') return true;
  return header.split(',').some((item) => strongTag(item.trim()) === tag);
}
