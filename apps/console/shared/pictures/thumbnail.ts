import type { Image } from '../../../../packages/client/src/marquee-client.ts';

/** Pixels: enough for a tile on a sharp screen. */
const WIDTH = 320;

/** The address of the smallest rendition that is wide enough for a tile. */
export function thumbnailOf({ url, sizes = {} }: Pick<Image, 'url' | 'sizes'>): string {
  const wide = Object.values(sizes).filter(({ width }) => width >= WIDTH);
  return wide.toSorted((one, other) => one.width - other.width)[0]?.url ?? url;
}
