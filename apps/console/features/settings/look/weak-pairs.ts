import {
  COLOR_NAMES,
  type ColorName,
  findWeakPairs,
  type SiteColors,
  type WeakPair,
} from '../../../../../src/lib/theme.ts';

/** Pairs of colours with too little contrast, by the server's rule. */

const COLOR = /^#[0-9a-f]{6}$/i;

export const isColor = (text: string): boolean => COLOR.test(text);

/** Colours with invalid values, such as incomplete input, replaced by the previous ones. */
export const validColors = (typed: SiteColors, before: SiteColors): SiteColors =>
  // One colour per name.
  Object.fromEntries(
    COLOR_NAMES.map((name) => [name, isColor(typed[name]) ? typed[name] : before[name]]),
  ) as SiteColors;

const isName = (name: string): name is ColorName => COLOR_NAMES.some((known) => known === name);

/** Colour to change to fix a pair: the foreground, or the colour it is derived from. */
function mendedBy({ color, ground, scheme }: WeakPair): ColorName {
  const own = (token: string) => (token !== 'lamp' && scheme === 'dark' ? `${token}_dark` : token);
  const known = [own(color), own(ground.startsWith('accent') ? 'accent' : color)].find(isName);
  return known ?? (scheme === 'dark' ? 'ink_dark' : 'ink');
}

/** Pairs with too little contrast, by the field to change. */
export function weakPairsOf(colors: SiteColors): ReadonlyMap<ColorName, readonly WeakPair[]> {
  const found = new Map<ColorName, WeakPair[]>();
  for (const pair of findWeakPairs(colors)) {
    const field = mendedBy(pair);
    found.set(field, [...(found.get(field) ?? []), pair]);
  }
  return found;
}

/** Formats a contrast, rounded down since 4.499 is not enough. */
export const roundedDown = (ratio: number): number => Math.floor(ratio * 100) / 100;
