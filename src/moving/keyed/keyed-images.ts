import type { Database } from '../../db/database.ts';
import { InvalidParams } from '../../http/core/errors.ts';
import { fetchRemoteImage, type PreparedImage, saveImage } from '../../platform/media/image-storage.ts';
import type { InProcessContext } from '../../platform/users/in-process-context.ts';
import type { Writing } from '../draft-params.ts';
import { noteImage } from '../images.ts';
import { findLink } from '../links.ts';
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
  try {
    return { url, prepared: await fetchRemoteImage('image', url, ctx) };
  } catch (error) {
    if (error instanceof InvalidParams) return undefined;
    throw error;
  }
}

/** Stores an image, in the transaction of the records that use it. */
export async function storeKeyedImage(db: Database, { url, prepared }: KeyedImage, writing: Writing): Promise<void> {
  const id = await saveImage(db, prepared);
  await noteImage(db, id, (await keyOf(db, writing.source, 'media', url)).id, writing);
}
