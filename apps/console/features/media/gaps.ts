import type { Media } from '../../../../packages/client/src/marquee-client.ts';

/**
 * The languages in which a picture has no alternative text.
 * @param languages of the site, the first one first
 */
export function languagesWithoutAlt({ alt, translations }: Pick<Media, 'alt' | 'translations'>, languages: string[]) {
  // Without translations, what there is belongs to the first language.
  const has = (language: string) =>
    translations ? translations[language]?.includes('alt') === true : language === languages[0] && Boolean(alt);
  return languages.filter((language) => !has(language));
}
