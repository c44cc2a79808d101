import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeSeat, soldOf } from './attendees.ts';
import { type Answer, type Asking, DATABASES, useTestServer } from './server.ts';
import { makeEvent } from './tickets.ts';

const ADMIN = '/calendar/admin/v1';
const EVENTS = '/calendar/events/v1';
const statuses = ({ body }: Answer) => body.results.map(({ status }: { status: number }) => status);
const codes = ({ body }: Answer) => body.results.map(({ body: one }: { body: { code?: string } }) => one?.code);

describe.each(DATABASES)('a batch on %s', (kind) => {
  const server = useTestServer(kind);
  let event: number;
  let seat: number;
  beforeAll(async () => {
    event = await makeEvent(server());
    seat = await makeSeat(server(), event, 100);
  });

  const run = (calls: unknown, asking: Asking = {}) =>
    server().ask('POST admin:/batch', { as: 'editor', body: { calls }, ...asking });
  const sale = { items: [{ ticket_id: 0, quantity: 1 }], payment: 'cash' };

  it('makes its calls in order, each with its own response, and goes on after one that fails', async () => {
    const path = `${EVENTS}/events/${event}`;
    const { revision } = (await server().ask(`GET /events/${event}`)).body;
    const answer = await run([
      { method: 'PATCH', path, body: { title: 'First' }, if_match: `"r${revision}"` },
      { method: 'PATCH', path, body: { title: 'Second' }, if_match: `"r${revision}"` },
      { method: 'GET', path: `${path}?_fields=title` },
      { method: 'GET', path: `${EVENTS}/events/999999` },
      { method: 'GET', path: '/nowhere' },
      { method: 'GET', path: `/?rest_route=/tribe/events/v1/events/${event}` },
      { method: 'POST', path: `${ADMIN}/orders`, body: { ...sale, items: [{ ticket_id: seat, quantity: 1 }] } },
    ]);
    expect(statuses(answer)).toEqual([200, 412, 200, 404, 404, 200, 201]);
    const [, , read, , , , sold] = answer.body.results;
    expect(read.body).toEqual({ title: 'First' });
    expect(sold.headers.Location).toBe(`http://localhost${ADMIN}/orders/${sold.body.id}`);
    const alone = await server().ask(`GET /events/${event}`, { as: 'editor' });
    const [inside] = (await run([{ method: 'GET', path }])).body.results;
    expect(inside).toMatchObject({ headers: { ETag: alone.headers.get('etag') }, body: alone.body });
  });

  it('has the rights of its viewer, call by call', async () => {
    const calls = [
      { method: 'GET', path: `${ADMIN}/users` },
      { method: 'GET', path: `${ADMIN}/orders` },
    ];
    expect(statuses(await run(calls))).toEqual([403, 200]);
    expect(statuses(await run(calls, { as: 'contributor' }))).toEqual([403, 403]);
    expect(statuses(await run(calls, { as: 'author' }))).toEqual([403, 200]);
    expect(statuses(await run(calls, { as: 'administrator' }))).toEqual([200, 200]);
    expect((await run(calls, { as: undefined })).status).toBe(401);
  });

  it('contains no batch, however it is spelled, and no file', async () => {
    const body = { calls: [{ method: 'DELETE', path: `${EVENTS}/events/${event}` }] };
    const answer = await run([
      { method: 'POST', path: `${ADMIN}/batch`, body },
      { method: 'PUT', path: `/wp-json${ADMIN}//batch/?_method=POST`, body },
      { method: 'POST', path: `/?rest_route=${ADMIN}/batch`, body },
      { method: 'POST', path: `/index.php?rest_route=%2Ftribe%2Fadmin%2Fv1%2FBATCH`, body },
      { method: 'GET', path: `${ADMIN}/attendees/export` },
      { method: 'GET', path: `${EVENTS}/events/${event}?_jsonp=run` },
      { method: 'GET', path: `${EVENTS}/events.ics` },
    ]);
    expect(codes(answer).slice(0, 6)).toEqual(Array(6).fill('batch-call-refused'));
    expect(statuses(answer).every((status: number) => status >= 400)).toBe(true);
    expect((await server().ask(`GET /events/${event}`)).status).toBe(200);
  });

  it('does nothing twice with one Idempotency-Key', async () => {
    const before = await soldOf(server(), seat);
    const body = { ...sale, items: [{ ticket_id: seat, quantity: 1 }] };
    const call = { method: 'POST', path: `${ADMIN}/orders`, body };
    const headers = { 'idempotency-key': 'batch' };
    const first = await run([call, call], { headers });
    expect((await run([call, call], { headers })).body).toEqual(first.body);
    expect(await soldOf(server(), seat)).toBe(before + 2);
    expect((await run([call], { headers })).status).toBe(422);
  });

  it('repeated under another role has the rights of that role only', async () => {
    const path = `POST admin:/users`;
    const person = { username: 'demoted', email: 'demoted@example.test', password: 'long enough', role: 'editor' };
    const { id } = await server().make(path, person);
    const headers = { authorization: `Basic ${btoa('demoted:long enough')}`, 'idempotency-key': 'demoted' };
    const calls = [
      { method: 'POST', path: `${ADMIN}/orders`, body: { ...sale, items: [{ ticket_id: seat, quantity: 1 }] } },
    ];
    expect(statuses(await run(calls, { as: undefined, headers }))).toEqual([201]);
    await server().make(`PATCH admin:/users/${id}`, { role: 'subscriber' });
    expect(statuses(await run(calls, { as: undefined, headers }))).toEqual([403]);
  });

  it('is in progress as long as one of its calls is, which a process that was killed had begun', async () => {
    const path = `${EVENTS}/events/${event}`;
    const calls = ['Third', 'Fourth'].map((title) => ({ method: 'PATCH', path, body: { title } }));
    const headers = { 'idempotency-key': 'killed' };
    const { query } = server().context.db;
    const second = createHash('sha256').update('batch 1 killed').digest('base64url');
    await query.deleteFrom('idempotency_keys').execute();
    const alone = { as: 'editor', body: calls[1]?.body, headers: { 'idempotency-key': second } } as const;
    await server().ask(`PATCH /events/${event}`, alone);
    await query.updateTable('idempotency_keys').set({ answer: '' }).execute();
    const refused = await run(calls, { headers });
    expect(refused).toMatchObject({ status: 409, body: { code: 'request-in-progress' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    const { revision } = (await server().ask(`GET /events/${event}`)).body;
    const lapsed = { expires_utc: '2020-01-01 00:00:00' };
    await query.updateTable('idempotency_keys').set(lapsed).where('answer', '=', '').execute();
    const done = await run(calls, { headers });
    expect(statuses(done)).toEqual([200, 200]);
    expect((await run(calls, { headers })).body).toEqual(done.body);
    // The first call was made before the batch was refused, and is not made again.
    expect((await server().ask(`GET /events/${event}`)).body).toMatchObject({
      title: 'Fourth',
      revision: revision + 1,
    });
  });

  it('stops making calls once their responses are too large', async () => {
    const description = `<p>${'x'.repeat(40_000)}</p>`;
    for (let number = 0; number < 12; number += 1) await makeEvent(server(), { description });
    const path = `${EVENTS}/events?per_page=100`;
    const calls = Array.from({ length: 100 }, () => ({ method: 'GET', path }));
    const found = statuses(await run(calls));
    const made = found.filter((status: number) => status === 200).length;
    expect(made).toBeGreaterThan(5);
    expect(made).toBeLessThan(40);
    expect(found).toEqual([...Array(made).fill(200), ...Array(100 - made).fill(413)]);
  });

  it('is refused as a whole if it is malformed', async () => {
    const call = { method: 'GET', path: `${EVENTS}/events` };
    for (const calls of [
      [],
      'all',
      [1],
      [{ method: 'OPTIONS', path: '/' }],
      [{ ...call, path: 'https://elsewhere.test/' }],
      [{ ...call, path: `/${'x'.repeat(4000)}` }],
      [{ ...call, body: {} }],
      [{ ...call, method: 'POST', body: 'x' }],
      [{ ...call, if_match: 'a\r\nX-Evil: 1' }],
      Array.from({ length: 101 }, () => call),
    ]) {
      expect((await run(calls)).status).toBe(400);
    }
  });
});
