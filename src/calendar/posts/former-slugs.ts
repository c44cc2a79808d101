import type { Database } from '../../db/database.ts';
import type { AddressedKind, TermsTable } from '../../db/tables/calendar.ts';
import { isOneOf } from '../../db/value-list.ts';
import { storedSlug } from '../../lib/text/slug.ts';
import { isUnfinished } from './post.ts';

/**
 * Earlier slugs of public records, so that old URLs redirect to new ones. A slug redirects to at most one record of its
 * kind: a record that takes it as its current slug ends the redirect.
 */

/** Maximum number of earlier slugs of a record: the latest ones. */
const MAX_FORMER_SLUGS = 20;
const MAX_LENGTH = 300;

interface Named {
  kind: AddressedKind;
  id: number;
}

/** Terms have no status: all of them are public. */
export interface SlugState {
  slug: string;
  status?: string;
}

/**
 * Stores the slug that a record loses, if it was public, and ends redirects from its new one.
 * @param before absent for a new record
 */
export async function saveFormerSlug(
  db: Database,
  named: Named,
  { before, after }: { before?: SlugState; after: SlugState },
): Promise<void> {
  const isTaken = hasAddress(after) && !(before && hasAddress(before) && before.slug === after.slug);
  if (isTaken) await forget(db, named.kind, after.slug);
  if (!before || before.slug === after.slug || !isPublic(before)) return;
  await forget(db, named.kind, before.slug);
  const row = { kind: named.kind, slug: before.slug, record_id: named.id };
  await db.query.insertInto('former_slugs').values(row).execute();
  await dropOldest(db, named);
}

/** Redirects a slug that a record had elsewhere to it, unless the slug already leads to another record. */
export async function addFormerSlug(
  db: Database,
  { kind, id }: { kind: AddressedKind | 'media'; id: number },
  slug: string,
): Promise<void> {
  const stored = storedSlug(slug);
  if (stored === '' || stored.length > MAX_LENGTH) return;
  await db.query
    .insertInto('former_slugs')
    .values({ kind, slug: stored, record_id: id })
    .onConflict((conflict) => conflict.columns(['kind', 'slug']).doNothing())
    .execute();
}

/** Drafts may share slugs, since they have no URL. */
const hasAddress = ({ slug, status = 'publish' }: SlugState): boolean => slug !== '' && !isUnfinished(status);
const isPublic = ({ slug, status = 'publish' }: SlugState): boolean => slug !== '' && status === 'publish';

async function forget(db: Database, kind: AddressedKind, slug: string): Promise<void> {
  await db.query.deleteFrom('former_slugs').where('kind', '=', kind).where('slug', '=', slug).execute();
}

async function dropOldest(db: Database, { kind, id }: Named): Promise<void> {
  const latest = db.query
    .selectFrom('former_slugs')
    .select('id')
    .where('kind', '=', kind)
    .where('record_id', '=', id)
    .orderBy('id', 'desc')
    .limit(MAX_FORMER_SLUGS);
  await db.query
    .deleteFrom('former_slugs')
    .where('kind', '=', kind)
    .where('record_id', '=', id)
    .where('id', 'not in', latest)
    .execute();
}

/** Redirects the earlier slugs of a record to another one of its kind; `only` restricts them. */
export async function redirectFormerSlugs(
  { query }: Database,
  { kind, from, to, only }: { kind: AddressedKind; from: number; to: number; only?: readonly string[] },
): Promise<void> {
  await query
    .updateTable('former_slugs')
    .set({ record_id: to })
    .where('kind', '=', kind)
    .where('record_id', '=', from)
    .$if(only !== undefined, (passed) => passed.where((eb) => isOneOf(eb.ref('slug'), only ?? [])))
    .execute();
}

export async function findFormerSlugs({ query }: Database, { kind, id }: Named): Promise<string[]> {
  const rows = await query
    .selectFrom('former_slugs')
    .select('slug')
    .where('kind', '=', kind)
    .where('record_id', '=', id)
    .execute();
  return rows.map(({ slug }) => slug);
}

/** Removes the slugs of a permanently deleted record. */
export async function removeFormerSlugs(
  db: Database,
  { kind, id }: { kind: AddressedKind | 'media'; id: number },
): Promise<void> {
  await db.query.deleteFrom('former_slugs').where('kind', '=', kind).where('record_id', '=', id).execute();
}

/** Current state of the record that had a slug earlier. */
export interface FormerSlugTarget {
  id: number;
  /** Current slug. */
  slug: string;
  /** In the trash, where it was put while it was public: its URL is gone. Otherwise it is public. */
  isTrashed: boolean;
}

/**
 * The record behind an earlier slug: public, or in the trash and formerly public. Call it only if no record with a URL
 * has the slug now.
 */
export async function findByFormerSlug(
  db: Database,
  kind: AddressedKind,
  slug: string,
): Promise<FormerSlugTarget | undefined> {
  const former = await db.query
    .selectFrom('former_slugs')
    .select('record_id as id')
    .where('kind', '=', kind)
    .where('slug', '=', storedSlug(slug))
    .executeTakeFirst();
  if (!former) return undefined;
  if (isTaxonomy(kind)) {
    const term = await db.query.selectFrom('terms').select('slug').where('id', '=', former.id).executeTakeFirst();
    return term && { ...former, ...term, isTrashed: false };
  }
  const post = await db.query
    .selectFrom(kind === 'event' ? 'events' : 'linked_posts')
    .select(['slug', 'status', 'trashed_from'])
    .where('id', '=', former.id)
    .executeTakeFirst();
  if (!post) return undefined;
  const { status, trashed_from } = post;
  const found = { ...former, slug: post.slug };
  if (status === 'publish') return { ...found, isTrashed: false };
  const isGone = status === 'trash' && trashed_from === 'publish';
  return isGone ? { ...found, isTrashed: true } : undefined;
}

const TAXONOMIES: readonly TermsTable['taxonomy'][] = ['category', 'tag'];

const isTaxonomy = (kind: AddressedKind): boolean => (TAXONOMIES as readonly string[]).includes(kind);
