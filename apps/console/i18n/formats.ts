import { createMoney } from '../../client/money.ts';
import { createWhen } from '../../client/when.ts';
import { language } from './texts.ts';

/** Dates in the language of the console. */
export const when = createWhen(language);

/** The same without the year, for what is near today. */
export const whenNear = createWhen(language, { hasYear: false });

/** Amounts in the language of the console. */
export const money = createMoney(language);

const names = new Intl.DisplayNames([language], { type: 'language' });

/** What a language is called in that of the console within a sentence, such as "French" for `fr`; for what is none, the code. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** As `languageName`, for the beginning of a line: French writes languages with a small letter otherwise. */
export function languageTitle(code: string): string {
  const name = languageName(code);
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}
