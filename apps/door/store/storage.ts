import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { DoorRow } from '../../../src/lib/door/door-list.ts';
import { chunkOf, type GuestList } from '../list/guest-list.ts';
import type { OwnScan } from '../scan/own-scan.ts';
import type { ServerClock } from '../sync/clock.ts';
import type { Session } from '../sync/session.ts';
import { open, type PinLock, seal } from './sealing.ts';

/**
 * Everything that the device stores, in IndexedDB. The list and the session are encrypted by the key of the list, which a
 * PIN may lock. Each scan is encrypted by another key, together with the token that sends it, so that scans can be
 * sent while the list is locked or after it was erased.
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** In clear: nothing about guests, and no secret that scripts could read. */
export interface Safe {
  /** Key of the list; undefined if a PIN locks it, or after it was erased. */
  listKey: CryptoKey | undefined;
  lock: PinLock | undefined;
  scanKey: CryptoKey;
  clock: ServerClock | undefined;
  /** Milliseconds, by the clock of the server, from which the list is erased; null for never. */
  eraseAt: number | null;
  /** Why the list was erased; undefined while there is one. */
  erased: Erasure | undefined;
}

export type Erasure = 'ended' | 'revoked' | 'expired' | 'wrong-pin';

/** Choices of the volunteer. */
export interface Choices {
  language?: string;
  volume?: 0 | 1 | 2 | 3;
  isLeftHanded?: boolean;
  camera?: string;
}

interface Tables extends DBSchema {
  kept: { key: 'safe' | 'session' | 'choices'; value: Safe | Choices | Bytes };
  rows: { key: number; value: Bytes };
  scans: { key: string; value: { order: number; sealed: Bytes }; indexes: { order: number } };
}

export class Storage {
  readonly #db: IDBPDatabase<Tables>;

  private constructor(db: IDBPDatabase<Tables>) {
    this.#db = db;
  }

  static async open(): Promise<Storage> {
    const db = await openDB<Tables>('marquee-door', 1, {
      upgrade(created) {
        created.createObjectStore('kept');
        created.createObjectStore('rows');
        created.createObjectStore('scans').createIndex('order', 'order');
      },
    });
    return new Storage(db);
  }

  async safe(): Promise<Safe | undefined> {
    return (await this.#db.get('kept', 'safe')) as Safe | undefined;
  }

  async keepSafe(safe: Safe): Promise<void> {
    await this.#db.put('kept', safe, 'safe');
  }

  async choices(): Promise<Choices> {
    return ((await this.#db.get('kept', 'choices')) as Choices | undefined) ?? {};
  }

  async keepChoices(choices: Choices): Promise<void> {
    await this.#db.put('kept', choices, 'choices');
  }

  /**
   * The session and the rows of the list.
   * @returns undefined if there is none, or if it cannot be decrypted
   */
  async list(key: CryptoKey): Promise<{ session: Session; rows: DoorRow[] } | undefined> {
    const sealed = (await this.#db.get('kept', 'session')) as Bytes | undefined;
    if (!sealed) return undefined;
    try {
      const session = await open<Session>(key, sealed);
      const chunks = await this.#db.getAll('rows');
      const rows = await Promise.all(chunks.map((chunk) => open<DoorRow[]>(key, chunk)));
      return { session, rows: rows.flat() };
    } catch {
      return undefined;
    }
  }

  /**
   * Writes the session, and the changed chunks of the list or all of them, in one transaction.
   * @returns whether it did: not if the list was erased meanwhile
   */
  async keepList(key: CryptoKey, session: Session, { list, changed, isErased }: Changes): Promise<boolean> {
    const byChunk = changed?.size === 0 ? new Map<number, DoorRow[]>() : chunksOf(list.rows);
    const numbers = changed ?? new Set(byChunk.keys());
    const [sealed, ...chunks] = await Promise.all([
      seal(key, session),
      ...[...numbers].map(async (number) => {
        const rows = byChunk.get(number);
        return [number, rows && (await seal(key, rows))] as const;
      }),
    ]);
    if (isErased()) return false;
    const all = this.#db.transaction(['kept', 'rows'], 'readwrite');
    if (!changed) await all.objectStore('rows').clear();
    for (const [number, rows] of chunks)
      await (rows ? all.objectStore('rows').put(rows, number) : all.objectStore('rows').delete(number));
    await all.objectStore('kept').put(sealed, 'session');
    await all.done;
    return !isErased();
  }

  /** Erases the list and its keys. Scans that wait stay, and the key that seals them. */
  async erase(safe: Safe): Promise<void> {
    const all = this.#db.transaction(['kept', 'rows'], 'readwrite');
    await all.objectStore('rows').clear();
    await all.objectStore('kept').delete('session');
    await all.objectStore('kept').put({ ...safe, listKey: undefined, lock: undefined, eraseAt: null }, 'safe');
    await all.done;
  }

  /** Erases everything but the choices of the volunteer. */
  async clear(): Promise<void> {
    const all = this.#db.transaction(['kept', 'rows', 'scans'], 'readwrite');
    await all.objectStore('rows').clear();
    await all.objectStore('scans').clear();
    await all.objectStore('kept').delete('session');
    await all.objectStore('kept').delete('safe');
    await all.done;
  }

  /** Writes a scan, on the disk before it returns. */
  async keepScan(key: CryptoKey, scan: OwnScan): Promise<void> {
    const sealed = await seal(key, scan);
    const all = this.#db.transaction('scans', 'readwrite', { durability: 'strict' });
    await all.store.put({ order: scan.order, sealed }, scan.sent.id);
    await all.done;
  }

  /** All stored scans, oldest first. */
  async scans(key: CryptoKey): Promise<OwnScan[]> {
    const stored = await this.#db.getAllFromIndex('scans', 'order');
    return Promise.all(stored.map(({ sealed }) => open<OwnScan>(key, sealed)));
  }

  async dropScans(ids: readonly string[]): Promise<void> {
    const all = this.#db.transaction('scans', 'readwrite');
    for (const id of ids) await all.store.delete(id);
    await all.done;
  }
}

interface Changes {
  list: GuestList;
  /** Numbers of the changed chunks; undefined to write the whole list anew. */
  changed: ReadonlySet<number> | undefined;
  /** Whether the list was erased while it was encrypted. */
  isErased: () => boolean;
}

function chunksOf(rows: Iterable<DoorRow>): Map<number, DoorRow[]> {
  const chunks = new Map<number, DoorRow[]>();
  for (const row of rows) {
    const chunk = chunks.get(chunkOf(row[0]));
    if (chunk) chunk.push(row);
    else chunks.set(chunkOf(row[0]), [row]);
  }
  return chunks;
}
