import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { LookupContext } from '../../http/core/endpoint.ts';
import { storedSlug } from '../../lib/text/slug.ts';
import { fold, isSameName, plainSpaces } from '../../lib/text/text.ts';
import { readLanguage, type Texts } from '../../platform/translations/rules.ts';
import { keyIn, translationIn } from '../../platform/translations/store.ts';
import { findTerm, type Taxonomy, type Term } from './store.ts';

/** Maximum number of terms in a filter: each costs a look-up. */
export const MAX_TERMS = 200;

/** Terms of a kind by name in a language; undefined is the site's first. */
interface NamedTerms {
  taxonomy: Taxonomy;
  language: string | undefined;
}

const termOf = (taxonomy: Taxonomy) => ({ kind: sql`${taxonomy}`, id: sql.ref('terms.id') });

/** The texts of a term in a language, null without a translation. */
const textsIn = (taxonomy: Taxonomy, language = '') => translationIn<string>(language, 'texts', termOf(taxonomy));

/** The folded name of a term in a language. */
export const nameIn = (taxonomy: Taxonomy, language: string | undefined) =>
  keyIn(language, 'name_key', { ...termOf(taxonomy), own: sql.ref<string>('terms.name_key') });

/**
 * Finds a referenced term: a number is an id; a text is a slug, otherwise a name, ignoring case, in the first language
 * or the language of the request. A text of digits that is not an id may still be a slug or a name.
 */
export async function findTermByReference(
  db: Database,
  { taxonomy, language }: NamedTerms,
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

/** Ids of the terms that a filter names by id, slug or name; rejects unknown ones. */
export async function findTermIds(
  taxonomy: Taxonomy,
  { name, references }: { name: string; references: readonly string[] },
  { ctx, addProblem }: LookupContext,
): Promise<number[]> {
  const found: number[] = [];
  for (const reference of new Set(references)) {
    const term = await findTermByReference(ctx.context.db, { taxonomy, language: readLanguage(ctx) }, reference);
    if (term) found.push(term.id);
    else addProblem(name, { key: 'param.term_unknown' });
  }
  return found;
}

/** The term with a name in a language other than the first, ignoring case. */
async function findTermByTranslation(
  db: Database,
  { taxonomy, language }: NamedTerms,
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

/** An existing term that a new one with this name would duplicate: below the same parent, or for tags anywhere. */
export async function findNamesake(
  db: Database,
  { taxonomy, language }: NamedTerms,
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
