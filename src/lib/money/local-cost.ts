import { isFree } from './cost.ts';
import { formatMoney, isCurrency, type MoneyFormat, moneyFormat } from './money.ts';

/** Cost of an event in the language of the reader. The `cost` of the API is in the first language of the site. */

interface ShownCost {
  /** Plain text. */
  cost: string;
  /** `cost_details.values`: texts, then amounts in ascending order with a decimal point. */
  values: readonly string[];
}

interface Reader {
  language: string;
  /** Word for "free". */
  free: string;
  /** ISO 4217. */
  currency: string;
  /** Symbol of the currency on the site. */
  symbol: string;
}

/** Formats amounts and ranges; any other text stays as the organizer wrote it. */
export function localCost({ cost, values }: ShownCost, reader: Reader): string {
  if (isFree(cost)) return reader.free;
  const parts = cost.split(' – ').map(partOf);
  const amounts = values.filter((value) => AMOUNT.test(value));
  const ends = parts.length === 1 ? [amounts.at(-1)] : [amounts[0], amounts.at(-1)];
  const symbols = new Set(parts.flatMap((part) => (part?.symbol === undefined ? [] : [part.symbol])));
  const [symbol = ''] = symbols;
  if (parts.length > 2 || parts.includes(undefined) || symbols.size !== 1 || ends.includes(undefined)) return cost;
  const format = formatOf(symbol, amounts, reader);
  const shown = ends.map((value = '') => amountIn(value, format));
  if (shown.includes(undefined)) return cost;
  return shown.map((amount, index) => (parts[index]?.symbol === undefined ? reader.free : amount)).join(' – ');
}

const AMOUNT = /^\d+(?:\.\d+)?$/;
const PREFIXED = /^(\D*?)\s?\d[\d.,\s\u00a0\u202f'’]*$/u;
const POSTFIXED = /^\d[\d.,\u202f'’]*\s?([^\d.,\s'’]\D*)$/u;

/** Symbol of one end of a cost, absent for the word for "free". Returns undefined for any other text. */
function partOf(part: string): { symbol?: string } | undefined {
  if (isFree(part)) return {};
  const symbol = PREFIXED.exec(part)?.[1] || POSTFIXED.exec(part)?.[1];
  return symbol && isCurrency(symbol) ? { symbol } : undefined;
}

/** Format of the amounts: the site's; with another symbol, two decimals if any amount has decimals, otherwise none. */
function formatOf(symbol: string, amounts: readonly string[], reader: Reader): MoneyFormat {
  const format = moneyFormat(reader.currency, reader.language, symbol);
  const decimals = amounts.some((amount) => amount.includes('.')) ? 2 : 0;
  return symbol === reader.symbol ? format : { ...format, decimals };
}

/** Undefined for an amount with more decimals than the format has. */
function amountIn(value: string, format: MoneyFormat): string | undefined {
  const [, fraction = ''] = value.split('.');
  return fraction.length > format.decimals
    ? undefined
    : formatMoney(Math.round(Number(value) * 10 ** format.decimals), format);
}
