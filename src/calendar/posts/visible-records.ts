import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { Owned } from '../../http/core/auth.ts';
import type { LookupContext } from '../../http/core/endpoint.ts';
import type { LinkedKind } from '../../lib/linked-kinds.ts';
import { isNumeric } from '../../lib/text/scalar-text.ts';
import { storedSlug } from '../../lib/text/slug.ts';
import { UNFINISHED } from './post.ts';
import { isVisibleTo } from './visibility.ts';

/** Parameters that name records: an invisible record is treated like a missing one. */

const ownersOfEvents = byIds((query, ids) =>
  query.selectFrom('events').select(['author_id', 'status']).where('id', 'in', ids),
);

const ownersOfLinkedPosts = byIds((query, ids, kind: LinkedKind) =>
  query
    .selectFrom('linked_posts')
    .select(['id', 'author_id', 'status'])
    .where('kind', '=', kind)
    .where('id', 'in', ids),
);

/**
 * Rejects an `event` (or `post`) filter unless the viewer may see the event; the error does not reveal whether it
 * exists.
 */
export const checkEventVisible = (name: string, id: number, lookup: LookupContext): Promise<void> =>
  checkEventsVisible(name, [id], lookup);

/** The same for a list of ids, all of which must be visible. */
export async function checkEventsVisible(
  name: string,
  ids: readonly number[],
  { ctx, addProblem }: LookupContext,
): Promise<void> {
  const visible = (await ownersOfEvents(ctx.context.db, ids)).filter((event) => isVisibleTo(ctx.viewer, event));
  if (visible.length < new Set(ids).size) addProblem(name, { key: 'param.event_unknown' });
}

/**
 * Ids of the linked posts that a filter names by id or slug. A number that is not an id may still be a slug. Of several
 * records with the same slug, which only drafts share, the one with a URL takes precedence, otherwise the oldest.
 */
export async function findVisibleLinkedPosts(
  kind: LinkedKind,
  references: readonly string[],
  { ctx, addProblem }: LookupContext,
): Promise<number[]> {
  const { viewer, context } = ctx;
  const isVisible = (post: Owned) => isVisibleTo(viewer, post);
  const posts = await ownersOfLinkedPosts(
    context.db,
    references.flatMap((reference) => idIn(reference) ?? []),
    kind,
  );
  const ids = new Set(posts.filter(isVisible).map(({ id }) => id));
  const idOf = (reference: string) => {
    const id = idIn(reference);
    return id !== undefined && ids.has(id) ? id : undefined;
  };
  const slugs = references.filter((reference) => idOf(reference) === undefined).map(storedSlug);
  const named = slugs.length > 0 ? (await findBySlugs(context.db, kind, slugs)).filter(isVisible) : [];
  const bySlug = new Map(named.toReversed().map(({ id, slug }) => [slug, id]));
  const found = references.flatMap((reference) => idOf(reference) ?? bySlug.get(storedSlug(reference)) ?? []);
  if (found.length < references.length) addProblem(kind, { key: 'param.linked_unknown', values: { kind } });
  return [...new Set(found)];
}

/** Records with these slugs; records without a URL come last. */
const findBySlugs = (db: Database, kind: LinkedKind, slugs: readonly string[]) =>
  db.query
    .selectFrom('linked_posts')
    .select(['id', 'slug', 'author_id', 'status'])
    .where('kind', '=', kind)
    .where('slug', 'in', [...slugs])
    .orderBy(({ case: when }) => when().when('status', 'in', UNFINISHED).then(1).else(0).end())
    .orderBy('id')
    .execute();

/** Parses a text as an id, also in the form `5.0`. */
function idIn(text: string): number | undefined {
  const id = isNumeric(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}
