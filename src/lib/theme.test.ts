import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  COLOR_NAMES,
  contrastRatio,
  DARK,
  DEFAULT_COLORS,
  findWeakPairs,
  LIGHT,
  type SiteColors,
  schemesOf,
  themeCss,
} from './theme.ts';

const hexColor = fc.nat({ max: 0xffffff }).map((number) => `#${number.toString(16).padStart(6, '0')}`);
const anyColors = fc.record(
  Object.fromEntries(COLOR_NAMES.map((name) => [name, hexColor])),
) as unknown as fc.Arbitrary<SiteColors>; // one of each name

/** The colours of a block of `tokens.css`. */
const tokens = (block = '') =>
  Object.fromEntries(
    [...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)]
      .map(([, name = '', value]) => [name, value])
      .filter(([name]) => Object.hasOwn(LIGHT, String(name))),
  );

describe('the default colours', () => {
  it('match tokens.css', () => {
    const css = readFileSync(new URL('../web/assets/tokens.css', import.meta.url), 'utf8');
    const [light, dark] = css.split('@media (prefers-color-scheme: dark)');
    expect(tokens(light)).toEqual(LIGHT);
    expect({ lamp: DARK.lamp, ...tokens(dark) }).toEqual(DARK);
  });

  it('are readable and need no style sheet', () => {
    expect(findWeakPairs(DEFAULT_COLORS)).toEqual([]);
    expect(schemesOf(DEFAULT_COLORS)).toEqual({ light: LIGHT, dark: DARK });
    expect(themeCss(DEFAULT_COLORS)).toBe('');
  });
});

describe('findWeakPairs', () => {
  it.each([
    ['accent', '#e07a9a', 'accent/paper'],
    ['ink', '#999999', 'ink/paper'],
    ['panel', '#444444', 'ink/panel'],
    ['lamp', '#804040', 'lamp/sign'],
    ['sign', '#c08040', 'lamp/sign'],
  ] as const)('names what a %s of %s makes hard to read', (name, color, pair) => {
    const weak = findWeakPairs({ ...DEFAULT_COLORS, [name]: color });
    expect(weak.map((one) => `${one.color}/${one.ground}`)).toContain(pair);
    expect(weak[0]?.scheme).toBe('light');
  });

  it.each(['paper', 'panel', 'ink', 'accent', 'sign'] as const)('finds weak pairs of the dark scheme: %s', (name) => {
    const weak = findWeakPairs({ ...DEFAULT_COLORS, [`${name}_dark`]: '#8a7f76' });
    expect(new Set(weak.map(({ scheme }) => scheme))).toEqual(new Set(['dark']));
  });

  it('finds none among the derived colours if text, links and the name can be read', () => {
    const goesWrong = (colors: SiteColors) => {
      const weak = findWeakPairs(colors);
      const areChosen = weak.some(({ color }) => ['ink', 'accent', 'lamp'].includes(color));
      expect(weak.length === 0 || areChosen).toBe(true);
    };
    fc.assert(fc.property(anyColors, goesWrong), { seed: 7, numRuns: 100 });
  });
});

describe('the derived colours', () => {
  it('can be read for other accents on the default areas', () => {
    for (const accent of ['#005f73', '#3a0ca3', '#2d6a4f', '#000000']) {
      const { light } = schemesOf({ ...DEFAULT_COLORS, accent });
      expect(findWeakPairs({ ...DEFAULT_COLORS, accent })).toEqual([]);
      expect({ ...light, accent: '', 'accent-soft': '' }).toEqual({ ...LIGHT, accent: '', 'accent-soft': '' });
    }
  });

  it('can be read on dark areas in the light scheme', () => {
    const night = { paper: '#101820', panel: '#18222c', ink: '#f0f4f8', accent: '#ffd166' };
    const { light } = schemesOf({ ...DEFAULT_COLORS, ...night });
    expect(findWeakPairs({ ...DEFAULT_COLORS, ...night })).toEqual([]);
    expect(contrastRatio(light['on-accent'], light.accent)).toBeGreaterThanOrEqual(4.5);
    expect(light.good).toBe(DARK.good);
  });
});

describe('themeCss', () => {
  it('sets colours that differ, and restores in the dark scheme those that only the light one changes', () => {
    const css = themeCss({ ...DEFAULT_COLORS, accent: '#005f73' });
    const [light = '', dark = ''] = css.split('@media (prefers-color-scheme:dark)');
    expect(light).toMatch(/^:root\{--accent:#005f73;--accent-soft:#[0-9a-f]{6}\}$/);
    expect(dark).toBe(`{:root{--accent:${DARK.accent};--accent-soft:${DARK['accent-soft']}}}`);
  });

  it('has only a dark block for dark colours', () => {
    expect(themeCss({ ...DEFAULT_COLORS, sign_dark: '#001122' })).toBe(
      '@media (prefers-color-scheme:dark){:root{--sign:#001122}}',
    );
  });
});
