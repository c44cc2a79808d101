import { formatMessage, type PluralForms } from '../../../src/lib/text/messages.ts';
import { regionalForm } from '../../client/when.ts';
import type en from './locales/en.json';

/** Messages of one language by their keys. */
export type Catalogue = Readonly<Record<string, string | PluralForms>>;

/** Values for a message. Numbers are quantities and formatted for the language; ids are passed as text. */
type MessageValues = Readonly<Record<string, string | number>>;

/** Languages of the console itself; records have those of the site. */
export const LANGUAGES = { en: 'English', fr: 'Français', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = 'marquee-console-language';

const isKnown = (code: string | null): code is Language => code !== null && Object.hasOwn(LANGUAGES, code);

/** The language chosen in the console, else the first one that the browser prefers and the console has. */
function preferredLanguage(): Language {
  const chosen = localStorage.getItem(STORED);
  if (isKnown(chosen)) return chosen;
  const codes = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return codes.find(isKnown) ?? 'en';
}

/** Language of the console; it stays the same until the page is reloaded. */
export const language: Language = preferredLanguage();

/** Locale of dates: the language of the console, in the browser's region. */
export const dateLocale: string = regionalForm(language, navigator.languages);

/** Changes the language by reloading the page, since texts are loaded once. */
export function changeLanguage(chosen: Language): void {
  localStorage.setItem(STORED, chosen);
  location.reload();
}

const rulesOf = (one: string) => ({ plurals: new Intl.PluralRules(one), numbers: new Intl.NumberFormat(one) });
const rules = rulesOf(language);

/** One file for all texts of a language, so that a screen waits for no request of its own. */
const LOADERS = {
  en: () => import('./catalogues/en.ts'),
  fr: () => import('./catalogues/fr.ts'),
  de: () => import('./catalogues/de.ts'),
} satisfies Record<Language, () => Promise<{ texts: Record<string, Catalogue> }>>;

/** Catalogues by the name of the folder above `locales`; `i18n` has the texts shared by all screens. */
type Catalogues = ReadonlyMap<string, Catalogue>;
let catalogues: Catalogues = new Map();

async function loadCatalogues(one: Language): Promise<Catalogues> {
  const { texts } = await LOADERS[one]();
  return new Map(
    Object.entries(texts).map(([path, catalogue]) => [/([\w-]+)\/locales\//.exec(path)?.[1] ?? 'i18n', catalogue]),
  );
}

/** Loads all texts of the language. Until then, texts are their keys. */
export async function loadTexts(): Promise<void> {
  catalogues = await loadCatalogues(language);
}

/** Labels of fields that several screens use. */
type SharedField = Extract<keyof typeof en, `field.${string}`>;

type Texts<C extends object> = (key: (keyof C & string) | SharedField, values?: MessageValues) => string;

/** Function for the texts of a folder by their keys, and for shared labels; `C` is the type of one of its files. */
export const textsOf =
  <C extends object>(folder: string): Texts<C> =>
  (key, values = {}) => {
    const message = catalogues.get(folder)?.[key] ?? catalogues.get('i18n')?.[key];
    return message === undefined ? key : formatMessage(message, rules, values.count, (name) => values[name]);
  };

/**
 * The same in a language of the site, for names that become content; in the language of the console if there are no
 * texts in the other one.
 */
export async function textsIn<C extends object>(folder: string, content: string | undefined): Promise<Texts<C>> {
  const code = content?.split('-')[0] ?? language;
  if (code === language || !isKnown(code)) return textsOf<C>(folder);
  const [found, others] = [(await loadCatalogues(code)).get(folder), rulesOf(code)];
  return (key, values = {}) => {
    const message = found?.[key];
    return message === undefined ? key : formatMessage(message, others, values.count, (name) => values[name]);
  };
}

/** Texts shared by all screens. */
export const t = textsOf<typeof en>('i18n');
export type CommonText = keyof typeof en;
