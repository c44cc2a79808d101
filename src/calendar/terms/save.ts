import type { Database } from '../../db/database.ts';
import { isUnchanged } from '../../db/guarded-update.ts';
import { assertFound, type LookupContext, type RequestContext } from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { checkRevision } from '../../http/core/revisions.ts';
import { clearable, color, filledText, integer, text, translatable } from '../../http/input/schemas.ts';
import { slugify } from '../../lib/text/slug.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';
import {
  applyTexts,
  changedTranslations,
  checkName,
  isSameTranslations,
  type RecordTexts,
  writtenLanguage,
} from '../../platform/translations/rules.ts';
import { findTranslations } from '../../platform/translations/store.ts';
import { auditedTaxonomy } from './audited.ts';
import { findNamesake } from './references.ts';
import {
  findTerm,
  freeTermSlug,
  insertTerm,
  isTermSlugTaken,
  type Term,
  updateTerm,
  withDescendants,
} from './store.ts';
import type { TermKind } from './taxonomies.ts';

const MAX_NAME = 200;

/** Parameters of a write. */
export const termFields = {
  name: translatable(clearable(filledText('Name. `null` removes its translation.', { max: MAX_NAME }))),
  description: translatable(clearable(text('Description.'))),
  slug: clearable(filledText('Slug; derived from the name by default.', { max: MAX_NAME })),
  parent: clearable(integer('Parent category; 0 for the top level.')),
};

const categoryFields = {
  ...termFields,
  color: clearable(color('Colour of the category in calendars, as `#rrggbb`; null for none.')),
};

/** Parameters of a write of one kind: only categories have a colour. */
export const fieldsOf = ({ isTree }: TermKind): typeof categoryFields =>
  // A parameter that does not exist is treated like an omitted one.
  isTree ? categoryFields : (termFields as typeof categoryFields);

export interface TermInput {
  name?: string | null;
  description?: string | null;
  slug?: string | null;
  parent?: number | null;
  color?: string | null;
}

/** The parent category of a write; rejects one that does not exist. */
const findParent = async ({ taxonomy, isTree }: TermKind, input: TermInput, { ctx, addProblem }: LookupContext) => {
  if (!isTree || !input.parent) return undefined;
  const parent = await findTerm(ctx.context.db, taxonomy, input.parent);
  if (!parent) addProblem('parent', { key: 'param.term_unknown' });
  return parent;
};

function refuseParentOfTag({ isTree }: TermKind, input: TermInput): void {
  if (!isTree && input.parent !== undefined) throw new ApiError('rest_taxonomy_not_hierarchical');
}

/** Rejects a name that consists of tags only, and finds the parent of a write. */
export function findReferences(
  kind: TermKind,
  input: TermInput,
  { isUpdate, ...lookup }: LookupContext & { isUpdate: boolean },
): Promise<Term | undefined> {
  checkName(kind.taxonomy, input, { ...lookup, isUpdate });
  return findParent(kind, input, lookup);
}

/**
 * Creates a term.
 * @throws {ApiError} term_exists, duplicate_term_slug, rest_taxonomy_not_hierarchical
 */
export async function createTerm(
  kind: TermKind,
  input: TermInput,
  { ctx, parent }: { ctx: RequestContext; parent: Term | undefined },
): Promise<Term> {
  refuseParentOfTag(kind, input);
  const { taxonomy } = kind;
  const parent_id = parent?.id ?? 0;
  const { own, translations } = applyTexts(taxonomy, input, { ctx });
  const { name = '', description = '' } = own;
  return ctx.context.db.transaction(async (db) => {
    await db.dialect.lock(db, taxonomy);
    const slug = input.slug ? slugify(input.slug) : undefined;
    for (const language of new Set([undefined, writtenLanguage(ctx)])) {
      const namesake = await findNamesake(db, { taxonomy, language }, { name, parent_id });
      if (namesake && (slug === undefined || slug === namesake.slug)) throw termExists(namesake);
    }
    if (slug !== undefined && (await isTermSlugTaken(db, { taxonomy, slug })))
      throw new ApiError('duplicate_term_slug');
    const free = slug || (await freeTermSlug(db, { taxonomy, name }, parent));
    const color = input.color ?? null;
    const values = { taxonomy, name, slug: free, description, parent_id, color };
    const term = await insertTerm(db, values, translations, ctx.keptId);
    await logCreation(db, ctx.actor, { kind: auditedTaxonomy(taxonomy), id: term.id });
    return term;
  });
}

const termExists = ({ id }: Term) => new ApiError('term_exists', { data: { term_id: id } });

/**
 * Changes the fields of a term that were sent.
 * @throws {ApiError} term_exists, duplicate_term_slug, rest_taxonomy_not_hierarchical
 * @throws {InvalidParams} naming `parent`, or `id` if the term is gone
 * @throws {OutdatedRevision}
 */
export async function changeTerm(kind: TermKind, id: number, input: TermInput, ctx: RequestContext): Promise<Term> {
  refuseParentOfTag(kind, input);
  return ctx.context.db.transaction(async (db) => {
    const term = await lockTerm(kind, id, { db, ctx });
    await logChange(db, ctx.actor, { kind: auditedTaxonomy(kind.taxonomy), id: term.id }, () =>
      changeLockedTerm(kind, { term, input }, { db, ctx }),
    );
    return assertFound(await findTerm(db, kind.taxonomy, term.id));
  });
}

/** `changeTerm` for the row that `lockTerm` has read. */
export async function changeLockedTerm(
  kind: TermKind,
  { term, input }: { term: Term; input: TermInput },
  { db, ctx }: { db: Database; ctx: RequestContext },
): Promise<void> {
  refuseParentOfTag(kind, input);
  const change = changeOf(input);
  await checkParent(kind, { ...term, ...change }, db);
  const before = await findTranslations(db, { kind: kind.taxonomy, id: term.id });
  const texts = applyTexts(kind.taxonomy, input, { ctx, before: { record: term, translations: before } });
  await checkSlug(kind, { term, slug: change.slug }, db);
  // A slug of its own distinguishes a term from another one with the same name.
  if (input.name !== undefined && change.slug === undefined)
    await checkNames(kind, { term: { ...term, ...change }, texts }, { db, ctx });
  const written = { ...change, ...texts.own };
  if (isUnchanged(term, written) && isSameTranslations(before, texts.translations)) return;
  await updateTerm(db, term, { change: written, ...changedTranslations(texts, before) });
}

/**
 * Returns the term named by a request, under a lock that excludes other writes to terms of its kind.
 * @throws {InvalidParams} if it is gone
 * @throws {OutdatedRevision}
 */
export async function lockTerm(
  kind: TermKind,
  id: number,
  { db, ctx }: { db: Database; ctx: RequestContext },
): Promise<Term> {
  await db.dialect.lock(db, kind.taxonomy);
  const term = await getTerm(kind, id, db);
  checkRevision(ctx, term);
  return term;
}

/**
 * The term after or during a write, by the id of its route.
 * @throws {InvalidParams} when another request has removed it
 */
export async function getTerm({ taxonomy }: TermKind, id: number, db: Database): Promise<Term> {
  const term = await findTerm(db, taxonomy, id);
  if (!term) throw invalidParam('id', 'param.term_unknown');
  return term;
}

/** Rejects a parent that was removed since the look-up, and one that would create a loop. */
async function checkParent({ taxonomy }: TermKind, { id, parent_id }: Pick<Term, 'id' | 'parent_id'>, db: Database) {
  if (parent_id === 0) return;
  if (!(await findTerm(db, taxonomy, parent_id))) throw invalidParam('parent', 'param.term_unknown');
  if ((await withDescendants(db, [id])).includes(parent_id)) throw invalidParam('parent', 'param.parent_below');
}

async function checkSlug(
  { taxonomy }: TermKind,
  { term, slug }: { term: Term; slug: string | undefined },
  db: Database,
): Promise<void> {
  if (slug && (await isTermSlugTaken(db, { taxonomy, slug }, term.id))) throw new ApiError('duplicate_term_slug');
}

/** Rejects a name that another term has, in the language of the write and, if it changes there, in the first one. */
async function checkNames(
  { taxonomy }: TermKind,
  { term, texts: { own, translations } }: { term: Term; texts: RecordTexts },
  { db, ctx }: { db: Database; ctx: RequestContext },
): Promise<void> {
  const written = writtenLanguage(ctx);
  const translated = translations.find(({ language }) => language === written)?.texts.name;
  const names = new Map([[written, translated ?? own.name ?? '']]);
  if (own.name !== undefined && own.name !== term.name) names.set(undefined, own.name);
  for (const [language, name] of names) {
    const namesake = await findNamesake(db, { taxonomy, language }, { ...term, name });
    if (namesake && namesake.id !== term.id) throw termExists(namesake);
  }
}

function changeOf(input: TermInput) {
  const slug = input.slug ? slugify(input.slug) : '';
  return {
    ...(slug !== '' && { slug }),
    ...(input.parent !== undefined && { parent_id: input.parent ?? 0 }),
    ...(input.color !== undefined && { color: input.color }),
  };
}
