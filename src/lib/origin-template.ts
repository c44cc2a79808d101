import { hash } from 'node:crypto';
import { ownBytes } from './own-bytes.ts';

/** Stands for the origin in texts that are rendered once for all hosts. */
export const ANY_ORIGIN = 'http://origin.invalid';

/**
 * A text with addresses of the site, rendered once and sent for any origin: made-up hosts cost neither the time of a
 * rendering nor memory.
 */
export interface OriginTemplate {
  /** The text as UTF-8. @param origin as it is escaped in the text */
  bytes(origin: string): Buffer<ArrayBuffer>;
  /** A digest of the same, which differs between origins, without the time to write it. */
  digest(origin: string): string;
}

/** @param placeholder the origin with which the text was rendered */
export function originTemplate(text: string, placeholder = ANY_ORIGIN): OriginTemplate {
  const pieces = text.split(placeholder).map((piece) => ownBytes(Buffer.from(piece)));
  const own = hash('sha1', text, 'base64url');
  return {
    bytes(origin) {
      const between = Buffer.from(origin);
      return Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [between, piece])));
    },
    digest: (origin) => hash('sha1', `${own} ${origin}`, 'base64url'),
  };
}
