import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isOneOf } from '../../db/is-one-of.ts';
import { can, type Viewer } from '../../http/auth.ts';
import type { AddProblem } from '../../http/endpoint.ts';
import { sharedParameter, texts } from '../../http/schemas.ts';
import { STATUSES } from './post.ts';

export const statusFilterField = {
  status: sharedParameter(
    'status',
    texts('Publication status: one, or several as CSV. `any` is everything the caller may see, trash aside.'),
  ),
};

/** Which records of a list are visible to the caller. */
export interface Visibility {
  /** Undefined: every status except trash. */
  statuses?: readonly string[];
  /** If set, unpublished records are visible only if they belong to this account. */
  ownOf?: number;
  /** The `status` in links. */
  label: string;
}

/**
 * The meaning of `status` for a caller: without it, contributors and above see all records that they may see, all
 * others only published ones. A status that the caller may not see is refused.
 */
export function visibilityFor(
  viewer: Viewer,
  asked: readonly string[] | undefined,
  addProblem: AddProblem,
): Visibility {
  const mayName = can(viewer, 'read_own');
  const ownOf = can(viewer, 'read_others') ? undefined : viewer.account?.id;
  const isAny = asked?.length === 1 && asked[0] === 'any';
  if (!mayName) {
    const isPublish = asked?.length === 1 && asked[0] === 'publish';
    if (asked && !isPublish) addProblem('status', { key: 'param.status_hidden' });
    return { statuses: ['publish'], label: 'publish' };
  }
  if (!asked || isAny) return { ownOf, label: 'any' };
  const statuses = [...new Set(asked)];
  const unknown = statuses.find((status) => !(STATUSES as readonly string[]).includes(status));
  if (unknown !== undefined)
    addProblem('status', { key: 'param.one_of', values: { allowed: `${STATUSES.join(', ')}, any` } });
  return { statuses, ownOf, label: statuses.join(',') };
}

/**
 * The visibility condition on the status and author of a row. `author` is only used with `ownOf`.
 *
 * An equality on one status lets an index beginning with it also provide the order. For an OR, SQLite would use two
 * indexes and then sort.
 */
export function isVisible(
  { statuses, ownOf }: Pick<Visibility, 'statuses' | 'ownOf'>,
  status: RawBuilder<unknown>,
  author: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  const inStatus = statuses ? isOneOf(status, statuses) : sql<SqlBool>`${status} <> 'trash'`;
  if (ownOf === undefined) return inStatus;
  return sql`(${inStatus} AND ${author} = CASE WHEN ${status} = 'publish' THEN ${author} ELSE ${ownOf} END)`;
}
