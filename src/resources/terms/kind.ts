import { type Capability, can, type Viewer } from '../../http/auth.ts';
import type { RequestContext } from '../../http/endpoint.ts';
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
export async function renderTerms(kind: TermKind, terms: readonly Term[], ctx: RequestContext) {
  const { db } = ctx.context;
  const [ancestors, texts] = await Promise.all([
    findAncestors(db, terms),
    loadTranslations(
      ctx,
      terms.map(({ id }) => ({ kind: kind.taxonomy, id })),
    ),
  ]);
  const isWriter = mayWriteTerms(kind, ctx.viewer);
  return terms.map((term) => {
    const translations = isWriter ? texts.coverage(kind.taxonomy, term) : undefined;
    const shown = texts.show(kind.taxonomy, term);
    return { ...renderTerm(shown, ancestors, ctx.urls), ...(translations && { translations }) };
  });
}
