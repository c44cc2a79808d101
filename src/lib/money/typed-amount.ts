import { decimalsOf, type MoneyFormat, symbolOf } from './money.ts';
import { readNumber, separatorsOf } from './typed-number.ts';

/** Amounts as customers type them: also with a currency, and with the decimal separator of another language. */

type Notation = Pick<MoneyFormat, 'currency' | 'symbol'> & { language: string };

/** A single separator; digits may be missing on either side. */
const SINGLE_SEPARATOR = /^(\d*)[.,](\d*)$/;

/**
 * Parses a typed amount into minor units: `1,234.50` or `$12` in English. Undefined for anything else, and for an amount
 * whose separator may mean thousands as well as decimals.
 */
export function typedAmount(text: string, { currency, symbol, language }: Notation): number | undefined {
  const typed = withoutCurrency(text.trim(), [symbol, symbolOf(currency), currency]);
  const notation = { language, decimals: decimalsOf(currency) };
  const strict = readNumber(typed, notation) ?? undefined;
  const [, whole = '', fraction = ''] = SINGLE_SEPARATOR.exec(typed) ?? [];
  if (whole === '' && fraction === '') return strict;
  const decimals = fraction === '' ? '' : `${separatorsOf(language).decimal}${fraction}`;
  const lenient = readNumber(`${whole || '0'}${decimals}`, notation) ?? undefined;
  return strict === undefined || lenient === undefined || strict === lenient ? (strict ?? lenient) : undefined;
}

/** Removes the currency before or after an amount. */
function withoutCurrency(text: string, currencies: readonly string[]): string {
  for (const currency of currencies.filter((one) => one !== '')) {
    const isCurrency = (part: string) => part.toUpperCase() === currency.toUpperCase();
    if (isCurrency(text.slice(0, currency.length))) return text.slice(currency.length).trimStart();
    if (isCurrency(text.slice(-currency.length))) return text.slice(0, -currency.length).trimEnd();
  }
  return text;
}
