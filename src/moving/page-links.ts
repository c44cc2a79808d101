import { followMerges } from '../calendar/library/merged-records.ts';
import type { Database } from '../db/database.ts';
import type { LinkKind as MergedKind } from '../db/tables/calendar.ts';
import { type Draft, idOf } from './drafts.ts';
import { findLink, findLinks, type Link, type LinkKind } from './links.ts';
import { findPresent } from './plan.ts';

/** Links of a page and of the records that it refers to, loaded together rather than record by record. */

/** Fields with ids of other records. */
const REFERENCES: Readonly<Record<string, LinkKind>> = {
  ...{ venue: 'venue', organizer: 'organizer', categories: 'category', tags: 'tag', parent: 'category' },
  ...{ author: 'account', post_id: 'event', ticket_id: 'ticket', order: 'order' },
};

type Key = `${LinkKind} ${number}`;

export class PageLinks {
  readonly #source: string;
  readonly #links = new Map<Key, Link | undefined>();
  /** Our ids of records that exist, after merges. */
  readonly #present = new Map<Key, number | undefined>();

  private constructor(source: string) {
    this.#source = source;
  }

  static async load(db: Database, source: string, drafts: readonly Draft[]): Promise<PageLinks> {
    const page = new PageLinks(source);
    const named = drafts.flatMap((draft) => [...(draft.related ?? []), draft].flatMap(idsIn));
    for (const [kind, pairs] of Map.groupBy(named, ([of]) => of)) {
      const ids = new Set(pairs.map(([, id]) => id));
      const links = new Map((await findLinks(db, source, kind, [...ids])).map((link) => [link.foreign_id, link]));
      for (const id of ids) page.#links.set(`${kind} ${id}`, links.get(id));
      if (isReferred(kind)) await page.#loadPresent(db, kind, [...links.values()]);
    }
    return page;
  }

  async #loadPresent(db: Database, kind: ReferredKind, links: readonly Link[]): Promise<void> {
    const ids = links.map(({ record_id }) => record_id ?? 0);
    const followed = kind === 'event' ? ids : ((await followMerges(db, { [kind]: ids }))[kind as MergedKind] ?? []);
    const present = await findPresent(db, kind, followed);
    links.forEach(({ foreign_id }, at) => {
      const id = followed[at] ?? 0;
      this.#present.set(`${kind} ${foreign_id}`, present.has(id) ? id : undefined);
    });
  }

  async find(db: Database, kind: LinkKind, id: number): Promise<Link | undefined> {
    const key: Key = `${kind} ${id}`;
    if (!this.#links.has(key)) this.#links.set(key, await findLink(db, this.#source, kind, id));
    return this.#links.get(key);
  }

  /** Our id of a record that exists; `unknown` if it has to be looked up. */
  presentId(kind: LinkKind, id: number): number | undefined | 'unknown' {
    const key: Key = `${kind} ${id}`;
    return this.#present.has(key) ? this.#present.get(key) : 'unknown';
  }

  /** Notes a link that was saved. */
  note(link: Link): void {
    const key: Key = `${link.kind as LinkKind} ${link.foreign_id}`;
    this.#links.set(key, link);
    this.#present.set(key, link.record_id ?? undefined);
  }
}

type ReferredKind = 'venue' | 'organizer' | 'category' | 'tag' | 'event';
const isReferred = (kind: LinkKind): kind is ReferredKind =>
  ['venue', 'organizer', 'category', 'tag', 'event'].includes(kind);

/** The record itself, and those that its fields name. */
function idsIn({ kind, id, fields, image }: Draft): [LinkKind, number][] {
  const named = Object.entries(REFERENCES).flatMap(([field, of]): [LinkKind, number][] => {
    const value = fields[field];
    if (value === undefined) return [];
    return (Array.isArray(value) ? value : [value]).map((one) => [of, idOf(one)]);
  });
  const pictures: [LinkKind, number][] = image ? [['media', image.id]] : [];
  const all: [LinkKind, number][] = [[kind, id], ...named, ...pictures];
  return all.filter(([, one]) => one !== 0);
}
