import type { Database } from '../../db/database.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { fetchImage } from '../../lib/images/image-fetch.ts';
import { logCreation } from '../../platform/audit/log.ts';
import { auditedImage } from '../../platform/media/audited.ts';
import { type PreparedImage, prepareImage, saveImage } from '../../platform/media/image-storage.ts';
import type { InProcessContext } from '../../platform/users/in-process-context.ts';
import type { NewChange } from '../changes.ts';
import { findLink, saveLink } from '../links.ts';
import { findKey, keyOf } from './keys.ts';

/** Images by their address. They are fetched before the transaction that stores them, from public addresses only. */

export interface KeyedImage {
  url: string;
  prepared: PreparedImage;
}

/** Whether an address was imported before. */
export async function isStored(db: Database, source: string, url: string): Promise<boolean> {
  const key = await findKey(db, source, 'media', url);
  return key !== undefined && (await findLink(db, source, 'media', key.id)) !== undefined;
}

/** Fetches an image; undefined if there is none. */
export async function fetchKeyedImage(url: string, ctx: InProcessContext): Promise<KeyedImage | undefined> {
  const { config } = ctx.context;
  const signal = AbortSignal.timeout(config.timeouts.images);
  const fetched = await fetchImage(url, { allowedHosts: config.imageHosts, maxBytes: config.maxUploadBytes, signal });
  if ('failure' in fetched) return undefined;
  const prepared = await prepareImage(fetched.bytes, { fileName: fetched.fileName, sourceUrl: url }, ctx);
  return prepared && { url, prepared };
}

/** Stores an image, in the transaction of the records that use it. */
export async function storeKeyedImage(
  db: Database,
  { url, prepared }: KeyedImage,
  { ctx, source, importId, changes }: { ctx: InProcessContext; source: string; importId: number; changes: NewChange[] },
): Promise<void> {
  const id = await saveImage(db, { row: prepared.row });
  await logCreation(db, ctx.actor, { kind: auditedImage, id });
  const key = await keyOf(db, source, 'media', url);
  await saveLink(db, {
    ...{ source, kind: 'media', foreign_id: key.id, record_id: id },
    ...{ hash: '', fields: '{}', revision: 1, import_id: importId, seen_utc: toUtc(ctx.now) },
  });
  changes.push({ kind: 'media', record_id: id, foreign_id: key.id, action: 'created', revision: 1 });
}
