import { describe, expect, it } from 'vitest';
import { contrastRatio, luminance, mixColors, withContrast } from './theme.ts';

describe('contrastRatio', () => {
  // As the contrast checkers of WebAIM and of browsers' developer tools say.
  it.each([
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4.0],
    ['#0000ff', '#ffffff', 8.59],
    ['#00ff00', '#000000', 15.3],
    ['#9c1140', '#fffdf9', 8.06],
  ])('of %s and %s is %s, in either order', (a, b, expected) => {
    expect(contrastRatio(a, b)).toBeCloseTo(expected, 1);
    expect(contrastRatio(b, a)).toBe(contrastRatio(a, b));
  });
});

describe('luminance', () => {
  it.each([
    ['#000000', 0],
    ['#ffffff', 1],
    ['#ff0000', 0.2126],
    ['#0a0a0a', 0.00304],
  ])('of %s is %s', (color, expected) => expect(luminance(color)).toBeCloseTo(expected, 4));
});

describe('mixColors', () => {
  it.each([
    ['#000000', '#ffffff', 0, '#000000'],
    ['#000000', '#ffffff', 0.5, '#808080'],
    ['#102030', '#304050', 1, '#304050'],
  ])('of %s and %s at %s is %s', (from, to, share, expected) => expect(mixColors(from, to, share)).toBe(expected));
});

describe('withContrast', () => {
  const goal = { toward: '#000000', against: ['#ffffff', '#eeeeee'], ratio: 4.5 };

  it('keeps a colour with enough contrast', () => expect(withContrast('#333333', goal)).toBe('#333333'));

  it('moves a colour only as far as needed', () => {
    const found = withContrast('#cccccc', goal);
    expect(contrastRatio(found, '#eeeeee')).toBeGreaterThanOrEqual(4.5);
    expect(contrastRatio(found, '#eeeeee')).toBeLessThan(5);
  });

  it('returns the goal if no mixture has enough contrast', () =>
    expect(withContrast('#888888', { ...goal, against: ['#777777'], toward: '#999999' })).toBe('#999999'));
});
