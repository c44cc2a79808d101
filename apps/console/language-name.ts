import { language } from './texts.ts';

const names = new Intl.DisplayNames([language], { type: 'language' });

/** What a language is called in that of the console, such as "French" for `fr`. */
export const languageName = (code: string): string => names.of(code) ?? code;
