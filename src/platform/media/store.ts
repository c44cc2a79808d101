import type { Database } from '../../db/database.ts';
import { isLogo } from '../../db/site-settings.ts';
import type { MediaTable } from '../../db/tables/platform.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { logCreation } from '../audit/log.ts';
import { auditedImage } from './audited.ts';
import { type DetailInput, detailsAfter, saveImageTexts } from './image-details.ts';
import { withImageKeys } from './image-names.ts';
import { type PreparedImage, prepareImage, saveImage, withImageFiles } from './image-storage.ts';

/**
 * Stores an uploaded image with its details.
 * @param file the upload `file` of the request
 * @throws {InvalidParams} if there is none, or it is not a supported image
 */
export async function storeUpload(
  ctx: RequestContext,
  file: File | undefined,
  details: DetailInput = {},
): Promise<MediaTable> {
  const prepared = await prepareUpload(ctx, file);
  const { db } = ctx.context;
  const { columns, texts } = detailsAfter(details, ctx);
  const row = { ...prepared.row, ...columns };
  const store = async (trx: Database) => {
    const id = await saveImage(trx, { row });
    if (texts.translations.length > 0) await saveImageTexts(trx, id, texts);
    await logCreation(trx, ctx.actor, { kind: auditedImage, id });
    return id;
  };
  const id = await withImageFiles(db, [prepared], () => db.transaction(store));
  return { id, ...withImageKeys(row) };
}

/**
 * Writes the files of an upload.
 * @throws {InvalidParams} if there is none, or it is not a supported image
 */
export async function prepareUpload(ctx: RequestContext, file: File | undefined): Promise<PreparedImage> {
  if (!file) throw invalidParam('file', 'param.file');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const prepared = await prepareImage(bytes, { fileName: file.name, sourceUrl: '' }, ctx);
  if (!prepared) throw invalidParam('file', 'param.image_type');
  return prepared;
}

/** Whether an image is public: the logo, or used by a published event without a password, venue or organizer. */
export async function isPublicImage(db: Database, id: number): Promise<boolean> {
  const { query } = db;
  if (await isLogo(db, id)) return true;
  const event = await query
    .selectFrom('events')
    .select('id')
    .where('image_id', '=', id)
    .where('status', '=', 'publish')
    .where('password', '=', '')
    .limit(1)
    .executeTakeFirst();
  if (event) return true;
  const post = await query
    .selectFrom('linked_posts')
    .select('id')
    .where('image_id', '=', id)
    .where('status', '=', 'publish')
    .limit(1)
    .executeTakeFirst();
  return post !== undefined;
}
