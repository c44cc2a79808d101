import type { Context } from '../../base/context.ts';
import type { Credential } from '../../lib/actor.ts';
import type { ClientAddress } from './client-address.ts';
import { ApiError } from './errors.ts';

/** Capability of an account; see the table in docs/accounts.md. */
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
  | 'read_orders'
  | 'refund'
  | 'sell'
  | 'export_attendees'
  | 'manage_own_attendees'
  | 'read_own_attendees'
  | 'check_in_own'
  | 'manage_users'
  | 'manage_site'
  | 'operate';

const subscriber: readonly Capability[] = [];
const door: readonly Capability[] = ['read_attendees', 'check_in', 'export_attendees'];
const box_office: readonly Capability[] = ['read_others', 'read_attendees', 'read_orders', 'check_in', 'sell'];
const contributor: readonly Capability[] = ['read_own', 'edit', 'manage_own_tickets'];
const author: readonly Capability[] = [
  ...contributor,
  'edit_published',
  'publish',
  'upload',
  'manage_categories',
  'manage_own_published_tickets',
  'manage_own_attendees',
  'read_own_attendees',
  'check_in_own',
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
  'read_orders',
  'sell',
  'export_attendees',
];
const administrator: readonly Capability[] = [...editor, 'refund', 'manage_users', 'manage_site', 'operate'];

/** Capabilities of each role. Each of the first five includes the next; `door` and `box_office` are separate. */
export const ROLES = { administrator, editor, author, contributor, subscriber, door, box_office } as const;
export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as Role[];
export const isRole = (text: string): text is Role => Object.hasOwn(ROLES, text);

const reading: readonly Capability[] = ['read_own', 'read_others'];

/**
 * Capabilities that a token with a scope may use, if its owner has them. A scope with write access includes read
 * access.
 */
export const SCOPES = {
  read: [...reading, 'read_attendees', 'read_own_attendees', 'export_attendees'],
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
    'read_orders',
    'sell',
    'export_attendees',
    'manage_own_attendees',
    'read_own_attendees',
    'check_in_own',
  ],
  checkin: ['read_attendees', 'check_in', 'export_attendees', 'read_own_attendees', 'check_in_own'],
  'money:write': [...reading, 'read_orders', 'refund'],
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
  /** True if it may issue refunds although its role may not. */
  mayRefund?: boolean;
}

/** Subject of a request: an account with the rights of its role and token, or a visitor. */
export interface Viewer {
  account?: Account;
  capabilities: ReadonlySet<Capability>;
  /** True if the viewer may only set up the second factor required by the role. */
  needsSetUp?: boolean;
  /** Credential used to sign in, for the audit log. */
  credential?: Credential;
  /** Check-in key of the request. */
  key?: CheckInKey & { adds: ReadonlySet<Capability> };
  /** Device of a gate, which has rights only at the door. */
  device?: DoorDevice;
}

/** Paired device of a gate. */
export interface DoorDevice {
  id: number;
  gateId: number;
  name: string;
  pairedUtc: string;
}

/** Check-in key; `eventId` is null if it is valid for all events. */
export interface CheckInKey {
  id: number | null;
  eventId: number | null;
  /** Absent for the key from the settings. */
  name?: string;
}

/** Tests if a viewer has no account, check-in key or device at the door. All such viewers get the same response. */
export const isAnonymous = ({ account, key, device }: Viewer): boolean =>
  account === undefined && key === undefined && device === undefined;

/** Viewer without credentials. */
export const ANONYMOUS: Viewer = { account: undefined, capabilities: new Set(), key: undefined };

/** Capabilities of an account, granted by its role or individually. */
const capabilitiesOf = ({ role, mayRefund }: Account): readonly Capability[] =>
  mayRefund ? [...ROLES[role], 'refund'] : ROLES[role];

/** Viewer for an account, with the rights of its role, limited by the scopes of its token. */
export function viewerOf(account: Account, scopes?: readonly Scope[]): Viewer {
  const own = capabilitiesOf(account);
  if (!scopes) return { account, capabilities: new Set(own) };
  const granted = new Set<Capability>(scopes.flatMap((scope): readonly Capability[] => SCOPES[scope]));
  return { account, capabilities: new Set(own.filter((capability) => granted.has(capability))) };
}

/** Tests if a token limits the rights of the viewer's role. */
export const isRestricted = ({ account, capabilities }: Viewer): boolean =>
  account !== undefined && !capabilitiesOf(account).every((capability) => capabilities.has(capability));

/** Adds the rights of the role `door`, granted by a check-in key. */
export function withKey(viewer: Viewer, key: CheckInKey): Viewer {
  const adds = new Set(door.filter((capability) => !viewer.capabilities.has(capability)));
  return { ...viewer, key: { ...key, adds }, capabilities: new Set([...viewer.capabilities, ...adds]) };
}

/** Tests if a viewer has all of these rights. */
export const can = (viewer: Viewer, ...capabilities: Capability[]): boolean =>
  capabilities.every((capability) => viewer.capabilities.has(capability));

/**
 * Event to which a right is limited because a check-in key for this event grants it; undefined without such a limit. A
 * key never reduces the rights of an account.
 */
const eventOfKey = ({ key }: Viewer, capability: Capability): number | undefined =>
  key?.adds.has(capability) ? (key.eventId ?? undefined) : undefined;

/** Columns of a post that determine read and write access. */
export interface Owned {
  author_id: number;
  status: string;
}

const PUBLISHED = new Set(['publish', 'future', 'private']);

/** Tests if posts with this status count as published: changing them requires additional rights. */
export const isPublished = (status: string): boolean => PUBLISHED.has(status);

/**
 * Tests if a viewer may change or delete a post. This requires `edit`, for published posts also `edit_published`, and
 * for posts of other accounts also `edit_others`.
 */
export function mayEdit(viewer: Viewer, post: Owned): boolean {
  if (!can(viewer, 'edit')) return false;
  if (PUBLISHED.has(post.status) && !can(viewer, 'edit_published')) return false;
  return post.author_id === viewer.account?.id || can(viewer, 'edit_others');
}

/**
 * Tests if a viewer may create, change and delete the tickets of an event: of any event with `manage_tickets`,
 * otherwise only of the viewer's own events.
 */
export function mayManageTickets(viewer: Viewer, event: Owned): boolean {
  if (can(viewer, 'manage_tickets')) return true;
  const isOwn = viewer.account !== undefined && event.author_id === viewer.account.id;
  return isOwn && can(viewer, isPublished(event.status) ? 'manage_own_published_tickets' : 'manage_own_tickets');
}

/** Tests if a viewer may manage tickets of all events, or at least of their own. */
export const mayManageSomeTickets = (viewer: Viewer): boolean =>
  can(viewer, 'manage_tickets') || (viewer.account !== undefined && can(viewer, 'manage_own_tickets'));

/** Rights over attendees and orders, each with the capability that grants it for the viewer's own events. */
const OWN_EVENTS = {
  read_attendees: 'read_own_attendees',
  export_attendees: 'read_own_attendees',
  check_in: 'check_in_own',
  read_orders: 'manage_own_attendees',
  sell: 'manage_own_attendees',
  manage_attendees: 'manage_own_attendees',
} as const satisfies Partial<Record<Capability, Capability>>;
export type EventRight = keyof typeof OWN_EVENTS;
export const EVENT_RIGHTS = Object.keys(OWN_EVENTS) as EventRight[];

/** Events for which a viewer has a right: all, none, or the events of an account and the event of a check-in key. */
export type EventScope = 'all' | 'none' | { author: number | undefined; event: number | undefined };

/** Events for which a viewer has a right over attendees or orders. */
export function eventScope(viewer: Viewer, right: EventRight): EventScope {
  const event = eventOfKey(viewer, right);
  if (can(viewer, right) && event === undefined) return 'all';
  const author = can(viewer, OWN_EVENTS[right]) ? viewer.account?.id : undefined;
  return author === undefined && event === undefined ? 'none' : { author, event };
}

/** Event and its author. The author of a deleted event is 0. */
export interface OwnedEvent {
  id: number;
  author_id: number;
}

/** Tests if a scope includes an event. */
export function isInScope(scope: EventScope, event: OwnedEvent | undefined): boolean {
  if (typeof scope === 'string') return scope === 'all';
  return event !== undefined && (event.id === scope.event || event.author_id === scope.author);
}

/** Tests if a viewer has a right over the attendees and orders of an event. */
export const hasEventRight = (viewer: Viewer, right: EventRight, event: OwnedEvent): boolean =>
  isInScope(eventScope(viewer, right), event);

/**
 * Tests if a viewer has a right over a record that belongs to several events: the right must cover each of them. A
 * record without events, such as a missing one, requires the right for all events. Without a record, the right for any
 * event suffices.
 */
export function hasEventRights(viewer: Viewer, right: EventRight, record?: { events: readonly OwnedEvent[] }): boolean {
  const scope = eventScope(viewer, right);
  if (!record || typeof scope === 'string') return record ? scope === 'all' : scope !== 'none';
  return record.events.length > 0 && record.events.every((event) => isInScope(scope, event));
}

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
 * Checks the credentials of a request. The server uses `createAuthenticator` of users/sign-in/credentials.ts.
 * @throws {ApiError} incorrect_password, invalid_username, invalid_token, second-factor-required, too_many_attempts
 */
export type Authenticate = (context: Context, credentials: Credentials) => Promise<Viewer>;

interface Credentials extends ClientAddress {
  /** `Authorization` header, which takes precedence over the session. */
  authorization?: string;
  /** Token of the session that authenticates the request. */
  session?: string;
  /** True if an unknown name and a wrong password get different errors, as existing clients expect. */
  tellsUnknownNames?: boolean;
}
