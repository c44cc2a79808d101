import { hash } from 'node:crypto';

/** Digest of a body. */
export const digestOf = (body: string | Uint8Array): string => hash('sha1', body, 'base64url');

/** Strong entity tag of a body (RFC 9110, 8.8.3). */
export const entityTag = (body: string | Uint8Array): string => tagOf(digestOf(body));

/** Entity tag with the digest of a body and the revision of the record that it shows. */
export const tagOf = (digest: string, revision?: number): string =>
  revision === undefined ? `"${digest}"` : `"r${revision}-${digest}"`;

/** A tag, strong or weak, as the strong one. */
export const strongTag = (tag: string): string => tag.replace(/^W\//, '');

/** The tag of a body in another encoding: equal in content, but not in bytes. */
export const weakTag = (tag: string): string => `W/${tag}`;

/**
 * Whether an `If-None-Match` header names a strong tag. The comparison is weak, as RFC 9110 requires: the same answer,
 * compressed here or by a proxy, has a weak one.
 */
export function matchesTag(header: string | null | undefined, tag: string): boolean {
  if (!header) return false;
  if (header === tag || header.trim() === '*') return true;
  return header.split(',').some((item) => strongTag(item.trim()) === tag);
}
