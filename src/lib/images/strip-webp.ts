import { exifOrientation, MAX_SEGMENTS } from './max-segments.ts';

/** `RIFF`, the size of the rest, `WEBP`. */
const HEADER_LENGTH = 12;
/** An animation frame has a header of 16 bytes before its own chunks. */
const FRAME_INFO_LENGTH = 16;

const EXIF_FLAG = 0x08;
const XMP_FLAG = 0x04;

const KEPT: ReadonlySet<string> = new Set(['VP8X', 'ICCP', 'ANIM', 'ANMF', 'ALPH', 'VP8 ', 'VP8L']);
const KEPT_IN_FRAMES: ReadonlySet<string> = new Set(['ALPH', 'VP8 ', 'VP8L']);

/**
 * Removes EXIF (except the orientation), XMP, unknown chunks and trailing data from a WebP file.
 * @param orientation 1 to 8, as EXIF counts
 * @returns undefined for an unexpected structure
 */
export function stripWebp(bytes: Buffer, orientation: number): Buffer | undefined {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return undefined;
  const isTurned = orientation !== 1;
  const kept = chunksOf(bytes.subarray(HEADER_LENGTH, end))?.flatMap(({ type, data }) => {
    if (!KEPT.has(type)) return [];
    if (type === 'VP8X') return [chunk(type, withFlags(data, isTurned))];
    const whole = type === 'ANMF' ? frameData(data) : data;
    return [whole && chunk(type, whole)];
  });
  if (!kept?.every((piece) => piece !== undefined)) return undefined;
  const body = Buffer.concat([...kept, ...(isTurned ? [chunk('EXIF', exifOrientation(orientation))] : [])]);
  const header = Buffer.from(bytes.subarray(0, HEADER_LENGTH));
  header.writeUInt32LE(4 + body.length, 4);
  return Buffer.concat([header, body]);
}

interface Chunk {
  type: string;
  data: Buffer;
}

/** Parses consecutive chunks, each at an even offset; undefined if the structure is invalid. */
function chunksOf(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = [];
  let at = 0;
  while (at + 8 <= bytes.length && chunks.length < MAX_SEGMENTS) {
    const end = at + 8 + bytes.readUInt32LE(at + 4);
    if (end > bytes.length) return undefined;
    chunks.push({ type: bytes.toString('latin1', at, at + 4), data: bytes.subarray(at + 8, end) });
    at = end + (end % 2);
  }
  return at >= bytes.length ? chunks : undefined;
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
}

function withFlags(data: Buffer, hasExif: boolean): Buffer {
  const copy = Buffer.from(data);
  const flags = (copy[0] ?? 0) & ~(EXIF_FLAG | XMP_FLAG);
  copy[0] = hasExif ? flags | EXIF_FLAG : flags;
  return copy;
}

function frameData(data: Buffer): Buffer | undefined {
  const chunks = chunksOf(data.subarray(FRAME_INFO_LENGTH))?.filter(({ type }) => KEPT_IN_FRAMES.has(type));
  return (
    chunks && Buffer.concat([data.subarray(0, FRAME_INFO_LENGTH), ...chunks.map(({ type, data }) => chunk(type, data))])
  );
}
