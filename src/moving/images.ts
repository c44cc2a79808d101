import { addFormerSlug } from '../calendar/posts/former-slugs.ts';
import type { Database } from '../db/database.ts';
import { isOneOf } from '../db/value-list.ts';
import type { RequestContext } from '../http/core/endpoint.ts';
import { fromUtc, isLocalTime, toUtc } from '../lib/dates/dates.ts';
import { fetchImage } from '../lib/images/image-fetch.ts';
import { isRecord } from '../lib/text/list.ts';
import { scalarText } from '../lib/text/scalar-text.ts';
import { logCreation } from '../platform/audit/log.ts';
import { auditedImage } from '../platform/media/audited.ts';
import { originalOf } from '../platform/media/former-files.ts';
import { type DetailInput, detailsAfter, saveImageTexts } from '../platform/media/image-details.ts';
import { fetchTimeout, type PreparedImage, prepareImage, saveImage } from '../platform/media/image-storage.ts';
import { UPLOADS } from '../platform/media/images.ts';
import type { NewChange } from './changes.ts';
import type { ForeignImage } from './drafts.ts';
import { findRecordIds, saveLink } from './links.ts';
import { type Item, type Source, SourceRefusal } from './source.ts';
import { importedTitle } from './texts.ts';

/** Images of a source. Their files are fetched before the transaction of a page, and stored in it. */

/** An image of the source that is not stored yet. */
export type WantedImage = ForeignImage;

export interface FetchedImage {
  wanted: WantedImage;
  prepared: PreparedImage;
  details: DetailInput;
}

/** Fetches an image with its title and alternative text; undefined if the source has lost it. */
export async function fetchForeignImage(
  wanted: WantedImage,
  { source, ctx }: { source: Source; ctx: RequestContext },
): Promise<FetchedImage | undefined> {
  const told = wanted.details ?? (await readDetails(source, wanted.id));
  const date = scalarText(told.date_gmt)?.slice(0, 19).replace('T', ' ');
  const now = isLocalTime(date) ? fromUtc(date) : ctx.now;
  for (const url of new Set([originalOf(wanted.url), wanted.url])) {
    const fetched = await readImage(url, source, ctx);
    if (!fetched) continue;
    const origin = { fileName: fetched.fileName, sourceUrl: originalOf(wanted.url) };
    const prepared = await prepareImage(fetched.bytes, origin, { ...ctx, now });
    if (prepared) return { wanted, prepared, details: detailsOf(told) };
  }
  return undefined;
}

/** The file of an image, from the folder of the source or from its address. */
async function readImage(url: string, source: Source, { context }: RequestContext) {
  if (source.file) return source.file(url);
  // The operator named the site, so it may be private. Images elsewhere follow the rules for all remote images.
  const allowedHosts = [...context.config.imageHosts, ...(source.allowedHosts ?? [])];
  const signal = fetchTimeout(context);
  const fetched = await fetchImage(url, { allowedHosts, maxBytes: context.config.maxUploadBytes, signal });
  return 'failure' in fetched ? undefined : fetched;
}

async function readDetails(source: Source, id: number): Promise<Item> {
  if (id === 0) return {};
  try {
    const { body } = await source.read(`wp/v2/media/${id}`);
    return isRecord(body) ? body : {};
  } catch (error) {
    if (error instanceof SourceRefusal) return {};
    throw error;
  }
}

const detailsOf = ({ title, alt_text }: Item): DetailInput => ({
  title: importedTitle(isRecord(title) && typeof title.rendered === 'string' ? title.rendered : '').slice(0, 500),
  alt: typeof alt_text === 'string' ? importedTitle(alt_text).slice(0, 2000) : '',
});

interface StoringImage {
  ctx: RequestContext;
  source: string;
  importId: number;
  changes: NewChange[];
}

/** Stores a fetched image and its link, in the transaction of a page. */
export async function storeForeignImage(
  db: Database,
  { wanted, prepared, details }: FetchedImage,
  writing: StoringImage,
): Promise<void> {
  const { columns, texts } = detailsAfter(details, writing.ctx);
  const id = await saveImage(db, { row: { ...prepared.row, ...columns } }, wanted.id || undefined);
  if (texts.translations.length > 0) await saveImageTexts(db, id, texts);
  const slug = wanted.details?.slug;
  if (typeof slug === 'string') await addFormerSlug(db, { kind: 'media', id }, slug);
  await noteImage(db, id, wanted.id, writing);
}

/** Notes an image that was stored, with its link. @param foreignId 0 for an image without an id at the source */
export async function noteImage(
  db: Database,
  id: number,
  foreignId: number,
  { ctx, source, importId, changes }: StoringImage,
): Promise<void> {
  await logCreation(db, ctx.actor, { kind: auditedImage, id });
  changes.push({ kind: 'media', record_id: id, foreign_id: foreignId, action: 'created', revision: 1 });
  if (foreignId === 0) return;
  await saveLink(db, {
    ...{ source, kind: 'media', foreign_id: foreignId, record_id: id },
    ...{ hash: '', fields: '{}', revision: 1, import_id: importId, seen_utc: toUtc(ctx.now) },
  });
}

/** Finds the images that are not stored yet. */
export async function findUnstored(
  db: Database,
  source: string,
  images: readonly WantedImage[],
): Promise<WantedImage[]> {
  const named = images.filter(({ url }) => url !== '');
  const known = await findRecordIds(
    db,
    source,
    'media',
    named.map(({ id }) => id),
  );
  const stored = await findStoredImages(
    db,
    named.map(({ url }) => originalOf(url)),
  );
  const wanted = new Map<string, WantedImage>();
  // Images with an id come first, so that they keep it.
  for (const image of named.toSorted((a, b) => b.id - a.id)) {
    const url = originalOf(image.url);
    if (!known.has(image.id) && !stored.has(url) && !wanted.has(url)) wanted.set(url, image);
  }
  return [...wanted.values()];
}

/** Ids and paths of stored images, by their address at the source. */
export async function findStoredImages(
  db: Database,
  urls: readonly string[],
): Promise<Map<string, { id: number; path: string }>> {
  if (urls.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('media')
    .select(['id', 'file', 'source_url'])
    .where((eb) => isOneOf(eb.ref('source_url'), [...new Set(urls)]))
    .orderBy('id', 'desc')
    .execute();
  return new Map(rows.map(({ id, file, source_url }) => [source_url, { id, path: `${UPLOADS}${file}` }]));
}
