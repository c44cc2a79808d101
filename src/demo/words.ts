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
