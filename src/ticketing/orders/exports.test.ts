import { beforeAll, describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from '../../../test/attendees.ts';
import { DATABASES, startTestServer, useTestServer } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';

describe.each(DATABASES)('exports on %s', (kind) => {
  const server = useTestServer(kind);
  const ids = { event: 0, attendee: 0, order: 0 };
  beforeAll(async () => {
    ids.event = await makeEvent(server(), { title: '=Fête; +1', venue: { venue: 'Hall, "big"' }, cost: '5' });
    const seat = await makeSeat(server(), ids.event, 10, { name: 'Seat', price: '12.50' });
    const made = await makeAttendee(server(), seat, { full_name: '@Ada', email: 'ada@party.test' });
    Object.assign(ids, { attendee: made.id, order: made.order });
    const other = await makeEvent(server());
    await makeAttendee(server(), await makeSeat(server(), other), { full_name: 'Bo' });
  });

  const ask = (path: string, query: Record<string, string | number | boolean> = {}) =>
    server().ask(`GET admin:/${path}/export`, { as: 'editor', query });

  it('are files with the columns that are asked for, headed in the language of the request', async () => {
    const { event } = ids;
    const answer = await ask('attendees', { event, fields: 'full_name,event,paid,order_id', i18n_language: 'fr' });
    expect(answer.text).toBe(`Nom,Événement,Payé,Commande\r\n'@Ada,"'=Fête;' +1",12.5,${ids.order}\r\n`);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="attendees-2026-11-21.csv"');
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    const events = await ask('events', { include: event, fields: 'id,title,venue' });
    expect(events.text).toBe(`Id,Title,Venue\r\n${event},"'=Fête;' +1","Hall, ""big"""\r\n`);
    const orders = await ask('orders', { event, fields: 'id,purchaser,email,total,currency' });
    expect(orders.text).toBe(`Id,Customer,E-mail,Total,Currency\r\n${ids.order},'@Ada,ada@party.test,12.5,USD\r\n`);
    const all = await Promise.all(['attendees', 'events', 'orders'].map((path) => ask(path)));
    expect(all.map(({ text }) => text.trimEnd().split('\r\n').length)).toEqual([3, 3, 3]);
  });

  it('begin with a byte order mark on request', async () => {
    const headers = { authorization: `Basic ${btoa('editor:editor-password')}` };
    const answer = await server().request('/calendar/admin/v1/orders/export?fields=id&bom=1', { headers });
    expect(Buffer.from(await answer.arrayBuffer()).toString()).toMatch(/^\uFEFFId\r\n/);
  });

  it('take the filters of their lists', async () => {
    expect((await ask('attendees', { search: 'bo', fields: 'full_name' })).text).toBe('Name\r\nBo\r\n');
    expect((await ask('attendees', { checked_in: true, fields: 'full_name' })).text).toBe('Name\r\n');
    expect((await ask('orders', { search: `#${ids.order}`, fields: 'id' })).text).toBe(`Id\r\n${ids.order}\r\n`);
    expect((await ask('events', { search: 'fete', fields: 'id' })).text).toBe(`Id\r\n${ids.event}\r\n`);
    for (const [path, query] of [
      ['attendees', { fields: 'security_code' }],
      ['attendees', { format: 'xlsx' }],
      ['attendees', { event: 999_999 }],
      ['orders', { event: 999_999 }],
      ['events', { search: ' ' }],
    ] as const)
      expect((await ask(path, query)).status).toBe(400);
  });

  it('are neither read for HEAD nor put into envelopes', async () => {
    const head = await server().ask('HEAD admin:/attendees/export', { as: 'editor' });
    expect(head).toMatchObject({ status: 200, text: '' });
    expect((await ask('orders', { _envelope: 1, _jsonp: 'run', fields: 'id' })).text).toMatch(/^Id\r\n/);
  });
});

describe.each(DATABASES)('an export of many attendees on %s', (kind) => {
  it('reads on only as its client reads, and stops when the client goes away', async () => {
    let reads = 0;
    const hooks = {
      before(sql: string) {
        if (/^select \* from "attendees"/.test(sql)) reads += 1;
      },
    };
    const server = await startTestServer(kind, {}, { hooks });
    try {
      const event = await makeEvent(server);
      const seat = await makeSeat(server, event, 5000);
      const { id } = await makeAttendee(server, seat);
      await copies(server.context.db, id, 2100);
      // More than a search finds at once.
      const last = { search: 'ada', per_page: 100, page: 22 };
      const { body } = await server.ask('GET admin:/attendees', { as: 'editor', query: last });
      expect([body.total, body.attendees.length]).toEqual([2101, 1]);
      reads = 0;
      const headers = { authorization: `Basic ${btoa('editor:editor-password')}` };
      const fetchAll = () => server.request('/calendar/admin/v1/attendees/export?fields=id', { headers });
      const lines = (await (await fetchAll()).text()).trimEnd().split('\r\n').slice(1);
      expect(new Set(lines).size).toBe(2101);
      expect(lines.map(Number)).toEqual(lines.map(Number).sort((a, b) => a - b));
      expect(reads).toBe(11);
      reads = 0;
      const reader = (await fetchAll()).body?.getReader();
      await reader?.read();
      await reader?.read();
      const soFar = reads;
      await reader?.cancel();
      expect(soFar).toBeLessThan(3);
      expect(reads).toBe(soFar);
    } finally {
      await server.close();
    }
  });
});

/** Copies an attendee; the counters of the ticket do not follow. */
async function copies(db: Awaited<ReturnType<typeof startTestServer>>['context']['db'], id: number, count: number) {
  const row = await db.query.selectFrom('attendees').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const numbers = Array.from({ length: count }, (_, index) => 1_000_000 + index);
  for (let from = 0; from < count; from += 500) {
    const some = numbers.slice(from, from + 500);
    await db.query
      .insertInto('records')
      .values(some.map((number) => ({ id: number, kind: 'attendee' as const })))
      .execute();
    await db.query
      .insertInto('attendees')
      .values(some.map((number) => ({ ...row, id: number })))
      .execute();
  }
}
