import { describe, expect, it } from 'vitest';
import { DATABASES, type TestServer, useTestServer } from '../../../test/server.ts';
import { usualOf } from '../../../test/thoroughness.ts';
import { ROLE_NAMES, type Role } from '../../http/core/auth.ts';

const BASE = { title: 'Lantern Night', start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };
/** A unique slug for each event, since finding a free one would take most of the time of these tests. */
let slugs = 0;
const base = () => {
  slugs += 1;
  return { ...BASE, slug: `lantern-${slugs}` };
};
const STATUSES = ['publish', 'future', 'draft', 'pending', 'private', 'trash'] as const;
type Status = (typeof STATUSES)[number];

const CALLERS = [...ROLE_NAMES, undefined];
type Caller = (typeof CALLERS)[number];
const isEditor = (caller: Caller) => caller === 'administrator' || caller === 'editor';

const published = ['publish', 'publish', 'publish', 'draft', 'pending', 'private', 'trash'];
const CREATED: [Caller, (string | number)[]][] = [
  ['administrator', published],
  ['editor', published],
  ['author', published],
  ['contributor', ['draft', 'pending', 'pending', 'draft', 'pending', 403, 'trash']],
  ['subscriber', Array(7).fill(403)],
  ['door', Array(7).fill(403)],
  [undefined, Array(7).fill(401)],
];

/** Whether a viewer may change and delete. Trashed events count as drafts here. */
function mayChange(caller: Caller, status: Status, isOwn: boolean): boolean {
  if (isEditor(caller)) return true;
  if (caller === 'author') return isOwn;
  return caller === 'contributor' && isOwn && ['draft', 'pending', 'trash'].includes(status);
}

const refusal = (caller: Caller) => (caller ? 403 : 401);

function makeWith(server: TestServer, status: Status, author: Role) {
  const date = status === 'future' ? { date: '2026-12-24 08:00:00' } : {};
  return server.make('POST /events', { ...base(), ...date, status, author: server.userId(author) });
}

/** The results by status, for the viewer's own event and for that of another account. */
async function answersOf(
  server: TestServer,
  caller: Caller,
  answer: (id: number) => Promise<unknown>,
): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const status of STATUSES) {
    const own = await makeWith(server, status, caller ?? 'administrator');
    const other = await makeWith(server, status, caller === 'editor' ? 'administrator' : 'editor');
    answers[`${status}, own`] = caller ? await answer(own.id) : undefined;
    answers[`${status}, other`] = await answer(other.id);
  }
  return answers;
}

function expected(caller: Caller, rule: (status: Status, isOwn: boolean) => unknown): Record<string, unknown> {
  const rows = STATUSES.flatMap((status) => [
    [`${status}, own`, caller ? rule(status, true) : undefined],
    [`${status}, other`, rule(status, false)],
  ]);
  return Object.fromEntries(rows);
}

describe.each(DATABASES)('permissions on events on %s', (kind) => {
  const usually = it.each(usualOf(kind));
  const server = useTestServer(kind);

  it.each(CREATED)('%s creates in the status the account may use', async (as, statuses) => {
    const given: (string | number)[] = [];
    for (const status of [undefined, ...STATUSES]) {
      const answer = await server().ask('POST /events', { as, body: { ...base(), status } });
      if (answer.status !== 201) expect(answer.body.code).toBe('rest_forbidden');
      given.push(answer.status === 201 ? answer.body.status : answer.status);
    }
    expect(given).toEqual(statuses);
    const unknown = await server().ask('POST /events', { as, body: { ...BASE, status: 'nope' } });
    expect(unknown).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
  });

  /** Reads, changes and deletes one event, and returns the status of each. */
  async function tryAll(id: number, as: Caller) {
    const { ask, context } = server();
    const stored = () => context.db.query.selectFrom('events').selectAll().where('id', '=', id).executeTakeFirst();
    const read = await ask(`GET /events/${id}`, { as });
    const before = await stored();
    const change = await ask(`PATCH /events/${id}`, { as, body: { excerpt: 'changed' } });
    const after = await stored();
    expect(after?.excerpt).toBe(change.status === 200 ? 'changed' : '');
    expect([after?.status, after?.slug]).toEqual([before?.status, before?.slug]);
    const removals = [{ force: false }, { force: false }, { force: true }];
    const removed: number[] = [];
    for (const query of removals) removed.push((await ask(`DELETE /events/${id}`, { as, query })).status);
    expect((await stored()) === undefined).toBe(change.status === 200);
    return { read: read.body.code ?? read.status, changed: change.status, removed };
  }

  function ruled(as: Caller, status: Status, isOwn: boolean) {
    const mayRead =
      status === 'publish' ||
      isEditor(as) ||
      as === 'box_office' ||
      (isOwn && (as === 'author' || as === 'contributor'));
    const shut = status === 'trash' ? 'event-no-longer-available' : 'event-not-accessible';
    const read = status !== 'trash' && mayRead ? 200 : shut;
    const no = refusal(as);
    if (!mayChange(as, status, isOwn)) return { read, changed: no, removed: [no, no, no] };
    return { read, changed: 200, removed: [status === 'trash' ? 410 : 200, 410, 200] };
  }

  it.each(CALLERS)('%s reads, changes and deletes the events that the account may', async (as) => {
    const answers = await answersOf(server(), as, (id) => tryAll(id, as));
    expect(answers).toEqual(expected(as, (status, isOwn) => ruled(as, status, isOwn)));
  });

  it.each(CALLERS)('%s has the same rights by slug', async (as) => {
    const other = await makeWith(server(), 'publish', as === 'editor' ? 'administrator' : 'editor');
    const status = mayChange(as, 'publish', false) ? 200 : refusal(as);
    const call = `/events/by-slug/${other.slug}`;
    expect((await server().ask(`PATCH ${call}`, { as, body: { title: 'x' } })).status).toBe(status);
    expect((await server().ask(`DELETE ${call}`, { as })).status).toBe(status);
    expect((await server().ask(`GET ${call}`)).status).toBe(status === 200 ? 400 : 200);
  });

  it.each(CALLERS)('%s learns which ids exist only with the right to edit', async (as) => {
    const mayEdit = as !== undefined && !['subscriber', 'door', 'box_office'].includes(as);
    for (const method of ['PATCH', 'DELETE'])
      expect((await server().ask(`${method} /events/999999`, { as })).status).toBe(mayEdit ? 404 : refusal(as));
  });

  it.each([
    ['administrator', 200],
    ['editor', 200],
    ['author', 403],
    ['contributor', 403],
  ] as const)('%s naming another author gets %i', async (as, status) => {
    const { ask, userId } = server();
    const other = userId('subscriber');
    const made = await ask('POST /events', { as, body: { ...BASE, author: other } });
    expect(made.status).toBe(status === 200 ? 201 : status);
    const own = await ask('POST /events', { as, body: { ...BASE, status: 'draft', author: userId(as) } });
    expect(own.body.author).toBe(String(userId(as)));
    const changed = await ask(`PATCH /events/${own.body.id}`, { as, body: { author: other } });
    expect(changed.status).toBe(status);
    const { body } = await ask(`GET /events/${own.body.id}`, { as: 'editor' });
    expect(body.author).toBe(String(status === 200 ? other : userId(as)));
  });

  describe.each(usualOf(kind))('a contributor', () => {
    it('cannot publish, schedule or hide by an update', async () => {
      const { ask, make } = server();
      const { id } = await make('POST /events', BASE, 'contributor');
      const to = async (status: string) => {
        const answer = await ask(`PATCH /events/${id}`, { as: 'contributor', body: { status, date: '2030-01-01' } });
        return answer.status === 200 ? answer.body.status : answer.status;
      };
      expect([await to('private'), await to('publish'), await to('future'), await to('draft')]).toEqual([
        403,
        'pending',
        'pending',
        'draft',
      ]);
    });

    it('cannot restore what was published before it went to the trash', async () => {
      const { ask, make, userId } = server();
      const { id } = await make('POST /events', { ...BASE, author: userId('contributor') }, 'editor');
      await make(`DELETE /events/${id}`, undefined, 'editor');
      await make(`PATCH /events/${id}`, { title: 'Changed in the trash', status: 'trash' }, 'editor');
      for (const status of ['draft', 'publish', 'trash'])
        expect((await ask(`PATCH /events/${id}`, { as: 'contributor', body: { status } })).status).toBe(403);
      expect((await ask(`DELETE /events/${id}`, { as: 'contributor', query: { force: true } })).status).toBe(403);
      expect(await make(`PATCH /events/${id}`, { status: 'publish' }, 'editor')).toMatchObject({ status: 'publish' });
    });

    it('restores an own draft from the trash, with a status open to contributors', async () => {
      const { make } = server();
      const { id } = await make('POST /events', BASE, 'contributor');
      await make(`DELETE /events/${id}`, undefined, 'contributor');
      expect(await make(`PATCH /events/${id}`, { status: 'publish' }, 'contributor')).toMatchObject({
        status: 'pending',
      });
    });
  });

  describe('the trash', () => {
    it('hides an event, frees its slug and removes it from lists', async () => {
      const { ask, make } = server();
      const made = await make('POST /events', { ...BASE, title: 'To be binned' });
      const trashed = await make(`DELETE /events/${made.id}`, undefined);
      expect(trashed).toEqual({
        ...made,
        revision: 2,
        status: 'trash',
        trashed_from: 'publish',
        slug: 'to-be-binned__trashed',
        url: `http://localhost/?post_type=calendar_events&p=${made.id}`,
      });
      expect((await ask('GET /events/by-slug/to-be-binned')).status).toBe(400);
      expect((await ask('GET /events/by-slug/to-be-binned__trashed', { as: 'editor' })).body.code).toBe(
        'event-no-longer-available',
      );
      expect((await ask('DELETE /events/by-slug/to-be-binned__trashed', { as: 'editor' })).body.code).toBe(
        'event-is-in-trash',
      );
      for (const as of ['administrator', undefined] as const)
        expect((await ask('GET /events', { as, query: { include: made.id } })).body.total).toBe(0);
      expect(await make('POST /events', { ...BASE, title: 'To be binned' })).toMatchObject({ slug: 'to-be-binned' });
      const both = await make('DELETE /events/by-slug/to-be-binned', undefined);
      expect(both.slug).toBe('to-be-binned__trashed-2');
    });

    it.each(['publish', 'draft', 'pending', 'private'])('restores an event as %s with its slug', async (status) => {
      const { make } = server();
      const made = await make('POST /events', {
        ...BASE,
        title: `Back as ${status}`,
        venue: { venue: 'Harbour Hall' },
      });
      await make(`DELETE /events/${made.id}`, undefined);
      const back = await make(`PATCH /events/${made.id}`, { status });
      expect(back).toMatchObject({ status, slug: `back-as-${status}`, venue: { venue: 'Harbour Hall' } });
    });

    usually('restores an event with a number when its slug was taken meanwhile', async () => {
      const { make } = server();
      const made = await make('POST /events', { ...BASE, slug: 'wanted' });
      await make(`DELETE /events/${made.id}`, undefined);
      await make('POST /events', { ...BASE, slug: 'wanted' });
      expect((await make(`PATCH /events/${made.id}`, { status: 'publish' })).slug).toBe('wanted-2');
    });

    usually('restores the second trashed event with its slug when it is free', async () => {
      const { make } = server();
      const slugs: string[] = [];
      let last = 0;
      for (let copy = 0; copy < 2; copy += 1) {
        last = (await make('POST /events', { ...BASE, slug: 'thrown-away' })).id;
        slugs.push((await make(`DELETE /events/${last}`, undefined)).slug);
      }
      expect(slugs).toEqual(['thrown-away__trashed', 'thrown-away__trashed-2']);
      expect(await make(`PATCH /events/${last}`, { status: 'publish' })).toMatchObject({ slug: 'thrown-away' });
    });

    usually('accepts changes without restoring an event', async () => {
      const { make, ask } = server();
      const made = await make('POST /events', { ...BASE, title: 'Still there' });
      await make(`DELETE /events/${made.id}`, undefined);
      const changed = await make(`PATCH /events/${made.id}`, { title: 'Changed', slug: 'new-slug', status: 'trash' });
      expect(changed).toMatchObject({ title: 'Changed', status: 'trash', slug: 'new-slug__trashed' });
      expect((await ask(`GET /events/${made.id}`, { as: 'editor' })).status).toBe(403);
      expect(await make(`PATCH /events/${made.id}`, { status: 'publish' })).toMatchObject({ slug: 'new-slug' });
    });

    usually('restores a draft without a slug without one', async () => {
      const { make } = server();
      const made = await make('POST /events', { ...BASE, status: 'draft' });
      expect(await make(`DELETE /events/${made.id}`, undefined)).toMatchObject({
        slug: expect.stringMatching(/^__trashed(-\d+)?$/),
      });
      expect(await make(`PATCH /events/${made.id}`, { status: 'draft' })).toMatchObject({ slug: '' });
    });

    it('can be bypassed: force deletes an event permanently, and its children lose their parent', async () => {
      const { make, ask } = server();
      const made = await make('POST /events', { ...BASE, title: 'For good', tags: ['forced'] });
      const child = await make('POST /events', { ...BASE, post_parent: made.id });
      expect((await ask('GET /events', { query: { post_parent: made.id } })).body.events).toMatchObject([
        { id: child.id },
      ]);
      const answer = await ask(`DELETE /events/${made.id}`, { as: 'editor', body: { force: true } });
      expect(answer).toMatchObject({ status: 200, body: { id: made.id, title: 'For good', status: 'publish' } });
      for (const call of [`GET /events/${made.id}`, `DELETE /events/${made.id}`, `PATCH /events/${made.id}`])
        expect((await ask(call, { as: 'administrator' })).status).toBe(404);
      expect((await ask(`GET /events/${child.id}`)).status).toBe(200);
      expect((await ask('GET /events', { query: { post_parent: made.id } })).status).toBe(400);
    });
  });
});
