import { describe, expect, it } from 'vitest';
import { addAttendee, makeAttendee, makeRsvp, makeSeat } from '../../../test/attendees.ts';
import { type Asking, BOTH_DATABASES, NOON, type TestServer, useTestServer } from '../../../test/server.ts';
import { shopperOf } from '../../../test/shopper.ts';
import type { StatementHooks } from '../../../test/statements.ts';
import { deleteTicket, EVENING, editTicket, makeEvent } from '../../../test/tickets.ts';
import { removeOldAuditEntries } from '../../jobs/remove-expired.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import { changesBetween } from './changes.ts';

describe('changesBetween', () => {
  const snapshot = (description: unknown) => ({ title: '', fields: { description } });

  it('shortens long texts, and leaves other long values out', () => {
    const long = 'x'.repeat(20_001);
    expect(changesBetween(snapshot(long), snapshot('short'))).toEqual([
      { field: 'description', before: long.slice(1), after: 'short', shortened: true },
    ]);
    expect(changesBetween(snapshot([long]), snapshot([]))).toEqual([{ field: 'description', hidden: 'long' }]);
  });

  it('treats null, an empty text and an empty list alike', () => {
    expect(changesBetween(snapshot(null), snapshot([]))).toEqual([]);
    expect(changesBetween(undefined, snapshot(''))).toEqual([]);
  });
});

const list = async ({ ask }: TestServer, query: Asking['query'], as: Asking['as'] = 'administrator') =>
  (await ask('GET admin:/audit', { as, query: { per_page: 100, ...query } })).body;

/** The latest entry about a record, with its changes. */
async function latest(server: TestServer, kind: string, id: number) {
  const { audit } = await list(server, { kind, id });
  return (await server.ask(`GET admin:/audit/${audit[0].id}`, { as: 'administrator' })).body;
}

const restore = ({ ask }: TestServer, id: number, asking: Asking = {}) =>
  ask(`POST admin:/audit/${id}/restore`, { as: 'administrator', ...asking });

const countRows = async ({ context }: TestServer): Promise<number> =>
  (await context.db.query.selectFrom('audit').select('id').execute()).length;

describe.each(BOTH_DATABASES)('the audit log on %s', (kind) => {
  /** Called before each statement. */
  let before: NonNullable<StatementHooks['before']> = () => undefined;
  const hooks: StatementHooks = { before: (sql) => before(sql) };
  const server = useTestServer(kind, { languages: ['en', 'fr'], qrApiKey: 'gate-key' }, { hooks });
  const credentialsOf = (secret: string) => ({ authorization: `Bearer ${secret}` });

  it('is searched by the names of records, of their editors and of accounts', async () => {
    const event = await makeEvent(server(), { title: 'Quarry 100% Élan' }, 'editor');
    const { id } = await server().make('POST admin:/users', {
      ...{ username: 'kim.miller', email: 'kim@example.test', role: 'author' },
    });
    const found = async (search: string) =>
      (await list(server(), { search })).audit.map((row: { kind: string; record_id: number }) => [
        row.kind,
        row.record_id,
      ]);
    for (const search of ['quarry', '100%', 'Élan', 'Élan QUARRY editor', 'quarry '.repeat(60)])
      expect([search, await found(search)]).toEqual([search, [['event', event]]]);
    expect(await found('KIM')).toEqual([['user', id]]);
    expect(await found('quarry kim')).toEqual([]);
    expect(await found('100_')).toEqual([]);
  });

  it('records account, change, means and network', async () => {
    const { make, ask, userId } = server();
    const id = await makeEvent(server(), { title: 'Walk', website: 'https://a.test' });
    const token = await make('POST admin:/tokens', { name: 'Importer', scopes: 'events:write' }, 'editor');
    const body = { title: 'Night walk', website: null, tags: ['light'] };
    const answer = await ask(`POST /events/${id}`, {
      ...{ headers: credentialsOf(token.token), from: '203.0.113.9', prefix: '/wp-json/tribe', body },
    });
    expect(answer.status).toBe(200);
    const [tag] = answer.body.tags;
    expect(await latest(server(), 'event', id)).toEqual({
      id: expect.any(Number),
      date_utc: '2026-11-21 17:00:00',
      user: { id: userId('editor'), name: 'editor' },
      means: 'token',
      credential: { id: token.id, name: 'Importer' },
      network: '203.0.113.0/24',
      request_id: answer.headers.get('x-request-id'),
      action: 'changed',
      kind: 'event',
      record_id: id,
      title: 'Night walk',
      revision: 2,
      fields: ['title', 'website', 'tags'],
      changes: [
        { field: 'title', before: 'Walk', after: 'Night walk' },
        { field: 'website', before: 'https://a.test' },
        { field: 'tags', after: [tag.id] },
      ],
      not_restored: [],
    });
    expect(await latest(server(), 'tag', tag.id)).toMatchObject({ action: 'created', title: 'light' });
  });

  it('names the actions, and the texts of each language', async () => {
    const { make, ask } = server();
    const id = await makeEvent(server(), { status: 'draft' });
    await make(`POST /events/${id}?i18n_language=fr`, { title: 'Soirée' });
    expect((await latest(server(), 'event', id)).changes).toEqual([
      { field: 'title', language: 'fr', after: 'Soirée' },
    ]);
    await make(`POST /events/${id}`, { status: 'publish' });
    await ask(`DELETE /events/${id}`, { as: 'administrator' });
    await make(`POST /events/${id}`, { status: 'publish' });
    await ask(`DELETE /events/${id}`, { as: 'administrator', query: { force: true } });
    const { audit } = await list(server(), { kind: 'event', id });
    const actions = audit.map(({ action }: { action: string }) => action);
    expect(actions).toEqual(['deleted', 'restored', 'trashed', 'published', 'changed', 'created']);
  });

  it('keeps neither secrets nor data about people', async () => {
    const { make, ask, userId, context } = server();
    const id = await makeEvent(server(), { post_password: 'sesame-one' });
    await make(`POST /events/${id}`, { post_password: 'sesame-two' });
    expect((await latest(server(), 'event', id)).changes).toEqual([{ field: 'post_password', hidden: 'secret' }]);
    await make(`PATCH admin:/users/${userId('door')}`, { email: 'gate@people.test', password: 'sesame-three' });
    const changed = await latest(server(), 'user', userId('door'));
    expect([changed.title, changed.changes]).toEqual([
      '',
      [
        { field: 'email', hidden: 'personal' },
        { field: 'password', hidden: 'secret' },
      ],
    ]);
    const attendee = await makeAttendee(server(), await makeSeat(server(), id), { full_name: 'Ada Person' });
    await make(`POST tickets:/attendees/${attendee.id}`, { full_name: 'Bo Person', optout: true });
    expect((await latest(server(), 'attendee', attendee.id)).changes).toEqual([
      { field: 'optout', before: false, after: true },
      { field: 'full_name', hidden: 'personal' },
    ]);
    const { token } = await make('POST admin:/tokens', { name: 'feed', scopes: 'read' });
    await ask('POST admin:/check-in-keys', { as: 'administrator', body: { name: 'North gate' } });
    const text = JSON.stringify(await context.db.query.selectFrom('audit').selectAll().execute());
    for (const secret of ['sesame', 'people.test', 'Person', token]) expect(text).not.toContain(secret);
  });

  it('is not written by visitors, customers, scans and refused writes, not even in one statement', async () => {
    const { ask } = server();
    const event = await makeEvent(server());
    const seat = await makeSeat(server(), event);
    const reply = await makeRsvp(server(), event);
    const attendee = await makeAttendee(server(), seat);
    const rows = await countRows(server());
    const touching: string[] = [];
    before = (sql) => void (/\baudit\b/.test(sql) && touching.push(sql));
    const shopper = shopperOf(server());
    await shopper.put([{ ticket_id: seat, quantity: 2 }]);
    const answers = [
      await shopper.checkout({}, { as: 'editor' }),
      await ask('POST tickets:/replies', { body: { ticket_id: reply, full_name: 'Ada', email: 'ada@example.test' } }),
      await ask(`POST tickets:/attendees/${attendee.id}`, { query: { api_key: 'gate-key' }, body: { check_in: true } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(touching).toEqual([]);
    const stale = { 'if-match': '"r9"' };
    const refused = [
      await ask(`POST /events/${event}`, { as: 'subscriber', body: { title: 'Mine' } }),
      await ask(`POST /events/${event}`, { as: 'editor', body: { title: 'Mine' }, headers: stale }),
      await ask('POST /categories', { as: 'editor', body: { name: 'Walks', parent: 999_999 } }),
      await ask(`POST /events/${event}`, { as: 'editor', body: { title: EVENING.title } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 412, 400, 200]);
    before = () => undefined;
    expect(await countRows(server())).toBe(rows);
  });

  it('is written with the change or not at all', async () => {
    const { ask, context } = server();
    const id = await makeEvent(server(), { title: 'Before' });
    const seat = await makeSeat(server(), id);
    const rows = await countRows(server());
    const failing = (start: string) => (sql: string) => {
      if (sql.startsWith(start)) throw new Error('the disk is full');
    };
    before = failing('insert into "audit"');
    expect((await ask(`POST /events/${id}`, { as: 'editor', body: { title: 'After' } })).status).toBe(500);
    before = failing('delete from "cart_items"');
    expect((await deleteTicket(server(), seat, id)).status).toBe(500);
    before = () => undefined;
    expect((await ask(`GET /events/${id}`)).body.title).toBe('Before');
    const ticket = context.db.query.selectFrom('tickets').select('is_deleted').where('id', '=', seat);
    expect(await ticket.executeTakeFirst()).toEqual({ is_deleted: 0 });
    expect(await countRows(server())).toBe(rows);
  });

  it('has one row for each edit of several at once, and none for a repeated request', async () => {
    const { ask } = server();
    const id = await makeEvent(server());
    const edits = Array.from({ length: 6 }, (_value, index) =>
      ask(`POST /events/${id}`, { as: 'editor', body: { title: `Evening ${index}` } }),
    );
    expect((await Promise.all(edits)).map(({ status }) => status)).toEqual(Array(6).fill(200));
    const headers = { 'idempotency-key': 'once' };
    const once = () => ask(`POST /events/${id}`, { as: 'editor', body: { title: 'Once' }, headers });
    expect([(await once()).status, (await once()).status]).toEqual([200, 200]);
    const { audit } = await list(server(), { kind: 'event', id });
    expect(audit.map(({ revision }: { revision: number }) => revision)).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  });

  it('is listed by kind, record, account, action and time, at first for 30 days', async () => {
    const { make, ask, clock, userId } = server();
    const name = 'Listed hall';
    const { id } = await make('POST /venues', { venue: name }, 'author');
    clock.now = new Date(NOON.getTime() + 31 * 24 * 3600 * 1000);
    await make(`POST /venues/${id}`, { phone: '1' }, 'editor');
    const found = async (query: Asking['query']) =>
      (await list(server(), query)).audit
        .filter(({ title }: { title: string }) => title === name)
        .map(({ action }: { action: string }) => action);
    expect(await found({})).toEqual(['changed']);
    expect(await found({ kind: 'venue', id })).toEqual(['changed', 'created']);
    expect(await found({ from: '2026-11-01', kind: 'venue' })).toEqual(['changed', 'created']);
    expect(await found({ from: '2026-11-21', to: '2026-11-21' })).toEqual(['created']);
    expect(await found({ from: '2026-11-01', to: '2026-11-20' })).toEqual([]);
    // Its links say instants, since the clock of the site would move them.
    const noon = await list(server(), { from: '2026-11-21 12:00', to: '2026-11-21 12:00', kind: 'venue', id });
    expect(Object.fromEntries(new URL(noon.rest_url).searchParams)).toMatchObject({
      from: '2026-11-21T17:00:00Z',
      to: '2026-11-21T17:00:00Z',
    });
    expect(await found({ from: '2026-11-01', action: 'created' })).toEqual(['created']);
    expect(await found({ from: '2026-11-01', user: userId('author') })).toEqual(['created']);
    expect(await found({ kind: 'organizer' })).toEqual([]);
    expect((await ask('GET admin:/audit', { as: 'administrator', query: { id } })).status).toBe(400);
    const shown = (await list(server(), { kind: 'venue', id }, 'editor')).audit[0];
    expect([shown.user.name, shown.means, shown.network, shown.request_id]).toEqual(
      ['editor'].concat(Array(3).fill(undefined)),
    );
    clock.now = NOON;
  });

  describe('restoring', () => {
    it('sets texts, places and links back in all languages', async () => {
      const { make, ask } = server();
      const first = { title: 'First', cost: '$5', venue: { venue: 'Old mill' }, tags: ['dusk'], featured: true };
      const id = await makeEvent(server(), first);
      await make(`POST /events/${id}?i18n_language=fr`, { title: 'Première' });
      const was = await make(`POST /events/${id}`, { website: 'https://a.test' });
      const change = {
        title: 'Second',
        cost: '$9',
        venue: null,
        tags: [],
        featured: false,
        start_date: '2027-03-06 19:00',
      };
      await make(`POST /events/${id}`, change);
      const { id: entry } = await latest(server(), 'event', id);
      const answer = await restore(server(), entry);
      expect([answer.status, answer.body.not_restored]).toEqual([200, []]);
      const { title, cost, venue, tags, featured, start_date } = answer.body.record;
      expect({ title, cost, venue: venue.id, tags: tags.length, featured, start_date }).toEqual({
        ...{ title: 'First', cost: '$5', venue: was.venue.id, tags: 1, featured: true, start_date: was.start_date },
      });
      expect(await latest(server(), 'event', id)).toMatchObject({ action: 'changed', title: 'First' });
      const { audit } = await list(server(), { kind: 'event', id });
      const translated = audit.find(({ revision }: { revision: number }) => revision === 2);
      expect((await restore(server(), translated.id)).status).toBe(412);
      expect((await restore(server(), translated.id, { body: { force: true } })).status).toBe(200);
      expect((await ask(`GET /events/${id}?i18n_language=fr`)).body.title).toBe('First');
    });

    it('is refused after a later edit with the present record, unless the client knows it', async () => {
      const { make } = server();
      const { id } = await make('POST /organizers', { organizer: 'Club', phone: '1' });
      await make(`POST /organizers/${id}`, { phone: '2' });
      const { id: entry } = await latest(server(), 'organizer', id);
      await make(`POST /organizers/${id}`, { email: 'club@example.org' });
      const refused = await restore(server(), entry);
      expect(refused).toMatchObject({ status: 412, body: { code: 'edit-conflict' } });
      expect(refused.body.data.record).toMatchObject({ phone: '2', email: 'club@example.org' });
      const known = await restore(server(), entry, { headers: { 'if-match': '"r3"' } });
      expect(known.body.record).toMatchObject({ phone: '1', email: 'club@example.org' });
    });

    it('restores trashed records, and names the fields that it cannot restore', async () => {
      const { make, ask, userId } = server();
      const { id } = await make('POST /venues', { venue: 'Barn' });
      const { id: created, not_restored } = await latest(server(), 'venue', id);
      const refused = await restore(server(), created);
      expect(not_restored).toEqual(refused.body.data.not_restored);
      expect(refused).toMatchObject({ status: 409, body: { code: 'audit-not-restorable' } });
      expect(refused.body.data.not_restored).toContainEqual({ field: 'venue', reason: 'created' });
      await ask(`DELETE /venues/${id}`, { as: 'administrator' });
      const trashed = await restore(server(), (await latest(server(), 'venue', id)).id);
      expect(trashed.body).toMatchObject({ restored: [{ field: 'status' }], record: { status: 'publish' } });
      await ask(`DELETE /venues/${id}`, { as: 'administrator', query: { force: true } });
      const gone = await restore(server(), (await latest(server(), 'venue', id)).id);
      expect(gone.body.data.not_restored).toContainEqual({ field: 'venue', reason: 'deleted' });
      await make(`PATCH admin:/users/${userId('door')}`, { email: 'other@example.test', role: 'door' });
      const account = await restore(server(), (await latest(server(), 'user', userId('door'))).id);
      expect(account.body.data.not_restored).toEqual([{ field: 'email', reason: 'personal' }]);
    });

    it('sets tickets and the site back by their own rules', async () => {
      const { make } = server();
      const post_id = await makeEvent(server());
      const seat = await makeSeat(server(), post_id, 10, { price: '12.50', description: 'By the stage' });
      const ticket = { mode: 'own', capacity: 4, sale_price: { checked: true, price: '9' } };
      await editTicket(server(), seat, { post_id, name: 'Chair', price: '20', ticket });
      const answer = await restore(server(), (await latest(server(), 'ticket', seat)).id);
      expect(answer.body.not_restored).toEqual([]);
      expect(answer.body.record).toMatchObject({ title: 'Seat', capacity: 10, cost: '$12.50' });
      await make('PATCH admin:/site', { tagline: 'Old', contact: { phone: '1' } });
      await make('PATCH admin:/site', { tagline: 'New', contact: { phone: '2', email: 'a@example.org' } });
      const site = await restore(server(), (await latest(server(), 'site', 1)).id);
      expect(site.body.record).toMatchObject({ tagline: 'Old', contact: { phone: '1' } });
      expect(site.body.record.contact.email ?? '').toBe('');
      await make('PATCH admin:/site', { payment_ways: [] });
      await make('PATCH admin:/site', {
        second_factor_roles: ['door'],
        payment_ways: [{ id: 'cheque', name: 'Cheque' }],
      });
      const lists = await latest(server(), 'site', 1);
      expect(lists.changes).toContainEqual({ field: 'second_factor_roles', after: ['door'] });
      const emptied = await restore(server(), lists.id);
      expect(emptied.body.record).toMatchObject({ second_factor_roles: [], payment_ways: [] });
    });

    it('needs the rights of the change', async () => {
      const { make, userId } = server();
      const id = await makeEvent(server(), {}, 'author');
      await make(`POST /events/${id}`, { author: userId('editor'), title: 'Taken' });
      const { id: entry } = await latest(server(), 'event', id);
      expect((await restore(server(), entry, { as: 'author' })).status).toBe(403);
      expect((await restore(server(), entry, { as: 'editor' })).status).toBe(200);
    });
  });

  it('deletes the names of deleted accounts, and all entries after 400 days', async () => {
    const { make, ask, context, clock } = server();
    const account = { username: 'leaver', email: 'leaver@example.test', password: 'long enough', role: 'editor' };
    const { id } = await make('POST admin:/users', account);
    const headers = { authorization: `Basic ${btoa('leaver:long enough')}` };
    const { body } = await ask('POST /tags', { headers, body: { name: 'By the leaver' } });
    expect((await latest(server(), 'tag', body.id)).user).toEqual({ id, name: 'leaver' });
    await ask(`DELETE admin:/users/${id}`, { as: 'administrator' });
    expect((await latest(server(), 'tag', body.id)).user).toEqual({ id, name: '' });
    const rows = await context.db.query.selectFrom('audit').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('leaver@');
    expect(JSON.stringify(rows).match(/leaver/g)).toEqual(['leaver', 'leaver', 'leaver']);

    const { id: _id, ...row } = rows[0] ?? { id: 0 };
    const old = { ...row, date_utc: addSeconds(toUtc(NOON), -400 * 86_400) } as Omit<(typeof rows)[0], 'id'>;
    await context.db.query.insertInto('audit').values(Array(501).fill(old)).execute();
    expect(await removeOldAuditEntries(context)).toBe(0);
    clock.now = new Date(NOON.getTime() + 1000);
    expect([await removeOldAuditEntries(context), await removeOldAuditEntries(context)]).toEqual([500, 1]);
    expect(await countRows(server())).toBe(rows.length);
    clock.now = NOON;
  });

  it('has a row for a counter sale and its attendee, and for changes of an order by staff', async () => {
    const { make } = server();
    const seat = await makeSeat(server(), await makeEvent(server()));
    const { body } = await addAttendee(server(), seat);
    const { action, kind: of, fields } = await latest(server(), 'attendee', body.id);
    expect([action, of, fields.includes('full_name')]).toEqual(['created', 'attendee', true]);
    const order = (await latest(server(), 'attendee', body.id)).changes.find(
      ({ field }: { field: string }) => field === 'order',
    ).after;
    await make(`PATCH admin:/orders/${order}`, { status: 'refunded' });
    expect((await latest(server(), 'order', order)).changes).toEqual([
      { field: 'status', before: 'completed', after: 'refunded' },
    ]);
  });
});
