import { crc32 } from 'node:zlib';
import { exifOrientation, MAX_SEGMENTS } from './max-segments.ts';

const SIGNATURE_LENGTH = 8;
/** Bytes of length, type and checksum around the data of a chunk. */
const FRAME_LENGTH = 12;

/** Chunks to keep: image, colours, density and animation (PNG specification, third edition). */
const KEPT: ReadonlySet<string> = new Set(
  'IHDR PLTE IDAT tRNS cHRM gAMA iCCP sBIT sRGB cICP mDCV cLLI bKGD pHYs acTL fcTL fdAT'.split(' '),
);

/**
 * Removes texts, times, EXIF (except the orientation), unknown chunks and trailing data from a PNG file.
 * @param orientation 1 to 8, as EXIF counts
 * @returns undefined for an unexpected structure
 */
export function stripPng(bytes: Buffer, orientation: number): Buffer | undefined {
  const pieces = [bytes.subarray(0, SIGNATURE_LENGTH)];
  let isTurned = orientation === 1;
  let at = SIGNATURE_LENGTH;
  while (at + FRAME_LENGTH <= bytes.length && pieces.length < MAX_SEGMENTS) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + FRAME_LENGTH + bytes.readUInt32BE(at);
    if (end > bytes.length) return undefined;
    if (type === 'IDAT' && !isTurned) {
      pieces.push(exifChunk(orientation));
      isTurned = true;
    }
    if (type === 'IEND') return Buffer.concat([...pieces, bytes.subarray(at, end)]);
    if (KEPT.has(type)) pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return undefined;
}

function exifChunk(orientation: number): Buffer {
  const body = Buffer.concat([Buffer.from('eXIf', 'latin1'), exifOrientation(orientation)]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4, 0);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}
