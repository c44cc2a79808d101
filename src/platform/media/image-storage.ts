import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Context } from '../../base/context.ts';
import { type Database, refuseTransaction } from '../../db/database.ts';
import { EditConflict, isConnectionBroken } from '../../db/errors.ts';
import { newRecordId } from '../../db/record-ids.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { fetchImage } from '../../lib/images/image-fetch.ts';
import { withoutMetadata } from '../../lib/images/image-metadata.ts';
import { describeImage, type ImageDescription, makeRenditions } from '../../lib/images/image-renditions.ts';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '../../lib/private-files.ts';
import { logChange } from '../audit/log.ts';
import { removeTranslations } from '../translations/store.ts';
import { auditedImage } from './audited.ts';
import { fileStem, withImageKeys } from './image-names.ts';
import { filesOfImage, type StoredSize } from './images.ts';

/** Files are written before the transaction that stores the image, and removed again if it fails. */

/** Default focal point. */
export const CENTRE = { focus_x: 50, focus_y: 50 };

/** An image with its files written, but its record not stored yet. */
export interface PreparedImage {
  row: Omit<MediaTable, 'id' | 'title_key' | 'search_text'>;
  /** Removes the files again. */
  discard(): Promise<void>;
}

/** Timeout for all remote images of a write together. */
export const fetchTimeout = ({ config }: Context): AbortSignal => AbortSignal.timeout(config.timeouts.images);

/**
 * Fetches a remote image. Takes seconds, so it must happen before the transaction that stores the image.
 * @throws {InvalidParams} naming the parameter if there is no usable image
 */
export async function fetchRemoteImage(
  name: string,
  url: string,
  ctx: RequestContext,
  signal = fetchTimeout(ctx.context),
): Promise<PreparedImage> {
  const { config, db } = ctx.context;
  refuseTransaction(db, 'fetch an image');
  const fetched = await fetchImage(url, { allowedHosts: config.imageHosts, maxBytes: config.maxUploadBytes, signal });
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
    ...{ title: '', alt: '' },
    ...CENTRE,
    revision: 1,
  };
  return { row, discard };
}

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
  // Sync the parent too: a new folder is an entry in it.
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
 * Removes the files of images whose record could not be stored. They stay if a broken connection leaves the outcome
 * unknown, because files without a record are harmless.
 */
export async function discardImages(images: Iterable<PreparedImage>, reason: unknown): Promise<void> {
  if (isConnectionBroken(reason)) return;
  // The caller reports the original error.
  for (const image of images) await image.discard().catch(() => undefined);
}

/**
 * Runs a write that stores images whose files exist already. The files are removed if it fails, even if its commit is
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

/**
 * Stores a prepared image and returns its id.
 * @param keptId an id that an import keeps, if no record has it
 */
export async function saveImage(db: Database, { row }: Pick<PreparedImage, 'row'>, keptId?: number): Promise<number> {
  const id = await newRecordId(db, 'media', keptId);
  await db.query
    .insertInto('media')
    .values({ id, ...withImageKeys(row) })
    .execute();
  return id;
}

/**
 * Removes an image and its texts, with an entry in the audit log. The caller removes its files once that is committed.
 * @throws {EditConflict} if it has been edited since
 */
export const removeImage = (db: Database, { id, revision }: MediaTable, { actor }: RequestContext): Promise<void> =>
  logChange(db, actor, { kind: auditedImage, id }, async () => {
    await removeTranslations(db, { kind: 'media', id });
    const { numDeletedRows } = await db.query
      .deleteFrom('media')
      .where('id', '=', id)
      .where('revision', '=', revision)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new EditConflict({ table: 'media', id });
    await db.query.deleteFrom('records').where('id', '=', id).execute();
  });

/** Removes the original and its renditions from the uploads folder, ignoring missing files. */
export async function removeImageFiles({ config }: Context, row: MediaTable): Promise<void> {
  for (const file of filesOfImage(row)) await rm(join(config.data, 'uploads', file), { force: true });
}
