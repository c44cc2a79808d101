/** Arithmetic of rates and shares on money in minor units, exact for all amounts that can be stored. */

/** 100 % in the unit of rates, thousandths of a percent. */
export const WHOLE = 100_000;

/** A rate in a language: `8.875 %`. */
export const formatRate = (rate: number, language: string): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 3 }).format(rate / WHOLE);

/** `amount * numerator / denominator`, rounded half up. For amounts that are not negative. */
function scaled(amount: number, numerator: number, denominator: number): number {
  // Products of amounts and rates exceed the integers that a number holds exactly.
  const half = 2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator);
  return Number(half / (2n * BigInt(denominator)));
}

/** Part of an amount at a rate in thousandths of a percent, rounded half up. */
export const partAt = (amount: number, rate: number): number => scaled(amount, rate, WHOLE);

/** Tax at a rate that an amount already includes, rounded half up. */
export const includedAt = (amount: number, rate: number): number => scaled(amount, rate, WHOLE + rate);

/**
 * Divides a total in proportion to weights: each share is rounded down, and the largest remainders, the first ones
 * among equals, get one more minor unit. No share exceeds its weight unless the total exceeds the sum of the weights.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const exact = weights.map((weight) => BigInt(total) * BigInt(weight));
  const shares = exact.map((part) => Number(part / BigInt(sum)));
  const remainders = exact.map((part, at) => ({ at, rest: Number(part % BigInt(sum)) }));
  const left = total - shares.reduce((all, share) => all + share, 0);
  const largest = remainders.sort((one, other) => other.rest - one.rest || one.at - other.at).slice(0, left);
  for (const { at } of largest) shares[at] = (shares[at] ?? 0) + 1;
  return shares;
}
