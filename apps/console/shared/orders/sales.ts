/** Beginning of reports on all sales: a day before all orders. */
export const BEGINNING = '2000-01-01';

/** Formats an amount in minor units of a currency. */
export type FormatMoney = (minor: number, currency: string) => string;

interface Amounts {
  amounts: readonly { minor: number; currency: string }[];
}

/** Amounts, one for each currency. */
export const amountsOf = ({ amounts }: Amounts, money: FormatMoney): string =>
  amounts.map(({ minor, currency }) => money(minor, currency)).join(' + ');
