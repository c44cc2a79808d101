import type { Organizer, Venue } from '../../../packages/client/src/marquee-client.ts';
import { KINDS, type Kind } from './kinds.ts';

/** A venue or an organizer: texts by their names, and what both have. */
export type LinkedPost = (Venue | Organizer) & Readonly<Record<string, unknown>>;

/** A line of a list. */
export interface Row {
  id: number;
  record: LinkedPost;
  events: number;
  upcoming: number;
}

export const textOf = (record: LinkedPost, name: string): string => String(record[name] ?? '');

export const nameOf = (kind: Kind, record: LinkedPost): string => textOf(record, KINDS[kind].name);

/** What tells records of one name from each other. */
export const detailOf = (kind: Kind, record: LinkedPost): string =>
  (kind === 'venues' ? ['address', 'city'] : ['email', 'website'])
    .map((name) => textOf(record, name))
    .filter(Boolean)
    .join(', ');

interface Counted {
  events: number;
  upcoming: number;
  venue?: unknown;
  organizer?: unknown;
}

/** The lines of an answer of the counted lists. */
export const rowsOf = (kind: Kind, counted: readonly Counted[]): Row[] =>
  counted.map(({ events, upcoming, ...one }) => {
    // Each kind of list has its own kind of record.
    const record = one[KINDS[kind].name] as LinkedPost;
    return { id: record.id, record, events, upcoming };
  });
