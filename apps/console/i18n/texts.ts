import { type Catalogue, createFormat, type MessageValues } from '../../client/messages.ts';
import type en from './locales/en.json';

/** Languages of the console itself; records have those of the site. */
export const LANGUAGES = { en: 'English', fr: 'Français', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const STORED = 'marquee-console-language';

const isKnown = (code: string | null): code is Language => code !== null && Object.hasOwn(LANGUAGES, code);

/** The language of this person: the one chosen in the console, else the first that the browser prefers. */
function preferredLanguage(): Language {
  const chosen = localStorage.getItem(STORED);
  if (isKnown(chosen)) return chosen;
  const codes = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return codes.find(isKnown) ?? 'en';
}

/** Stays the same until the page is loaded again. */
export const language: Language = preferredLanguage();

/** Shows the console in another language, by loading it again: texts are read once. */
export function changeLanguage(chosen: Language): void {
  localStorage.setItem(STORED, chosen);
  location.reload();
}

const format = createFormat(language);

/** The loaders of all catalogues, by the name of the folder above `locales` and the language: `events/fr`. */
const LOADERS = new Map(
  Object.entries(import.meta.glob<Catalogue>('../**/locales/*.json', { import: 'default' })).map(([path, load]) => {
    const [, folder = 'i18n', code = ''] = /(?:([\w-]+)\/)?locales\/(\w+)\.json$/.exec(path) ?? [];
    return [`${folder}/${code}`, load];
  }),
);

const catalogues = new Map<string, Catalogue>();

/** Loads the texts of a folder, named by its last part; `i18n` has those that all screens share. */
export async function loadTexts(folder: string): Promise<void> {
  if (catalogues.has(folder)) return;
  const load = LOADERS.get(`${folder}/${language}`);
  if (!load) throw new Error(`no texts of ${folder} in ${language}`);
  catalogues.set(folder, await load());
}

/** Names of fields that several screens show. */
type SharedField = Extract<keyof typeof en, `field.${string}`>;

/** The texts of a folder by their keys, given the type of one of its files; names of fields may be shared. */
export const textsOf =
  <C extends object>(folder: string) =>
  (key: (keyof C & string) | SharedField, values?: MessageValues): string => {
    const message = catalogues.get(folder)?.[key] ?? catalogues.get('i18n')?.[key];
    return message === undefined ? key : format(message, values);
  };

/** Texts of the frame and of the parts that all screens use. */
export const t = textsOf<typeof en>('i18n');
export type FrameText = keyof typeof en;
