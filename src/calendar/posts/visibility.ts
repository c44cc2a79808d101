import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isOneOfNames } from '../../db/value-list.ts';
import { can, isPublished, type Owned, type Viewer } from '../../http/core/auth.ts';
import type { AddProblem } from '../../http/core/endpoint.ts';
import { sharedParameter, texts } from '../../http/input/schemas.ts';
import { STATUSES } from './post.ts';

/**
 * Visibility of events, venues and organizers by status. `mayRead` and `isVisible` with `readableBy(viewer)` are the
 * same rule in TypeScript and in SQL; visibility.test.ts compares them.
 */

/** Whether a record may be read. In the trash, not even administrators read events. */
export function mayRead(viewer: Viewer, { status, author_id }: Owned): boolean {
  if (status === 'trash') return false;
  if (status === 'publish' || can(viewer, 'read_others')) return true;
  return can(viewer, 'read_own') && author_id === viewer.account?.id;
}

/**
 * Whether a viewer may name a record, or read a venue or an organizer: the trash is visible to viewers who may read the
 * records of others.
 */
export const isVisibleTo = (viewer: Viewer, post: Owned): boolean =>
  mayRead(viewer, post) || (post.status === 'trash' && can(viewer, 'read_others'));

/** Whether lists for a viewer include events hidden from listings. */
export const maySeeHidden = (viewer: Viewer): boolean => can(viewer, 'edit_others') || viewer.key?.eventId === null;

/** Statuses that require the right to publish, for `IN`. */
export const PUBLISHED = sql.join(STATUSES.filter(isPublished).map((status) => sql.lit(status)));

/** `mayEdit` of http/core/auth.ts in SQL, for the status and the author of a record that is not in the trash. */
export function isEditable(
  viewer: Viewer,
  status: RawBuilder<unknown>,
  author: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  if (!can(viewer, 'edit')) return sql`1 = 0`;
  const conditions = [
    sql`${status} <> 'trash'`,
    ...(can(viewer, 'edit_published') ? [] : [sql`${status} NOT IN (${PUBLISHED})`]),
    ...(can(viewer, 'edit_others') ? [] : [sql`${author} = ${viewer.account?.id ?? 0}`]),
  ];
  return sql`(${sql.join(conditions, sql` AND `)})`;
}

export const statusFilterField = {
  status: sharedParameter(
    'status',
    texts('Publication status: one, or several as CSV. `any` is every status visible to the user, except the trash.'),
  ),
};

/** Restriction of a list by status. */
export interface StatusCondition {
  /** Undefined: every status except trash. */
  statuses?: readonly string[];
  /** If set, unpublished records are visible only if they belong to this account. */
  ownOf?: number;
}

/** Records of a list that the viewer may see. */
export interface Visibility extends StatusCondition {
  /** `status` as repeated in links. */
  label: string;
}

/** The records that a viewer may read. */
export function readableBy(viewer: Viewer): StatusCondition {
  if (can(viewer, 'read_others')) return {};
  return can(viewer, 'read_own') && viewer.account ? { ownOf: viewer.account.id } : { statuses: ['publish'] };
}

/**
 * The meaning of `status` for a viewer: without it, contributors and above see all records that they may see, all
 * others only published ones. An invisible status is refused.
 */
export function visibilityFor(
  viewer: Viewer,
  requested: readonly string[] | undefined,
  addProblem: AddProblem,
): Visibility {
  const readable = readableBy(viewer);
  const isAny = requested?.length === 1 && requested[0] === 'any';
  if (readable.statuses) {
    const isPublish = requested?.length === 1 && requested[0] === 'publish';
    if (requested && !isPublish) addProblem('status', { key: 'param.status_hidden' });
    return { ...readable, label: 'publish' };
  }
  if (!requested || isAny) return { ...readable, label: 'any' };
  const statuses = [...new Set(requested)];
  const unknown = statuses.find((status) => !(STATUSES as readonly string[]).includes(status));
  if (unknown !== undefined)
    addProblem('status', { key: 'param.one_of', values: { allowed: `${STATUSES.join(', ')}, any` } });
  return { ...readable, statuses, label: statuses.join(',') };
}

/**
 * The visibility condition on the status and author of a row. `author` is only used with `ownOf`.
 * An equality on one status lets an index beginning with it also provide the order. For an OR, SQLite would use two
 * indexes and then sort.
 */
export function isVisible(
  { statuses, ownOf }: StatusCondition,
  status: RawBuilder<unknown>,
  author: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  const inStatus = statuses
    ? isOneOfNames(status, { names: statuses, known: STATUSES })
    : sql<SqlBool>`${status} <> 'trash'`;
  if (ownOf === undefined) return inStatus;
  return sql`(${inStatus} AND ${author} = CASE WHEN ${status} = 'publish' THEN ${author} ELSE ${ownOf} END)`;
}
