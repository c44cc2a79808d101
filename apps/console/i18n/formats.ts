import { decimalsOf } from '../../../src/lib/money/money.ts';
import { createWhen } from '../../client/when.ts';
import { language } from './texts.ts';

/** Dates in the language of the console. */
export const when = createWhen(language);

/** Dates without the year, for those near today. */
export const whenNear = createWhen(language, { hasYear: false });

/** An amount in the unit of its currency, as spreadsheets add it up; the interface has minor units, such as cents. */
export const inUnits = (minor: number, currency: string): number => minor / 10 ** decimalsOf(currency);

/** Formats an amount in the language of the console: `€12.50`. */
export const money = (minor: number, currency: string): string =>
  new Intl.NumberFormat(language, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' }).format(
    inUnits(minor, currency),
  );

const names = new Intl.DisplayNames([language], { type: 'language' });

/** Name of a language within a sentence, such as "French" for `fr`; an unknown code stays as it is. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** Name of a language at the beginning of a line: French writes it in lower case elsewhere. */
export function languageTitle(code: string): string {
  const name = languageName(code);
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
