import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { EventsTable } from '../../db/tables/calendar.ts';
import { can, mayEdit, type Viewer } from '../../http/core/auth.ts';
import { isSameSecret } from '../../lib/hash.ts';
import { ownedAs } from './post.ts';
import { isEditable } from './visibility.ts';

/**
 * Visibility of events with a password: viewers with neither the password nor the right to edit the event see a masked
 * version and must not find the event by masked values. `isLocked` and `lockedIds` are the same rule in TypeScript and
 * in SQL; event-password.test.ts compares them.
 */

export type Lockable = Pick<EventsTable, 'password' | 'author_id' | 'status' | 'trashed_from'>;

/** Reader of events, with the password of the request. */
export interface Reader {
  viewer: Viewer;
  password?: string;
}

/** Whether an event is locked for a viewer. */
export const isLocked = (event: Lockable, viewer: Viewer, password: string | undefined): boolean =>
  event.password !== '' && !mayEdit(viewer, ownedAs(event)) && !isSameSecret(password ?? '', event.password);

/**
 * Subquery for the ids of all events locked for a reader; undefined if there can be none. Such events are few: the
 * partial index `events_password` has them.
 */
export function lockedIds(reader: Reader): RawBuilder<number> | undefined {
  const conditions = lockedConditions(reader);
  return conditions && idsOf(conditions);
}

/** The conditions of `lockedIds` on `events AS x`, for rules that admit more viewers. */
export function lockedConditions({ viewer, password = '' }: Reader): RawBuilder<SqlBool>[] | undefined {
  const editable = editableBy(viewer);
  if (editable === 'all') return undefined;
  const locked = [sql<SqlBool>`x.password <> ''`, sql<SqlBool>`x.password <> ${password}`];
  return editable === 'none' ? locked : [...locked, sql`NOT (${editable})`];
}

export const idsOf = (conditions: readonly RawBuilder<SqlBool>[]): RawBuilder<number> =>
  sql<number>`SELECT x.id FROM events AS x WHERE ${sql.join([...conditions], sql` AND `)}`;

/** A trashed event is judged by its previous status, as in `ownedAs`. */
const LIVE_STATUS = sql`CASE WHEN x.status <> 'trash' THEN x.status
  WHEN x.trashed_from = '' THEN 'draft' ELSE x.trashed_from END`;

/** `mayEdit` for `events AS x`. */
function editableBy(viewer: Viewer): RawBuilder<SqlBool> | 'all' | 'none' {
  if (!can(viewer, 'edit')) return 'none';
  if (can(viewer, 'edit_others', 'edit_published')) return 'all';
  return isEditable(viewer, LIVE_STATUS, sql.ref('x.author_id'));
}

/** Visitors are authors of nothing. */
export const isAuthor = ({ account }: Viewer): RawBuilder<SqlBool> =>
  account ? sql<SqlBool>`x.author_id = ${account.id}` : sql<SqlBool>`1 = 0`;
