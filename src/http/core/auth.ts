import type { Context } from '../../base/context.ts';
import type { Credential } from '../../lib/actor.ts';
import type { ClientAddress } from './client-address.ts';
import { ApiError } from './errors.ts';

/** A capability of an account; docs/accounts.md has the table. */
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
  | 'manage_users'
  | 'manage_site';

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
const administrator: readonly Capability[] = [...editor, 'manage_users', 'manage_site'];

/** Capabilities of each role. Each of the first five includes the next; `door` is separate. */
export const ROLES = { administrator, editor, author, contributor, subscriber, door } as const;
export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as Role[];
export const isRole = (text: string): text is Role => Object.hasOwn(ROLES, text);

const reading: readonly Capability[] = ['read_own', 'read_others'];

/** Capabilities that a token with a scope keeps of its owner's. A scope that may write may also read. */
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

/** An account, as used by rules and views. */
export interface Account {
  id: number;
  username: string;
  email: string;
  role: Role;
}

/** The caller: an account with the rights of its role and token, or nobody. */
export interface Viewer {
  account?: Account;
  capabilities: ReadonlySet<Capability>;
  /** Whether all it may do is to set up the second factor that its role needs. */
  needsSetUp?: boolean;
  /** What the account signed in with, for the audit log. */
  credential?: Credential;
  /** The check-in key the request brought. */
  key?: CheckInKey & { adds: ReadonlySet<Capability> };
}

/** A check-in key; `eventId` if it is valid for one event only. */
export interface CheckInKey {
  id: number | null;
  eventId: number | null;
  /** Absent for the key in the settings. */
  name?: string;
}

/** Whether a caller has neither an account nor a key, so that the answer is the same for all of them. */
export const isStranger = ({ account, key }: Viewer): boolean => account === undefined && key === undefined;

/** A caller without credentials. */
export const ANONYMOUS: Viewer = { account: undefined, capabilities: new Set(), key: undefined };

/** A viewer for an account, with the rights of its role, limited by the scopes of its token. */
export function viewerOf(account: Account, scopes?: readonly Scope[]): Viewer {
  const own: readonly Capability[] = ROLES[account.role];
  if (!scopes) return { account, capabilities: new Set(own) };
  const granted = new Set<Capability>(scopes.flatMap((scope): readonly Capability[] => SCOPES[scope]));
  return { account, capabilities: new Set(own.filter((capability) => granted.has(capability))) };
}

/** Whether the caller's token limits the rights of the role. */
export const isRestricted = ({ account, capabilities }: Viewer): boolean =>
  account !== undefined && !ROLES[account.role].every((capability) => capabilities.has(capability));

/** Adds the rights of the role `door`, which a check-in key grants. */
export function withKey(viewer: Viewer, key: CheckInKey): Viewer {
  const adds = new Set(door.filter((capability) => !viewer.capabilities.has(capability)));
  return { ...viewer, key: { ...key, adds }, capabilities: new Set([...viewer.capabilities, ...adds]) };
}

/** Whether a caller has all of these rights. */
export const can = (viewer: Viewer, ...capabilities: Capability[]): boolean =>
  capabilities.every((capability) => viewer.capabilities.has(capability));

/**
 * The only event for which a caller has a right, if it comes from a check-in key for that event. A key never reduces
 * the rights of an account.
 */
export const eventOfKey = ({ key }: Viewer, capability: Capability): number | undefined =>
  key?.adds.has(capability) ? (key.eventId ?? undefined) : undefined;

/** The columns of a post that determine who may read and change it. */
export interface Owned {
  author_id: number;
  status: string;
}

const PUBLISHED = new Set(['publish', 'future', 'private']);

/** Whether posts with a status may be changed only with the right to publish. */
export const isPublished = (status: string): boolean => PUBLISHED.has(status);

/**
 * Whether a post may be changed or deleted: needs `edit`, plus `edit_published` if it is published, plus `edit_others`
 * if it belongs to another account.
 */
export function mayEdit(viewer: Viewer, post: Owned): boolean {
  if (!can(viewer, 'edit')) return false;
  if (PUBLISHED.has(post.status) && !can(viewer, 'edit_published')) return false;
  return post.author_id === viewer.account?.id || can(viewer, 'edit_others');
}

/** Whether a caller may create, change and delete the tickets of an event: of all events, or of those they may edit. */
export function mayManageTickets(viewer: Viewer, event: Owned): boolean {
  if (can(viewer, 'manage_tickets')) return true;
  const isOwn = viewer.account !== undefined && event.author_id === viewer.account.id;
  return isOwn && can(viewer, isPublished(event.status) ? 'manage_own_published_tickets' : 'manage_own_tickets');
}

/** Whether a caller may manage the tickets of any events: all of them, or their own. */
export const mayManageSomeTickets = (viewer: Viewer): boolean =>
  can(viewer, 'manage_tickets') || (viewer.account !== undefined && can(viewer, 'manage_own_tickets'));

/** Whether a caller may see all data about the attendees of an event. */
export const mayReadAttendees = (viewer: Viewer, eventId: number): boolean =>
  mayAtDoor(viewer, 'read_attendees', eventId);

/** Whether a caller may check the attendees of an event in and out. */
export const mayCheckIn = (viewer: Viewer, eventId: number): boolean => mayAtDoor(viewer, 'check_in', eventId);

/** Whether a caller has a right that a check-in key may restrict to one event. */
const mayAtDoor = (viewer: Viewer, capability: 'read_attendees' | 'check_in', eventId: number): boolean =>
  can(viewer, capability) && (eventOfKey(viewer, capability) ?? eventId) === eventId;

/** 403 for accounts, 401 for callers without one, who might sign in. */
export const forbidden = (viewer: Viewer): ApiError =>
  new ApiError('rest_forbidden', { status: viewer.account ? 403 : 401 });

/** Recognises a check-in key. A wrong key leaves the caller unchanged; too many wrong ones are refused. */
export type RecogniseKey = (
  context: Context,
  viewer: Viewer,
  sent: { key: string; client: ClientAddress },
) => Promise<Viewer>;

/**
 * Checks the credentials of a request; `createAuthenticator` of users/credentials.ts makes the one the server uses.
 * @throws {ApiError} incorrect_password, invalid_username, invalid_token, second-factor-required, too_many_attempts
 */
export type Authenticate = (context: Context, credentials: Credentials) => Promise<Viewer>;

interface Credentials extends ClientAddress {
  /** The `Authorization` header; without one, the session counts. */
  authorization?: string;
  /** Token of a session that the request may be answered for. */
  session?: string;
  /** Whether an unknown name gets another error than a wrong password, as existing clients expect. */
  tellsUnknownNames?: boolean;
}
