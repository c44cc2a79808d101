import type { Database } from '../../db/database.ts';
import type { LinkedKind } from '../../lib/linked-kinds.ts';
import { slugify, TRASH_SUFFIX, uniqueSlug } from '../../lib/text/slug.ts';
import { isUnfinished } from './post.ts';

type PostKind = 'event' | LinkedKind;

/** Whether another record of the kind has a slug, whatever its status. */
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

interface SlugRequest extends Named {
  status: string;
  title: string;
  /** As sent or stored. */
  slug: string;
}

/**
 * The slug of a record after a write: its own or one made from its title, with a number appended if another record has
 * it. Drafts may share slugs, since they have no URL yet.
 */
export async function slugFor(db: Database, { kind, id, status, title, slug }: SlugRequest): Promise<string> {
  const base = slugify(slug) || slugify(title) || `${kind}-${id}`;
  return isUnfinished(status) ? base : uniqueSlug(base, (candidate) => isTaken(db, { kind, id }, candidate));
}

/** Slug of a record, and its status before the trash. */
export interface PostAddress {
  status: string;
  slug: string;
  trashed_from: string;
}

/**
 * The slug of a record after a write, and its status before the trash. A changed title does not affect the slug. A
 * cleared slug (`sent` empty or null) is made from the title again. In the trash the slug is free for others. A draft
 * of an event has no slug until one is sent or the event is no longer a draft.
 * @param sent the slug of the write; undefined keeps it
 */
export async function slugAfter(
  db: Database,
  named: Named,
  { current, status, title, sent }: { current?: PostAddress; status: string; title: string; sent?: string | null },
): Promise<Omit<PostAddress, 'status'>> {
  const wasTrashed = current?.status === 'trash';
  if (wasTrashed && status === 'trash' && sent === undefined)
    return { slug: current.slug, trashed_from: current.trashed_from };
  const known = wasTrashed ? untrashedSlug(current.slug) : (current?.slug ?? '');
  const slug = slugify(sent ?? '') || (sent === null || sent === '' ? '' : known);
  if (status === 'trash')
    return {
      slug: await trashedSlug(db, named, slug),
      trashed_from: wasTrashed ? current.trashed_from : (current?.status ?? 'draft'),
    };
  if (slug === '' && named.kind === 'event' && isUnfinished(status)) return { slug: '', trashed_from: '' };
  return { slug: await slugFor(db, { ...named, status, title, slug }), trashed_from: '' };
}

/** The slug of a trashed record, which frees its old one. */
const trashedSlug = (db: Database, named: Named, slug: string): Promise<string> =>
  uniqueSlug(`${slug}${TRASH_SUFFIX}`, (candidate) => isTaken(db, named, candidate));

const TRASHED = new RegExp(`${TRASH_SUFFIX}(-\\d+)?$`);

/** The slug before the trash. */
const untrashedSlug = (slug: string): string => slug.replace(TRASHED, '');
