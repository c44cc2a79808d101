import type { Image } from '../../../../packages/client/src/marquee-client.ts';
import { isProblem } from '../../../client/problem.ts';
import { textsOf } from '../../i18n/texts.ts';
import { describe } from '../../ui/states.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('pictures');

/** Types that the server accepts. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'];

/** Pixels: enough for a tile on a sharp screen. */
const WIDTH = 320;

/** The address of the smallest rendition that is wide enough for a tile. */
export function thumbnailOf({ url, sizes = {} }: Pick<Image, 'url' | 'sizes'>): string {
  const wide = Object.values(sizes).filter(({ width }) => width >= WIDTH);
  return wide.toSorted((one, other) => one.width - other.width)[0]?.url ?? url;
}

/** Why the server refuses a file or its upload. */
export const whyRefused = (error: unknown): string =>
  (isProblem(error) ? error.fields.file : undefined) ?? describe(error);
