import { can, forbidden, type Viewer } from '../../http/auth.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { meansOf } from './credentials.ts';
import { findUser, type UserRow } from './store.ts';

const isSelf = (viewer: Viewer, userId: number): boolean => viewer.account?.id === userId;

/** Finds the user of a request. Only callers who manage users learn that there is none. */
export async function getUser(id: number | undefined, { context, viewer }: RequestContext): Promise<UserRow> {
  const user = id === undefined ? undefined : await findUser(context.db, id);
  if (user) return user;
  throw can(viewer, 'manage_users') ? new ApiError('user-not-found') : forbidden(viewer);
}

export const maySeeUser = (viewer: Viewer, user: UserRow | undefined): boolean =>
  can(viewer, 'manage_users') || (user !== undefined && isSelf(viewer, user.id));

type Changes = Partial<Pick<UserRow, 'username' | 'role'>>;

/**
 * Accounts may change their own password and e-mail address when signed in with the password itself: a leaked
 * application password must not suffice to take over the account. Only administrators change the name and the role.
 */
export function mayChangeUser(viewer: Viewer, user: UserRow | undefined, { username, role }: Changes): boolean {
  if (can(viewer, 'manage_users')) return true;
  if (!user) return false;
  const keepsRest = (username ?? user.username) === user.username && (role ?? user.role) === user.role;
  return isSelf(viewer, user.id) && meansOf(viewer)?.kind === 'password' && keepsRest;
}

/** Whether the viewer may see and revoke credentials of an account. A token does so only if its scope is `admin`. */
export function mayManageCredentials(viewer: Viewer, userId: number): boolean {
  if (can(viewer, 'manage_users')) return true;
  const means = meansOf(viewer);
  return isSelf(viewer, userId) && (means?.kind !== 'token' || means.scopes.includes('admin'));
}

/**
 * Whether the viewer may create credentials for an account: administrators, and accounts for themselves with the
 * password itself or a token of the scope `admin`. A leaked application password must not suffice to create more.
 */
export function mayMakeCredentials(viewer: Viewer, userId: number): boolean {
  if (can(viewer, 'manage_users')) return true;
  const means = meansOf(viewer);
  const isWhole = means?.kind === 'password' || (means?.kind === 'token' && means.scopes.includes('admin'));
  return isSelf(viewer, userId) && isWhole;
}
