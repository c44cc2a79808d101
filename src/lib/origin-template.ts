import { hash } from 'node:crypto';
import { copyBytes } from './copy-bytes.ts';

/** Placeholder for the origin in texts that are rendered once for all hosts. */
export const ANY_ORIGIN = 'http://origin.invalid';

/**
 * A text with URLs of the site, rendered once and sent for any origin, so that invented hosts cost neither rendering
 * time nor memory.
 */
export interface OriginTemplate {
  /** The text as UTF-8. @param origin as it is escaped in the text */
  bytes(origin: string): Buffer<ArrayBuffer>;
  /** A digest that differs between origins, computed without writing the text. */
  digest(origin: string): string;
}

/** @param placeholder origin used for rendering the text */
export function originTemplate(text: string, placeholder = ANY_ORIGIN): OriginTemplate {
  const pieces = text.split(placeholder).map((piece) => copyBytes(Buffer.from(piece)));
  const own = hash('sha1', text, 'base64url');
  return {
    bytes(origin) {
      const between = Buffer.from(origin);
      return Buffer.concat(pieces.flatMap((piece, index) => (index === 0 ? [piece] : [between, piece])));
    },
    digest: (origin) => hash('sha1', `${own} ${origin}`, 'base64url'),
  };
}
