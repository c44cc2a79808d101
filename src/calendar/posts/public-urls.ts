import { sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import { LINKED_KIND_NAMES, type LinkedKind } from '../../lib/linked-kinds.ts';

/** Kinds of records with a page of their own. */
export const POST_KINDS: readonly PostKind[] = ['event', ...LINKED_KIND_NAMES];
export type PostKind = 'event' | LinkedKind;

/** Public URL of a record, and its last change. */
export interface PublicAddress {
  slug: string;
  modified_utc: string;
  /** File name of its image in the uploads folder. */
  file: string | null;
}

/** Records that are public, listed, and readable without a password. */
function publicPosts(db: Database, kind: PostKind) {
  if (kind !== 'event')
    return db.query
      .selectFrom('linked_posts as post')
      .where('kind', '=', kind)
      .where('post.status', '=', sql.lit('publish'));
  return db.query
    .selectFrom('events as post')
    .where('post.status', '=', sql.lit('publish'))
    .where('password', '=', '')
    .where('hide_from_listings', '=', 0);
}

export async function countPublicPosts(db: Database, kind: PostKind): Promise<number> {
  const { count } = await publicPosts(db, kind).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  return Number(count);
}

/** Addresses of records in the order of their ids. */
export async function listPublicAddresses(
  db: Database,
  kind: PostKind,
  { limit, offset }: { limit: number; offset: number },
): Promise<PublicAddress[]> {
  return publicPosts(db, kind)
    .leftJoin('media', 'media.id', 'post.image_id')
    .select(['post.slug', 'post.modified_utc', 'media.file'])
    .orderBy('post.id')
    .limit(limit)
    .offset(offset)
    .execute();
}
