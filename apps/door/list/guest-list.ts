import { type DoorRow, digestText, digestWith, EMPTY_DIGEST } from '../../../src/lib/door/door-list.ts';
import { msOf } from './clock.ts';
import type { DoorEvent, ListAnswer } from './session.ts';

/** The list of a gate in memory: rows as the server sent them. Own scans that it does not know yet are kept apart. */

/** Number of consecutive ids whose rows are stored together; small, so that a change of one row writes little. */
const CHUNK = 500;
export const chunkOf = (id: number): number => Math.floor(id / CHUNK);

/** Lower case without accents, for comparisons. */
const folded = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();

const SHORTEST_SEARCH = 2;

export class GuestList {
  readonly #rows = new Map<number, DoorRow>();
  /** Attendees by the id in their codes: several for a series pass, one a night. */
  readonly #byCode = new Map<number, Set<number>>();
  readonly #byPurchase = new Map<number, Set<number>>();
  /** Folded names, made for searches. */
  #names: Map<number, string> | undefined;

  constructor(rows: Iterable<DoorRow> = []) {
    for (const row of rows) this.#put(row);
  }

  get size(): number {
    return this.#rows.size;
  }

  get rows(): Iterable<DoorRow> {
    return this.#rows.values();
  }

  row(id: number): DoorRow | undefined {
    return this.#rows.get(id);
  }

  /** Takes a page of changes; returns the chunks that changed. */
  apply({ attendees, gone }: Pick<ListAnswer, 'attendees' | 'gone'>): Set<number> {
    for (const id of gone) this.#remove(id);
    for (const row of attendees) this.#put(row);
    return new Set([...gone, ...attendees.map(([id]) => id)].map(chunkOf));
  }

  /** Rows with the id of a code, in the order of their ids. */
  withCode(codeId: number): DoorRow[] {
    return this.#of(this.#byCode.get(codeId));
  }

  /** Rows of one purchase. */
  withPurchase(purchase: number): DoorRow[] {
    return purchase === 0 ? [] : this.#of(this.#byPurchase.get(purchase));
  }

  /** Attendees whose name has a word beginning with each of the typed ones; none until two letters are typed. */
  search(text: string, limit: number): DoorRow[] {
    const words = folded(text)
      .split(/[\s,.'’-]+/)
      .filter(Boolean);
    if (words.join('').length < SHORTEST_SEARCH) return [];
    const found: DoorRow[] = [];
    for (const [id, name] of this.prepareSearch()) {
      if (!words.every((word) => hasWord(name, word))) continue;
      const row = this.#rows.get(id);
      if (row) found.push(row);
    }
    return found.sort(([, , , , , , a], [, , , , , , b]) => a.localeCompare(b)).slice(0, limit);
  }

  /** Folds all names, which takes a moment: before the first letter is typed. */
  prepareSearch(): ReadonlyMap<number, string> {
    this.#names ??= new Map([...this.#rows.values()].map(([id, , , , , , name]) => [id, ` ${folded(name)}`]));
    return this.#names;
  }

  /** Digest of the list, as the server computes it. */
  digest(): string {
    let digest = EMPTY_DIGEST;
    for (const row of this.#rows.values()) digest = digestWith(digest, row);
    return digestText(digest);
  }

  #of(ids: Iterable<number> = []): DoorRow[] {
    return [...ids]
      .sort((one, other) => one - other)
      .flatMap((id) => {
        const row = this.#rows.get(id);
        return row ? [row] : [];
      });
  }

  #put(row: DoorRow): void {
    const [id, , , , , , name, purchase, , codeId] = row;
    const before = this.#rows.get(id);
    if (before && (before[7] !== purchase || before[9] !== codeId)) this.#remove(id);
    if (!this.#rows.has(id)) {
      addTo(this.#byCode, codeId, id);
      if (purchase !== 0) addTo(this.#byPurchase, purchase, id);
    }
    this.#rows.set(id, row);
    this.#names?.set(id, ` ${folded(name)}`);
  }

  #remove(id: number): void {
    const row = this.#rows.get(id);
    if (!row) return;
    this.#rows.delete(id);
    this.#names?.delete(id);
    removeFrom(this.#byCode, row[9], id);
    removeFrom(this.#byPurchase, row[7], id);
  }
}

const hasWord = (name: string, word: string): boolean =>
  name.includes(` ${word}`) || name.includes(`-${word}`) || name.includes(`'${word}`) || name.includes(`’${word}`);

function addTo(index: Map<number, Set<number>>, key: number, id: number): void {
  const ids = index.get(key);
  if (ids) ids.add(id);
  else index.set(key, new Set([id]));
}

function removeFrom(index: Map<number, Set<number>>, key: number, id: number): void {
  const ids = index.get(key);
  ids?.delete(id);
  if (ids?.size === 0) index.delete(key);
}

/** Milliseconds before the start of an event from which a pass is scanned for it. */
const BEFORE = 6 * 3600_000;

/** The row of a series pass for the current event, otherwise for one that begins soon, otherwise for the last one. */
export function rowAt(rows: readonly DoorRow[], events: readonly DoorEvent[], now: number): DoorRow | undefined {
  if (rows.length <= 1) return rows[0];
  const dated = rows
    .flatMap((row) => {
      const event = events.find(({ id }) => id === row[1]);
      return event ? [{ row, starts: msOf(event.utc_start_date), ends: msOf(event.utc_end_date) }] : [];
    })
    .sort((one, other) => one.starts - other.starts);
  const present = dated.findLast(({ starts, ends }) => starts <= now && ends > now);
  const soon = dated.find(({ starts }) => starts > now && starts - BEFORE <= now);
  const last = dated.findLast(({ ends }) => ends <= now);
  return (present ?? soon ?? last ?? dated[0])?.row ?? rows[0];
}
