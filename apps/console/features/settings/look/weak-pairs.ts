import {
  COLOR_NAMES,
  type ColorName,
  findWeakPairs,
  type SiteColors,
  type WeakPair,
} from '../../../../../src/lib/theme.ts';

/** Which colours can hardly be read together, by the server's own rule. */

const COLOR = /^#[0-9a-f]{6}$/i;

export const isColor = (text: string): boolean => COLOR.test(text);

/** Colours in which what is no colour, such as one that is being typed, is replaced by what was there before. */
export const validColors = (typed: SiteColors, before: SiteColors): SiteColors =>
  // Has a colour for each name.
  Object.fromEntries(
    COLOR_NAMES.map((name) => [name, isColor(typed[name]) ? typed[name] : before[name]]),
  ) as SiteColors;

const isName = (name: string): name is ColorName => COLOR_NAMES.some((known) => known === name);

/** The colour that a pair is best mended by: the one on top, or what it is derived from. */
function mendedBy({ color, ground, scheme }: WeakPair): ColorName {
  const own = (token: string) => (token !== 'lamp' && scheme === 'dark' ? `${token}_dark` : token);
  const known = [own(color), own(ground.startsWith('accent') ? 'accent' : color)].find(isName);
  return known ?? (scheme === 'dark' ? 'ink_dark' : 'ink');
}

/** The pairs of colours that are hard to read, by the field that mends them. */
export function weakPairsOf(colors: SiteColors): ReadonlyMap<ColorName, readonly WeakPair[]> {
  const found = new Map<ColorName, WeakPair[]>();
  for (const pair of findWeakPairs(colors)) {
    const field = mendedBy(pair);
    found.set(field, [...(found.get(field) ?? []), pair]);
  }
  return found;
}

/** A contrast as it is compared: rounded down, since 4.499 is not enough. */
export const roundedDown = (ratio: number): number => Math.floor(ratio * 100) / 100;
