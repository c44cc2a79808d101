import type { Database } from '../../db/database.ts';
import { redirectFormerSlugs, saveFormerSlug } from '../posts/former-slugs.ts';
import { auditedTaxonomy } from '../terms/audited.ts';
import { changeLockedTerm, fieldsOf, findReferences, type TermInput } from '../terms/save.ts';
import {
  findTerm,
  recountTerms,
  removeTerm,
  restoreTerm,
  type Term,
  updateTerm,
  withDescendants,
} from '../terms/store.ts';
import { mayWriteTerms, type TermKind } from '../terms/taxonomies.ts';
import type { MergeKind } from './merge-kind.ts';

/** Fields that a survivor can take over from another term. */
function ownFields(kind: TermKind) {
  const { parent: _parent, ...fields } = fieldsOf(kind);
  return fields;
}

/** Deletes merged terms, which have no trash. */
export const termMerge = (kind: TermKind): MergeKind<Term> => ({
  name: kind.taxonomy,
  plural: kind.plural,
  fields: ownFields(kind),
  audited: auditedTaxonomy(kind.taxonomy),
  titleOf: ({ name }) => name,
  find: (db, id) => findTerm(db, kind.taxonomy, id),
  isVisibleTo: () => true,
  mayChange: (viewer) => mayWriteTerms(kind, viewer),
  check: () => undefined,
  lock: (db) => db.dialect.lock(db, kind.taxonomy),
  async findChoice(input, lookup) {
    await findReferences(kind, input, { ...lookup, isUpdate: true });
    return { input, references: {} };
  },
  change: (context, term, { input }) => changeLockedTerm(kind, { term, input: input as TermInput }, context),
  replaceTexts: (db, term, { own, translations }) => updateTerm(db, term, { change: own, translations }),
  announce: async () => undefined,
  childrenOf,
  async retire({ db }, term, survivor) {
    await adoptChildren(db, term, survivor);
    await saveFormerSlug(db, { kind: kind.taxonomy, id: term.id }, { before: term, after: { slug: '' } });
    await redirectFormerSlugs(db, { kind: kind.taxonomy, from: term.id, to: survivor.id });
    await removeTerm(db, term);
  },
  async restore(db, { record, translations, formerSlugs, children }, survivorId) {
    const { id, taxonomy } = record;
    if (await findTerm(db, taxonomy, id)) return false;
    await redirectFormerSlugs(db, { kind: taxonomy, from: survivorId, to: id, only: formerSlugs });
    const isParentThere = (await findTerm(db, taxonomy, record.parent_id)) !== undefined;
    await restoreTerm(db, { ...record, parent_id: isParentThere ? record.parent_id : 0 }, translations);
    if (children.length > 0)
      await db.query
        .updateTable('terms')
        .set({ parent_id: id })
        .where('id', 'in', [...children])
        .where('parent_id', '=', survivorId)
        .execute();
    return true;
  },
  revert: (db, current, { record: { name, slug, description, parent_id, color }, translations }) =>
    updateTerm(db, current, { change: { name, slug, description, parent_id, color }, translations }),
  recount: (db, ids) => recountTerms(db, kind.taxonomy, ids),
});

async function childrenOf({ query }: Database, id: number): Promise<number[]> {
  const rows = await query.selectFrom('terms').select('id').where('parent_id', '=', id).execute();
  return rows.map((row) => row.id);
}

/** Gives the survivor the children of a term. A survivor below the term first takes its place in the tree. */
async function adoptChildren(db: Database, { id, parent_id }: Term, survivor: Term): Promise<void> {
  const isBelow = (await withDescendants(db, [id])).includes(survivor.id);
  if (isBelow) await db.query.updateTable('terms').set({ parent_id }).where('id', '=', survivor.id).execute();
  await db.query
    .updateTable('terms')
    .set({ parent_id: survivor.id })
    .where('parent_id', '=', id)
    .where('id', '<>', survivor.id)
    .execute();
}
