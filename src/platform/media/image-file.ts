import type { Database } from '../../db/database.ts';
import { updateUnlessEdited } from '../../db/guarded-update.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { checkRevision } from '../../http/core/revisions.ts';
import { logChange } from '../audit/log.ts';
import { auditedImage } from './audited.ts';
import { withImageKeys } from './image-names.ts';
import { type PreparedImage, removeImageFiles, withImageFiles } from './image-storage.ts';
import { getImage, storedSizes, UPLOADS } from './images.ts';
import { prepareUpload } from './store.ts';

/**
 * Replaces the file of an image. Files never change, so the new one has a new URL; the URLs of the old file and its
 * renditions redirect to it. The old files are removed once the new ones are stored, so that a crash loses nothing.
 */
export async function replaceFile(ctx: RequestContext, id: number, file: File | undefined): Promise<MediaTable> {
  const { db } = ctx.context;
  const prepared = await prepareUpload(ctx, file);
  const replace = async (trx: Database) => {
    await trx.dialect.lock(trx, `media-${id}`);
    const before = await getImage(trx, id);
    checkRevision(ctx, before);
    await keepAddresses(trx, before);
    await logChange(trx, ctx.actor, { kind: auditedImage, id }, () =>
      updateUnlessEdited(trx, 'media', before, columnsOf(before, prepared)),
    );
    return before;
  };
  const before = await withImageFiles(db, [prepared], () => db.transaction(replace));
  await removeImageFiles(ctx.context, before);
  return getImage(db, id);
}

/** Keeps the details of the image, the upload time and the uploader. */
function columnsOf(before: MediaTable, { row }: PreparedImage) {
  const { file, extension, mime_type, width, height, filesize, sizes, source_url } = row;
  const { title_key, search_text } = withImageKeys({ ...before, file });
  return { file, extension, mime_type, width, height, filesize, sizes, source_url, title_key, search_text };
}

async function keepAddresses(db: Database, image: MediaTable): Promise<void> {
  const renditions = Object.entries(storedSizes(image)).map(([size, { file }]) => ({ file, size }));
  const rows = [{ file: image.file, size: '' }, ...renditions].map((stored) => ({ ...stored, media_id: image.id }));
  await db.query
    .insertInto('former_files')
    .values(rows)
    .onConflict((conflict) => conflict.column('file').doNothing())
    .execute();
}

/** The current file that replaces an earlier one: the rendition of the same name, or the original. */
export async function findCurrentFile({ query }: Database, file: string): Promise<string | undefined> {
  const image = await query
    .selectFrom('former_files as former')
    .innerJoin('media', 'media.id', 'former.media_id')
    .select(['former.size', 'media.id', 'media.file', 'media.sizes'])
    .where('former.file', '=', file)
    .executeTakeFirst();
  return image && (storedSizes(image)[image.size]?.file ?? image.file);
}

/** The URL of the current file, for a missing path in the uploads folder; undefined if the path never existed. */
export async function findCurrentUrl(db: Database, path: string): Promise<string | undefined> {
  const file = await findCurrentFile(db, path.slice(UPLOADS.length));
  return file === undefined ? undefined : `${UPLOADS}${file}`;
}
