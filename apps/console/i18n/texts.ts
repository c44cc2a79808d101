import { formatMessage, type PluralForms } from '../../../src/lib/text/messages.ts';
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

/** Changes the language by reloading the page, since texts are loaded once. */
export function changeLanguage(chosen: Language): void {
  localStorage.setItem(STORED, chosen);
  location.reload();
}

const rules = { plurals: new Intl.PluralRules(language), numbers: new Intl.NumberFormat(language) };

/** One file for all texts of a language, so that a screen waits for no request of its own. */
const LOADERS = {
  en: () => import('./catalogues/en.ts'),
  fr: () => import('./catalogues/fr.ts'),
  de: () => import('./catalogues/de.ts'),
} satisfies Record<Language, () => Promise<{ texts: Record<string, Catalogue> }>>;

/** Catalogues by the name of the folder above `locales`; `i18n` has the texts shared by all screens. */
const catalogues = new Map<string, Catalogue>();

/** Loads all texts of the language. Until then, texts are their keys. */
export async function loadTexts(): Promise<void> {
  const { texts } = await LOADERS[language]();
  for (const [path, catalogue] of Object.entries(texts)) {
    const [, folder = 'i18n'] = /([\w-]+)\/locales\//.exec(path) ?? [];
    catalogues.set(folder, catalogue);
  }
}

/** Labels of fields that several screens use. */
type SharedField = Extract<keyof typeof en, `field.${string}`>;

/** Function for the texts of a folder by their keys, and for shared labels; `C` is the type of one of its files. */
export const textsOf =
  <C extends object>(folder: string) =>
  (key: (keyof C & string) | SharedField, values: MessageValues = {}): string => {
    const message = catalogues.get(folder)?.[key] ?? catalogues.get('i18n')?.[key];
    return message === undefined ? key : formatMessage(message, rules, values.count, (name) => values[name]);
  };

/** Texts shared by all screens. */
export const t = textsOf<typeof en>('i18n');
export type CommonText = keyof typeof en;
