import { language as consoleLanguage } from '../texts.ts';

/** What a language is called in that of the console. */
export function languageName(code: string): string {
  const name = new Intl.DisplayNames(consoleLanguage, { type: 'language' }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(consoleLanguage) + name.slice(1);
}
