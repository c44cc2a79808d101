import type { Context } from '../context.ts';
import { ApiError } from './errors.ts';
import type { ClientAddress } from './request-target.ts';

/** What an account may do. The names follow the table of rights in docs/accounts.md. */
export type Capability =
  | 'read_own'
  | 'read_others'
  | 'edit'
  | 'edit_published'
  | 'edit_others'
  | 'publish'
  | 'upload'
  | 'manage_categories'
  | 'manage_tags'
  | 'manage_own_tickets'
  | 'manage_own_published_tickets'
  | 'manage_tickets'
  | 'manage_attendees'
  | 'read_attendees'
  | 'check_in'
  | 'manage_users';

const subscriber: readonly Capability[] = [];
const door: readonly Capability[] = ['read_attendees', 'check_in'];
const contributor: readonly Capability[] = ['read_own', 'edit', 'manage_own_tickets'];
const author: readonly Capability[] = [
  ...contributor,
  'edit_published',
  'publish',
  'upload',
  'manage_categories',
  'manage_own_published_tickets',
];
const editor: readonly Capability[] = [
  ...author,
  'read_others',
  'edit_others',
  'manage_tags',
  'manage_tickets',
  'manage_attendees',
  'read_attendees',
  'check_in',
];
const administrator: readonly Capability[] = [...editor, 'manage_users'];

/** Each role with all that it may do. Of the first five each has all rights of the next; `door` stands apart. */
export const ROLES = { administrator, editor, author, contributor, subscriber, door } as const;
export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as Role[];
export const isRole = (text: string): text is Role => Object.hasOwn(ROLES, text);

const reading: readonly Capability[] = ['read_own', 'read_others'];

/** What a token with a scope may use of its owner's rights. A scope that writes may read what it writes. */
export const SCOPES = {
  read: [...reading, 'read_attendees'],
  'events:write': [
    ...reading,
    'edit',
    'edit_published',
    'edit_others',
    'publish',
    'upload',
    'manage_categories',
    'manage_tags',
  ],
  'tickets:write': [
    ...reading,
    'manage_own_tickets',
    'manage_own_published_tickets',
    'manage_tickets',
    'manage_attendees',
    'read_attendees',
    'check_in',
  ],
  checkin: ['read_attendees', 'check_in'],
  admin: administrator,
} as const satisfies Record<string, readonly Capability[]>;
export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as Scope[];

/** Who an account is, as rules and answers see it. */
export interface Account {
  id: number;
  username: string;
  email: string;
  role: Role;
}

/** Who asks: an account with the rights that its role and its token leave, or nobody. */
export interface Viewer {
  account?: Account;
  capabilities: ReadonlySet<Capability>;
  /** The check-in key the request brought. */
  key?: CheckInKey & { adds: ReadonlySet<Capability> };
}

/** A check-in key; `eventId` when it is good for one event only. */
export interface CheckInKey {
  id: number | null;
  eventId: number | null;
}

/** A caller without credentials. */
export const ANONYMOUS: Viewer = { account: undefined, capabilities: new Set(), key: undefined };

/** An account as a caller: with the rights of its role, or those of them that the scopes of its token leave. */
export function viewerOf(account: Account, scopes?: readonly Scope[]): Viewer {
  const own: readonly Capability[] = ROLES[account.role];
  if (!scopes) return { account, capabilities: new Set(own) };
  const granted = new Set<Capability>(scopes.flatMap((scope): readonly Capability[] => SCOPES[scope]));
  return { account, capabilities: new Set(own.filter((capability) => granted.has(capability))) };
}

/** Whether the token of a request leaves its account only a part of the rights of its role. */
export const isRestricted = ({ account, capabilities }: Viewer): boolean =>
  account !== undefined && !ROLES[account.role].every((capability) => capabilities.has(capability));

/** What a check-in key adds to whoever brings it: what a person at the door may do. */
export function withKey(viewer: Viewer, key: CheckInKey): Viewer {
  const adds = new Set(door.filter((capability) => !viewer.capabilities.has(capability)));
  return { ...viewer, key: { ...key, adds }, capabilities: new Set([...viewer.capabilities, ...adds]) };
}

/** Whether a caller has all of these rights. */
export const can = (viewer: Viewer, ...capabilities: Capability[]): boolean =>
  capabilities.every((capability) => viewer.capabilities.has(capability));

/**
 * The one event for which a caller has a right, if it has the right only by a check-in key for that event. A key never
 * takes away what an account has.
 */
export const eventOfKey = ({ key }: Viewer, capability: Capability): number | undefined =>
  key?.adds.has(capability) ? (key.eventId ?? undefined) : undefined;

/** What is known of a post when somebody wants to read or change it. */
export interface Owned {
  author_id: number;
  status: string;
}

const PUBLISHED = new Set(['publish', 'future', 'private']);

/** Whether a post of a status is out of the hands of those who may not publish. */
export const isPublished = (status: string): boolean => PUBLISHED.has(status);

/**
 * The rule for one post: the own one needs `edit`, a published one more, somebody else's more again.
 * It is the same for changing and for deleting.
 */
export function mayEdit(viewer: Viewer, post: Owned): boolean {
  if (!can(viewer, 'edit')) return false;
  if (PUBLISHED.has(post.status) && !can(viewer, 'edit_published')) return false;
  return post.author_id === viewer.account?.id || can(viewer, 'edit_others');
}

/** Whether a post may be seen. Trash is judged by the caller: for events it is shut even to administrators. */
export function mayRead(viewer: Viewer, post: Owned): boolean {
  if (post.status === 'publish') return true;
  if (can(viewer, 'read_others')) return true;
  return can(viewer, 'read_own') && post.author_id === viewer.account?.id;
}

/** Whether somebody may create, change and delete the tickets of an event: of any, or of those they may also edit. */
export function mayManageTickets(viewer: Viewer, event: Owned): boolean {
  if (can(viewer, 'manage_tickets')) return true;
  const isOwn = viewer.account !== undefined && event.author_id === viewer.account.id;
  return isOwn && can(viewer, isPublished(event.status) ? 'manage_own_published_tickets' : 'manage_own_tickets');
}

/** Whether there may be events whose tickets somebody may manage: all events, or those of their own. */
export const mayManageSomeTickets = (viewer: Viewer): boolean =>
  can(viewer, 'manage_tickets') || (viewer.account !== undefined && can(viewer, 'manage_own_tickets'));

/** Whether everything about the attendees of an event is shown to a caller. */
export const mayReadAttendees = (viewer: Viewer, eventId: number): boolean =>
  mayAtDoor(viewer, 'read_attendees', eventId);

/** Whether a caller may check the attendees of an event in and out. */
export const mayCheckIn = (viewer: Viewer, eventId: number): boolean => mayAtDoor(viewer, 'check_in', eventId);

/** Whether a caller has a right that a check-in key may restrict to one event. */
const mayAtDoor = (viewer: Viewer, capability: 'read_attendees' | 'check_in', eventId: number): boolean =>
  can(viewer, capability) && (eventOfKey(viewer, capability) ?? eventId) === eventId;

/** Why a caller is turned away: with an account 403, else 401, since an account might help. */
export const forbidden = (viewer: Viewer): ApiError =>
  new ApiError('rest_forbidden', { status: viewer.account ? 403 : 401 });

/** Recognises a check-in key. A wrong one leaves the caller as it was; too many wrong ones are refused. */
export type RecogniseKey = (
  context: Context,
  viewer: Viewer,
  sent: { key: string; client: ClientAddress },
) => Promise<Viewer>;

/**
 * Checks the credentials of a request; `createAuthenticator` of users/credentials.ts makes the one the server uses.
 * @throws {ApiError} incorrect_password, invalid_username, invalid_token, too_many_attempts
 */
export type Authenticate = (context: Context, credentials: Credentials) => Promise<Viewer>;

export interface Credentials extends ClientAddress {
  /** The `Authorization` header. */
  authorization?: string;
  /** Whether an unknown name gets another error than a wrong password, as existing clients expect. */
  tellsUnknownNames?: boolean;
}
