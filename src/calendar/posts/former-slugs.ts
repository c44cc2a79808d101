import type { Database } from '../../db/database.ts';
import type { AddressedKind, TermsTable } from '../../db/tables.ts';
import { isOneOf } from '../../db/value-list.ts';
import { storedSlug } from '../../lib/text/slug.ts';
import { isUnfinished } from './post.ts';

/**
 * The slugs that public records had before, so that old addresses lead to the new ones. A slug leads to one record of
 * its kind at most: whoever takes it as the present one ends what it led to.
 */

/** Former slugs that are kept of a record: the latest ones. */
const MAX_KEPT = 20;

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
 * Keeps the slug that a record loses, if it was public, and takes the new one from those who had it before.
 * @param before absent for a new record
 */
export async function keepFormerSlug(
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

/** Drafts may share slugs, since they have no address. */
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
    .limit(MAX_KEPT);
  await db.query
    .deleteFrom('former_slugs')
    .where('kind', '=', kind)
    .where('record_id', '=', id)
    .where('id', 'not in', latest)
    .execute();
}

/** Lets the former slugs of a record lead to another one of its kind; `only` restricts them. */
export async function passFormerSlugs(
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

/** The former slugs of a record. */
export async function findFormerSlugs({ query }: Database, { kind, id }: Named): Promise<string[]> {
  const rows = await query
    .selectFrom('former_slugs')
    .select('slug')
    .where('kind', '=', kind)
    .where('record_id', '=', id)
    .execute();
  return rows.map(({ slug }) => slug);
}

/** Forgets the slugs of a record that is deleted permanently. */
export async function removeFormerSlugs(db: Database, { kind, id }: Named): Promise<void> {
  await db.query.deleteFrom('former_slugs').where('kind', '=', kind).where('record_id', '=', id).execute();
}

/** What became of the record that a slug led to. */
export interface FormerAddress {
  id: number;
  /** The present one. */
  slug: string;
  /** In the trash, where it was put while it was public: its address is gone. Otherwise it is public. */
  isTrashed: boolean;
}

/**
 * The record that a slug led to before: a public one, or one in the trash that was public. To be asked when no record
 * with an address has the slug now.
 */
export async function findByFormerSlug(
  db: Database,
  kind: AddressedKind,
  slug: string,
): Promise<FormerAddress | undefined> {
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
