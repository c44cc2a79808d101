/** The languages of the city. */
export type CityLanguage = 'en' | 'fr';

/** Stands beside the words of a record, which are English unless it says so: the same in the other language. */
export interface Translated<Words> {
  language?: 'fr';
  en?: Words;
  fr?: Words;
}

/** The words of a record in each language that it has them in. */
export type Spoken<Words> = Readonly<Partial<Record<CityLanguage, Words>>>;

export const spoken = <Words>(own: Words, { language, en, fr }: Translated<Words>): Spoken<Words> =>
  language === 'fr' ? { en, fr: own } : { en: own, fr };

export const reworded = <From, To>({ en, fr }: Spoken<From>, change: (words: From) => To): Spoken<To> => ({
  en: en && change(en),
  fr: fr && change(fr),
});

/** What is said of a record, as a client sends it. */
export type Wording = Readonly<Record<string, string | undefined>>;

export interface Telling {
  language: string;
  wording: Wording;
}

/**
 * What is said of a record in the languages of a site, in their order. A record that has words in none of them is told
 * as it is in the first.
 */
export function tellingsOf(words: Spoken<Wording>, languages: readonly string[]): [Telling, ...Telling[]] {
  const known = new Map<string, Wording | undefined>([
    ['en', words.en],
    ['fr', words.fr && typeset(words.fr)],
  ]);
  const tellings = languages.flatMap((language): Telling[] => {
    const wording = known.get(language);
    return wording ? [{ language, wording }] : [];
  });
  const [first = { language: languages[0] ?? 'en', wording: known.get('en') ?? known.get('fr') ?? {} }, ...others] =
    tellings;
  return [first, ...others];
}

/** With the no-break spaces of French, which nobody would see in these files. */
const typeset = (wording: Wording): Wording =>
  Object.fromEntries(
    Object.entries(wording).map(([name, text]) => [name, text?.replace(/(?<=«|n°) | (?=[»:;?!])/g, '\u00a0')]),
  );
