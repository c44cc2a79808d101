import { allocate, includedAt } from './rates.ts';

/** Arithmetic of amounts that contain taxes at several rates. */

/** Money at a tax rate. */
export interface RatePart {
  /** Thousandths of a percent. */
  tax_rate: number;
  /** Minor units, with the tax. */
  amount: number;
  tax: number;
}

/** The sums of parts, one for each rate. */
export const sumByRate = (parts: readonly RatePart[]): RatePart[] =>
  [...Map.groupBy(parts, ({ tax_rate }) => tax_rate)].map(([tax_rate, same]) => ({
    tax_rate,
    amount: same.reduce((sum, { amount }) => sum + amount, 0),
    tax: same.reduce((sum, { tax }) => sum + tax, 0),
  }));

/** Parts minus others, for each rate; rates with equal amounts are left out. */
export const differenceByRate = (parts: readonly RatePart[], others: readonly RatePart[]): RatePart[] =>
  sumByRate([
    ...parts,
    ...others.map(({ tax_rate, amount, tax }) => ({ tax_rate, amount: 0 - amount, tax: 0 - tax })),
  ]).filter(({ amount }) => amount !== 0);

/**
 * Divides an amount among the rates of parts, in proportion to their sums above 0; each share has the tax that it
 * includes. A rate that is covered completely keeps its exact tax, so that shares of the whole amount add no rounding.
 * Without parts the amount has no tax.
 */
export function shareByRate(amount: number, parts: readonly RatePart[]): RatePart[] {
  const rates = sumByRate(parts).filter((part) => part.amount > 0);
  if (rates.length === 0 || amount <= 0) return amount === 0 ? [] : [{ tax_rate: 0, amount, tax: 0 }];
  const shares = allocate(
    amount,
    rates.map((rate) => rate.amount),
  );
  return rates
    .map(({ tax_rate, amount: whole, tax }, at) => {
      const share = shares[at] ?? 0;
      return { tax_rate, amount: share, tax: share === whole ? tax : includedAt(share, tax_rate) };
    })
    .filter((share) => share.amount > 0);
}
