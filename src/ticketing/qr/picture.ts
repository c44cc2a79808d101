import { parseWeighted } from '../../http/core/quality-values.ts';

const TYPES = ['application/json', 'text/html', 'image/svg+xml', 'image/png'] as const;
/** The image types in which codes are drawn. */
export const PICTURES = ['image/svg+xml', 'image/png'] as const;
export type PictureType = (typeof PICTURES)[number];

/** Width of the PNG in pixels; the SVG has no fixed size. */
const WIDTH = 600;
/** Level M: a code stays readable when 15 % of it is damaged. */
const OPTIONS = { errorCorrectionLevel: 'M', margin: 4 } as const;

/** The image type that an `Accept` header prefers to JSON, if any. */
export function wantedPicture(accept: string): PictureType | undefined {
  const best = parseWeighted(accept).find(({ value, weight }) => weight > 0 && TYPES.some((type) => type === value));
  return PICTURES.find((type) => type === best?.value);
}

/** Loads the library on first use, since most processes draw no codes. */
export async function drawCode(content: string, type: PictureType): Promise<Uint8Array<ArrayBuffer>> {
  const { default: QRCode } = await import('qrcode');
  if (type === 'image/png') return new Uint8Array(await QRCode.toBuffer(content, { ...OPTIONS, width: WIDTH }));
  return new TextEncoder().encode(await QRCode.toString(content, { ...OPTIONS, type: 'svg' }));
}
