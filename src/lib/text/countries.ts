import { fold } from './text.ts';

/** Languages in which the names of all countries are recognized, besides the main language of each country. */
const LANGUAGES = ['en', 'fr', 'de'];

/** Names missing from the Unicode data (CLDR). */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  CH: 'svizzera, svizra',
  CZ: 'czech republic, republique tcheque, tschechische republik, ceska republika',
  GB: 'great britain, britain, england, scotland, wales, northern ireland, grande-bretagne, angleterre, grossbritannien',
  IE: 'republic of ireland',
  KR: 'korea, republic of korea',
  NL: 'holland, hollande',
  TR: 'turkey',
  US: 'usa, united states of america, etats-unis d’amerique, vereinigte staaten von amerika',
};

let codes: ReadonlyMap<string, string> | undefined;

/**
 * The code of a country (ISO 3166-1 alpha-2), given that code or the name in English, French, German or the country's
 * own language: `us`, `U.S.A.`, `Germany`, `Deutschland`, `日本`.
 */
export function countryCode(text: string): string | undefined {
  codes ??= codesByName();
  return codes.get(nameKey(text));
}

/** Whether two texts name the same country; unknown names are compared as texts. */
export const isSameCountry = (one: string, other: string): boolean =>
  (countryCode(one) ?? nameKey(one)) === (countryCode(other) ?? nameKey(other));

const nameKey = (text: string): string =>
  fold(text).replaceAll('.', '').replaceAll(' & ', ' and ').replace(/^the /, '');

/** Created on first use, since it takes some 40 ms. */
function codesByName(): Map<string, string> {
  const found = new Map<string, string>();
  const englishName = namesIn('en', 'long');
  const general = LANGUAGES.flatMap((language) => [namesIn(language, 'long'), namesIn(language, 'short')]);
  const own = new Map<string, Intl.DisplayNames>();
  for (const code of possibleCodes().filter((candidate) => englishName.of(candidate))) {
    const { language, script } = new Intl.Locale('und', { region: code }).maximize();
    const locale = `${language}-${script}`;
    const ownName = own.get(locale) ?? namesIn(locale, 'long');
    own.set(locale, ownName);
    // Canonical: `GB` for `UK`.
    const { region = code } = new Intl.Locale('und', { region: code });
    found.set(nameKey(code), region);
    for (const names of [...general, ownName]) found.set(nameKey(names.of(code) ?? code), region);
  }
  for (const [code, others] of Object.entries(OTHER_NAMES))
    for (const name of others.split(', ')) found.set(nameKey(name), code);
  return found;
}

const namesIn = (locale: string, style: 'long' | 'short'): Intl.DisplayNames =>
  new Intl.DisplayNames(locale, { type: 'region', fallback: 'none', style });

/** All pairs of letters but `ZZ`, which is an unknown region. */
function possibleCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  return letters.flatMap((first) => letters.map((second) => first + second)).slice(0, -1);
}
