import { describe, expect, it } from 'vitest';
import {
  ANONYMOUS,
  type CheckInKey,
  EVENT_RIGHTS,
  eventScope,
  hasEventRight,
  hasEventRights,
  isRestricted,
  mayEdit,
  mayManageSomeTickets,
  mayManageTickets,
  ROLE_NAMES,
  type Role,
  type Scope,
  type Viewer,
  viewerOf,
  withKey,
} from './auth.ts';

const OWN = 7;
const OTHER = 8;
const DOOR = ['read_attendees', 'export_attendees', 'check_in'];
const BOX_OFFICE = ['read_attendees', 'check_in', 'read_orders', 'sell'];
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
    ['box_office', [], []],
  ])('the role %s edits own posts with the statuses %j, and posts of others with %j', (role, own, others) => {
    const rule = (post: { author_id: number; status: string }) => mayEdit(viewer(role), post);
    expect([statuses(rule, OWN), statuses(rule, OTHER)]).toEqual([own, others]);
  });

  it.each<[Role, own: string[], others: string[]]>([
    ['editor', ALL, ALL],
    ['author', ALL, []],
    ['contributor', UNPUBLISHED, []],
    ['subscriber', [], []],
  ])(
    'the role %s manages tickets of own posts with the statuses %j, and of posts of others with %j',
    (role, own, others) => {
      const rule = (post: { author_id: number; status: string }) => mayManageTickets(viewer(role), post);
      expect([statuses(rule, OWN), statuses(rule, OTHER)]).toEqual([own, others]);
    },
  );

  it('all roles that may write may manage the tickets of some posts', () => {
    const managers = ROLE_NAMES.filter((role) => mayManageSomeTickets(viewer(role)));
    expect(managers).toEqual(['administrator', 'editor', 'author', 'contributor']);
    expect(mayManageSomeTickets(ANONYMOUS)).toBe(false);
    expect(mayManageSomeTickets(viewer('editor', ['tickets:write']))).toBe(true);
    expect(mayManageSomeTickets(viewer('editor', ['events:write']))).toBe(false);
  });

  it('a viewer without an account changes nothing, even of a post without an author', () => {
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
    expect(hasEventRight(viewer('author', ['checkin']), 'check_in', { id: 1, author_id: OTHER })).toBe(false);
  });
});

describe('attendees and orders', () => {
  const own = { id: 1, author_id: OWN };
  const other = { id: 2, author_id: OTHER };
  const rightsFor = (caller: Viewer, event: { id: number; author_id: number }) =>
    EVENT_RIGHTS.filter((right) => hasEventRight(caller, right, event));

  it.each<[string, Viewer, own: readonly string[], others: readonly string[]]>([
    ['an editor', viewer('editor'), EVENT_RIGHTS, EVENT_RIGHTS],
    ['an author', viewer('author'), EVENT_RIGHTS, []],
    ['a contributor', viewer('contributor'), [], []],
    ['the box office', viewer('box_office'), BOX_OFFICE, BOX_OFFICE],
    ['the door', viewer('door'), DOOR, DOOR],
    ['an author with a key of all events', withKey(viewer('author'), { id: 3, eventId: null }), EVENT_RIGHTS, DOOR],
    ['a reading token of an author', viewer('author', ['read']), ['read_attendees', 'export_attendees'], []],
    ['a token of an author for the door', viewer('author', ['checkin']), DOOR, []],
    ['a token of an author for events', viewer('author', ['events:write']), [], []],
  ])('%s has its rights for own events and for events of others', (_caller, caller, mine, theirs) => {
    expect([rightsFor(caller, own), rightsFor(caller, other)]).toEqual([mine, theirs]);
  });

  it('a record of several events requires the right for each, and a record without events the right for all', () => {
    const may = (role: Role, ...events: { id: number; author_id: number }[]) =>
      hasEventRights(viewer(role), 'manage_attendees', { events });
    expect([may('author', own), may('author', own, other), may('author')]).toEqual([true, false, false]);
    expect([may('editor', own, other), may('editor'), may('contributor')]).toEqual([true, true, false]);
    expect([hasEventRights(viewer('author'), 'sell'), hasEventRights(viewer('door'), 'sell')]).toEqual([true, false]);
  });

  it('a visitor owns no event, not even one without an author', () => {
    expect(EVENT_RIGHTS.map((right) => eventScope(ANONYMOUS, right))).toEqual(EVENT_RIGHTS.map(() => 'none'));
    expect(rightsFor(withKey(ANONYMOUS, { id: 3, eventId: 5 }), { id: 1, author_id: 0 })).toEqual([]);
  });
});

describe('a check-in key', () => {
  const key = (eventId: number | null): CheckInKey => ({ id: 3, eventId });
  const eventsOf = (caller: Viewer) => [
    [1, 2].filter((id) => hasEventRight(caller, 'check_in', { id, author_id: OTHER })),
    [1, 2].filter((id) => hasEventRight(caller, 'read_attendees', { id, author_id: OTHER })),
  ];

  it.each<[string, events: number[], Viewer]>([
    ['a viewer without a key', [], ANONYMOUS],
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
