import { signal } from '@preact/signals';
import { localMoney } from '../../../src/lib/money/money.ts';
import { formatMessage, type PluralForms } from '../../../src/lib/text/messages.ts';
import { createWhen, regionalForm } from '../../client/when.ts';
import type en from '../locales/en.json';

export const LANGUAGES = { en: 'English', fr: 'Français', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

type Text = keyof typeof en;
type Catalogue = Readonly<Record<string, string | PluralForms>>;

const LOADERS: Readonly<Record<Language, () => Promise<{ default: Catalogue }>>> = {
  en: () => import('../locales/en.json'),
  fr: () => import('../locales/fr.json'),
  de: () => import('../locales/de.json'),
};

const isKnown = (code: string | undefined): code is Language => code !== undefined && Object.hasOwn(LANGUAGES, code);

export const language = signal<Language>('en');
const catalogue = signal<Catalogue>({});

/** Shows the app in a language; without one, in the first that the browser prefers and the app has. */
export async function speak(wanted: string | undefined): Promise<void> {
  const preferred = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  const code = [wanted, ...preferred].find(isKnown) ?? 'en';
  catalogue.value = (await LOADERS[code]()).default;
  language.value = code;
  document.documentElement.lang = code;
  document.title = t('title');
}

/** A text in the language of the app; `count` selects its plural form. */
export function t(key: Text, values: Readonly<Record<string, string | number>> = {}): string {
  const message = catalogue.value[key];
  if (message === undefined) return key;
  const code = language.value;
  const rules = { plurals: new Intl.PluralRules(code), numbers: new Intl.NumberFormat(code) };
  return formatMessage(message, rules, values.count, (name) => values[name]);
}

/** An amount in minor units, such as `€12.50`. */
export const money = (minor: number, currency: string): string =>
  localMoney({ amount: minor, currency }, language.value);

const locale = (): string => regionalForm(language.value, navigator.languages);

/** Time of day of a UTC time in the zone of the device: people at the door look at its clock. */
export const timeOf = (utc: string): string =>
  new Intl.DateTimeFormat(locale(), { hour: 'numeric', minute: '2-digit' }).format(
    new Date(`${utc.replace(' ', 'T')}Z`),
  );

/** Day and time of the start of an event, in its own zone. */
export const startOf = (local: string): string => createWhen(locale(), { hasYear: false }).moment(local);

/** A distance in time such as "4 s", "8 min" or "3 h". */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [unit, length] = UNITS.find(([, size]) => seconds >= size) ?? ['second', 1];
  return new Intl.NumberFormat(language.value, { style: 'unit', unit, unitDisplay: 'short' }).format(
    Math.floor(seconds / length),
  );
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;
