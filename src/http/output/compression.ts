import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { parseWeighted } from '../core/quality-values.ts';

/** Length below which a response fits in one packet with its headers, so that compression would save no time. */
const MIN_LENGTH = 1400;

/** Measured in docs/adr/0027-compression.md. */
const LEVEL = 4;

const compressBytes = promisify(gzip);

/** Tests if a text of this length should be compressed. */
export const isWorthCompressing = (length: number): boolean => length >= MIN_LENGTH;

/** Compresses in the thread pool, so that long responses do not delay others. */
export const compress = (text: string | Uint8Array) => compressBytes(text, { level: LEVEL });

/** Tests if an `Accept-Encoding` header prefers gzip to no encoding (RFC 9110, 12.5.3). */
export function prefersGzip(header: string | null | undefined): boolean {
  if (!header) return false;
  const weights = new Map(parseWeighted(header).map(({ value, weight }) => [value, weight]));
  const gzipped = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return gzipped > 0 && gzipped >= (weights.get('identity') ?? 0);
}
