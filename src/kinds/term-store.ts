import { type Expression, type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import type { Database } from '../db/database.ts';
import type { Tables, TermsTable } from '../db/tables.ts';
import { slugify, storedSlug, uniqueSlug } from '../lib/slug.ts';
import { fold, isSameName, plainSpaces, searchWords } from '../lib/text.ts';
import type { Texts, Translation } from './texts.ts';
import { keyIn, removeTranslations, saveTranslations } from './translation-store.ts';

export type Term = Selectable<TermsTable>;
export type Taxonomy = TermsTable['taxonomy'];

export interface TermFilter {
  taxonomy: Taxonomy;
  /** Whose names are searched and sorted by, where it is not the site's first. */
  language?: string;
  search?: string;
  include?: readonly number[];
  exclude?: readonly number[];
  hideEmpty: boolean;
  parent?: number;
  event?: number;
  slug?: string;
}

export interface TermOrder {
  /** `name` unless it is one the interface knows. */
  by?: string;
  descending: boolean;
}

type TermExpression = ExpressionBuilder<Tables, 'terms'>;

function matches(eb: TermExpression, db: Database, { taxonomy, ...filter }: TermFilter): Expression<SqlBool> {
  const conditions: Expression<SqlBool>[] = [eb('taxonomy', '=', taxonomy)];
  if (filter.hideEmpty) conditions.push(eb('count', '>', 0));
  if (filter.parent !== undefined) conditions.push(eb('parent_id', '=', filter.parent));
  if (filter.slug !== undefined) conditions.push(eb('slug', '=', filter.slug));
  if (filter.include) conditions.push(eb('id', 'in', [...filter.include]));
  if (filter.exclude) conditions.push(eb('id', 'not in', [...filter.exclude]));
  if (filter.event !== undefined) {
    const linked = eb
      .selectFrom('event_links')
      .select('target_id')
      .where('event_id', '=', filter.event)
      .where('kind', '=', taxonomy);
    conditions.push(eb('id', 'in', linked));
  }
  const haystack = sql<string>`${nameIn(taxonomy, filter.language)} || ' ' || slug`;
  for (const word of searchWords(filter.search ?? '')) conditions.push(db.dialect.contains(haystack, word));
  return eb.and(conditions);
}

/** Terms of a kind, as a language names them; undefined is the first. */
interface Spoken {
  taxonomy: Taxonomy;
  language: string | undefined;
}

/** The translation of a term in a language, null without one. */
const textsIn = (taxonomy: Taxonomy, language = '') =>
  sql<string | null>`(SELECT texts FROM translations AS tx
    WHERE tx.record_id = terms.id AND tx.kind = ${taxonomy} AND tx.language = ${language})`;

/** The folded name of a term in a language. */
const nameIn = (taxonomy: Taxonomy, language: string | undefined) =>
  keyIn(language, 'name_key', {
    kind: sql`${taxonomy}`,
    id: sql.ref('terms.id'),
    own: sql.ref<string>('terms.name_key'),
  });

const COLUMNS = {
  id: 'id',
  term_id: 'id',
  none: 'id',
  name: 'name_key',
  slug: 'slug',
  count: 'count',
  description: 'description',
} as const;

const isColumn = (name: string): name is keyof typeof COLUMNS => Object.hasOwn(COLUMNS, name);

export interface TermQuery {
  filter: TermFilter;
  order: TermOrder;
  limit: number;
  offset: number;
}

export async function listTerms(db: Database, { filter, order, limit, offset }: TermQuery) {
  const base = db.query.selectFrom('terms').where((eb) => matches(eb, db, filter));
  const { total } = await base.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const by = order.by ?? 'name';
  if (by === 'include' && filter.include) {
    const rank = new Map(filter.include.map((id, index) => [id, index]));
    const rows = await base.selectAll().execute();
    rows.sort((a, b) => (rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0));
    return { total: Number(total), terms: rows.slice(offset, offset + limit) };
  }
  const column = COLUMNS[isColumn(by) ? by : 'name'];
  const ordered = base
    .selectAll()
    .orderBy(
      column === 'name_key' ? nameIn(filter.taxonomy, filter.language) : sql.ref(column),
      order.descending ? 'desc' : 'asc',
    )
    .orderBy('id');
  return { total: Number(total), terms: await ordered.limit(limit).offset(offset).execute() };
}

export const findTerm = (db: Database, taxonomy: Taxonomy, id: number): Promise<Term | undefined> =>
  db.query.selectFrom('terms').selectAll().where('taxonomy', '=', taxonomy).where('id', '=', id).executeTakeFirst();

export async function findTerms(db: Database, ids: readonly number[]): Promise<Map<number, Term>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('terms')
    .selectAll()
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/**
 * Finds the term that a client means: a number is an id; a text is a slug, else a name in any letter case, of the first
 * language or of the one that is spoken. A text of digits that is no id may still be a slug or a name.
 */
export async function findTermByReference(
  db: Database,
  { taxonomy, language }: Spoken,
  reference: string,
): Promise<Term | undefined> {
  if (/^\d{1,15}$/.test(reference)) {
    const byId = await findTerm(db, taxonomy, Number(reference));
    if (byId) return byId;
  }
  const rows = await db.query
    .selectFrom('terms')
    .selectAll()
    .where('taxonomy', '=', taxonomy)
    .where((eb) => eb.or([eb('slug', '=', storedSlug(reference)), eb('name_key', '=', fold(reference))]))
    .orderBy('id')
    .limit(50)
    .execute();
  return (
    rows.find(({ slug }) => slug === storedSlug(reference)) ??
    (await findTermByTranslation(db, { taxonomy, language }, reference)) ??
    rows.find(({ name }) => isSameName(name, reference))
  );
}

/** The term that has a name in a language other than the first, in any letter case. */
async function findTermByTranslation(
  db: Database,
  { taxonomy, language }: Spoken,
  name: string,
): Promise<Term | undefined> {
  if (language === undefined) return undefined;
  const rows = await db.query
    .selectFrom('translations')
    .select(['record_id', 'texts'])
    .where('kind', '=', taxonomy)
    .where('language', '=', language)
    .where('name_key', '=', fold(name))
    .orderBy('record_id')
    .limit(50)
    .execute();
  const found = rows.find(({ texts }) => isSameName(nameOf(texts) ?? '', name));
  return found && findTerm(db, taxonomy, found.record_id);
}

/** The ancestors of some terms, by id. */
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

/** The ids of some categories and of everything below them. */
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

/**
 * A term with this name in a language beside which a new one would be a double: below the same parent, or for tags
 * anywhere.
 */
export async function findNamesake(
  db: Database,
  { taxonomy, language }: Spoken,
  { name, parent_id }: Pick<Term, 'name' | 'parent_id'>,
): Promise<Term | undefined> {
  const rows = await db.query
    .selectFrom('terms')
    .selectAll('terms')
    .select(textsIn(taxonomy, language).as('texts'))
    .where('taxonomy', '=', taxonomy)
    .where(nameIn(taxonomy, language), '=', fold(name))
    .where('parent_id', '=', parent_id)
    .orderBy('id')
    .execute();
  const isSame = (other: string): boolean =>
    taxonomy === 'category' ? plainSpaces(other) === plainSpaces(name) : isSameName(other, name);
  return rows.find((row) => isSame(nameOf(row.texts) ?? row.name));
}

const nameOf = (texts: string | null): string | undefined =>
  texts === null ? undefined : (JSON.parse(texts) as Texts).name;

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

/** The slug of a new term from its name; a taken one gets the slug of the parent behind it, or a number. */
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

export type NewTerm = Pick<Term, 'taxonomy' | 'name' | 'slug' | 'description' | 'parent_id'>;

export async function insertTerm(
  db: Database,
  term: NewTerm,
  translations: readonly Translation[] = [],
): Promise<Term> {
  const made = await db.query
    .insertInto('terms')
    .values({ ...term, name_key: fold(term.name), count: 0 })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (translations.length > 0) await saveTexts(db, made, translations);
  return made;
}

/** A search looks at names and slugs only, and a slug has no language. */
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

/** Changes a term; `translations` are all that there are afterwards, absent when none are touched. */
export async function updateTerm(
  db: Database,
  term: Term,
  { change, translations }: { change: Partial<NewTerm>; translations?: readonly Translation[] },
): Promise<void> {
  const key = change.name === undefined ? {} : { name_key: fold(change.name) };
  if (Object.keys(change).length > 0) {
    await db.query
      .updateTable('terms')
      .set({ ...change, ...key })
      .where('id', '=', term.id)
      .execute();
  }
  if (translations) await saveTexts(db, { ...term, ...change }, translations);
}

/** Removes a term for good: events lose it, its children move up. */
export async function removeTerm(db: Database, { id, taxonomy, parent_id }: Term): Promise<void> {
  await db.query
    .updateTable('terms')
    .set({ parent_id })
    .where('parent_id', '=', id)
    .where('taxonomy', '=', taxonomy)
    .execute();
  await db.query.deleteFrom('event_links').where('kind', '=', taxonomy).where('target_id', '=', id).execute();
  await removeTranslations(db, { kind: taxonomy, id });
  await db.query.deleteFrom('terms').where('id', '=', id).execute();
}
