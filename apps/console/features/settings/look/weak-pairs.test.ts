import { describe, expect, it } from 'vitest';
import { type ColorName, DEFAULT_COLORS, type SiteColors } from '../../../../../src/lib/theme.ts';
import { isColor, roundedDown, validColors, weakPairsOf } from './weak-pairs.ts';

describe('colours that can hardly be read', () => {
  it.each<[Partial<SiteColors>, ColorName[]]>([
    [{}, []],
    [{ accent: '#e07a9a' }, ['accent']],
    [{ accent_dark: '#16121c' }, ['accent_dark']],
    [{ lamp: '#3d0a1c' }, ['lamp']],
    [{ ink: '#999999', ink_dark: '#777777' }, ['ink', 'ink_dark']],
  ])('of %j are %j', (colors, expected) => {
    const fields = [...weakPairsOf({ ...DEFAULT_COLORS, ...colors }).keys()];
    expect(fields.filter((name) => name in colors).sort()).toEqual(expected);
    // Others are marked only where they follow from a marked one.
    expect(fields.length > 0).toBe(expected.length > 0);
    expect(fields.every((name) => /^(ink|accent|lamp)/.test(name))).toBe(true);
  });

  it('name the pair and its contrast, rounded down', () => {
    const [first] = weakPairsOf({ ...DEFAULT_COLORS, accent: '#e07a9a' }).get('accent') ?? [];
    expect(first).toMatchObject({ color: 'accent', ground: 'paper', scheme: 'light', needed: 4.5 });
    expect(roundedDown(first?.ratio ?? 0)).toBe(2.78);
    expect(roundedDown(4.4999)).toBe(4.49);
  });

  it('leave out what is still being typed', () => {
    const typed = { ...DEFAULT_COLORS, ink: '#22', paper: '#FFFFFF' };
    expect(validColors(typed, DEFAULT_COLORS)).toEqual({ ...DEFAULT_COLORS, paper: '#FFFFFF' });
  });

  it.each([
    ['#9c1140', true],
    ['#9C1140', true],
    ['9c1140', false],
    ['#9c114', false],
    ['#9c11400', false],
    ['red', false],
    ['#9c1140;}', false],
  ])('read %s as a colour: %s', (text, expected) => {
    expect(isColor(text)).toBe(expected);
  });
});
