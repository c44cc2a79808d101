import { type Selectable, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import { updateUnlessEdited } from '../../db/guarded-update.ts';
import { TERM_COLUMNS, type TermsTable } from '../../db/tables/calendar.ts';
import { slugify, uniqueSlug } from '../../lib/text/slug.ts';
import { fold } from '../../lib/text/text.ts';
import type { Translation } from '../../platform/translations/rules.ts';
import { removeTranslations, saveTranslations } from '../../platform/translations/store.ts';
import { removeFormerSlugs, saveFormerSlug } from '../posts/former-slugs.ts';

export type Term = Selectable<TermsTable>;
export type Taxonomy = TermsTable['taxonomy'];

export const findTerm = (db: Database, taxonomy: Taxonomy, id: number): Promise<Term | undefined> =>
  db.query.selectFrom('terms').selectAll().where('taxonomy', '=', taxonomy).where('id', '=', id).executeTakeFirst();

const termsById = byIds((query, ids) => query.selectFrom('terms').select(TERM_COLUMNS).where('id', 'in', ids));

export async function findTerms(db: Database, ids: readonly number[]): Promise<Map<number, Term>> {
  return new Map((await termsById(db, ids)).map((row) => [row.id, row]));
}

/** Ancestors of terms, by id. */
export async function findAncestors(db: Database, terms: readonly Term[]): Promise<Map<number, Term>> {
  const found = new Map<number, Term>();
  let wanted = parentsOf(terms, found);
  while (wanted.length > 0) {
    const parents = await findTerms(db, wanted);
    if (parents.size === 0) break;
    for (const [id, parent] of parents) found.set(id, parent);
    wanted = parentsOf([...parents.values()], found);
  }
  return found;
}

const parentsOf = (terms: readonly Term[], found: ReadonlyMap<number, Term>): number[] =>
  terms.map(({ parent_id }) => parent_id).filter((id) => id !== 0 && !found.has(id));

/** Ids of categories and their descendants. */
export async function withDescendants(db: Database, ids: readonly number[]): Promise<number[]> {
  const all = new Set(ids);
  let level = [...all];
  while (level.length > 0) {
    const rows = await db.query
      .selectFrom('terms')
      .select('id')
      .where('parent_id', 'in', level)
      .where('taxonomy', '=', 'category')
      .execute();
    level = rows.map(({ id }) => id).filter((id) => !all.has(id));
    for (const id of level) all.add(id);
  }
  return [...all];
}

export async function isTermSlugTaken(
  db: Database,
  { taxonomy, slug }: Pick<Term, 'taxonomy' | 'slug'>,
  except = 0,
): Promise<boolean> {
  const taken = await db.query
    .selectFrom('terms')
    .select('id')
    .where('taxonomy', '=', taxonomy)
    .where('slug', '=', slug)
    .where('id', '<>', except)
    .executeTakeFirst();
  return taken !== undefined;
}

/** Slug of a new term, made from its name; if it is taken, the slug of the parent or a number is appended. */
export async function freeTermSlug(
  db: Database,
  { taxonomy, name }: Pick<Term, 'taxonomy' | 'name'>,
  parent?: Term,
): Promise<string> {
  const isTaken = (slug: string) => isTermSlugTaken(db, { taxonomy, slug });
  const own = slugify(name) || taxonomy;
  if (parent && (await isTaken(own))) return uniqueSlug(`${own}-${parent.slug}`, isTaken);
  return uniqueSlug(own, isTaken);
}

export type NewTerm = Pick<Term, 'taxonomy' | 'name' | 'slug' | 'description' | 'parent_id'> & {
  color?: string | null;
};

/** @param keptId an id that an import keeps, if no term has it */
export async function insertTerm(
  db: Database,
  term: NewTerm,
  translations: readonly Translation[] = [],
  keptId?: number,
): Promise<Term> {
  const id = keptId !== undefined && (await findTerms(db, [keptId])).size === 0 ? { id: keptId } : {};
  const made = await db.query
    .insertInto('terms')
    .values({ ...term, ...id, name_key: fold(term.name), count: 0 })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (made.id === keptId) await db.dialect.skipIds(db, 'terms', made.id);
  await saveFormerSlug(db, { kind: made.taxonomy, id: made.id }, { after: made });
  if (translations.length > 0) await saveTexts(db, made, translations);
  return made;
}

/** Searches use names and slugs only, and a slug has no language. */
const saveTexts = (
  db: Database,
  { id, taxonomy, name, description }: Pick<Term, 'id' | 'taxonomy' | 'name' | 'description'>,
  translations: readonly Translation[],
): Promise<void> =>
  saveTranslations(
    db,
    { kind: taxonomy, id },
    {
      own: { name, description },
      translations,
      keysOf: (texts) => ({ name_key: fold(texts.name ?? name), search_text: '' }),
    },
  );

/**
 * Changes a term, as it was read in the same transaction; `translations` are all of them after the write, absent if
 * unchanged.
 * @throws {EditConflict} if it has been edited since
 */
export async function updateTerm(
  db: Database,
  term: Term,
  { change, translations }: { change: Partial<NewTerm>; translations?: readonly Translation[] },
): Promise<void> {
  const key = change.name === undefined ? {} : { name_key: fold(change.name) };
  await updateUnlessEdited(db, 'terms', term, { ...change, ...key });
  await saveFormerSlug(
    db,
    { kind: term.taxonomy, id: term.id },
    { before: term, after: { slug: term.slug, ...change } },
  );
  if (translations) await saveTexts(db, { ...term, ...change }, translations);
}

/** Deletes a term permanently: events lose it, its children move up. */
export async function removeTerm(db: Database, { id, taxonomy, parent_id }: Term): Promise<void> {
  await db.query
    .updateTable('terms')
    .set({ parent_id })
    .where('parent_id', '=', id)
    .where('taxonomy', '=', taxonomy)
    .execute();
  await db.query.deleteFrom('event_links').where('kind', '=', taxonomy).where('target_id', '=', id).execute();
  await removeTranslations(db, { kind: taxonomy, id });
  await removeFormerSlugs(db, { kind: taxonomy, id });
  await db.query.deleteFrom('terms').where('id', '=', id).execute();
}

/** Restores a deleted term, with a free slug and without events. */
export async function restoreTerm(
  db: Database,
  { revision, ...term }: Term,
  translations: readonly Translation[],
): Promise<void> {
  const slug = await uniqueSlug(term.slug, (candidate) => isTermSlugTaken(db, { ...term, slug: candidate }));
  await db.query
    .insertInto('terms')
    .values({ ...term, slug, count: 0, revision: revision + 1 })
    .execute();
  await saveFormerSlug(db, { kind: term.taxonomy, id: term.id }, { after: { slug } });
  if (translations.length > 0) await saveTexts(db, term, translations);
}

/** Recounts the events of terms. Triggers would take an update without a new count for an edit. */
export async function recountTerms(db: Database, taxonomy: Taxonomy, ids: readonly number[]): Promise<void> {
  const used = sql<number>`(SELECT count(*) FROM event_links AS l JOIN events AS e ON e.id = l.event_id
    WHERE l.kind = ${taxonomy} AND l.target_id = terms.id AND e.status = 'publish' AND e.password = '')`;
  await db.query
    .updateTable('terms')
    .set({ count: used })
    .where('id', 'in', [...ids])
    .where('count', '<>', used)
    .execute();
}
