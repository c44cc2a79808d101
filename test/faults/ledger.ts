import type { Database } from '../../src/db/database.ts';

const TABLES = ['events', 'terms', 'media', 'tickets', 'attendees', 'orders'] as const;
type LedgerTable = (typeof TABLES)[number];

/**
 * Writes that a server has acknowledged, to compare with its database. A request without a response, or with a server
 * error, is in doubt: it may have been executed or not.
 */
export class Ledger {
  readonly #made = new Map<LedgerTable, Set<number>>(TABLES.map((table) => [table, new Set()]));
  /** Event -> titles that it may have: the last acknowledged one, and those in doubt. */
  readonly #titles = new Map<number, Set<string>>();
  readonly #removed = new Set<number>();
  /** Writes that were acknowledged. */
  acknowledged = 0;
  /** Uploads and replacements that were not acknowledged: each may have left a file that no image has. */
  filesInDoubt = 0;

  made(table: LedgerTable, ...ids: readonly number[]): void {
    for (const id of ids) this.#made.get(table)?.add(id);
    this.acknowledged += 1;
  }

  has(table: LedgerTable, id: number): boolean {
    return this.#made.get(table)?.has(id) ?? false;
  }

  /** Call before the request: the event may have this title from now on. */
  mayBeCalled(eventId: number, title: string): void {
    this.#titles.get(eventId)?.add(title);
  }

  /** The event has this title, or one that is still in doubt. */
  isCalled(eventId: number, title: string, before?: string): void {
    const titles = this.#titles.get(eventId) ?? new Set();
    if (before !== undefined) titles.delete(before);
    this.#titles.set(eventId, titles.add(title));
    this.acknowledged += 1;
  }

  /** Call before the request: the event may be deleted from now on. */
  mayBeRemoved(eventId: number): void {
    this.#made.get('events')?.delete(eventId);
    this.#titles.delete(eventId);
  }

  isRemoved(eventId: number): void {
    this.#removed.add(eventId);
    this.acknowledged += 1;
  }

  /** One sentence per acknowledged write that is missing in the database. */
  async findLost({ query }: Database): Promise<string[]> {
    const lost: string[] = [];
    for (const [table, ids] of this.#made) {
      const rows = await query.selectFrom(table).select('id').execute();
      const kept = new Set(rows.map(({ id }) => Number(id)));
      lost.push(...[...ids].filter((id) => !kept.has(id)).map((id) => `${table} ${id} was acknowledged and is lost`));
    }
    for (const { id, title } of await query.selectFrom('events').select(['id', 'title']).execute()) {
      const titles = this.#titles.get(Number(id));
      if (titles && !titles.has(title)) lost.push(`event ${id} is called "${title}", not ${[...titles].join(' or ')}`);
      if (this.#removed.has(Number(id))) lost.push(`event ${id} was removed and is there`);
    }
    return lost;
  }
}
