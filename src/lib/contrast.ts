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
  /** Colour with enough contrast, or with more than others. */
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
