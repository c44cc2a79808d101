import type { Image } from '../../platform/media/images.ts';
import { type Html, html } from '../frame/html.ts';

interface PictureOptions {
  /** Rendition that is large enough on most screens. */
  size: string;
  /** Fallback for an image without an alternative text; empty for a decorative one. */
  alt: string;
  /** True for the first visible image, which is not loaded lazily. */
  isFirst?: boolean;
}

/** Image in its natural ratio, in the smallest sufficient rendition. */
export function picture(image: Image | false | undefined, { size, alt, isFirst }: PictureOptions): Html | undefined {
  if (!image) return undefined;
  const { url, width, height } = image.sizes?.[size] ?? image;
  const text = alt === '' ? '' : image.alt || alt;
  return html`<img class="picture u-photo" src="${url}" width="${width}" height="${height}" alt="${text}"${isFirst ? html` fetchpriority="high"` : html` loading="lazy"`} decoding="async">`;
}
