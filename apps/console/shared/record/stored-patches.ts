import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { StoredPatch } from '../../../client/record-editor.ts';

interface Stored extends StoredPatch {
  /** Milliseconds since 1970. */
  at: number;
}

interface Patches extends DBSchema {
  patches: { key: string; value: Stored };
}

/** In milliseconds. */
const LIFETIME = 30 * 24 * 60 * 60 * 1000;

let opened: Promise<IDBPDatabase<Patches>> | undefined;

/** Opens the database of unsaved changes and deletes those older than 30 days. */
function open(): Promise<IDBPDatabase<Patches>> {
  opened ??= openDB<Patches>('marquee-console', 1, {
    upgrade: (db) => void db.createObjectStore('patches'),
  }).then(async (db) => {
    const all = db.transaction('patches', 'readwrite');
    for await (const cursor of all.store) if (cursor.value.at < Date.now() - LIFETIME) await cursor.delete();
    await all.done;
    return db;
  });
  // Try again at the next change.
  opened.catch(() => {
    opened = undefined;
  });
  return opened;
}

/** Unsaved changes of a record; undefined if the browser stores nothing, as in some private windows. */
export async function findPatch(key: string): Promise<StoredPatch | undefined> {
  try {
    return await (await open()).get('patches', key);
  } catch {
    return undefined;
  }
}

/** Keys of changes that are neither saved nor stored. */
const unkept = new Set<string>();

addEventListener('beforeunload', (event) => {
  if (unkept.size > 0) event.preventDefault();
});

/**
 * Stores unsaved changes on this device, or deletes them if undefined. Returns whether that was possible: private
 * windows and full devices store nothing, and then the browser asks before the page is left.
 */
export async function storePatch(key: string, stored: StoredPatch | undefined): Promise<boolean> {
  try {
    const db = await open();
    if (stored) await db.put('patches', { ...stored, at: Date.now() }, key);
    else await db.delete('patches', key);
    unkept.delete(key);
    return true;
  } catch {
    if (stored) unkept.add(key);
    else unkept.delete(key);
    return !stored;
  }
}
