import { parseWeighted } from '../../http/core/content-negotiation.ts';
import { loadSharp } from '../../lib/images/image-renditions.ts';

const TYPES = ['application/json', 'text/html', 'image/svg+xml', 'image/png'] as const;
/** The image types in which codes are drawn. */
export const PICTURES = ['image/svg+xml', 'image/png'] as const;
export type PictureType = (typeof PICTURES)[number];

/** Width of the PNG in pixels; the SVG has no fixed size. */
const WIDTH = 600;
/** Level M: a code stays readable when 15 % of it is damaged. */
const OPTIONS = { ecc: 'M', border: 4 } as const;

/** The image type that an `Accept` header prefers to JSON, if any. */
export function wantedPicture(accept: string): PictureType | undefined {
  const best = parseWeighted(accept).find(({ value, weight }) => weight > 0 && TYPES.some((type) => type === value));
  return PICTURES.find((type) => type === best?.value);
}

/** Loads the libraries on first use, since most processes draw no codes. */
export async function drawCode(content: string, type: PictureType): Promise<Uint8Array<ArrayBuffer>> {
  const { encode, renderSVG } = await import('uqr');
  if (type === 'image/svg+xml') return new TextEncoder().encode(renderSVG(content, OPTIONS));
  const { data, size } = encode(content, OPTIONS);
  const sharp = await loadSharp();
  const modules = Uint8Array.from(data.flat(), (isDark) => (isDark ? 0 : 255));
  const picture = sharp(modules, { raw: { width: size, height: size, channels: 1 } });
  return new Uint8Array(
    await picture.resize(WIDTH, WIDTH, { kernel: 'nearest' }).png({ palette: true, colours: 2, effort: 1 }).toBuffer(),
  );
}
