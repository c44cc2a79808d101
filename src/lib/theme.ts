/** Contrast of colours by WCAG 2.2. A colour is `#rrggbb`. */

type Channels = readonly [red: number, green: number, blue: number];

/** Channels from 0 to 255. */
const channelsOf = (color: string): Channels => {
  const number = Number.parseInt(color.slice(1), 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
};

const linear = (channel: number): number => {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
};

/** Relative luminance, from 0 for black to 1 for white. */
export function luminance(color: string): number {
  const [red, green, blue] = channelsOf(color);
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Contrast ratio of two colours in either order, from 1 to 21. */
export function contrastRatio(a: string, b: string): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Mixes two colours: the first one at a share of 0, the second one at 1. */
export function mixColors(from: string, to: string, share: number): string {
  const target = channelsOf(to);
  const mixed = channelsOf(from).map((channel, index) => {
    const value = Math.round(channel + ((target[index] ?? 0) - channel) * share);
    return value.toString(16).padStart(2, '0');
  });
  return `#${mixed.join('')}`;
}

/** Number of steps from one colour to another. */
const STEPS = 50;

interface ContrastGoal {
  /** Colour towards which the contrast grows; the result if no mixture reaches the ratio. */
  toward: string;
  /** Colours that the result must contrast with. */
  against: readonly string[];
  ratio: number;
}

/**
 * The colour nearest to the given one, on the way to `toward`, that reaches the contrast `ratio` with all of `against`.
 */
export function withContrast(color: string, { toward, against, ratio }: ContrastGoal): string {
  for (let step = 0; step < STEPS; step += 1) {
    const candidate = mixColors(color, toward, step / STEPS);
    if (against.every((other) => contrastRatio(candidate, other) >= ratio)) return candidate;
  }
  return toward;
}

/**
 * Colours of the pages. A site chooses eleven; all others are derived from them, so that every text stays readable.
 * `web/assets/tokens.css` has the defaults.
 */

const BASE = ['paper', 'panel', 'ink', 'accent', 'sign'] as const;
type BaseToken = (typeof BASE)[number];

/** The colours that a site chooses: for the light scheme, for the dark scheme (`_dark`), and for the lamps of both. */
export type ColorName = BaseToken | `${BaseToken}_dark` | 'lamp';
/** Each as `#rrggbb`. */
export type SiteColors = Readonly<Record<ColorName, string>>;

type DerivedToken =
  | 'raised'
  | 'soft'
  | 'line'
  | 'edge'
  | 'on-accent'
  | 'accent-soft'
  | 'good'
  | 'good-soft'
  | 'warn'
  | 'warn-soft'
  | 'bad'
  | 'bad-soft'
  | 'info'
  | 'info-soft';

/** All colours of a scheme, by the names of their custom properties in CSS. */
export type Scheme = Readonly<Record<BaseToken | DerivedToken | 'lamp', string>>;

export const LIGHT: Scheme = {
  paper: '#fffdf9',
  panel: '#f7f2ea',
  raised: '#ffffff',
  ink: '#221d26',
  soft: '#5b5363',
  line: '#e3dacd',
  edge: '#8a7f76',
  accent: '#9c1140',
  'on-accent': '#ffffff',
  'accent-soft': '#f9e6ea',
  good: '#0a6154',
  'good-soft': '#dff1ec',
  warn: '#7d4400',
  'warn-soft': '#fbeed6',
  bad: '#a3161f',
  'bad-soft': '#fbe5e3',
  info: '#2250a0',
  'info-soft': '#e5edfa',
  sign: '#3d0a1c',
  lamp: '#ffd98a',
};

export const DARK: Scheme = {
  paper: '#16121c',
  panel: '#211b2a',
  raised: '#2a2334',
  ink: '#ece7f1',
  soft: '#b4abc1',
  line: '#3a3247',
  edge: '#85799a',
  accent: '#ffb3c4',
  'on-accent': '#3d0a1c',
  'accent-soft': '#431c2b',
  good: '#76dcc9',
  'good-soft': '#12352f',
  warn: '#ffca7d',
  'warn-soft': '#3d2a0c',
  bad: '#ffa8a3',
  'bad-soft': '#451a1c',
  info: '#a3c6ff',
  'info-soft': '#1b2b47',
  sign: '#2a0714',
  lamp: '#ffd98a',
};

export const DEFAULT_COLORS: SiteColors = {
  paper: LIGHT.paper,
  panel: LIGHT.panel,
  ink: LIGHT.ink,
  accent: LIGHT.accent,
  sign: LIGHT.sign,
  paper_dark: DARK.paper,
  panel_dark: DARK.panel,
  ink_dark: DARK.ink,
  accent_dark: DARK.accent,
  sign_dark: DARK.sign,
  lamp: LIGHT.lamp,
};

// DEFAULT_COLORS has a value for each of them.
export const COLOR_NAMES = Object.keys(DEFAULT_COLORS) as ColorName[];

/** Minimum contrast of text, and of the borders of fields and buttons (WCAG 2.2, 1.4.3 and 1.4.11). */
const TEXT = 4.5;
const BORDER = 3;

type Base = Pick<Scheme, BaseToken>;
type Grounds = Pick<Scheme, 'paper' | 'panel' | 'ink'>;

const STATES = ['good', 'warn', 'bad', 'info'] as const;

const isSame = <K extends BaseToken>(a: Pick<Scheme, K>, b: Pick<Scheme, K>, names: readonly K[]): boolean =>
  names.every((name) => a[name] === b[name]);

/** The colours of a scheme. Derived colours keep their defaults if their base colours do. */
function schemeOf(base: Base, lamp: string, preset: Scheme): Scheme {
  const hasOwnGrounds = !isSame(base, preset, ['paper', 'panel', 'ink']);
  const hasOwnAccent = !isSame(base, preset, ['accent']);
  const onGrounds = hasOwnGrounds ? { ...preset, ...base, ...groundColors(base) } : { ...preset, ...base };
  const ofAccent = {
    ...(hasOwnAccent && { 'on-accent': textOn(base.accent) }),
    ...((hasOwnAccent || hasOwnGrounds) && { 'accent-soft': tint(base.accent, base) }),
  };
  return { ...onGrounds, ...ofAccent, lamp };
}

/** Colours derived from the colours of areas and text. */
function groundColors({ paper, panel, ink }: Grounds): Partial<Scheme> {
  const isDark = luminance(ink) > luminance(paper);
  const raised = isDark ? mixColors(panel, ink, 0.045) : '#ffffff';
  const areas = [paper, panel, raised];
  const readable = (color: string, ratio: number) => withContrast(color, { toward: ink, against: areas, ratio });
  const hues = isDark ? DARK : LIGHT;
  const states = STATES.map((name) => [name, readable(hues[name], TEXT)] as const);
  const softer = states.map(([name, color]) => [`${name}-soft`, tint(color, { paper, ink })] as const);
  return {
    raised,
    soft: readable(mixColors(ink, paper, 0.26), TEXT),
    line: mixColors(paper, ink, 0.15),
    edge: readable(mixColors(paper, ink, 0.55), BORDER),
    ...Object.fromEntries([...states, ...softer]),
  };
}

/** Text on a colour: white, or a dark shade of the colour. */
const textOn = (color: string): string =>
  contrastRatio('#ffffff', color) >= TEXT
    ? '#ffffff'
    : withContrast(mixColors(color, '#000000', 0.75), { toward: '#000000', against: [color], ratio: TEXT });

/** A tint of the paper that is readable behind both the colour itself and normal text. */
const tint = (color: string, { paper, ink }: Pick<Scheme, 'paper' | 'ink'>): string =>
  withContrast(mixColors(paper, color, 0.12), { toward: paper, against: [color, ink], ratio: TEXT });

export function schemesOf(colors: SiteColors): { light: Scheme; dark: Scheme } {
  const dark = Object.fromEntries(BASE.map((name) => [name, colors[`${name}_dark`]])) as Base; // one for each of BASE
  return { light: schemeOf(pickBase(colors), colors.lamp, LIGHT), dark: schemeOf(dark, colors.lamp, DARK) };
}

const pickBase = ({ paper, panel, ink, accent, sign }: Base): Base => ({ paper, panel, ink, accent, sign });

interface Pair {
  color: keyof Scheme;
  ground: keyof Scheme;
  /** Minimum contrast. */
  needed: number;
}

const AREAS = ['paper', 'panel', 'raised'] as const;

const pair = (color: keyof Scheme, ground: keyof Scheme, needed = TEXT): Pair => ({ color, ground, needed });

/** Every colour with its background, starting with the colours that a site chooses. */
const PAIRS: readonly Pair[] = [
  ...(['ink', 'accent'] as const).flatMap((color) => AREAS.map((area) => pair(color, area))),
  pair('lamp', 'sign'),
  pair('on-accent', 'accent'),
  pair('ink', 'accent-soft'),
  pair('accent', 'accent-soft'),
  ...(['soft', ...STATES] as const).flatMap((color) => AREAS.map((area) => pair(color, area))),
  ...STATES.flatMap((state) => [pair(state, `${state}-soft`), pair('ink', `${state}-soft`)]),
  ...AREAS.map((area) => pair('edge', area, BORDER)),
];

/** Pair of colours with too little contrast, in one of the schemes. */
export interface WeakPair extends Pair {
  scheme: 'light' | 'dark';
  ratio: number;
}

/** Finds pairs of colours with too little contrast. */
export function findWeakPairs(colors: SiteColors): WeakPair[] {
  const schemes = schemesOf(colors);
  return (['light', 'dark'] as const).flatMap((scheme) =>
    PAIRS.map((pair) => ({
      ...pair,
      scheme,
      ratio: contrastRatio(schemes[scheme][pair.color], schemes[scheme][pair.ground]),
    })).filter(({ ratio, needed }) => ratio < needed),
  );
}

/** Style sheet of one scheme of a site, loaded after `tokens.css`, for pages that do not follow the device. */
export function schemeCss(colors: SiteColors, scheme: 'light' | 'dark'): string {
  const values = Object.entries(schemesOf(colors)[scheme]).map(([name, color]) => `--${name}:${color}`);
  return `:root{color-scheme:${scheme};${values.join(';')}}`;
}

/**
 * Style sheet of a site's own colours, loaded after `tokens.css`: custom properties that differ from the defaults.
 * Empty for the default colours.
 */
export function themeCss(colors: SiteColors): string {
  const { light, dark } = schemesOf(colors);
  // Object.keys does not carry the key type.
  const names = Object.keys(LIGHT) as (keyof Scheme)[];
  const ofLight = names.filter((name) => light[name] !== LIGHT[name]);
  // Colours set by the light scheme must be repeated, or they would also apply to the dark one.
  const ofDark = names.filter((name) => dark[name] !== DARK[name] || ofLight.includes(name));
  const root = (scheme: Scheme, own: readonly (keyof Scheme)[]) =>
    `:root{${own.map((name) => `--${name}:${scheme[name]}`).join(';')}}`;
  const darkBlock = ofDark.length > 0 ? `@media (prefers-color-scheme:dark){${root(dark, ofDark)}}` : '';
  return `${ofLight.length > 0 ? root(light, ofLight) : ''}${darkBlock}`;
}
