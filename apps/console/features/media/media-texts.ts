import type { Media } from '../../../../packages/client/src/marquee-client.ts';

/**
 * Languages in which a picture has no alternative text.
 * @param languages languages of the site, starting with the first
 */
export function languagesWithoutAlt({ alt, translations }: Pick<Media, 'alt' | 'translations'>, languages: string[]) {
  // Without translations, texts are in the first language.
  const has = (language: string) =>
    translations ? translations[language]?.includes('alt') === true : language === languages[0] && Boolean(alt);
  return languages.filter((language) => !has(language));
}

/** Length of the suffix of file names: a dash and twelve random characters. */
const SUFFIX = 13;

/** Whether a picture has no title of its own but the name of its file. */
function isCalledByFile({ title, url }: Pick<Media, 'title' | 'url'>): boolean {
  const file = url.slice(url.lastIndexOf('/') + 1, url.lastIndexOf('.'));
  return file.startsWith(`${title}-`) && file.length === title.length + SUFFIX;
}

/** Whether the alternative text falls back to another language. */
const isAltForeign = ({ translations }: Pick<Media, 'translations'>, language: string | undefined): boolean =>
  translations !== undefined && language !== undefined && !translations[language]?.includes('alt');

/**
 * Patch that restores the present values. A fallback for a missing text, such as the file name or a text of another
 * language, is restored as missing.
 */
export const formerOf = (picture: Media, language: string | undefined) => ({
  title: isCalledByFile(picture) ? null : picture.title,
  alt: isAltForeign(picture, language) ? null : picture.alt || null,
  focus: picture.focus ?? null,
});
