import { type Capability, can, type Viewer } from '../../http/auth.ts';
import type { Call } from '../../http/endpoint.ts';
import { loadTranslations } from '../translations/store.ts';
import { findAncestors, type Taxonomy, type Term } from './store.ts';
import { renderTerm } from './view.ts';

/** What sets one kind of term apart from another. */
export interface TermKind {
  taxonomy: Taxonomy;
  /** Last word of the routes, and key of the list. */
  plural: string;
  /** Whether terms may have parents. */
  isTree: boolean;
  /** Needed to write, besides editing events. */
  capability: Capability;
}

/** Whether a caller may write the terms of a kind. */
export const mayWriteTerms = ({ capability }: TermKind, viewer: Viewer): boolean => can(viewer, 'edit', capability);

/** Some terms as their own routes give them. */
export async function renderTerms(kind: TermKind, terms: readonly Term[], call: Call) {
  const { db } = call.context;
  const [ancestors, texts] = await Promise.all([
    findAncestors(db, terms),
    loadTranslations(
      call,
      terms.map(({ id }) => ({ kind: kind.taxonomy, id })),
    ),
  ]);
  const isWriter = mayWriteTerms(kind, call.viewer);
  return terms.map((term) => {
    const translations = isWriter ? texts.stated(kind.taxonomy, term) : undefined;
    const shown = texts.show(kind.taxonomy, term);
    return { ...renderTerm(shown, ancestors, call.urls), ...(translations && { translations }) };
  });
}
