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

/** Capabilities that remain of the owner's for a token with a scope. A scope with write access includes read access. */
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

/** Account, as used by rules and views. */
export interface Account {
  id: number;
  username: string;
  email: string;
  role: Role;
}

/** Subject of a request: an account with the rights of its role and token, or a visitor. */
export interface Viewer {
  account?: Account;
  capabilities: ReadonlySet<Capability>;
  /** True if it may only set up the second factor required by its role. */
  needsSetUp?: boolean;
  /** Credential used to sign in, for the audit log. */
  credential?: Credential;
  /** Check-in key of the request. */
  key?: CheckInKey & { adds: ReadonlySet<Capability> };
}

/** Check-in key; `eventId` if it is valid for one event only. */
export interface CheckInKey {
  id: number | null;
  eventId: number | null;
  /** Absent for the key from the settings. */
  name?: string;
}

/** Tests if a viewer has neither an account nor a key, so that all such viewers get the same response. */
export const isStranger = ({ account, key }: Viewer): boolean => account === undefined && key === undefined;

/** Viewer without credentials. */
export const ANONYMOUS: Viewer = { account: undefined, capabilities: new Set(), key: undefined };

/** Viewer for an account, with the rights of its role, limited by the scopes of its token. */
export function viewerOf(account: Account, scopes?: readonly Scope[]): Viewer {
  const own: readonly Capability[] = ROLES[account.role];
  if (!scopes) return { account, capabilities: new Set(own) };
  const granted = new Set<Capability>(scopes.flatMap((scope): readonly Capability[] => SCOPES[scope]));
  return { account, capabilities: new Set(own.filter((capability) => granted.has(capability))) };
}

/** Tests if a token limits the rights of the viewer's role. */
export const isRestricted = ({ account, capabilities }: Viewer): boolean =>
  account !== undefined && !ROLES[account.role].every((capability) => capabilities.has(capability));

/** Adds the rights of the role `door`, granted by a check-in key. */
export function withKey(viewer: Viewer, key: CheckInKey): Viewer {
  const adds = new Set(door.filter((capability) => !viewer.capabilities.has(capability)));
  return { ...viewer, key: { ...key, adds }, capabilities: new Set([...viewer.capabilities, ...adds]) };
}

/** Tests if a viewer has all of these rights. */
export const can = (viewer: Viewer, ...capabilities: Capability[]): boolean =>
  capabilities.every((capability) => viewer.capabilities.has(capability));

/**
 * Only event for which a viewer has a right, if a check-in key for one event grants it. A key never reduces the rights
 * of an account.
 */
export const eventOfKey = ({ key }: Viewer, capability: Capability): number | undefined =>
  key?.adds.has(capability) ? (key.eventId ?? undefined) : undefined;

/** Columns of a post that determine read and write access. */
export interface Owned {
  author_id: number;
  status: string;
}

const PUBLISHED = new Set(['publish', 'future', 'private']);

/** Tests if changes of posts with this status require the right to publish. */
export const isPublished = (status: string): boolean => PUBLISHED.has(status);

/**
 * Tests if a post may be changed or deleted: needs `edit`, plus `edit_published` if it is published, plus `edit_others`
 * if it belongs to another account.
 */
export function mayEdit(viewer: Viewer, post: Owned): boolean {
  if (!can(viewer, 'edit')) return false;
  if (PUBLISHED.has(post.status) && !can(viewer, 'edit_published')) return false;
  return post.author_id === viewer.account?.id || can(viewer, 'edit_others');
}

/**
 * Tests if a viewer may create, change and delete the tickets of an event: of any event, or of events that the viewer
 * may edit.
 */
export function mayManageTickets(viewer: Viewer, event: Owned): boolean {
  if (can(viewer, 'manage_tickets')) return true;
  const isOwn = viewer.account !== undefined && event.author_id === viewer.account.id;
  return isOwn && can(viewer, isPublished(event.status) ? 'manage_own_published_tickets' : 'manage_own_tickets');
}

/** Tests if a viewer may manage tickets of all events, or at least of their own. */
export const mayManageSomeTickets = (viewer: Viewer): boolean =>
  can(viewer, 'manage_tickets') || (viewer.account !== undefined && can(viewer, 'manage_own_tickets'));

/** Tests if a viewer may see all data about the attendees of an event. */
export const mayReadAttendees = (viewer: Viewer, eventId: number): boolean =>
  mayAtDoor(viewer, 'read_attendees', eventId);

/** Tests if a viewer may check the attendees of an event in and out. */
export const mayCheckIn = (viewer: Viewer, eventId: number): boolean => mayAtDoor(viewer, 'check_in', eventId);

/** Tests a right that a check-in key may restrict to one event. */
const mayAtDoor = (viewer: Viewer, capability: 'read_attendees' | 'check_in', eventId: number): boolean =>
  can(viewer, capability) && (eventOfKey(viewer, capability) ?? eventId) === eventId;

/** 403 for users; 401 for visitors, who might sign in. */
export const forbidden = (viewer: Viewer): ApiError =>
  new ApiError('rest_forbidden', { status: viewer.account ? 403 : 401 });

/** Recognises a check-in key. A wrong key does not change the viewer; too many wrong ones are refused. */
export type RecogniseKey = (
  context: Context,
  viewer: Viewer,
  sent: { key: string; client: ClientAddress },
) => Promise<Viewer>;

/**
 * Checks the credentials of a request. The server uses `createAuthenticator` of users/credentials.ts.
 * @throws {ApiError} incorrect_password, invalid_username, invalid_token, second-factor-required, too_many_attempts
 */
export type Authenticate = (context: Context, credentials: Credentials) => Promise<Viewer>;

interface Credentials extends ClientAddress {
  /** `Authorization` header; without it, the session counts. */
  authorization?: string;
  /** Token of the session for which the request acts. */
  session?: string;
  /** True if an unknown name and a wrong password get different errors, as existing clients expect. */
  tellsUnknownNames?: boolean;
}
