import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isOneOf } from '../../db/is-one-of.ts';
import { can, type Viewer } from '../../http/auth.ts';
import type { AddProblem } from '../../http/endpoint.ts';
import { sharedParameter, texts } from '../../http/input.ts';
import { STATUSES } from './post.ts';

export const statusFilterField = {
  status: sharedParameter(
    'status',
    texts('Publication status: one, or several as CSV. `any` is everything the caller may see, trash aside.'),
  ),
};

/** Which records of a list the caller gets to see. */
export interface Visibility {
  /** Undefined: every status except trash. */
  statuses?: readonly string[];
  /** With this, records that are not published count only when they are of this account. */
  ownOf?: number;
  /** The `status` that links say. */
  label: string;
}

/**
 * What `status` means for a caller: without it contributors and up see everything they may see, all others what is
 * published. Naming a status that the caller may not see is refused.
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
 * The condition of a visibility on the status and the author of a row. `author` is asked only with `ownOf`.
 *
 * The equation for one status lets an index that begins with it give the order too. As an OR, SQLite would look up the
 * two cases in two indexes, and then sort.
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
