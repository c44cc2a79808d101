/**
 * Copies bytes into memory of their own. Node cuts small buffers from shared blocks of 64 KiB, so caching one would
 * keep the whole block.
 */
export function copyBytes(bytes: Uint8Array): Buffer<ArrayBuffer> {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}

/** Joins pieces; a single piece is returned without copying it. */
export function concatenated<T extends Uint8Array<ArrayBuffer>>(pieces: readonly T[]): T | Buffer<ArrayBuffer> {
  const [first, ...others] = pieces;
  return first && others.length === 0 ? first : Buffer.concat(pieces);
}
