import type { MediaTable } from '../../db/tables/platform.ts';
import { slugify } from '../../lib/text/slug.ts';
import { fold, foldAll, withoutEnds } from '../../lib/text/text.ts';

/** Maximum number of characters taken from a file name. */
const MAX_FILE_NAME = 255;

/** The stem of an image's file name, made from the name of the upload. */
export const fileStem = (fileName: string): string =>
  withoutEnds(
    slugify(fileName.slice(0, MAX_FILE_NAME).replace(/\.\w+$/, ''))
      .replaceAll('%', '')
      .slice(0, 60),
    '-',
  ) || 'image';

/** Number of characters after the stem: a dash and six random bytes. */
const SUFFIX = 13;

/** Slug of the uploaded file name. Several images may share it. */
export const imageSlug = ({ file }: Pick<MediaTable, 'file'>): string =>
  file.slice(file.lastIndexOf('/') + 1, file.lastIndexOf('.') - SUFFIX);

/** The LIKE pattern, with `!` as the escape character, for the files of images with a slug. */
export const imageSlugPattern = (slug: string): string =>
  `____/__/${fileStem(slug).replaceAll('_', '!_')}-${'_'.repeat(SUFFIX - 1)}.%`;

/** The original of a rendition, whose name has the size appended. */
export const originalOf = (file: string): string => file.replace(/-\d{1,5}x\d{1,5}(?=\.\w+$)/, '');

/** Displayed title, by default the uploaded file name. */
export const imageTitle = ({ title, file }: Pick<MediaTable, 'title' | 'file'>): string => title || imageSlug({ file });

/** An image with its derived columns, so that they are always consistent. */
export function withImageKeys<T extends Pick<MediaTable, 'title' | 'file' | 'alt'>>(image: T) {
  const title = imageTitle(image);
  return { ...image, title_key: fold(title), search_text: foldAll([title, imageSlug(image), image.alt]) };
}
