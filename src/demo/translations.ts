/** The texts of a record by language. */
export interface Translations<Texts> {
  readonly en?: Texts;
  readonly fr?: Texts;
  readonly de?: Texts;
}

/** The texts of a record whose original is in `language`, English by default. */
export const translationsOf = <Texts>(
  own: Texts,
  { language, en, fr, de }: Translations<Texts> & { language?: 'fr' },
): Translations<Texts> => (language === 'fr' ? { en, fr: own, de } : { en: own, fr, de });

export const mapTranslations = <From, To>(
  { en, fr, de }: Translations<From>,
  change: (texts: From) => To,
): Translations<To> => ({ en: en && change(en), fr: fr && change(fr), de: de && change(de) });

/** Texts of a record as sent by a client. */
export type TextFields = Readonly<Record<string, string | undefined>>;

export interface TextVersion {
  language: string;
  texts: TextFields;
}

/** The languages of a site in which texts exist; if there are none, the first language of the texts. */
export function languagesOfTexts(languages: readonly string[]): string[] {
  const own = languages.filter((language) => ['en', 'fr', 'de'].includes(language));
  return own.length > 0 ? own : ['en'];
}

/**
 * Texts of a record in the languages of a site, in their order. A record without texts in any of them uses its own, as
 * if they were in the first.
 */
export function versionsFor(
  translations: Translations<TextFields>,
  languages: readonly string[],
): [TextVersion, ...TextVersion[]] {
  const known = new Map<string, TextFields | undefined>([
    ['en', translations.en],
    ['fr', translations.fr && withNoBreakSpaces(translations.fr)],
    ['de', translations.de],
  ]);
  const versions = languages.flatMap((language): TextVersion[] => {
    const texts = known.get(language);
    return texts ? [{ language, texts }] : [];
  });
  const [first = { language: languages[0] ?? 'en', texts: known.get('en') ?? known.get('fr') ?? {} }, ...others] =
    versions;
  return [first, ...others];
}

/** French punctuation takes no-break spaces, which would be invisible in the files of `data/`. */
const withNoBreakSpaces = (texts: TextFields): TextFields =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, text?.replace(/(?<=«|n°) | (?=[»:;?!])/g, '\u00a0')]),
  );
