import { MAX_SEGMENTS } from './max-segments.ts';

/** Signature, version and screen descriptor. */
const HEADER_LENGTH = 13;
const EXTENSION = 0x21;
const IMAGE = 0x2c;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
const COMMENT = 0xfe;

/** Application extensions to keep: the loop count of an animation, under its two names, and the colour profile. */
const KEPT_APPLICATIONS: ReadonlySet<string> = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0', 'ICCRGBG1012']);

/**
 * Removes comments, XMP, application data and trailing data from a GIF file.
 * @returns undefined for an unexpected structure, or a plain-text extension
 */
export function stripGif(bytes: Buffer): Buffer | undefined {
  let at = HEADER_LENGTH + colourTableLength(bytes[10]);
  const pieces = [bytes.subarray(0, at)];
  while (at < bytes.length && pieces.length < MAX_SEGMENTS) {
    if (bytes[at] === TRAILER) return Buffer.concat([...pieces, Buffer.of(TRAILER)]);
    const end = endOfBlock(bytes, at);
    if (end === undefined) return undefined;
    if (isKept(bytes, at)) pieces.push(bytes.subarray(at, end));
    at = end;
  }
  return undefined;
}

/** Size in bytes of the colour table declared by the flags of a screen or an image. */
const colourTableLength = (flags = 0): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 0x07) + 1));

function isKept(bytes: Buffer, at: number): boolean {
  if (bytes[at] === IMAGE || bytes[at + 1] === GRAPHIC_CONTROL) return true;
  return bytes[at + 1] === APPLICATION && KEPT_APPLICATIONS.has(bytes.toString('latin1', at + 3, at + 14));
}

/** The end of an image or an extension; undefined if it is neither, unknown or truncated. */
function endOfBlock(bytes: Buffer, at: number): number | undefined {
  const label = bytes[at + 1] ?? 0;
  // The image descriptor has 9 bytes, an optional colour table, and the code size.
  if (bytes[at] === IMAGE) return endOfSubBlocks(bytes, at + 11 + colourTableLength(bytes[at + 9]));
  const isKnown = bytes[at] === EXTENSION && [GRAPHIC_CONTROL, APPLICATION, COMMENT].includes(label);
  return isKnown ? endOfSubBlocks(bytes, at + 2) : undefined;
}

/** Skips a chain of blocks of up to 255 bytes, which ends with an empty one. */
function endOfSubBlocks(bytes: Buffer, start: number): number | undefined {
  let at = start;
  while (at < bytes.length) {
    const length = bytes[at] ?? 0;
    at += length + 1;
    if (length === 0) return at;
  }
  return undefined;
}
