/** Amounts of money; those of the interface are in the smallest unit of their currency. */

const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** An amount in the unit of its currency, as spreadsheets add it up. */
export const inUnits = (minor: number, currency: string): number => minor / 10 ** digitsOf(currency);

/** Says amounts in a language: `€12.50`. */
export const createMoney =
  (language: string) =>
  (minor: number, currency: string): string =>
    new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
      inUnits(minor, currency),
    );
