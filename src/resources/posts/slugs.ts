import type { Database } from '../../db/database.ts';
import type { LinkedKind } from '../../lib/linked-kinds.ts';
import { slugify, TRASH_SUFFIX, uniqueSlug } from '../../lib/slug.ts';
import { isUnfinished } from './post.ts';

export type PostKind = 'event' | LinkedKind;

/** Whether another record of the kind, in whatever status, has a slug. */
async function isTaken(db: Database, { kind, id }: Named, slug: string): Promise<boolean> {
  const { query } = db;
  const events = query.selectFrom('events').select('id').where('slug', '=', slug).where('id', '<>', id);
  if (kind === 'event') return (await events.limit(1).executeTakeFirst()) !== undefined;
  const posts = query
    .selectFrom('linked_posts')
    .select('id')
    .where('kind', '=', kind)
    .where('slug', '=', slug)
    .where('id', '<>', id);
  return (await posts.limit(1).executeTakeFirst()) !== undefined;
}

interface Named {
  kind: PostKind;
  id: number;
}

export interface SlugRequest extends Named {
  status: string;
  title: string;
  /** As sent, or as stored. */
  slug: string;
}

/**
 * The slug a record gets when it is saved: its own or one from its title, with a number behind it when another record
 * has it. Drafts may share slugs, since they have no address yet.
 */
export async function slugFor(db: Database, { kind, id, status, title, slug }: SlugRequest): Promise<string> {
  const base = slugify(slug) || slugify(title) || `${kind}-${id}`;
  return isUnfinished(status) ? base : uniqueSlug(base, (candidate) => isTaken(db, { kind, id }, candidate));
}

/** The slug in the trash: the old one is free for others. */
export const trashedSlug = (db: Database, named: Named, slug: string): Promise<string> =>
  uniqueSlug(`${slug}${TRASH_SUFFIX}`, (candidate) => isTaken(db, named, candidate));

const TRASHED = new RegExp(`${TRASH_SUFFIX}(-\\d+)?$`);

/** The slug before the trash. */
export const untrashedSlug = (slug: string): string => slug.replace(TRASHED, '');
