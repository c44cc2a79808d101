import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { DoorRow } from '../../../src/lib/door/door-list.ts';
import type { ServerClock } from '../list/clock.ts';
import { chunkOf, type GuestList } from '../list/guest-list.ts';
import { isWaiting, type OwnScan } from '../list/own-scan.ts';
import type { OpenSale, Session } from '../list/session.ts';
import { envelopeFor, open, type PinLock, seal } from './sealing.ts';

/**
 * Everything that the device stores, in IndexedDB. The list, the session, own scans and an unanswered sale are
 * encrypted by the key of the list, which a PIN may lock. A waiting scan is also in an envelope for the server, with
 * the token of the device. While the list is locked, and after it was erased, the envelope can be sent but not read.
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** Stored unencrypted: nothing about guests, and no secret that scripts could read. */
export interface Safe {
  /** Key of the list; undefined if a PIN locks it, or after it was erased. */
  listKey: CryptoKey | undefined;
  lock: PinLock | undefined;
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
  kept: { key: 'safe' | 'session' | 'sale' | 'choices'; value: Safe | Choices | Bytes };
  rows: { key: number; value: Bytes };
  scans: { key: string; value: StoredScan; indexes: { order: number } };
}

interface StoredScan {
  order: number;
  /** For this device; undefined once its list is erased. */
  own: Bytes | undefined;
  /** Form for the server; undefined once the server has responded. */
  envelope: string | undefined;
  /** Whether the server could not open it. */
  isRefused: boolean;
}

/** Scan that waits in its envelope, by its id. */
export interface Envelope {
  id: string;
  envelope: string;
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
   * @returns whether it was written: not if the list was erased meanwhile
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

  /**
   * Writes the sale that waits for its response, on the disk before it returns; undefined once the response is there.
   */
  async keepSale(key: CryptoKey, sale: OpenSale | undefined): Promise<void> {
    const sealed = sale && (await seal(key, sale));
    const all = this.#db.transaction('kept', 'readwrite', { durability: 'strict' });
    await (sealed ? all.store.put(sealed, 'sale') : all.store.delete('sale'));
    await all.done;
  }

  async sale(key: CryptoKey): Promise<OpenSale | undefined> {
    const sealed = (await this.#db.get('kept', 'sale')) as Bytes | undefined;
    return sealed && open<OpenSale>(key, sealed).catch(() => undefined);
  }

  /** Erases the list and its keys. Scans that wait stay in their envelopes. */
  async erase(safe: Safe): Promise<void> {
    const all = this.#db.transaction(['kept', 'rows', 'scans'], 'readwrite');
    await all.objectStore('rows').clear();
    await all.objectStore('kept').delete('session');
    await all.objectStore('kept').delete('sale');
    await all.objectStore('kept').put({ ...safe, listKey: undefined, lock: undefined, eraseAt: null }, 'safe');
    for await (const cursor of all.objectStore('scans'))
      await (cursor.value.envelope ? cursor.update({ ...cursor.value, own: undefined }) : cursor.delete());
    await all.done;
  }

  /** Erases everything but the choices of the volunteer. */
  async clear(): Promise<void> {
    const all = this.#db.transaction(['kept', 'rows', 'scans'], 'readwrite');
    await all.objectStore('rows').clear();
    await all.objectStore('scans').clear();
    await all.objectStore('kept').delete('session');
    await all.objectStore('kept').delete('sale');
    await all.objectStore('kept').delete('safe');
    await all.done;
  }

  /** Writes a scan, on the disk before it returns. */
  async keepScan({ key, token, sealKey }: ScanKeys, scan: OwnScan): Promise<void> {
    const waits = isWaiting(scan) || scan.isRefused;
    const [own, envelope] = await Promise.all([
      seal(key, scan),
      waits ? envelopeFor(sealKey, { token, scans: [scan.sent] }) : undefined,
    ]);
    const all = this.#db.transaction('scans', 'readwrite', { durability: 'strict' });
    await all.store.put({ order: scan.order, own, envelope, isRefused: scan.isRefused }, scan.sent.id);
    await all.done;
  }

  /** Scans that a key opens, oldest first. */
  async scans(key: CryptoKey): Promise<OwnScan[]> {
    const stored = await this.#db.getAllFromIndex('scans', 'order');
    const opened = await Promise.all(
      // Scans of an earlier pairing have another key.
      stored.map(({ own }) => (own ? open<OwnScan>(key, own).catch(() => undefined) : undefined)),
    );
    return opened.filter((scan) => scan !== undefined);
  }

  /** Scans that wait in envelopes, oldest first, and the number of those that the server could not open. */
  async envelopes(): Promise<{ waiting: Envelope[]; refused: number }> {
    const waiting: Envelope[] = [];
    let refused = 0;
    for await (const { primaryKey: id, value } of this.#db.transaction('scans').store.index('order')) {
      if (value.isRefused) refused += 1;
      else if (value.envelope) waiting.push({ id, envelope: value.envelope });
    }
    return { waiting, refused };
  }

  /** Notes that the server could not open envelopes: they are not sent again, and not dropped unseen. */
  async refuseEnvelopes(ids: readonly string[]): Promise<void> {
    const all = this.#db.transaction('scans', 'readwrite');
    for (const id of ids) {
      const stored = await all.store.get(id);
      if (stored) await all.store.put({ ...stored, isRefused: true }, id);
    }
    await all.done;
  }

  async dropScans(ids: readonly string[]): Promise<void> {
    const all = this.#db.transaction('scans', 'readwrite');
    for (const id of ids) await all.store.delete(id);
    await all.done;
  }
}

/** Keys for a scan: of the list, and of the server with the token that the envelope holds. */
interface ScanKeys {
  key: CryptoKey;
  token: string;
  sealKey: string;
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
