import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { blackPng } from '../../../test/fixtures.ts';
import { describeImage, makeRenditions, renditionSizes } from './image-renditions.ts';

const FORMATS = [
  { format: 'png', extension: 'png', mimeType: 'image/png' },
  { format: 'jpeg', extension: 'jpg', mimeType: 'image/jpeg' },
  { format: 'gif', extension: 'gif', mimeType: 'image/gif' },
  { format: 'webp', extension: 'webp', mimeType: 'image/webp' },
  { format: 'avif', extension: 'avif', mimeType: 'image/avif' },
] as const;

function picture(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: { r: 200, g: 40, b: 90 } } });
}

function noise(width: number, height: number): Sharp {
  const create = { width, height, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 40 } } as const;
  return sharp({ create: { ...create, background: 'black' } });
}

function sizesOf(width: number, height: number): string[] {
  return renditionSizes({ width, height }).map((size) => `${size.name} ${size.width}x${size.height}`);
}

describe('renditionSizes', () => {
  it.each([
    [120, 80, []],
    [150, 150, []],
    [151, 151, []],
    [152, 100, ['thumbnail 150x100']],
    [100, 400, ['thumbnail 100x150', 'medium 75x300']],
    [300, 300, ['thumbnail 150x150']],
    [400, 300, ['thumbnail 150x150', 'medium 300x225']],
    [768, 768, ['thumbnail 150x150', 'medium 300x300']],
    [800, 600, ['thumbnail 150x150', 'medium 300x225', 'medium_large 768x576']],
    [600, 1200, ['thumbnail 150x150', 'medium 150x300', 'large 512x1024']],
    [1000, 1334, ['thumbnail 150x150', 'medium 225x300', 'medium_large 768x1025', 'large 768x1024']],
    [
      10_000,
      1,
      ['thumbnail 150x1', 'medium 300x1', 'medium_large 768x1', 'large 1024x1', '1536x1536 1536x1', '2048x2048 2048x1'],
    ],
    [
      4000,
      3000,
      [
        'thumbnail 150x150',
        'medium 300x225',
        'medium_large 768x576',
        'large 1024x768',
        '1536x1536 1536x1152',
        '2048x2048 2048x1536',
      ],
    ],
  ])('of %i x %i', (width, height, expected) => {
    expect(sizesOf(width, height)).toEqual(expected);
  });

  it('never enlarges and keeps proportions to the pixel', () => {
    const side = fc.integer({ min: 1, max: 12_000 });
    fc.assert(
      fc.property(side, side, (width, height) => {
        for (const size of renditionSizes({ width, height })) {
          expect(size.width).toBeLessThanOrEqual(width);
          expect(size.height).toBeLessThanOrEqual(height);
          if (size.name === 'thumbnail') continue;
          const exact = Math.max(size.width / width, size.height / height);
          expect(Math.abs(width * exact - size.width)).toBeLessThan(Math.max(1, width / height));
          expect(Math.abs(height * exact - size.height)).toBeLessThan(Math.max(1, height / width));
        }
      }),
    );
  });
});

describe('describeImage', () => {
  it.each(FORMATS)('recognizes $format by its content', async ({ format, extension, mimeType }) => {
    const bytes = await picture(60, 40).toFormat(format).toBuffer();
    expect(await describeImage(new Uint8Array(bytes))).toEqual({ extension, mimeType, width: 60, height: 40 });
  });

  it.each(['png', 'jpeg', 'webp'] as const)('returns the upright size of a rotated %s', async (format) => {
    const bytes = await picture(60, 40).withMetadata({ orientation: 6 }).toFormat(format).toBuffer();
    expect(await describeImage(bytes)).toMatchObject({ width: 40, height: 60 });
  });

  it('returns the size of one frame of an animation', async () => {
    const frames = [await picture(60, 40).png().toBuffer(), await noise(60, 40).png().toBuffer()];
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    expect((await sharp(bytes).metadata()).pages).toBe(2);
    expect(await describeImage(bytes)).toMatchObject({ extension: 'gif', width: 60, height: 40 });
  });

  it.each([
    ['nothing', async () => Buffer.alloc(0)],
    ['text', async () => Buffer.from('<html>not a picture</html>')],
    ['SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')],
    ['TIFF', () => picture(60, 40).tiff().toBuffer()],
    ['a signature and no more', async () => Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
    ['a signature before something else', async () => Buffer.from('GIF89a<script>alert(1)</script>')],
  ])('refuses %s', async (_what, make) => {
    expect(await describeImage(await make())).toBeUndefined();
  });

  it.each(FORMATS)('refuses a truncated $format', async ({ format }) => {
    const bytes = await noise(200, 200).toFormat(format).toBuffer();
    expect(await describeImage(bytes.subarray(0, bytes.length / 2))).toBeUndefined();
  });

  it('refuses more than 50 million pixels', async () => {
    const bytes = await blackPng(10_000, 5001);
    expect(await describeImage(bytes)).toBeUndefined();
    expect(await makeRenditions(bytes)).toEqual([]);
  });
});

describe('makeRenditions', () => {
  it.each(FORMATS)('keeps the format of a $format', async ({ format, mimeType, extension }) => {
    const renditions = await makeRenditions(await picture(400, 300).toFormat(format).toBuffer());
    expect(renditions.map(({ bytes, ...rest }) => rest)).toEqual([
      { name: 'thumbnail', width: 150, height: 150, mimeType },
      { name: 'medium', width: 300, height: 225, mimeType },
    ]);
    for (const { bytes, width, height } of renditions) {
      expect(await describeImage(bytes)).toEqual({ extension, mimeType, width, height });
    }
  });

  it('makes none for a small original or an invalid file', async () => {
    expect(await makeRenditions(await picture(120, 80).png().toBuffer())).toEqual([]);
    expect(await makeRenditions(Buffer.from('no picture'))).toEqual([]);
  });

  it('turns the picture upright and drops its metadata', async () => {
    const exif = { IFD0: { Artist: 'Somebody' } };
    const bytes = await picture(400, 200).withExif(exif).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const [, medium] = await makeRenditions(bytes);
    expect(medium).toMatchObject({ name: 'medium', width: 150, height: 300 });
    const metadata = await sharp(medium?.bytes).metadata();
    expect([metadata.exif, metadata.icc, metadata.xmp, metadata.orientation]).toEqual(Array(4).fill(undefined));
    expect([metadata.width, metadata.height]).toEqual([150, 300]);
  });

  it('crops the thumbnail from the middle', async () => {
    const middle = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer();
    const bytes = await picture(600, 200)
      .composite([{ input: middle, left: 200, top: 0 }])
      .png()
      .toBuffer();
    const [thumbnail] = await makeRenditions(bytes);
    const { dominant, channels } = await sharp(thumbnail?.bytes).stats();
    expect(dominant.b).toBeGreaterThan(200);
    expect(channels[2]?.mean).toBeGreaterThan(250);
  });

  it('keeps transparency', async () => {
    const background = { r: 0, g: 0, b: 0, alpha: 0 };
    const bytes = await sharp({ create: { width: 400, height: 300, channels: 4, background } })
      .png()
      .toBuffer();
    const [thumbnail] = await makeRenditions(bytes);
    expect((await sharp(thumbnail?.bytes).stats()).isOpaque).toBe(false);
  });

  it('makes a still rendition of an animation', async () => {
    const frames = [await picture(400, 300).png().toBuffer(), await noise(400, 300).png().toBuffer()];
    const bytes = await sharp(frames, { join: { animated: true } })
      .gif({ effort: 1 })
      .toBuffer();
    const [thumbnail] = await makeRenditions(bytes);
    expect((await sharp(thumbnail?.bytes).metadata()).pages ?? 1).toBe(1);
  });
});
