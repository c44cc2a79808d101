import type { Database } from '../../db/database.ts';
import { isOneOf } from '../../db/value-list.ts';
import { storedSlug } from '../../lib/text/slug.ts';
import { UPLOADS } from './images.ts';

/** Addresses that images had on sites that were imported. */

/** Address of the original of a rendition: `photo-300x200.jpg` is made of `photo.jpg`. */
export const originalOf = (url: URL | string): string =>
  String(url)
    .replace(/[?#].*$/s, '')
    .replace(/-\d{1,5}x\d{1,5}(?=\.\w{2,5}$)/, '');

const MAX_PATH = 1000;

/** Current path of an image by the earlier path of its file, such as `/wp-content/uploads/2026/03/hall.jpg`. */
export async function findFormerFile({ query }: Database, path: string): Promise<string | undefined> {
  if (path.length > MAX_PATH) return undefined;
  const sites = await query.selectFrom('imports').select('source').distinct().limit(100).execute();
  const urls = sites.flatMap(({ source }) => [`${source}${path}`, originalOf(`${source}${path}`)]);
  const found = await query
    .selectFrom('media')
    .select('file')
    .where((eb) => isOneOf(eb.ref('source_url'), urls))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return found && `${UPLOADS}${found.file}`;
}

/** Path of an image by the slug of its page at the former site. */
export async function findFormerImagePage({ query }: Database, slug: string): Promise<string | undefined> {
  const found = await query
    .selectFrom('former_slugs')
    .innerJoin('media', 'media.id', 'former_slugs.record_id')
    .select('file')
    .where('kind', '=', 'media')
    .where('slug', '=', storedSlug(slug))
    .executeTakeFirst();
  return found && `${UPLOADS}${found.file}`;
}
