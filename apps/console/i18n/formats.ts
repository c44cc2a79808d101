import { decimalsOf, localMoney, unitsOf } from '../../../src/lib/money/money.ts';
import { formatRate, WHOLE } from '../../../src/lib/money/rates.ts';
import { readNumber, typedNumber } from '../../../src/lib/money/typed-number.ts';
import { createWhen } from '../../client/when.ts';
import { dateLocale, language } from './texts.ts';

/** Dates in the language of the console, as the browser's region writes them. */
export const when = createWhen(dateLocale);

/** Dates without the year, for those near today. */
export const whenNear = createWhen(dateLocale, { hasYear: false });

/** An amount in the unit of its currency, as spreadsheets add it up; the interface has minor units, such as cents. */
export const inUnits = (minor: number, currency: string): number => unitsOf({ amount: minor, currency });

/**
 * Minor units of an amount typed in the notation of the console; undefined for an empty text, null for an invalid amount
 * of the currency.
 */
export const minorUnits = (typed: string, currency: string): number | null | undefined =>
  readNumber(typed, { language, decimals: decimalsOf(currency) });

/**
 * A typed price as a parameter of the interface: `12.50`. An invalid one gets commas, so that the server refuses it at
 * its field.
 */
export function sentPrice(typed: string, currency: string): string {
  const minor = minorUnits(typed, currency);
  if (minor === undefined) return '';
  return minor === null ? typed.replaceAll('.', ',') : String(inUnits(minor, currency));
}

/** An amount for a field, in the notation of the console: `1250,00`. */
export function amountField(minor: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return typedNumber(minor, { language, decimals }, decimals);
}

/** Rates, in thousandths of a percent, are typed in percent. */
const PERCENT = { language, decimals: 3 };

/** A rate typed in percent; undefined for an empty text, null unless it is a rate up to 100. */
export function rateUnits(typed: string): number | null | undefined {
  const rate = readNumber(typed, PERCENT);
  return typeof rate === 'number' && rate > WHOLE ? null : rate;
}

/** A rate for a field: `8,875`. */
export const rateField = (rate: number): string => typedNumber(rate, PERCENT);

/** A rate in the language of the console: `8.875 %`. */
export const percent = (rate: number): string => formatRate(rate, language);

/** Formats an amount in the language of the console: `€12.50`. */
export const money = (minor: number, currency: string): string => localMoney({ amount: minor, currency }, language);

/**
 * Price, or range of prices, in the language of the console.
 * @param values `cost_details.values` of a ticket or of an event with tickets: amounts in ascending order
 * @param free word for an amount of 0
 */
export function prices(values: readonly string[], currency: string, free: string): string {
  const units = 10 ** decimalsOf(currency);
  const amounts = values.map(Number).filter(Number.isFinite);
  const ends = new Set([Math.min(...amounts), Math.max(...amounts)]);
  if (amounts.length === 0) return free;
  return [...ends].map((end) => (end === 0 ? free : money(Math.round(end * units), currency))).join(' – ');
}

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
