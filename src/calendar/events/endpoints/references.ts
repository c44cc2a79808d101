import type { Database } from '../../../db/database.ts';
import { can } from '../../../http/core/auth.ts';
import type { LookupContext, RequestContext } from '../../../http/core/endpoint.ts';
import type { Problem } from '../../../http/core/errors.ts';
import { isRecord, membersOf, parseList } from '../../../lib/text/list.ts';
import { scalarText } from '../../../lib/text/scalar-text.ts';
import { plainText } from '../../../lib/text/text.ts';
import { logCreation } from '../../../platform/audit/log.ts';
import { applyTexts, writtenLanguage } from '../../../platform/translations/rules.ts';
import { findChange, findNew, type LinkedChange, type NewLinkedPost, saveChange } from '../../linked-posts/inline.ts';
import type { LinkedPostKind } from '../../linked-posts/kind.ts';
import { lockNames, reuseOrCreate } from '../../linked-posts/reuse.ts';
import { findLinkedPost } from '../../linked-posts/store.ts';
import type { PostReferences } from '../../posts/post.ts';
import { mayRead } from '../../posts/visibility.ts';
import { auditedTaxonomy } from '../../terms/audited.ts';
import { findTermByReference } from '../../terms/references.ts';
import { freeTermSlug, insertTerm, type Taxonomy, type Term } from '../../terms/store.ts';

/** References of a write: existing records, and records that the write creates. */

export type LinkedReference = { id: number } | NewLinkedPost | LinkedChange;
export type TermReference = { id: number } | { name: string };

interface LinkedLookup extends LookupContext {
  /** Records currently linked to the event. */
  linked: ReadonlySet<number>;
}

/** Maximum length of all descriptions written by one parameter: they are sanitised in one request. */
const MAX_DESCRIPTIONS = 20_000;
/** Maximum number of references of one kind in an event. */
export const MAX_REFERENCES = 100;
/** Maximum length of the id, slug or name of a term. */
export const MAX_REFERENCE = 300;
/** Maximum length of all references of one kind sent as one text. */
const MAX_CSV = MAX_REFERENCES * MAX_REFERENCE;
const isBlank = (value: unknown): boolean => value === null || value === '' || membersOf(value)?.length === 0;

/** The limit exceeded by a parameter that names records; checked before the parameter is parsed. */
function excessOf(value: unknown): Problem | undefined {
  const texts = typeof value === 'string' ? [value] : (membersOf(value) ?? []);
  if (texts.length > MAX_REFERENCES) return { key: 'param.too_many', values: { max: MAX_REFERENCES } };
  const isLong = texts.some((text) => typeof text === 'string' && text.length > MAX_CSV);
  return isLong ? { key: 'param.too_long', values: { max: MAX_CSV } } : undefined;
}

/** Total length of the descriptions in a parameter. */
const describedLength = (references: readonly LinkedReference[]): number =>
  references.reduce(
    (sum, reference) => sum + ('input' in reference ? (reference.input.description ?? '').length : 0),
    0,
  );

/** The items of a reference: one id, a CSV of ids, one object, or a list of ids and objects. */
function itemsOf(value: unknown): unknown[] | undefined {
  // A list in a form is sent as a[0]=…, which is parsed as an object with numeric keys.
  const isList = Array.isArray(value) || (isRecord(value) && Object.keys(value).every((key) => /^\d+$/.test(key)));
  const items = isList ? (membersOf(value) ?? []) : [value];
  const split = items.flatMap((item) => (typeof item === 'string' ? (parseList(item) ?? []) : [item]));
  return split.length <= MAX_REFERENCES ? split : undefined;
}

/** Looks up the linked posts of a kind named by a write. Undefined if they stay unchanged. */
export async function findLinkedReferences(
  kind: LinkedPostKind,
  value: unknown,
  lookup: LinkedLookup,
): Promise<LinkedReference[] | undefined> {
  if (value === undefined) return undefined;
  if (isBlank(value) || value === 0 || value === '0') return [];
  const excess = isRecord(value) ? undefined : excessOf(value);
  if (excess) return void lookup.addProblem(kind.name, excess);
  const found: LinkedReference[] = [];
  for (const item of itemsOf(value) ?? [undefined]) {
    const reference = await findLinkedReference(kind, item, lookup);
    if (reference) found.push(reference);
    else lookup.addProblem(kind.name, { key: 'param.linked_reference', values: { kind: kind.name } });
  }
  if (describedLength(found) > MAX_DESCRIPTIONS)
    lookup.addProblem(kind.name, { key: 'param.descriptions_too_long', values: { max: MAX_DESCRIPTIONS } });
  return found;
}

async function findLinkedReference(
  kind: LinkedPostKind,
  item: unknown,
  { linked, ...lookup }: LinkedLookup,
): Promise<LinkedReference | undefined> {
  const { context, viewer, urls } = lookup.ctx;
  const sent = isRecord(item) ? item : undefined;
  const id = sent ? sent.id : item;
  if (sent && (id === undefined || id === null || id === '')) return findNew(kind, sent, lookup);
  if (!isId(id)) return undefined;
  const post = await findLinkedPost(context.db, kind.name, Number(scalarText(id)));
  // Linked records are shown with their event, whatever their status.
  if (!post || !(mayRead(viewer, post) || linked.has(post.id))) return undefined;
  return sent && !urls.isReference ? findChange(kind, { post, sent }, lookup) : { id: post.id };
}

const isId = (id: unknown): boolean => /^\d{1,15}$/.test(scalarText(id) ?? '');

/** Replaces terms in the form of responses by their ids. */
const idsOfShown = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((item) => (isRecord(item) && isId(item.id) ? item.id : item)) : value;

/** Looks up the categories or tags named by a write: ids, slugs, names, or terms in the form of responses. */
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
  const items = typeof value === 'boolean' ? undefined : parseList(idsOfShown(value));
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

/** Ids of the terms, creating new ones. Call inside the transaction of the write. */
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

/**
 * Ids of the linked posts of a kind, creating new ones and changing others. Call inside the transaction of the write.
 */
export async function saveLinkedReferences(
  kind: LinkedPostKind,
  references: readonly LinkedReference[],
  { db, ctx, images }: { db: Database; ctx: RequestContext; images: ImageStore },
): Promise<number[]> {
  const changes = references.filter(
    (reference): reference is LinkedChange => 'id' in reference && 'input' in reference,
  );
  // Sorted, to avoid deadlocks.
  for (const change of changes.toSorted((one, other) => one.id - other.id)) {
    await saveChange(kind, change, { db, ctx, imageId: await images(change.references, kind.name) });
  }
  const created = references.flatMap((reference) => ('id' in reference ? [] : [reference.input]));
  await lockNames(kind, created, db);
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
