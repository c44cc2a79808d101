import { describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { addTicket, deleteTicket, editTicket, makeEvent, makeTicket, nonce } from '../../../test/tickets.ts';
import type { Role } from '../../http/core/auth.ts';

const SEAT = { provider: 'tc', name: 'Seat', price: '10' };

describe.each(DATABASES)('one-time tokens on %s', (kind) => {
  const server = useTestServer(kind);

  it('state their action and expiry', async () => {
    const { status, body, headers } = await server().ask('POST tickets:/nonces', {
      as: 'editor',
      body: { action: 'edit_ticket_nonce' },
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      action: 'edit_ticket_nonce',
      nonce: expect.stringMatching(/^[\w-]{32}$/),
      expires: '2026-11-22 05:00:00',
    });
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('are kept as hashes only', async () => {
    const token = await nonce(server(), 'add_ticket_nonce');
    const rows = await server().context.db.query.selectFrom('nonces').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  describe('issuing', () => {
    const cases: [who: Role | undefined, ownEvent: number, otherEvent: number, anyEvent: number][] = [
      ['administrator', 201, 201, 201],
      ['editor', 201, 201, 201],
      ['author', 201, 403, 201],
      ['contributor', 201, 403, 201],
      ['subscriber', 403, 403, 403],
      ['door', 403, 403, 403],
      [undefined, 401, 401, 401],
    ];
    it.each(cases)('%s: own event %i, another’s %i, any %i', async (as, ownEvent, otherEvent, anyEvent) => {
      const maker = as && ['administrator', 'editor', 'author', 'contributor'].includes(as) ? as : 'administrator';
      const own = await makeEvent(server(), {}, maker);
      const other = await makeEvent(server());
      const action = 'add_ticket_nonce';
      const statuses = [];
      for (const post_id of [own, other, undefined])
        statuses.push((await server().ask('POST tickets:/nonces', { as, body: { action, post_id } })).status);
      expect(statuses).toEqual([ownEvent, otherEvent, anyEvent]);
    });

    it('refuses unknown events and actions', async () => {
      const { ask } = server();
      const unknown = { action: 'add_ticket_nonce', post_id: 999_999 };
      expect((await ask('POST tickets:/nonces', { as: 'editor', body: unknown })).status).toBe(400);
      expect((await ask('POST tickets:/nonces', { as: 'author', body: unknown })).body.code).toBe('rest_forbidden');
      expect((await ask('POST tickets:/nonces', { as: 'editor', body: { action: 'wp_rest' } })).status).toBe(400);
      expect((await ask('POST tickets:/nonces', { as: 'editor', body: {} })).status).toBe(400);
    });
  });

  it('work once', async () => {
    const post_id = await makeEvent(server());
    const body = { ...SEAT, post_id, add_ticket_nonce: await nonce(server(), 'add_ticket_nonce') };
    const ask = () => server().ask('POST tickets:/tickets', { as: 'administrator', body });
    expect((await ask()).status).toBe(202);
    expect(await ask()).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  });

  it('are not consumed by a failed write', async () => {
    const post_id = await makeEvent(server());
    const add_ticket_nonce = await nonce(server(), 'add_ticket_nonce');
    const ask = (fields: object) =>
      server().ask('POST tickets:/tickets', {
        as: 'administrator',
        body: { ...SEAT, post_id, add_ticket_nonce, ...fields },
      });
    expect((await ask({ price: -1 })).status).toBe(400);
    expect((await ask({ provider: 'nope' })).status).toBe(400);
    expect((await ask({ ticket: { mode: 'sideways' } })).status).toBe(400);
    expect((await ask({ start_date: 'someday' })).status).toBe(400);
    expect((await ask({})).status).toBe(202);
  });

  it('work for only one of many concurrent writes', async () => {
    const post_id = await makeEvent(server());
    const body = { ...SEAT, post_id, add_ticket_nonce: await nonce(server(), 'add_ticket_nonce') };
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => server().ask('POST tickets:/tickets', { as: 'administrator', body })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([202, ...Array.from({ length: 11 }, () => 403)]);
    const list = await server().ask('GET tickets:/tickets', { query: { include_post: post_id } });
    expect(list.body.total).toBe(1);
  });

  it('belong to one account, one action and, if named, one event', async () => {
    const [post_id, elsewhere] = [await makeEvent(server()), await makeEvent(server())];
    const write = (add_ticket_nonce: string, fields = {}, as: Role = 'administrator') =>
      server().ask('POST tickets:/tickets', { as, body: { ...SEAT, post_id, add_ticket_nonce, ...fields } });
    expect((await write(await nonce(server(), 'edit_ticket_nonce'))).status).toBe(403);
    expect((await write(await nonce(server(), 'add_ticket_nonce', 'editor'))).status).toBe(403);
    expect((await write(await nonce(server(), 'add_ticket_nonce', 'administrator', elsewhere))).status).toBe(403);
    expect((await write('')).status).toBe(403);
    const bound = await nonce(server(), 'add_ticket_nonce', 'administrator', post_id);
    expect((await write(bound, {}, 'editor')).status).toBe(403);
    expect((await write(bound)).status).toBe(202);
  });

  it('are valid for twelve hours, and deleted when later ones are created', async () => {
    const { clock, context } = server();
    const begin = clock.now;
    const post_id = await makeEvent(server());
    const write = (add_ticket_nonce: string) =>
      server().ask('POST tickets:/tickets', { as: 'administrator', body: { ...SEAT, post_id, add_ticket_nonce } });
    const [early, late] = [await nonce(server(), 'add_ticket_nonce'), await nonce(server(), 'add_ticket_nonce')];
    clock.now = new Date(begin.getTime() + 12 * 3600_000 - 1000);
    expect((await write(early)).status).toBe(202);
    clock.now = new Date(begin.getTime() + 12 * 3600_000);
    expect((await write(late)).status).toBe(403);
    await nonce(server(), 'add_ticket_nonce');
    const left = await context.db.query.selectFrom('nonces').select('expires_utc').execute();
    expect(left).toEqual([{ expires_utc: '2026-11-22 17:00:00' }]);
    clock.now = begin;
  });

  it('are also required for changes and deletions', async () => {
    const post_id = await makeEvent(server());
    const { id } = await makeTicket(server(), post_id);
    const { ask } = server();
    const change = (edit_ticket_nonce: string) =>
      ask(`PUT tickets:/tickets/${id}`, { as: 'administrator', body: { post_id, edit_ticket_nonce, name: 'New' } });
    expect((await change(await nonce(server(), 'add_ticket_nonce'))).body.code).toBe('forbidden');
    expect((await editTicket(server(), id, { post_id, name: 'New' })).status).toBe(202);
    const query = { post_id, remove_ticket_nonce: await nonce(server(), 'edit_ticket_nonce') };
    expect((await ask(`DELETE tickets:/tickets/${id}`, { as: 'administrator', query })).body.code).toBe('forbidden');
    expect((await deleteTicket(server(), id, post_id)).status).toBe(202);
  });

  it('without an event let authors write tickets of their own events only', async () => {
    const [own, other] = [await makeEvent(server(), {}, 'author'), await makeEvent(server())];
    const add_ticket_nonce = await nonce(server(), 'add_ticket_nonce', 'author');
    const write = (post_id: number, as: Role = 'author') =>
      server().ask('POST tickets:/tickets', { as, body: { ...SEAT, post_id, add_ticket_nonce } });
    expect(await write(other)).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect(await write(own, 'administrator')).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    expect((await write(own)).status).toBe(202);
    expect((await write(own)).status).toBe(403);
  });

  it('let authors manage the tickets of their own events', async () => {
    const post_id = await makeEvent(server(), {}, 'author');
    expect((await addTicket(server(), { ...SEAT, post_id }, 'author')).status).toBe(202);
  });
});
