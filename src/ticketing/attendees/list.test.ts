import { beforeAll, describe, expect, it } from 'vitest';
import { makeAttendee, makeRsvp, makeSeat } from '../../../test/attendees.ts';
import { type Asking, BOTH_DATABASES, useTestServer } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';

type Query = NonNullable<Asking['query']>;

describe.each(BOTH_DATABASES)('the list of attendees on %s', (kind) => {
  const server = useTestServer(kind, { qrApiKey: 'door-key' });
  const made = new Map<string, number>();
  const named = new Map<string, number>();

  /** Replaces names by ids: `post_id: 'one'`. */
  const withIds = (query: Query): Query =>
    Object.fromEntries(
      Object.entries(query).map(([name, value]) => [
        name,
        String(value).replace(/\{(\w+)\}/g, (_all, word: string) => String(named.get(word) ?? made.get(word) ?? word)),
      ]),
    );
  const list = (query: Query, asking: Asking = { as: 'administrator' }) =>
    server().ask('GET tickets:/attendees', { ...asking, query: { per_page: 100, ...withIds(query), ...asking.query } });
  const names = async (query: Query, asking?: Asking) =>
    (await list(query, asking)).body.attendees.map(({ title }: { title: string }) => title.split(' ')[0]);

  beforeAll(async () => {
    const { clock } = server();
    const make = async (name: string, ticket: string, fields: Record<string, unknown>) => {
      clock.now = new Date(clock.now.getTime() + 60_000);
      const attendee = await makeAttendee(server(), named.get(ticket) ?? 0, { full_name: name, ...fields });
      made.set(name.split(' ')[0] ?? '', attendee.id);
      return attendee;
    };
    named.set('one', await makeEvent(server(), { title: 'One' }));
    named.set('two', await makeEvent(server(), { title: 'Two' }));
    named.set('hidden', await makeEvent(server(), { title: 'Hidden', status: 'private' }));
    named.set('locked', await makeEvent(server(), { title: 'Locked', post_password: 'sesame' }));
    named.set('r1', await makeRsvp(server(), named.get('one') ?? 0));
    named.set('r2', await makeRsvp(server(), named.get('two') ?? 0));
    named.set('t1', await makeSeat(server(), named.get('one') ?? 0, 50, { price: '10.50' }));
    named.set('t3', await makeSeat(server(), named.get('hidden') ?? 0, 50, { price: '20' }));
    named.set('t4', await makeSeat(server(), named.get('locked') ?? 0, 50, { price: '30' }));
    await make('Abel Stone', 'r1', { email: 'abel@red.test', optout: false, check_in: true });
    await make('Beth Stone', 'r1', { email: 'beth@blue.test' });
    await make('Carl Wood', 'r1', { email: 'carl@red.test', attendee_status: 'no', optout: false });
    await make('Dora S_nd', 'r2', { email: 'dora@blue.test', optout: false });
    const emil = await make('Émil Cläy', 't1', { email: 'emil@red.test' });
    const fred = await make('Fred Moss', 't1', { email: 'fred@red.test' });
    await make('Gina Peat', 't3', { email: 'gina@red.test' });
    await make('Hugo Reed', 't4', { email: 'hugo@red.test' });
    const iris = await make('Iris Turf', 't1', { email: 'iris@red.test' });
    named.set('order', emil.order);
    await server().make(`PATCH admin:/orders/${fred.order}`, { status: 'pending' });
    await server().make(`PATCH admin:/orders/${iris.order}`, { status: 'refunded' });
  });

  const ALL = ['Abel', 'Beth', 'Carl', 'Dora', 'Émil', 'Fred', 'Gina', 'Hugo'];
  const PAID = ['Émil', 'Fred', 'Gina', 'Hugo'];

  it.each<[query: Query, found: string[]]>([
    [{}, ALL],
    [{ post_id: '{one}' }, ['Abel', 'Beth', 'Carl', 'Émil', 'Fred']],
    [{ include_post: '{two},{hidden}' }, ['Dora', 'Gina']],
    [{ post_id: '{one}', include_post: '{two}' }, ['Dora']],
    [{ exclude_post: '{one}' }, ['Dora', 'Gina', 'Hugo']],
    [{ ticket_id: '{r1}' }, ['Abel', 'Beth', 'Carl']],
    [{ include_ticket: '{r2},{t1}' }, ['Dora', 'Émil', 'Fred']],
    [{ exclude_ticket: '{r1},{t1}' }, ['Dora', 'Gina', 'Hugo']],
    [{ include: '{Abel},{Hugo}' }, ['Abel', 'Hugo']],
    [{ include: '{Hugo},{Abel},{Dora}', orderby: 'include' }, ['Hugo', 'Abel', 'Dora']],
    [{ include: '{Abel},{Hugo}', exclude: '{Abel}' }, ['Hugo']],
    [{ exclude: '{Abel},{Beth}', provider: 'rsvp' }, ['Carl', 'Dora']],
    [{ provider: 'rsvp' }, ['Abel', 'Beth', 'Carl', 'Dora']],
    [{ provider: 'tickets-commerce' }, PAID],
    [{ provider: 'TC,nope' }, PAID],
    [{ provider: 'tribe-commerce' }, PAID],
    [{ provider: 'nope' }, []],
    [{ search: 'stone bet' }, ['Beth']],
    [{ search: 'emil' }, ['Émil']],
    [{ name: 'CLAY' }, ['Émil']],
    [{ name: 's_n' }, ['Dora']],
    [{ name: '%' }, []],
    [{ email: 'blue' }, ['Beth', 'Dora']],
    [{ email: 'ABEL@RED.test' }, ['Abel']],
    [{ name: 'stone', email: 'red' }, ['Abel']],
    [{ checkedin: true }, ['Abel']],
    [{ checkedin: 'no', ticket_id: '{r1}' }, ['Beth', 'Carl']],
    [{ rsvp_going_status: 'no' }, ['Carl', ...PAID]],
    [{ rsvp_going_status: 'yes', provider: 'rsvp' }, ['Abel', 'Beth', 'Dora']],
    [{ order_status: 'completed' }, ['Émil', 'Gina', 'Hugo']],
    [{ order_status: 'yes,no' }, ['Abel', 'Beth', 'Carl', 'Dora']],
    [{ order_status: 'public' }, ['Abel', 'Beth', 'Dora', 'Émil', 'Gina', 'Hugo']],
    [{ order_status: 'private' }, ['Carl', 'Fred']],
    [{ order_status: 'private,completed' }, ['Carl', 'Émil', 'Fred', 'Gina', 'Hugo']],
    [{ order_status: 'any' }, ALL],
    [{ order_status: 'refunded' }, []],
    [{ order_status: 'refunded', status: 'trash' }, ['Iris']],
    [{ status: 'trash' }, ['Iris']],
    [{ status: 'publish,trash' }, [...ALL, 'Iris']],
    [{ status: 'any' }, ALL],
    [{ status: 'nonsense' }, []],
    [{ post_status: 'private' }, ['Gina']],
    [{ post_status: 'draft' }, []],
    [{ post_status: 'any' }, ALL],
    [{ order_id: '{order}' }, ['Émil']],
    [{ price_min: 11 }, ['Gina', 'Hugo']],
    [{ price_max: 20 }, ['Émil', 'Fred', 'Gina']],
    [{ price_min: 20, price_max: 20 }, ['Gina']],
    [{ after: '2026-11-21 17:07:00' }, ['Gina', 'Hugo']],
    [{ before: '2026-11-21T17:02:00Z' }, ['Abel', 'Beth']],
    [{ before: '2026-11-21 12:02:00 EST' }, ['Abel', 'Beth']],
    [{ after: '2020-01-01' }, ALL],
    [{ attendee_information_available: true }, []],
    [{ attendee_information_available: false }, ALL],
    [{ order: 'DESC' }, ALL.toReversed()],
    [{ orderby: 'title', order: 'DESC', provider: 'tc' }, PAID.toReversed()],
    [{ orderby: 'title' }, ALL],
    [{ orderby: 'slug' }, ALL],
    [{ orderby: 'date', order: 'DESC' }, ALL.toReversed()],
    [{ offset: 6 }, ['Gina', 'Hugo']],
    [{ offset: 3, per_page: 2, page: 2 }, ['Fred', 'Gina']],
  ])('%j finds %j', async (query, found) => {
    expect(await names(query)).toEqual(found);
  });

  it.each<[query: Query, found: string[]]>([
    [{}, ['Abel', 'Dora', 'Émil']],
    [{ order_status: 'any' }, ['Abel', 'Dora', 'Émil']],
    [{ order_status: 'completed' }, ['Émil']],
    [{ order_status: 'no' }, []],
    [{ order_status: 'pending,yes' }, ['Abel', 'Dora']],
    [{ order_status: 'private' }, []],
    [{ status: 'any' }, ['Abel', 'Dora', 'Émil']],
    [{ status: 'trash' }, []],
    [{ post_status: 'any' }, ['Abel', 'Dora', 'Émil']],
    [{ post_status: 'private' }, []],
    [{ name: 'stone' }, ['Abel']],
    [{ ticket_id: '{r1}' }, ['Abel']],
    [{ include: '{Beth},{Carl},{Fred},{Gina},{Hugo},{Iris}' }, []],
    [{ post_id: '{locked}' }, []],
  ])('%j finds %j for visitors', async (query, found) => {
    expect(await names(query, {})).toEqual(found);
    expect(await names(query, { as: 'author' })).toEqual(found);
  });

  it.each<[Query]>([
    [{ email: 'red' }],
    [{ price_min: 1 }],
    [{ price_max: 1 }],
    [{ order_id: '{order}' }],
    [{ attendee_information_available: false }],
    [{ checkedin: true }],
    [{ checkedin: 'no', ticket_id: '{r1}' }],
  ])('%j is not for visitors', async (query) => {
    expect(await list(query, {})).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } });
    expect((await list(query, { as: 'contributor' })).status).toBe(403);
    expect((await list(query, { as: 'author' })).body).toMatchObject({ total: 0, attendees: [] });
    expect((await list(query, { as: 'door' })).status).toBe(200);
  });

  it('refuses an event that the viewer may not see', async () => {
    expect((await list({ post_id: '{hidden}' }, {})).status).toBe(400);
    expect((await list({ include_post: '{one},{hidden}' }, {})).status).toBe(400);
    expect((await list({ post_id: '{hidden}' }, { as: 'door' })).body.total).toBe(1);
  });

  it.each<[Query, string]>([
    [{ post_id: 999_999 }, 'post_id'],
    [{ include_post: '{one},999999' }, 'include_post'],
    [{ ticket_id: '{one}' }, 'ticket_id'],
    [{ exclude_ticket: '{t1},999999' }, 'exclude_ticket'],
    [{ include: 'foo' }, 'include'],
    [{ provider: '' }, 'provider'],
    [{ search: '' }, 'search'],
    [{ name: ' ' }, 'name'],
    [{ offset: 'x' }, 'offset'],
    [{ order: 'up' }, 'order'],
    [{ orderby: 'email' }, 'orderby'],
    [{ after: 'floz' }, 'after'],
    [{ checkedin: 'perhaps' }, 'checkedin'],
    [{ price_min: 'cheap' }, 'price_min'],
    [{ page: 0 }, 'page'],
    [{ per_page: 101 }, 'per_page'],
  ])('refuses %j', async (query, name) => {
    const { status, body } = await list(query);
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', [name]]);
  });

  it('has an envelope that repeats the request', async () => {
    const { body, headers } = await server().ask('GET tickets:/attendees', {
      query: { per_page: 2, page: 2, order_status: 'any', i18n_language: 'fr' },
    });
    expect(Object.keys(body)).toEqual(['rest_url', 'total', 'total_pages', 'attendees']);
    expect(body).toMatchObject({ total: 3, total_pages: 2 });
    expect(body.rest_url).toBe(
      'http://localhost/calendar/tickets/v1/attendees/?page=2&per_page=2&order_status=any&i18n_language=fr',
    );
    expect([headers.get('X-ET-TOTAL'), headers.get('X-ET-TOTAL-PAGES')]).toEqual(['3', '2']);
  });

  it('never repeats the check-in key', async () => {
    const { body } = await server().ask('GET tickets:/attendees', { query: { api_key: 'door-key' } });
    expect(body.total).toBe(8);
    expect(body.rest_url).toBe('http://localhost/calendar/tickets/v1/attendees/');
  });

  it('has no page past the last', async () => {
    expect(await list({ per_page: 4, page: 3 })).toMatchObject({ status: 400, body: { code: 'invalid-page-number' } });
    expect(await list({ provider: 'nope', page: 2 })).toMatchObject({ status: 400 });
    expect((await list({ offset: 50 })).body).toMatchObject({ total: 8, attendees: [] });
  });

  it('has the attendees of the event of a check-in key besides the public ones', async () => {
    const event_id = named.get('one');
    const { key } = await server().make('POST admin:/check-in-keys', { name: 'Gate', event_id });
    const asking = { query: { api_key: key } };
    expect(await names({ post_id: '{two}' }, asking)).toEqual(await names({ post_id: '{two}' }, {}));
    expect(await names({}, asking)).toEqual(['Abel', 'Beth', 'Carl', 'Dora', 'Émil', 'Fred']);
    const { body } = await list({}, asking);
    const withEmail = body.attendees.filter(({ email }: { email?: string }) => email !== undefined);
    expect(withEmail.map((attendee: { post_id: number }) => attendee.post_id)).toEqual(Array(5).fill(event_id));
    expect(await names({ email: 'dora' }, asking)).toEqual([]);
    expect(await names({ email: 'beth' }, asking)).toEqual(['Beth']);
    expect(await names({ post_id: '{two}', checkedin: 'false' }, asking)).toEqual([]);
  });

  it('is the same with and without a key for another event, for accounts that read attendees', async () => {
    const { key } = await server().make('POST admin:/check-in-keys', { name: 'Gate', event_id: named.get('two') });
    const asking: Asking = { as: 'door', query: { api_key: key } };
    expect(await names({}, asking)).toEqual(ALL);
    expect(await names({ email: 'abel' }, asking)).toEqual(['Abel']);
    const read = await server().ask(`GET tickets:/attendees/${made.get('Abel')}`, asking);
    expect(read.body).toMatchObject({ email: 'abel@red.test' });
  });

  it('reveals no more of attendees of other events to a check-in key than to visitors', async () => {
    const { key } = await server().make('POST admin:/check-in-keys', { name: 'Gate', event_id: named.get('two') });
    const asking = { query: { api_key: key } };
    const other = await server().ask(`GET tickets:/attendees/${made.get('Abel')}`, asking);
    expect(other.body).not.toHaveProperty('email');
    const own = await server().ask(`GET tickets:/attendees/${made.get('Dora')}`, asking);
    expect(own.body).toMatchObject({ email: 'dora@blue.test' });
    expect(
      (await server().ask(`PATCH tickets:/attendees/${made.get('Abel')}`, { ...asking, body: { check_in: false } }))
        .status,
    ).toBe(401);
  });
});
