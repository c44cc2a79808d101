import type { Database } from '../../db/database.ts';
import { can } from '../../http/auth.ts';
import type { AddProblem, LookupContext, RequestContext } from '../../http/endpoint.ts';
import type { Problem } from '../../http/errors.ts';
import { readInput } from '../../http/validate.ts';
import { isRecord, membersOf, parseList } from '../../lib/list.ts';
import { plainText } from '../../lib/text.ts';
import { logCreation } from '../audit/log.ts';
import { asLinkedPostInput, type LinkedPostInput, type LinkedPostKind, writeFields } from '../linked-posts/kind.ts';
import { lockNames, reuseOrCreate } from '../linked-posts/reuse.ts';
import { findLinkedPost } from '../linked-posts/store.ts';
import { findPostReferences, type PostReferences } from '../posts/post.ts';
import { mayRead } from '../posts/visibility.ts';
import { auditedTaxonomy } from '../terms/audited.ts';
import { findTermByReference } from '../terms/references.ts';
import { freeTermSlug, insertTerm, type Taxonomy, type Term } from '../terms/store.ts';
import { applyTexts, writtenLanguage } from '../translations/rules.ts';

/** The references of a write: existing records, and records that the write creates. */

export type LinkedReference = { id: number } | { input: LinkedPostInput; references: PostReferences };
export type TermReference = { id: number } | { name: string };

/** Maximum length of all descriptions created by one parameter: they are sanitised in one request. */
const MAX_DESCRIPTIONS = 20_000;
/** Maximum number of references of one kind in an event. */
export const MAX_REFERENCES = 100;
/** Maximum length of the id, slug or name of a term. */
export const MAX_REFERENCE = 300;
/** Maximum length of all references of one kind sent as one text. */
const MAX_CSV = MAX_REFERENCES * MAX_REFERENCE;
const isBlank = (value: unknown): boolean => value === null || value === '' || membersOf(value)?.length === 0;

/** The limit that a parameter naming records exceeds, checked before it is parsed. */
function excessOf(value: unknown): Problem | undefined {
  const texts = typeof value === 'string' ? [value] : (membersOf(value) ?? []);
  if (texts.length > MAX_REFERENCES) return { key: 'param.too_many', values: { max: MAX_REFERENCES } };
  const isLong = texts.some((text) => typeof text === 'string' && text.length > MAX_CSV);
  return isLong ? { key: 'param.too_long', values: { max: MAX_CSV } } : undefined;
}

/** The length of all descriptions of the records that a parameter creates. */
function describedLength(items: readonly unknown[]): number {
  const descriptions = items.map((item) => (isRecord(item) ? item.description : undefined));
  return descriptions.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0);
}

/** The items of a reference: one id, a CSV of ids, one object, or a list of ids and objects. */
function itemsOf(value: unknown): unknown[] | undefined {
  // A list in a form is sent as a[0]=…, which is parsed as an object with numeric keys.
  const isList = Array.isArray(value) || (isRecord(value) && Object.keys(value).every((key) => /^\d+$/.test(key)));
  const items = isList ? (membersOf(value) ?? []) : [value];
  const split = items.flatMap((item) => (typeof item === 'string' ? (parseList(item) ?? []) : [item]));
  return split.length <= MAX_REFERENCES ? split : undefined;
}

/** Looks up the linked posts of a kind that a write names. Undefined if they stay unchanged. */
export async function findLinkedReferences(
  kind: LinkedPostKind,
  value: unknown,
  lookup: LookupContext,
): Promise<LinkedReference[] | undefined> {
  if (value === undefined) return undefined;
  if (isBlank(value) || value === 0 || value === '0') return [];
  const excess = isRecord(value) ? undefined : excessOf(value);
  if (excess) return void lookup.addProblem(kind.name, excess);
  const items = itemsOf(value);
  if (describedLength(items ?? []) > MAX_DESCRIPTIONS)
    return void lookup.addProblem(kind.name, { key: 'param.descriptions_too_long', values: { max: MAX_DESCRIPTIONS } });
  const found: LinkedReference[] = [];
  for (const item of items ?? [undefined]) {
    const reference = await findLinkedReference(kind, item, lookup);
    if (reference) found.push(reference);
    else lookup.addProblem(kind.name, { key: 'param.linked_reference', values: { kind: kind.name } });
  }
  return found;
}

async function findLinkedReference(
  kind: LinkedPostKind,
  item: unknown,
  lookup: LookupContext,
): Promise<LinkedReference | undefined> {
  const record = isRecord(item) ? item : undefined;
  const id = record ? record.id : item;
  if (record && (id === undefined || id === null || id === '')) return findInline(kind, record, lookup);
  if (!/^\d{1,15}$/.test(typeof id === 'number' || typeof id === 'string' ? String(id) : '')) return undefined;
  const post = await findLinkedPost(lookup.ctx.context.db, kind.name, Number(id));
  return post && mayRead(lookup.ctx.viewer, post) ? { id: post.id } : undefined;
}

/** Checks an inline object by the same schemas as a request that creates one. */
async function findInline(
  kind: LinkedPostKind,
  record: Record<string, unknown>,
  { ctx, addProblem }: LookupContext,
): Promise<LinkedReference | undefined> {
  const { input, problems } = readInput(writeFields(kind), [], new Map(Object.entries(record)));
  const name = input[kind.name];
  if (problems.size > 0 || typeof name !== 'string' || plainText(name) === '') return undefined;
  let isRefused = false;
  const refuseInline: AddProblem = (_name, problem) => {
    isRefused = true;
    addProblem(kind.name, problem);
  };
  kind.check?.(input, refuseInline);
  const references = await findPostReferences(input, { ctx, addProblem: refuseInline });
  return isRefused ? undefined : { input: asLinkedPostInput(input), references };
}

/** Looks up the categories or tags that a write names: ids, slugs or names. */
export async function findTermReferences(
  name: 'categories' | 'tags',
  value: unknown,
  { ctx, addProblem }: LookupContext,
): Promise<TermReference[] | undefined> {
  if (value === undefined) return undefined;
  if (isBlank(value)) return [];
  const excess = excessOf(value);
  if (excess) return void addProblem(name, excess);
  const taxonomy = name === 'categories' ? 'category' : 'tag';
  const items = typeof value === 'boolean' ? undefined : parseList(value);
  if (!items) return void addProblem(name, { key: 'param.list' });
  if (items.length > MAX_REFERENCES)
    return void addProblem(name, { key: 'param.too_many', values: { max: MAX_REFERENCES } });
  if (items.some((item) => item.length > MAX_REFERENCE))
    return void addProblem(name, { key: 'param.item_too_long', values: { max: MAX_REFERENCE } });
  const language = writtenLanguage(ctx);
  const mayCreate = can(ctx.viewer, taxonomy === 'category' ? 'manage_categories' : 'manage_tags');
  const found: TermReference[] = [];
  for (const item of items) {
    const term = await findTermByReference(ctx.context.db, { taxonomy, language }, plainText(item));
    const isNew = !term && !/^\d+$/.test(item) && plainText(item) !== '' && item.length <= 200;
    if (term) found.push({ id: term.id });
    else if (isNew && mayCreate) found.push({ name: plainText(item) });
    else addProblem(name, { key: isNew ? 'param.term_not_allowed' : 'param.term_unknown' });
  }
  return found;
}

/** Ids of the terms, creating those that are new. Inside the transaction of the write. */
export async function saveTerms(
  taxonomy: Taxonomy,
  references: readonly TermReference[],
  { db, ctx }: { db: Database; ctx: RequestContext },
): Promise<number[]> {
  const ids: number[] = [];
  for (const reference of references) {
    if ('id' in reference) {
      ids.push(reference.id);
      continue;
    }
    const { name } = reference;
    const known = await findTermByReference(db, { taxonomy, language: writtenLanguage(ctx) }, name);
    ids.push((known ?? (await createTerm(db, { taxonomy, name }, ctx))).id);
  }
  return ids;
}

async function createTerm(db: Database, { taxonomy, name }: Pick<Term, 'taxonomy' | 'name'>, ctx: RequestContext) {
  const { translations } = applyTexts(taxonomy, { name }, { ctx });
  const slug = await freeTermSlug(db, { taxonomy, name });
  const term = await insertTerm(db, { taxonomy, name, slug, description: '', parent_id: 0 }, translations);
  await logCreation(db, ctx.actor, { kind: auditedTaxonomy(taxonomy), id: term.id });
  return term;
}

/**
 * Returns the image id to write for a record, storing the image if necessary: null removes it, undefined keeps it.
 * `name` is the parameter that named it, by default `image`.
 */
export type ImageStore = (references: PostReferences, name?: string) => Promise<number | null | undefined>;

/** Ids of the linked posts of a kind, creating those that are new. Inside the transaction of the write. */
export async function saveLinkedReferences(
  kind: LinkedPostKind,
  references: readonly LinkedReference[],
  { db, ctx, images }: { db: Database; ctx: RequestContext; images: ImageStore },
): Promise<number[]> {
  const inline = references.flatMap((reference) => ('input' in reference ? [reference.input] : []));
  await lockNames(kind, inline, db);
  const ids: number[] = [];
  for (const reference of references) {
    if ('id' in reference) ids.push(reference.id);
    else {
      const imageId = await images(reference.references, kind.name);
      ids.push(await reuseOrCreate(kind, reference.input, { db, ctx, imageId }));
    }
  }
  return ids;
}
