import type { AuditedKind } from '../../platform/audit/kind.ts';
import { auditedTexts } from '../../platform/translations/store.ts';
import { findTerm, type Taxonomy } from './store.ts';
import { mayWriteTerms, type TermKind } from './taxonomies.ts';

type Auditing = Pick<AuditedKind, 'name' | 'snapshot'>;

/** Audit of categories or tags, for code that logs them. */
export const auditedTaxonomy = (taxonomy: Taxonomy): Auditing => ({
  name: taxonomy,
  async snapshot(db, id) {
    const term = await findTerm(db, taxonomy, id);
    if (!term) return undefined;
    const { name, slug, description, parent_id, color, revision } = term;
    return {
      title: name,
      revision,
      fields: { name, description, slug, ...(taxonomy === 'category' && { parent: parent_id, color }) },
      texts: await auditedTexts(db, { kind: taxonomy, id }),
    };
  },
});

/** Audit of a kind of term, with visibility and restoring. */
export const auditedTerm = (kind: TermKind): AuditedKind => ({
  ...auditedTaxonomy(kind.taxonomy),
  mayChange: async ({ viewer }) => mayWriteTerms(kind, viewer),
  restoring: { endpoint: `${kind.plural}.update` },
});
