import { useSyncExternalStore } from 'react';

/** The language of the site that texts of records are read and written in. Its choice is kept in this browser. */
const STORED = 'marquee-console-content-language';

let current: string | undefined;
const listeners = new Set<() => void>();

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Undefined until the languages of the site are known. */
export const contentLanguage = (): string | undefined => current;

export const useContentLanguage = (): string | undefined => useSyncExternalStore(subscribe, contentLanguage);

/** Takes the stored choice if the site still has that language, else the first language of the site. */
export function settleContentLanguage(languages: readonly string[]): void {
  const stored = localStorage.getItem(STORED);
  const settled = languages.find((one) => one === stored) ?? languages[0];
  if (settled === current) return;
  current = settled;
  for (const listener of listeners) listener();
}

export function chooseContentLanguage(language: string): void {
  localStorage.setItem(STORED, language);
  current = language;
  for (const listener of listeners) listener();
}
