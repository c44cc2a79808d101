import type { Image } from '../../platform/media/images.ts';
import { type Html, html } from '../frame/html.ts';

interface PictureOptions {
  /** The rendition that is large enough on most screens. */
  size: string;
  /** For an image without an alternative text of its own; empty for one that only decorates what is said beside it. */
  alt: string;
  /** Whether it is the first thing to look at, and not to be loaded only when it comes into sight. */
  isFirst?: boolean;
}

/** An image in its natural ratio, in the smallest rendition that serves. */
export function picture(image: Image | false | undefined, { size, alt, isFirst }: PictureOptions): Html | undefined {
  if (!image) return undefined;
  const { url, width, height } = image.sizes?.[size] ?? image;
  const text = alt === '' ? '' : image.alt || alt;
  return html`<img class="picture u-photo" src="${url}" width="${width}" height="${height}" alt="${text}"${isFirst ? html` fetchpriority="high"` : html` loading="lazy"`} decoding="async">`;
}
