import { createStore } from '../ui/store.ts';

/** Key of the chosen language in local storage. */
const STORED = 'marquee-console-content-language';

/** Language of the site in which texts of records are read and written. */
const chosen = createStore<string | undefined>(undefined);

/** Undefined until the languages of the site are known. */
export const contentLanguage = chosen.get;

export const useContentLanguage = chosen.use;

/** Applies the stored choice if the site still has that language, else the first language of the site. */
export function settleContentLanguage(languages: readonly string[]): void {
  const stored = localStorage.getItem(STORED);
  const settled = languages.find((one) => one === stored) ?? languages[0];
  if (settled !== chosen.get()) chosen.set(settled);
}

export function chooseContentLanguage(language: string): void {
  localStorage.setItem(STORED, language);
  chosen.set(language);
}
