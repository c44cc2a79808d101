import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { blackPng } from '../../../test/fixtures.ts';
import { withoutMetadata } from './image-metadata.ts';
import { describeImage } from './image-renditions.ts';

const FORMATS = ['jpeg', 'png', 'webp', 'gif', 'avif'] as const;
/** Words that are planted in all kinds of metadata. */
const SECRET = /Somebody|51\.5|planted|Exif|ns\.adobe\.com\/xap|Photoshop/;
const XMP =
  '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:source>planted</dc:source></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>';
const EXIF = {
  IFD0: { Artist: 'Somebody', Copyright: 'planted' },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '51/1 30/1 3230/100',
    GPSLongitudeRef: 'W',
    GPSLongitude: '0/1 7/1 4366/100',
  },
};

/** An image whose halves differ, so that its orientation is visible. */
function halves(width = 60, height = 40): Sharp {
  const right = { create: { width: width / 2, height, channels: 3, background: '#0000ff' } } as const;
  return sharp({ create: { width, height, channels: 3, background: '#ff0000' } }).composite([
    { input: right, left: width / 2, top: 0 },
  ]);
}

const located = (image: Sharp): Sharp => image.withExif(EXIF).withXmp(XMP);

const pixels = (bytes: Uint8Array, { upright = false } = {}): Promise<Buffer> => {
  const image = sharp(bytes, { animated: !upright });
  return (upright ? image.autoOrient() : image).raw().toBuffer();
};

async function strip(bytes: Uint8Array): Promise<Buffer> {
  const stripped = await withoutMetadata(bytes);
  if (!stripped) throw new Error('the image was refused');
  return Buffer.from(stripped);
}

const segment = (marker: number, text: string): Buffer => {
  const data = Buffer.from(text, 'latin1');
  return Buffer.concat([Buffer.of(0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 0xff), data]);
};

function chunk(type: string, text: string): Buffer {
  const body = Buffer.from(type + text, 'latin1');
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(body.length - 4, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

const insert = (bytes: Buffer, at: number, ...pieces: Buffer[]): Buffer =>
  Buffer.concat([bytes.subarray(0, at), ...pieces, bytes.subarray(at)]);

/** Two different frames. */
async function animation(format: 'gif' | 'webp'): Promise<Buffer> {
  const first = await halves().png().toBuffer();
  const frames = [first, await sharp(first).flop().png().toBuffer()];
  const joined = sharp(frames, { join: { animated: true } });
  return format === 'gif'
    ? joined.gif({ loop: 3, delay: [70, 90] }).toBuffer()
    : joined.webp({ loop: 3, delay: [70, 90] }).toBuffer();
}

describe('withoutMetadata', () => {
  it.each(FORMATS)('removes EXIF with the position and XMP from a %s', async (format) => {
    const sent = await located(halves()).toFormat(format).toBuffer();
    // GIF has no EXIF, and sharp writes no XMP into GIF files: see the separate case below.
    if (format !== 'gif') expect(sent.toString('latin1')).toMatch(SECRET);
    const stripped = await strip(sent);
    const { exif, xmp, iptc, comments } = await sharp(stripped).metadata();
    expect({ exif, xmp, iptc, comments }).toEqual({});
    expect(stripped.toString('latin1')).not.toMatch(SECRET);
    expect(await describeImage(stripped)).toMatchObject({ width: 60, height: 40 });
  });

  it.each(['jpeg', 'png', 'webp', 'gif'] as const)('keeps every pixel of a %s', async (format) => {
    const sent = await located(halves()).toFormat(format).toBuffer();
    expect((await pixels(await strip(sent))).equals(await pixels(sent))).toBe(true);
  });

  it('re-encodes an AVIF with metadata without visible difference', async () => {
    const sent = await located(halves()).avif().toBuffer();
    const [before, after] = [await pixels(sent), await pixels(await strip(sent))];
    expect(Math.max(...before.map((value, index) => Math.abs(value - (after[index] ?? 255))))).toBeLessThan(12);
  });

  it.each(FORMATS)('leaves a %s without metadata as it is, byte by byte', async (format) => {
    const sent = await halves().toFormat(format).toBuffer();
    expect((await strip(sent)).equals(sent)).toBe(true);
  });

  it.each(['jpeg', 'png', 'webp'] as const)('keeps only the orientation of the EXIF data of a %s', async (format) => {
    for (const orientation of [1, 3, 6, 8]) {
      const sent = await located(halves())
        .withMetadata({ orientation })
        .withExifMerge(EXIF)
        .toFormat(format)
        .toBuffer();
      const stripped = await strip(sent);
      expect(stripped.toString('latin1')).not.toMatch(/Somebody|planted/);
      const metadata = await sharp(stripped).metadata();
      expect(metadata.orientation ?? 1).toBe(orientation);
      expect(metadata.exif?.length ?? 0).toBeLessThanOrEqual(32);
      const turned = await pixels(stripped, { upright: true });
      expect(turned.equals(await pixels(sent, { upright: true }))).toBe(true);
    }
  });

  it('shows a picture of orientation 6 with its left side on top', async () => {
    const sent = await halves().withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { data, info } = await sharp(await strip(sent))
      .autoOrient()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([40, 60]);
    const at = (x: number, y: number) => [...data.subarray((y * 40 + x) * 3, (y * 40 + x) * 3 + 3)];
    expect(at(20, 10)[0]).toBeGreaterThan(200);
    expect(at(20, 50)[2]).toBeGreaterThan(200);
  });

  it.each(['jpeg', 'png', 'webp', 'avif'] as const)('keeps the colour profile of a %s', async (format) => {
    const sent = await located(halves()).withIccProfile('p3').toFormat(format).toBuffer();
    const { icc } = await sharp(sent).metadata();
    expect(icc?.length).toBeGreaterThan(100);
    const stripped = await strip(sent);
    expect((await sharp(stripped).metadata()).icc?.equals(icc ?? Buffer.alloc(0))).toBe(true);
    expect(stripped.toString('latin1')).not.toMatch(/Somebody|xpacket/);
  });

  it.each(['gif', 'webp'] as const)('keeps the frames and the timing of an animated %s', async (format) => {
    const sent = await animation(format);
    const noted =
      format === 'gif'
        ? insert(
            sent,
            13 + colourTable(sent),
            gifExtension(0xfe, 'planted comment'),
            gifExtension(0xff, 'XMP DataXMP', XMP),
          )
        : sent;
    const stripped = await strip(noted);
    const shape = async (bytes: Buffer) => {
      const { pages, loop, delay, pageHeight } = await sharp(bytes, { animated: true }).metadata();
      return { pages, loop, delay, pageHeight };
    };
    expect(await shape(stripped)).toEqual({ ...(await shape(sent)), pages: 2, loop: 3, delay: [70, 90] });
    expect((await pixels(stripped)).equals(await pixels(sent))).toBe(true);
    expect(stripped.equals(sent)).toBe(true);
  });

  it.each(['png', 'webp', 'avif'] as const)('keeps the transparency of a %s', async (format) => {
    const create = { width: 20, height: 20, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } as const;
    const sent = await located(sharp({ create })).toFormat(format).toBuffer();
    const { channels, isOpaque } = await sharp(await strip(sent)).stats();
    expect([isOpaque, Math.round((channels[3]?.mean ?? 0) / 8)]).toEqual([false, 16]);
  });

  it('removes comments, IPTC, previews and the segments of other programs from a JPEG', async () => {
    const plain = await halves().jpeg({ progressive: true }).toBuffer();
    // 1 x 1 pixels of preview, three bytes.
    const jfifWithPreview = segment(0xe0, 'JFIF\0\x01\x01\x01\0\x48\0\x48\x01\x01abc');
    const sent = insert(
      plain,
      2,
      jfifWithPreview,
      segment(0xe0, 'JFXX\0\x10planted preview'),
      segment(0xed, 'Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x0e\x1c\x02\x05\0\x07planted'),
      segment(0xe2, 'MPF\0planted'),
      segment(0xef, 'planted'),
      segment(0xfe, 'planted comment <script>alert(1)</script>'),
    );
    const stripped = await strip(sent);
    expect(stripped.toString('latin1')).not.toMatch(/planted|Photoshop|JFXX|abc|script/);
    expect((await sharp(stripped).metadata()).isProgressive).toBe(true);
    expect((await pixels(stripped)).equals(await pixels(plain))).toBe(true);
  });

  it('removes texts, times and unknown chunks from a PNG', async () => {
    const plain = await halves().png().toBuffer();
    const sent = insert(
      plain,
      33,
      chunk('tEXt', 'Author\0Somebody'),
      chunk('iTXt', `XML:com.adobe.xmp\0\0\0\0\0${XMP}`),
      chunk('tIME', '\x07\xea\x0b\x16\0\0\0'),
      chunk('prVt', 'planted'),
    );
    expect((await strip(sent)).equals(plain)).toBe(true);
  });

  it.each(FORMATS)('drops trailing data of a %s', async (format) => {
    const plain = await halves().toFormat(format).toBuffer();
    const stripped = await strip(Buffer.concat([plain, Buffer.from('PK\x03\x04<script>planted</script>')]));
    expect(stripped.toString('latin1')).not.toMatch(/planted|script/);
    expect(await describeImage(stripped)).toMatchObject({ width: 60, height: 40 });
  });

  it('re-encodes a readable file of unexpected structure', async () => {
    const plain = await halves().gif().toBuffer();
    const text = Buffer.concat([Buffer.of(0x21, 0x01, 12), Buffer.alloc(12), Buffer.from('\x07planted\0', 'latin1')]);
    const stripped = await strip(insert(plain, 13 + colourTable(plain), text));
    expect(stripped.toString('latin1')).not.toContain('planted');
    expect(await describeImage(stripped)).toMatchObject({ extension: 'gif', width: 60, height: 40 });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['HTML behind a signature', Buffer.from('GIF89a<script>alert(1)</script>')],
  ])('refuses %s', async (_what, bytes) => expect(await withoutMetadata(bytes)).toBeUndefined());

  it('refuses a picture of too many pixels', async () => {
    expect(await withoutMetadata(await blackPng(10_000, 5001))).toBeUndefined();
  });

  it('neither throws nor hangs for damaged files', async () => {
    const files = await Promise.all(FORMATS.map((format) => located(halves()).toFormat(format).toBuffer()));
    const damage = fc.record({
      file: fc.constantFrom(...files),
      at: fc.nat(4000),
      value: fc.nat(255),
      end: fc.nat(4000),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ file, at, value, end }) => {
        const copy = Buffer.from(end > 2000 ? file : file.subarray(0, end));
        if (at < copy.length) copy[at] = value;
        const stripped = await withoutMetadata(copy);
        if (stripped) expect(Buffer.from(stripped).toString('latin1')).not.toMatch(/Somebody/);
      }),
      { numRuns: 100 },
    );
  });
});

const colourTable = (gif: Buffer): number =>
  3 * 2 ** (((gif[10] ?? 0) & 7) + 1) * Number(((gif[10] ?? 0) & 0x80) !== 0);

/** An extension with its texts in blocks of up to 255 bytes. */
function gifExtension(label: number, ...texts: string[]): Buffer {
  const blocks = texts.flatMap((text) => {
    const parts = text.match(/[\s\S]{1,255}/g) ?? [];
    return parts.map((part) => Buffer.concat([Buffer.of(part.length), Buffer.from(part, 'latin1')]));
  });
  return Buffer.concat([Buffer.of(0x21, label), ...blocks, Buffer.of(0)]);
}
