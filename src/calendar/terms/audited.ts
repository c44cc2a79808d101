import type { AuditedKind } from '../../platform/audit/kind.ts';
import { auditedTexts } from '../../platform/translations/audited-texts.ts';
import { findTerm, type Taxonomy } from './store.ts';
import { mayWriteTerms, type TermKind } from './taxonomies.ts';

type Auditing = Pick<AuditedKind, 'name' | 'snapshot'>;

/** Categories or tags in the audit log, for those who write there. */
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

/** The same with who may see it and what sets it back. */
export const auditedTerm = (kind: TermKind): AuditedKind => ({
  ...auditedTaxonomy(kind.taxonomy),
  mayChange: async ({ viewer }) => mayWriteTerms(kind, viewer),
  restoring: { endpoint: `${kind.plural}.update` },
});
