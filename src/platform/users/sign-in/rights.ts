import { can, forbidden, type Viewer } from '../../../http/core/auth.ts';
import type { RequestContext } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { findUser, findUserWithRules, type UserRow, type UserWithRules } from '../store.ts';
import { authMethodOf } from './credentials.ts';

/** The user record of the viewer. */
export async function getOwnUser({ context, viewer }: RequestContext): Promise<UserWithRules> {
  const user = viewer.account && (await findUserWithRules(context.db, viewer.account.id));
  if (!user) throw forbidden(viewer);
  return user;
}

/** Whether the viewer is a person rather than a program: signed in with a session or the account password. */
function isPerson(viewer: Viewer): boolean {
  const kind = authMethodOf(viewer)?.kind;
  return kind === 'password' || kind === 'session';
}

const isSelf = (viewer: Viewer, userId: number): boolean => viewer.account?.id === userId;

/** Finds the user of a request. Only viewers who manage users learn that a user does not exist. */
export async function getUser(id: number | undefined, { context, viewer }: RequestContext): Promise<UserRow> {
  const user = id === undefined ? undefined : await findUser(context.db, id);
  if (user) return user;
  throw can(viewer, 'manage_users') ? new ApiError('user-not-found') : forbidden(viewer);
}

/** Whether access to an account requires re-authentication: the viewer's own account and those of administrators. */
export const requiresReauthentication = ({ id, role }: UserRow, viewer: Viewer): boolean =>
  isSelf(viewer, id) || role === 'administrator';

export const maySeeUser = (viewer: Viewer, user: UserRow | undefined): boolean =>
  can(viewer, 'manage_users') || (user !== undefined && isSelf(viewer, user.id));

type Changes = Partial<Pick<UserRow, 'username' | 'role'>> & { may_refund?: boolean };

/**
 * Accounts may change their own password and e-mail address with a session or the account password: a leaked
 * application password must not suffice to take over the account. Only administrators change the name and
 * the rights.
 */
export function mayChangeUser(
  viewer: Viewer,
  user: UserRow | undefined,
  { username, role, may_refund }: Changes,
): boolean {
  if (can(viewer, 'manage_users')) return true;
  if (!user) return false;
  const keepsRest =
    (username ?? user.username) === user.username &&
    (role ?? user.role) === user.role &&
    (may_refund ?? user.may_refund === 1) === (user.may_refund === 1);
  return isSelf(viewer, user.id) && isPerson(viewer) && keepsRest;
}

/** Whether the viewer may see and revoke credentials of an account. A token does so only if its scope is `admin`. */
export function mayManageCredentials(viewer: Viewer, userId: number): boolean {
  if (can(viewer, 'manage_users')) return true;
  const means = authMethodOf(viewer);
  return isSelf(viewer, userId) && (means?.kind !== 'token' || means.scopes.includes('admin'));
}

/**
 * Whether the viewer may create credentials for an account: administrators, and accounts for themselves with a session,
 * the password itself or a token of the scope `admin`. A leaked application password must not suffice to create more.
 */
export function mayMakeCredentials(viewer: Viewer, userId: number): boolean {
  if (can(viewer, 'manage_users')) return true;
  const means = authMethodOf(viewer);
  const isWhole = isPerson(viewer) || (means?.kind === 'token' && means.scopes.includes('admin'));
  return isSelf(viewer, userId) && isWhole;
}
