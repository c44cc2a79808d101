import { describe, expect, it } from 'vitest';
import {
  ANONYMOUS,
  type CheckInKey,
  isRestricted,
  mayCheckIn,
  mayEdit,
  mayManageSomeTickets,
  mayManageTickets,
  mayReadAttendees,
  ROLE_NAMES,
  type Role,
  type Scope,
  type Viewer,
  viewerOf,
  withKey,
} from './auth.ts';

const OWN = 7;
const OTHER = 8;
const UNPUBLISHED = ['draft', 'pending'];
const ALL = [...UNPUBLISHED, 'publish', 'future', 'private'];

const viewer = (role: Role, scopes?: readonly Scope[]): Viewer =>
  viewerOf({ id: OWN, username: role, email: `${role}@example.test`, role }, scopes);

/** Statuses that a rule allows for posts of an author. */
const statuses = (rule: (post: { author_id: number; status: string }) => boolean, author_id: number) =>
  ALL.filter((status) => rule({ author_id, status }));

describe('posts', () => {
  it.each<[Role, own: string[], others: string[]]>([
    ['administrator', ALL, ALL],
    ['editor', ALL, ALL],
    ['author', ALL, []],
    ['contributor', UNPUBLISHED, []],
    ['subscriber', [], []],
    ['door', [], []],
  ])('the role %s edits its own with the statuses %j, those of others with %j', (role, own, others) => {
    const rule = (post: { author_id: number; status: string }) => mayEdit(viewer(role), post);
    expect([statuses(rule, OWN), statuses(rule, OTHER)]).toEqual([own, others]);
  });

  it.each<[Role, own: string[], others: string[]]>([
    ['editor', ALL, ALL],
    ['author', ALL, []],
    ['contributor', UNPUBLISHED, []],
    ['subscriber', [], []],
  ])('the role %s manages the tickets of its own with the statuses %j, of others with %j', (role, own, others) => {
    const rule = (post: { author_id: number; status: string }) => mayManageTickets(viewer(role), post);
    expect([statuses(rule, OWN), statuses(rule, OTHER)]).toEqual([own, others]);
  });

  it('those who manage tickets of any posts are all accounts that write', () => {
    const managers = ROLE_NAMES.filter((role) => mayManageSomeTickets(viewer(role)));
    expect(managers).toEqual(['administrator', 'editor', 'author', 'contributor']);
    expect(mayManageSomeTickets(ANONYMOUS)).toBe(false);
    expect(mayManageSomeTickets(viewer('editor', ['tickets:write']))).toBe(true);
    expect(mayManageSomeTickets(viewer('editor', ['events:write']))).toBe(false);
  });

  it('a caller without an account changes nothing, even of a post without an author', () => {
    for (const author_id of [0, OWN]) {
      expect(statuses((post) => mayEdit(ANONYMOUS, post), author_id)).toEqual([]);
      expect(statuses((post) => mayManageTickets(ANONYMOUS, post), author_id)).toEqual([]);
    }
  });

  it.each<[Scope, edits: string[], manages: string[]]>([
    ['read', [], []],
    ['events:write', ALL, []],
    ['tickets:write', [], ALL],
    ['checkin', [], []],
    ['admin', ALL, ALL],
  ])('a token of an editor with the scope %s edits %j, and manages the tickets of %j', (scope, edits, manages) => {
    const owner = viewer('editor', [scope]);
    expect(statuses((post) => mayEdit(owner, post), OTHER)).toEqual(edits);
    expect(statuses((post) => mayManageTickets(owner, post), OTHER)).toEqual(manages);
    expect(isRestricted(owner)).toBe(scope !== 'admin');
  });

  it('a token adds no right to a role', () => {
    for (const role of ROLE_NAMES) expect(viewer(role, ['admin', 'checkin'])).toEqual(viewer(role));
    expect(mayCheckIn(viewer('author', ['checkin']), 1)).toBe(false);
  });
});

describe('a check-in key', () => {
  const key = (eventId: number | null): CheckInKey => ({ id: 3, eventId });
  const eventsOf = (caller: Viewer) => [
    [1, 2].filter((event) => mayCheckIn(caller, event)),
    [1, 2].filter((event) => mayReadAttendees(caller, event)),
  ];

  it.each<[string, events: number[], Viewer]>([
    ['a caller without a key', [], ANONYMOUS],
    ['a key of one event', [1], withKey(ANONYMOUS, key(1))],
    ['a key of another event', [2], withKey(ANONYMOUS, key(2))],
    ['a key of all events', [1, 2], withKey(ANONYMOUS, key(null))],
    ['an author with a key of one event', [1], withKey(viewer('author'), key(1))],
    ['an editor with a key of one event', [1, 2], withKey(viewer('editor'), key(1))],
    ['an account of the door with a key of one event', [1, 2], withKey(viewer('door'), key(1))],
    ['a token that only reads, with a key of all events', [1, 2], withKey(viewer('editor', ['read']), key(null))],
  ])('%s checks in and reads attendees at the events %j', (_caller, events, caller) => {
    expect(eventsOf(caller)).toEqual([events, events]);
  });

  it('restricts only the rights that it adds', () => {
    const reader = withKey(viewer('editor', ['read']), key(1));
    expect(eventsOf(reader)).toEqual([[1], [1, 2]]);
  });

  it('grants nothing else', () => {
    const guard = withKey(ANONYMOUS, key(null));
    expect(statuses((post) => mayEdit(guard, post) || mayManageTickets(guard, post), OWN)).toEqual([]);
  });
});
