import { exifOrientation, MAX_SEGMENTS } from './max-segments.ts';

/** Marker codes of ISO/IEC 10918-1, table B.1. */
const SOI = Buffer.of(0xff, 0xd8);
const EOI = Buffer.of(0xff, 0xd9);
const START_OF_SCAN = 0xda;

/** Everything a decoder needs: frames, tables, scans, restart intervals. */
const isCoding = (marker: number): boolean =>
  (marker >= 0xc0 && marker <= 0xcf) || (marker >= START_OF_SCAN && marker <= 0xdf);
/** APP0 to APP15, JPG0 to JPG13 and comments. */
const isExtra = (marker: number): boolean => marker >= 0xe0 && marker <= 0xfe;

/**
 * Reduces a JPEG file to its coded image, colour profile and orientation. EXIF (GPS, embedded previews), XMP, IPTC,
 * comments and trailing data are removed.
 * @param orientation 1 to 8
 * @returns undefined for an unexpected structure
 */
export function stripJpeg(bytes: Buffer, orientation: number): Buffer | undefined {
  const pieces: Buffer[] = [];
  let at = SOI.length;
  while (bytes[at] === 0xff && pieces.length < MAX_SEGMENTS) {
    // Any number of 0xff bytes may precede a marker.
    while (bytes[at + 1] === 0xff) at += 1;
    const marker = bytes[at + 1] ?? 0;
    if (marker === EOI[1]) return assemble(pieces, orientation);
    const length = at + 4 <= bytes.length ? bytes.readUInt16BE(at + 2) : 0;
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length || !(isCoding(marker) || isExtra(marker))) return undefined;
    const segment = bytes.subarray(at, end);
    const kept = isCoding(marker) ? segment : keptExtra(marker, segment);
    if (kept) pieces.push(kept);
    at = marker === START_OF_SCAN ? endOfScan(bytes, end) : end;
    if (at > end) pieces.push(bytes.subarray(end, at));
  }
  return undefined;
}

function assemble(pieces: readonly Buffer[], orientation: number): Buffer {
  if (orientation === 1) return Buffer.concat([SOI, ...pieces, EOI]);
  const tiff = exifOrientation(orientation);
  const exif = Buffer.concat([Buffer.of(0xff, 0xe1, 0, 2 + 6 + tiff.length), Buffer.from('Exif\0\0', 'latin1'), tiff]);
  const isAfterJfif = pieces[0]?.[1] === 0xe0;
  const [before, after] = isAfterJfif ? [pieces.slice(0, 1), pieces.slice(1)] : [[], pieces];
  return Buffer.concat([SOI, ...before, exif, ...after, EOI]);
}

const says = (segment: Buffer, text: string): boolean => segment.toString('latin1', 4, 4 + text.length) === text;

/** Keeps the other segments that affect the appearance of the image, reduced to that part. */
function keptExtra(marker: number, segment: Buffer): Buffer | undefined {
  if (marker === 0xe0 && says(segment, 'JFIF\0') && segment.length >= 18) return shortened(segment, 16, 2);
  if (marker === 0xe2 && says(segment, 'ICC_PROFILE\0')) return segment;
  if (marker === 0xee && says(segment, 'Adobe') && segment.length >= 16) return shortened(segment, 14, 0);
  return undefined;
}

/** A segment cut to `length` bytes, with the last ones, the size of a preview, set to zero. */
function shortened(segment: Buffer, length: number, zeros: number): Buffer {
  const copy = Buffer.from(segment.subarray(0, 2 + length));
  copy.writeUInt16BE(length, 2);
  return copy.fill(0, copy.length - zeros);
}

/** The end of the coded data of a scan: the next marker that is neither a stuffed zero nor a restart. */
function endOfScan(bytes: Buffer, start: number): number {
  let at = start;
  for (; at < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue;
    const next = bytes[at + 1] ?? 0;
    const isData = next === 0 || next === 0xff || (next >= 0xd0 && next <= 0xd7);
    if (!isData) break;
  }
  return at;
}
