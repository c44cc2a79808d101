/**
 * The same bytes in memory of their own. Node cuts small buffers from shared pieces of 64 KiB, and one that is kept would
 * keep all of its piece.
 */
export function ownBytes(bytes: Uint8Array): Buffer<ArrayBuffer> {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}
