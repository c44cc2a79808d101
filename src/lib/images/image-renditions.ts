import type { Sharp, default as SharpModule } from 'sharp';

export type ImageExtension = 'png' | 'jpg' | 'gif' | 'webp' | 'avif';

/** Width and height in pixels as displayed, that is with the EXIF orientation applied. */
export type ImageDescription = { extension: ImageExtension; mimeType: string; width: number; height: number };

export type Rendition = { name: string; width: number; height: number; mimeType: string; bytes: Buffer };

type Size = { width: number; height: number };
type Bounds = { name: string; width: number; height?: number; crop?: boolean };

/** Maximum number of pixels, about 200 MB decoded; larger images are rejected by their header alone. */
const MAX_PIXELS = 50_000_000;

/** Names and bounds of WordPress, which API clients expect; without a height only the width is limited. */
const RENDITIONS: Bounds[] = [
  { name: 'thumbnail', width: 150, height: 150, crop: true },
  { name: 'medium', width: 300, height: 300 },
  { name: 'medium_large', width: 768 },
  { name: 'large', width: 1024, height: 1024 },
  { name: '1536x1536', width: 1536, height: 1536 },
  { name: '2048x2048', width: 2048, height: 2048 },
];

export const MIME_TYPES: Record<ImageExtension, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
};

let lastJob: Promise<unknown> = Promise.resolve();

/**
 * Describes an image, judging by its content only. Undefined if it is not in a supported raster format, does not decode
 * completely, or has more than 50 million pixels.
 */
export function describeImage(bytes: Uint8Array): Promise<ImageDescription | undefined> {
  return oneAtATime(async () => {
    const description = await readHeader(bytes);
    if (description === undefined) return undefined;
    try {
      // Reads every row, so that damage after the header is found.
      await (await open(bytes)).resize(8, 8, { fit: 'fill' }).raw().toBuffer();
      return description;
    } catch {
      return undefined;
    }
  });
}

/**
 * Smaller copies in the format of the original: upright, still (the first frame of an animation) and without metadata.
 * Never enlarged; empty for a small original and for files that `describeImage` does not accept.
 */
export function makeRenditions(bytes: Uint8Array): Promise<Rendition[]> {
  return oneAtATime(async () => {
    const original = await readHeader(bytes);
    if (original === undefined) return [];
    try {
      return await renderAll(bytes, original);
    } catch {
      return [];
    }
  });
}

/**
 * The renditions that WordPress would create for an original of this size, following its `image_resize_dimensions`:
 * none if the original is smaller than the bounds or the result would be within a pixel of the original.
 */
export function renditionSizes(original: Size): Array<{ name: string; width: number; height: number }> {
  return RENDITIONS.flatMap((bounds) => {
    const size = bounds.crop ? cropped(original, bounds) : constrained(original, bounds);
    const same = Math.abs(size.width - original.width) <= 1 && Math.abs(size.height - original.height) <= 1;
    return same ? [] : [{ name: bounds.name, ...size }];
  });
}

function cropped(original: Size, bounds: Bounds): Size {
  return {
    width: Math.min(bounds.width, original.width),
    height: Math.min(bounds.height ?? original.height, original.height),
  };
}

function constrained(original: Size, bounds: Bounds): Size {
  const ratio = Math.min(1, bounds.width / original.width, (bounds.height ?? Infinity) / original.height);
  return {
    width: Math.max(1, Math.round(original.width * ratio)),
    height: Math.max(1, Math.round(original.height * ratio)),
  };
}

async function renderAll(bytes: Uint8Array, original: ImageDescription): Promise<Rendition[]> {
  const renditions: Rendition[] = [];
  for (const { name, width, height } of renditionSizes(original)) {
    const fit = name === 'thumbnail' ? 'cover' : 'fill';
    const upright = (await open(bytes)).autoOrient().resize({ width, height, fit });
    const rendered = await encode(upright, original.extension).toBuffer();
    renditions.push({ name, width, height, mimeType: original.mimeType, bytes: rendered });
  }
  return renditions;
}

function encode(image: Sharp, extension: ImageExtension): Sharp {
  switch (extension) {
    case 'png':
      return image.png();
    case 'jpg':
      return image.jpeg({ quality: 82 });
    case 'gif':
      return image.gif({ effort: 3 });
    case 'webp':
      return image.webp({ quality: 82 });
    case 'avif':
      // The default effort takes seconds for the largest size on one core.
      return image.avif({ quality: 55, effort: 2 });
  }
}

/** Metadata from the header; undefined for unsupported formats and too many pixels. */
export async function readHeader(bytes: Uint8Array): Promise<ImageDescription | undefined> {
  const extension = sniff(bytes);
  if (extension === undefined) return undefined;
  const mimeType = MIME_TYPES[extension];
  try {
    const metadata = await (await open(bytes)).metadata();
    if (metadata.mediaType !== mimeType) return undefined;
    const { width, height } = metadata.autoOrient;
    return width * height > MAX_PIXELS ? undefined : { extension, mimeType, width, height };
  } catch {
    return undefined;
  }
}

/** Keeps all other loaders of libvips (SVG, TIFF, PDF and so on) away from untrusted files. */
function sniff(bytes: Uint8Array): ImageExtension | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 64)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpg';
  if (/^GIF8[79]a/.test(head)) return 'gif';
  if (/^RIFF.{4}WEBP/s.test(head)) return 'webp';
  // The brands of an ISO media file: major, version, then compatible ones, four bytes each.
  const brands = head.slice(4).match(/.{4}/gs) ?? [];
  return brands[0] === 'ftyp' && brands.some((brand) => brand === 'avif' || brand === 'avis') ? 'avif' : undefined;
}

let loaded: typeof SharpModule | undefined;

/** Loads the image library on first use: a server that processes no images saves 20 MB. */
export async function loadSharp(): Promise<typeof SharpModule> {
  if (loaded) return loaded;
  const { default: sharp } = await import('sharp');
  // Images arrive one at a time and rarely repeat, so caching would not pay.
  sharp.cache(false);
  sharp.concurrency(1);
  loaded = sharp;
  return sharp;
}

/** Opens an image; with `animated` all its frames, whose total must not exceed 50 million pixels either. */
export async function open(bytes: Uint8Array, { animated = false } = {}): Promise<Sharp> {
  const sharp = await loadSharp();
  return sharp(bytes, { animated, failOn: 'error', limitInputPixels: MAX_PIXELS }).timeout({ seconds: 30 });
}

/** Processes one image in memory at a time, however many are uploaded concurrently. */
export function oneAtATime<T>(job: () => Promise<T>): Promise<T> {
  const result = lastJob.then(job);
  lastJob = result.catch(() => undefined);
  return result;
}
