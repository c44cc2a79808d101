import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import { isBroken } from '../../db/errors.ts';
import { newRecordId } from '../../db/record-ids.ts';
import type { MediaTable } from '../../db/tables.ts';
import { can } from '../../http/auth.ts';
import type { LookupContext, RequestContext } from '../../http/endpoint.ts';
import { invalidParam } from '../../http/errors.ts';
import { link } from '../../http/output.ts';
import type { Urls } from '../../http/urls.ts';
import { toUtc } from '../../lib/dates.ts';
import { fetchImage } from '../../lib/image-fetch.ts';
import { withoutMetadata } from '../../lib/image-metadata.ts';
import { describeImage, type ImageDescription, makeRenditions } from '../../lib/image-renditions.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../lib/private-files.ts';
import { slugify } from '../../lib/slug.ts';
import { withoutEnds } from '../../lib/text.ts';

/** Images of events, venues and organizers: uploaded, or fetched from an address, with their renditions. */

const renditionSchema = z
  .object({ width: z.int(), height: z.int(), 'mime-type': z.string(), filesize: z.int(), url: link })
  .meta({ id: 'ImageSize', description: 'One rendition of an image. Sizes in pixels and bytes.' });

/** An image in answers; rendered by `renderImage`. */
export const imageSchema = z
  .object({
    url: link,
    id: z.int(),
    extension: z.string(),
    width: z.int(),
    height: z.int(),
    filesize: z.int(),
    sizes: z.record(z.string(), renditionSchema).optional(),
  })
  .meta({
    id: 'Image',
    description: 'A featured image. `sizes` is absent when the original is too small for any rendition.',
  });

export type Image = z.output<typeof imageSchema>;

interface StoredSize {
  file: string;
  width: number;
  height: number;
  mime_type: string;
  filesize: number;
}

const uploadUrl = (urls: Urls, file: string): string => urls.page(`/uploads/${file}`);

/** Renders an image with the URLs of its files. */
export function renderImage(row: MediaTable, urls: Urls): Image {
  // Written by `saveImage` below.
  const stored = Object.entries(JSON.parse(row.sizes) as Record<string, StoredSize>);
  const sizes = stored.map(([name, { file, width, height, mime_type, filesize }]) => [
    name,
    { width, height, 'mime-type': mime_type, filesize, url: uploadUrl(urls, file) },
  ]);
  const { id, extension, width, height, filesize } = row;
  return {
    url: uploadUrl(urls, row.file),
    id,
    extension,
    width,
    height,
    filesize,
    ...(sizes.length > 0 && { sizes: Object.fromEntries(sizes) }),
  };
}

const imagesById = byIds((query, ids) => query.selectFrom('media').selectAll().where('id', 'in', ids));

/** Images by id; missing ones are absent. */
export async function findImages(db: Database, ids: readonly number[]): Promise<Map<number, MediaTable>> {
  return new Map((await imagesById(db, ids)).map((row) => [row.id, row]));
}

/** The meaning of `image` in a request: a stored image, or a URL to fetch one from. */
export type ImageReference = { id: number } | { url: string };

/** Time that a remote server has to deliver an image. */
const FETCH_SECONDS = 10;

/**
 * Looks up an `image` parameter: the id of an uploaded image, its URL, or the URL of a remote image (only for callers
 * who may upload files). Anything else is refused; remote images are fetched later.
 */
export async function findImageReference(
  name: string,
  value: string,
  { ctx, addProblem }: LookupContext,
): Promise<ImageReference | undefined> {
  const { db } = ctx.context;
  if (/^\s*\d+\s*$/.test(value)) {
    const id = Number(value);
    const known = await db.query
      .selectFrom('media')
      .select('id')
      .where('id', '=', Math.min(id, Number.MAX_SAFE_INTEGER))
      .executeTakeFirst();
    // Callers without write access must not learn which images exist.
    if (known && can(ctx.viewer, 'edit')) return { id };
    return void addProblem(name, { key: 'param.image_unknown' });
  }
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol)) return void addProblem(name, { key: 'param.image' });
  if (!can(ctx.viewer, 'upload')) return void addProblem(name, { key: 'param.image_not_allowed' });
  const own = url.origin === ctx.urls.origin ? /^\/uploads\/(.+)$/.exec(url.pathname)?.[1] : undefined;
  const known = await db.query
    .selectFrom('media')
    .select('id')
    .where((eb) => (own ? eb('file', '=', own) : eb('source_url', '=', url.href)))
    .executeTakeFirst();
  if (known) return { id: known.id };
  if (own) return void addProblem(name, { key: 'param.image_unknown' });
  return { url: url.href };
}

/** An image whose files are written, but whose record is not stored yet. */
export interface PreparedImage {
  row: Omit<MediaTable, 'id'>;
  /** Removes the files again. */
  discard(): Promise<void>;
}

/**
 * Fetches a remote image. Takes seconds, so it happens before the transaction that stores it.
 * @throws {InvalidParams} naming the parameter if there is no usable image
 */
export async function fetchForeignImage(name: string, url: string, ctx: RequestContext): Promise<PreparedImage> {
  const { config } = ctx.context;
  const options = { allowedHosts: config.imageHosts, maxBytes: config.maxUploadBytes, timeoutMs: FETCH_SECONDS * 1000 };
  const fetched = await fetchImage(url, options);
  if ('failure' in fetched) throw invalidParam(name, 'param.image_unreachable');
  const prepared = await prepareImage(fetched.bytes, { fileName: fetched.fileName, sourceUrl: url }, ctx);
  if (!prepared) throw invalidParam(name, 'param.image_type');
  return prepared;
}

interface Origin {
  fileName: string;
  /** Empty for an upload. */
  sourceUrl: string;
}

/**
 * Writes an image, without its metadata, and its renditions to the uploads folder. Undefined if it is not a supported
 * image.
 */
export async function prepareImage(
  sent: Uint8Array,
  origin: Origin,
  { context, now, viewer }: RequestContext,
): Promise<PreparedImage | undefined> {
  const bytes = await withoutMetadata(sent);
  const image = bytes && (await describeImage(bytes));
  if (!image) return undefined;
  const date = toUtc(now);
  const stem = `${date.slice(0, 4)}/${date.slice(5, 7)}/${fileStem(origin.fileName)}-${context.random(6).toString('hex')}`;
  const files = await filesOf(bytes, image, stem);
  const folder = join(context.config.data, 'uploads');
  const discard = async () => {
    await Promise.all(files.map(({ file }) => rm(join(folder, file), { force: true })));
  };
  try {
    for (const { file, content } of files) await writeNew(join(folder, file), content);
  } catch (error) {
    await discard().catch(() => undefined);
    throw error;
  }
  const sizes = Object.fromEntries(files.flatMap(({ name, stored }) => (name ? [[name, stored]] : [])));
  const row = {
    author_id: viewer.account?.id ?? 0,
    file: `${stem}.${image.extension}`,
    extension: image.extension,
    mime_type: image.mimeType,
    width: image.width,
    height: image.height,
    filesize: bytes.byteLength,
    sizes: JSON.stringify(sizes),
    source_url: origin.sourceUrl,
    date_utc: date,
  };
  return { row, discard };
}

/** Maximum number of characters taken from a file name. */
const MAX_FILE_NAME = 255;

/** The stem of an image's file name, made from the name of the upload. */
const fileStem = (fileName: string): string =>
  withoutEnds(
    slugify(fileName.slice(0, MAX_FILE_NAME).replace(/\.\w+$/, ''))
      .replaceAll('%', '')
      .slice(0, 60),
    '-',
  ) || 'image';

/** Characters after the stem: a dash and six random bytes. */
const SUFFIX = 13;

/** The name of the upload as a slug. Several images may share it. */
export const imageSlug = ({ file }: Pick<MediaTable, 'file'>): string =>
  file.slice(file.lastIndexOf('/') + 1, file.lastIndexOf('.') - SUFFIX);

/** The LIKE pattern, with `!` as the escape character, for the files of images with a slug. */
export const imageSlugPattern = (slug: string): string =>
  `____/__/${fileStem(slug).replaceAll('_', '!_')}-${'_'.repeat(SUFFIX - 1)}.%`;

interface ImageFile {
  /** Size of the rendition; absent for the original. */
  name?: string;
  file: string;
  content: Uint8Array;
  stored?: StoredSize;
}

async function filesOf(bytes: Uint8Array, image: ImageDescription, stem: string): Promise<ImageFile[]> {
  const renditions = (await makeRenditions(bytes)).map(
    ({ name, width, height, mimeType, bytes: content }): ImageFile => {
      const file = `${stem}-${width}x${height}.${image.extension}`;
      return {
        name,
        file,
        content,
        stored: { file, width, height, mime_type: mimeType, filesize: content.byteLength },
      };
    },
  );
  return [{ file: `${stem}.${image.extension}`, content: bytes }, ...renditions];
}

/** Writes a file durably: data and directory entry survive a power failure. */
async function writeNew(path: string, content: Uint8Array): Promise<void> {
  const made = await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
  await writeFile(path, content, { flush: true, mode: PRIVATE_FILE });
  // A new folder is an entry of its parent, which must be synced too.
  const highest = made === undefined ? dirname(path) : dirname(made);
  for (let folder = dirname(path); folder.length >= highest.length; folder = dirname(folder)) await flushFolder(folder);
}

async function flushFolder(path: string): Promise<void> {
  // Windows cannot open folders, and syncs their entries by itself.
  if (process.platform === 'win32') return;
  const folder = await open(path);
  await folder.sync().finally(() => folder.close());
}

/**
 * Removes the files of images whose record could not be stored. If a broken connection leaves that unknown, they stay,
 * because files without a record are harmless.
 */
export async function discardImages(images: Iterable<PreparedImage>, reason: unknown): Promise<void> {
  if (isBroken(reason)) return;
  // The caller reports the original error.
  for (const image of images) await image.discard().catch(() => undefined);
}

/**
 * Runs a write that stores images whose files exist already. The files are removed if it fails, also if its commit is
 * deferred and fails later.
 */
export async function withImageFiles<T>(
  db: Database,
  images: Iterable<PreparedImage>,
  write: () => Promise<T>,
): Promise<T> {
  try {
    const result = await write();
    db.onRollback?.((reason) => discardImages(images, reason));
    return result;
  } catch (error) {
    await discardImages(images, error);
    throw error;
  }
}

/** Stores a prepared image and returns its id. */
export async function saveImage(db: Database, { row }: PreparedImage): Promise<number> {
  const id = await newRecordId(db, 'media');
  await db.query
    .insertInto('media')
    .values({ id, ...row })
    .execute();
  return id;
}

/** Removes the original and its renditions from the uploads folder, ignoring missing files. */
export async function removeImageFiles({ config }: Context, row: MediaTable): Promise<void> {
  const sizes = Object.values(JSON.parse(row.sizes) as Record<string, StoredSize>);
  for (const file of [row.file, ...sizes.map((size) => size.file)])
    await rm(join(config.data, 'uploads', file), { force: true });
}
