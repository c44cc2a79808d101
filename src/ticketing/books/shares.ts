import { allocate } from '../../lib/money/rates.ts';

/** Shares of payments and refunds in the taxes and fees of their orders. */

/** A line of an order: places, or a charge. */
export interface Line {
  /** Title of the fee; empty for anything else. */
  fee: string;
  /** Rate of the tax that the amount includes, in thousandths of a percent. */
  rate: number;
  /** Minor units, tax included. */
  gross: number;
  tax: number;
}

/**
 * Divides an amount among the lines of an order in proportion, those with the same fee and rate together. The shares add
 * up to it; the whole order has exactly its taxes. An amount without lines has no tax.
 */
export function sharesOf(amount: number, lines: readonly Line[]): Line[] {
  const groups = grouped(lines).filter(({ gross }) => gross > 0);
  if (groups.length === 0) return [{ fee: '', rate: 0, gross: amount, tax: 0 }];
  const parts = allocate(
    amount,
    groups.map(({ gross }) => gross),
  );
  return groups.map((group, at) => {
    const gross = parts[at] ?? 0;
    return { ...group, gross, tax: Math.round((group.tax * gross) / group.gross) };
  });
}

/** One line for each fee and rate. */
const grouped = (lines: readonly Line[]): Line[] =>
  [...Map.groupBy(lines, ({ fee, rate }) => `${rate} ${fee}`).values()].flatMap(([first, ...others]) =>
    first ? [others.reduce(addLine, first)] : [],
  );

const addLine = (sum: Line, { gross, tax }: Line): Line => ({ ...sum, gross: sum.gross + gross, tax: sum.tax + tax });

/** Subtracts some shares from others, by fee and rate; parts of the rest may be negative. */
export function withoutShares(all: readonly Line[], others: readonly Line[]): Line[] {
  const negative = others.map(({ gross, tax, ...share }) => ({ ...share, gross: -gross, tax: -tax }));
  return grouped([...all, ...negative]).filter(({ gross, tax }) => gross !== 0 || tax !== 0);
}
