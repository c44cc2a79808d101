import type { Sharp } from 'sharp';
import { type ImageExtension, oneAtATime, open, readHeader } from './image-renditions.ts';
import { stripGif } from './strip-gif.ts';
import { stripJpeg } from './strip-jpeg.ts';
import { stripPng } from './strip-png.ts';
import { stripWebp } from './strip-webp.ts';

/**
 * Removes metadata from an image: EXIF including GPS position and embedded previews, XMP, IPTC, comments, texts, and
 * trailing data. Orientation, colour profile, frames and transparency stay.
 *
 * PNG, JPEG, GIF and WebP are lossless: the picture is not re-encoded. AVIF files with metadata, and files of
 * unexpected structure, are re-encoded at a visually lossless quality (see `encode`).
 * @returns undefined when the bytes are not one of the supported formats, or cannot be read
 */
export async function withoutMetadata(sent: Uint8Array): Promise<Uint8Array | undefined> {
  const bytes = Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength);
  return oneAtATime(async () => {
    const header = await readHeader(bytes);
    if (!header) return undefined;
    const { orientation = 1 } = await (await open(bytes)).metadata();
    return strip(bytes, header.extension, orientation) ?? (await reencoded(bytes, header.extension));
  });
}

function strip(bytes: Buffer, extension: ImageExtension, orientation: number): Buffer | undefined {
  switch (extension) {
    case 'jpg':
      return stripJpeg(bytes, orientation);
    case 'png':
      return stripPng(bytes, orientation);
    case 'gif':
      return stripGif(bytes);
    case 'webp':
      return stripWebp(bytes, orientation);
    case 'avif':
      return isBareAvif(bytes) ? bytes : undefined;
  }
}

/** Boxes of a file that contains only an image or an image sequence. */
const AVIF_BOXES: ReadonlySet<string> = new Set(['ftyp', 'meta', 'mdat', 'moov']);
/** Types of items that are not images: EXIF, XMP and others by media type or URI. */
const AVIF_EXTRAS = ['Exif', 'mime', 'uri '];

/** Whether an AVIF file has only image boxes, no trailing data, and no items other than images. */
function isBareAvif(bytes: Buffer): boolean {
  let at = 0;
  while (at + 8 <= bytes.length) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + bytes.readUInt32BE(at);
    // Sizes of 0 (to the end) and 1 (64 bits follow) are legal, rare, and not worth a parser.
    if (!AVIF_BOXES.has(type) || end < at + 8 || end > bytes.length) return false;
    const box = bytes.subarray(at, end);
    if (type !== 'mdat' && AVIF_EXTRAS.some((extra) => box.includes(extra, 8, 'latin1'))) return false;
    at = end;
  }
  return at === bytes.length;
}

async function reencoded(bytes: Buffer, extension: ImageExtension): Promise<Buffer | undefined> {
  const animated = extension === 'gif' || extension === 'webp';
  try {
    const image = (await open(bytes, { animated })).autoOrient().keepIccProfile();
    return await encode(image, extension).toBuffer();
  } catch {
    return undefined;
  }
}

/** PNG is lossless; the others are well above what counts as visually lossless. */
function encode(image: Sharp, extension: ImageExtension): Sharp {
  switch (extension) {
    case 'png':
      return image.png();
    case 'jpg':
      return image.jpeg({ quality: 95, chromaSubsampling: '4:4:4' });
    case 'gif':
      return image.gif();
    case 'webp':
      return image.webp({ quality: 95 });
    case 'avif':
      // The default effort takes minutes for the largest images.
      return image.avif({ quality: 85, chromaSubsampling: '4:4:4', effort: 2 });
  }
}
