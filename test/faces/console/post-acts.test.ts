import { beforeAll, describe, expect, it } from 'vitest';
import { mayChange, mayManageTickets } from '../../../apps/console/data/post-rights.ts';
import { mayTranslate } from '../../../apps/console/features/translations/kinds.ts';
import type { Role } from '../../../src/http/core/auth.ts';
import { png, upload } from '../../fixtures.ts';
import { type Answer, type Asking, useTestServer } from '../../server.ts';
import { EVENING, makeTicket, nonce } from '../../tickets.ts';

/**
 * The console decides which actions it offers by its own rules from the account and the record; the server decides
 * when it is called all the same. Both must agree.
 */

const server = useTestServer('sqlite', { languages: ['en', 'fr'] });

const ROLES: readonly Role[] = ['subscriber', 'door', 'contributor', 'author', 'editor', 'administrator'];
const OWNERS = ['contributor', 'author', 'editor'] as const satisfies Role[];
const STATUSES = ['draft', 'pending', 'publish', 'private', 'future', 'trash', 'trashed draft'] as const;

type Owner = (typeof OWNERS)[number];
type Status = (typeof STATUSES)[number];
type Me = Parameters<typeof mayChange>[0];

const accounts = new Map<Role, Me>();
beforeAll(async () => {
  for (const role of ROLES) accounts.set(role, (await server().ask('GET admin:/me', { as: role })).body);
});

function accountOf(role: Role): Me {
  const me = accounts.get(role);
  if (!me) throw new Error(`${role} has not been read`);
  return me;
}

/** Whether it was done. What is neither done nor refused for want of a right is a mistake of the test. */
function isDone({ status, text, body: { code } }: Answer): boolean {
  if (status === 403 || code === 'ticket-not-accessible') return false;
  if (status >= 300) throw new Error(`answered ${status} ${text}`);
  return true;
}

const LATER = '2030-01-01 12:00:00';
const POSTS = { events: 'event', venues: 'venue', organizers: 'organizer' } as const;
type Posts = keyof typeof POSTS;
const NAMES = { event: 'title', venue: 'venue', organizer: 'organizer' } as const;

const isTrashed = (status: Status): boolean => status.startsWith('trash');

/** Makes a record of an account; what is in the trash was published before, unless its status says more. */
async function makeRecord(kind: Posts, owner: Owner, status: Status): Promise<number> {
  const body = {
    ...(kind === 'events' && EVENING),
    ...{ [NAMES[POSTS[kind]]]: `${status} of ${owner}`, author: server().userId(owner) },
    ...(status === 'future' && { date: LATER }),
    status: { future: 'publish', trash: 'publish', 'trashed draft': 'draft' }[status as string] ?? status,
  };
  const { id } = await server().make(`POST /${kind}`, body);
  if (isTrashed(status)) await server().make(`DELETE /${kind}/${id}`, undefined);
  return id;
}

type Post = Parameters<typeof mayChange>[1];

/** A record as the console reads it: an event in the trash is in lists only. */
async function shownRecord(kind: Posts, id: number, status: Status): Promise<Post> {
  const asking = { as: 'administrator' } as const;
  if (kind !== 'events' || !isTrashed(status)) return (await server().ask(`GET /${kind}/${id}`, asking)).body;
  const { body } = await server().ask('GET /events', { ...asking, query: { 'include[]': id, 'status[]': 'trash' } });
  return body.events[0];
}

const recordsOf = <S extends Status>(statuses: readonly S[]) =>
  OWNERS.flatMap((owner) => statuses.map((status): [Owner, S] => [owner, status]));

/** By role, what the console offers, or what the server does. */
type Verdicts = Partial<Record<Role, boolean>>;

/** Tests if all actions were carried out; fails if only some were. */
function areDone(role: Role, acts: Readonly<Record<string, Answer>>): boolean {
  const done = Object.entries(acts).map(([act, answer]): [string, boolean] => [act, isDone(answer)]);
  const [, first] = done[0] ?? [];
  expect([role, done]).toEqual([role, done.map(([act]) => [act, first])]);
  return first === true;
}

describe.each(Object.keys(POSTS) as Posts[])('%s', (kind) => {
  const name = NAMES[POSTS[kind]];

  it.each(recordsOf(STATUSES))(
    'of %s, %s, are changed by exactly the roles to which the console offers it',
    async (owner, status) => {
      const [offered, done]: [Verdicts, Verdicts] = [{}, {}];
      let id = await makeRecord(kind, owner, status);
      const record = await shownRecord(kind, id, status);
      for (const role of ROLES) {
        const me = accountOf(role);
        offered[role] = mayChange(me, record);
        expect(mayTranslate(me, { kind: POSTS[kind], record })).toBe(offered[role]);
        const path = `/${kind}/${id}`;
        done[role] = areDone(role, {
          change: await server().ask(`PATCH ${path}`, { as: role, body: { [name]: `by ${role}` } }),
          translate: await server().ask(`PATCH ${path}`, {
            as: role,
            body: { [name]: `par ${role}`, i18n_language: 'fr' },
          }),
          history: await server().ask('GET admin:/audit', { as: role, query: { kind: POSTS[kind], id } }),
          remove: await server().ask(`DELETE ${path}`, { as: role, query: isTrashed(status) ? { force: true } : {} }),
        });
        if (done[role]) id = await makeRecord(kind, owner, status);
      }
      expect(done).toEqual(offered);
    },
  );
});

it.each(recordsOf(['draft', 'publish', 'private']))(
  'tickets of %s, %s, are managed by exactly the roles to which the console offers it',
  async (owner, status) => {
    const event = await makeRecord('events', owner, status);
    const ticket = await makeTicket(server(), event);
    const post = { author: String(server().userId(owner)), status };
    const [offered, done]: [Verdicts, Verdicts] = [{}, {}];
    for (const role of ROLES) {
      const me = accountOf(role);
      offered[role] = mayManageTickets(me, post);
      expect(mayTranslate(me, { kind: 'ticket', record: {}, event: post })).toBe(offered[role]);
      // A token without an event: the write decides whether the viewer may.
      const token = (action: string) => nonce(server(), `${action}_ticket_nonce`, role);
      const body = { post_id: event, name: `by ${role}`, provider: 'tc' };
      const send = (call: string, asking: Asking) => server().ask(call, { as: role, ...asking });
      if (!accountOf(role).capabilities.includes('manage_own_tickets')) {
        await expect(token('add')).rejects.toThrow('403');
        done[role] = false;
        continue;
      }
      const made = await send('POST tickets:/tickets', {
        body: { ...body, price: '5', add_ticket_nonce: await token('add') },
      });
      const removed = { post_id: event, remove_ticket_nonce: await token('remove') };
      done[role] = areDone(role, {
        make: made,
        change: await send(`PATCH tickets:/tickets/${ticket.id}`, {
          body: { ...body, edit_ticket_nonce: await token('edit') },
        }),
        remove: await send(`DELETE tickets:/tickets/${made.body.id ?? ticket.id}`, { query: removed }),
      });
    }
    expect(done).toEqual(offered);
  },
);

it.each(['author', 'editor'] as const)(
  'pictures of %s are described and deleted by exactly the roles to which the console offers it',
  async (owner) => {
    const uploaded = async () =>
      (await server().ask('POST admin:/media', { as: owner, form: upload(await png(40, 30)) })).body.id;
    const [offered, done]: [Verdicts, Verdicts] = [{}, {}];
    let id = await uploaded();
    for (const role of ROLES) {
      offered[role] = mayTranslate(accountOf(role), {
        kind: 'media',
        record: { author: String(server().userId(owner)) },
      });
      const path = `admin:/media/${id}`;
      done[role] = areDone(role, {
        describe: await server().ask(`PATCH ${path}`, { as: role, body: { alt: `by ${role}` } }),
        remove: await server().ask(`DELETE ${path}`, { as: role }),
      });
      if (done[role]) id = await uploaded();
    }
    expect(done).toEqual(offered);
  },
);

it.each([
  ['categories', 'category'],
  ['tags', 'tag'],
] as const)('%s are written by exactly the roles to which the console offers it', async (taxonomy, kind) => {
  const [offered, done]: [Verdicts, Verdicts] = [{}, {}];
  const make = (as: Role) => server().ask(`POST /${taxonomy}`, { as, body: { name: `by ${as}` } });
  let { id } = (await make('administrator')).body;
  for (const role of ROLES) {
    offered[role] = mayTranslate(accountOf(role), { kind, record: {} });
    const path = `/${taxonomy}/${id}`;
    const made = await make(role);
    done[role] = areDone(role, {
      make: made,
      change: await server().ask(`PATCH ${path}`, { as: role, body: { name: `changed by ${role}` } }),
      remove: await server().ask(`DELETE ${path}`, { as: role }),
    });
    if (done[role]) id = made.body.id;
  }
  expect(done).toEqual(offered);
});
