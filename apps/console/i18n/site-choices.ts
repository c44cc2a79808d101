import { languageTitle } from './formats.ts';
import { language as consoleLanguage } from './texts.ts';

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
  const names = new Intl.DisplayNames(consoleLanguage, { type: 'currency' });
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
  choices.toSorted((one, other) => one.label.localeCompare(other.label, consoleLanguage));
