import type { Media } from '../../../../packages/client/src/marquee-client.ts';

/** Characters between the name of a file and its ending: a dash and twelve random ones. */
const SUFFIX = 13;

/** Whether a picture has no title of its own and is called by its file. */
function isCalledByFile({ title, url }: Pick<Media, 'title' | 'url'>): boolean {
  const file = url.slice(url.lastIndexOf('/') + 1, url.lastIndexOf('.'));
  return file.startsWith(`${title}-`) && file.length === title.length + SUFFIX;
}

/** Whether the alternative text is one of another language, which is shown because this one has none. */
const isAltForeign = ({ translations }: Pick<Media, 'translations'>, language: string | undefined): boolean =>
  translations !== undefined && language !== undefined && !translations[language]?.includes('alt');

/**
 * What makes the fields again what they are. What is shown in place of a text that is not there, such as the name of the
 * file or the text of another language, does not become one.
 */
export const formerOf = (picture: Media, language: string | undefined) => ({
  title: isCalledByFile(picture) ? null : picture.title,
  alt: isAltForeign(picture, language) ? null : picture.alt || null,
  focus: picture.focus ?? null,
});
