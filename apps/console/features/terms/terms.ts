import type { Term } from '../../../../packages/client/src/marquee-client.ts';

/** The two kinds of terms, as paths of the interface name them. */
export type Taxonomy = 'categories' | 'tags';

/** Who may write the terms of a kind. */
export const RIGHTS = { categories: 'manage_categories', tags: 'manage_tags' } as const;

/** By what lists are sorted. */
export const TERM_ORDERS = ['name', 'events', 'upcoming'] as const;
export type TermOrder = (typeof TERM_ORDERS)[number];

/** A term in a list, with the events that the account may see. */
export interface TermRow {
  id: number;
  term: Term;
  events: number;
  upcoming: number;
}

export const rowOf = (term: Term, { events, upcoming }: { events: number; upcoming: number }): TermRow => ({
  ...{ id: term.id, term, events, upcoming },
});
