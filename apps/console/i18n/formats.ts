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

interface Choice {
  value: string;
  label: string;
}

/** All zones that the browser knows, and the present one, which may be a fixed offset. */
export function zonesWith(current: string): Choice[] {
  const zones = new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')]);
  return [...zones].sort().map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}

/** All currencies in use, by their names. */
export function currenciesWith(current: string): Choice[] {
  const names = new Intl.DisplayNames(language, { type: 'currency' });
  const codes = new Set([current, ...Intl.supportedValuesOf('currency')]);
  return byLabel([...codes].map((value) => ({ value, label: `${names.of(value) ?? value} (${value})` })));
}

/** Languages that sites are often in. Others are typed as their codes. */
const COMMON =
  'ar bg ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu id is it ja ko lb lt lv mk ms mt nb nl nn pl pt pt-BR ro ru sk sl sq sr sv th tr uk vi zh-Hans zh-Hant'.split(
    ' ',
  );

/** Common languages by their names, and the given ones. */
export const languagesWith = (present: readonly string[]): Choice[] =>
  byLabel([...new Set([...COMMON, ...present])].map((value) => ({ value, label: languageTitle(value) })));

const byLabel = (choices: readonly Choice[]): Choice[] =>
  choices.toSorted((one, other) => one.label.localeCompare(other.label, language));
