import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { MASK } from '../src/calendar/events/view.ts';
import { migrate } from '../src/db/migrate.ts';
import { makeSeat } from './attendees.ts';
import { type Answer, type Asking, DATABASES, type TestServer, useTestServer } from './server.ts';
import { makeEvent, makeTicket } from './tickets.ts';

/** Ids of what the locked event is linked to; nothing else is. */
interface Linked {
  venue: number;
  organizer: number;
  category: number;
  tag: number;
}

/** An event with everything that a mask covers, by a contributor, published by an editor with the password `sesame`. */
async function makeLocked(server: TestServer, fields: Record<string, unknown> = {}) {
  const { make, userId } = server;
  const word = `word${Object.values(fields).join('')}`.replace(/\W/g, '');
  const linked: Linked = {
    venue: (await make('POST /venues', { venue: `${word} hall`, geo_lat: 42.5, geo_lng: -70.9 })).id,
    organizer: (await make('POST /organizers', { organizer: `${word} club` })).id,
    category: (await make('POST /categories', { name: `${word} category` })).id,
    tag: (await make('POST /tags', { name: `${word} tag` })).id,
  };
  const id = await makeEvent(server, {
    title: 'Members evening',
    description: 'Bring the lantern',
    excerpt: 'A quiet ritual',
    featured: true,
    venue: linked.venue,
    organizer: [linked.organizer],
    categories: [linked.category],
    tags: [linked.tag],
    author: userId('contributor'),
    ...fields,
    post_password: 'sesame',
  });
  return { id, linked };
}

/** Filters of the event list that use masked members. */
const maskedFilters = ({ venue, organizer, category, tag }: Linked): Record<string, string | number | boolean>[] => [
  { featured: true },
  { categories: category },
  { tags: tag },
  { venue },
  { organizer },
  { ticketed: true },
  { geoloc: true },
  { geoloc_lat: 42.5, geoloc_lng: -70.9 },
  { geoloc: true, geoloc_lat: 42.5, geoloc_lng: -70.9 },
  { search: 'lantern' },
  { search: 'quiet ritual' },
  { search: 'members', featured: true },
  { search: 'members', venue },
];

/** The opposite filters: an event that is not found reveals as much as one that is found. */
const oppositeFilters = [{ featured: false }, { ticketed: false }, { geoloc: false }];

const SHUT_TO: [string, Asking][] = [
  ['strangers', {}],
  ['subscribers', { as: 'subscriber' }],
  ['people at the door', { as: 'door' }],
  ['other authors', { as: 'author' }],
  ['its own author, who may not edit what is published', { as: 'contributor' }],
  ['a visitor with a wrong password', { query: { password: 'Sesame' } }],
];

const OPEN_TO: [string, Asking][] = [
  ['a visitor with the password', { query: { password: 'sesame' } }],
  ['its author with the password', { as: 'contributor', query: { password: 'sesame' } }],
  ['editors', { as: 'editor' }],
  ['administrators with a wrong password', { as: 'administrator', query: { password: 'x' } }],
];

describe.each(DATABASES)('an event behind a password on %s', (kind) => {
  const server = useTestServer(kind);
  let id: number;
  let plain: number;
  let linked: Linked;

  beforeAll(async () => {
    const made = await makeLocked(server());
    ({ id, linked } = made);
    // The opposite in everything that a filter can select.
    plain = (await makeLocked(server(), { featured: false, venue: [], organizer: [], categories: [], tags: [] })).id;
    await makeSeat(server(), id, 7);
  });

  const list = async (query: Record<string, unknown>, asking: Asking = {}): Promise<Answer> =>
    server().ask('GET /events', { ...asking, query: { ...asking.query, ...query } as Asking['query'] });
  const found = ({ body }: Answer): number[] => body.events.map((event: { id: number }) => event.id);

  it.each(SHUT_TO)('is neither found nor counted by masked values, for %s', async (_name, asking) => {
    for (const query of maskedFilters(linked)) {
      const answer = await list({ ...query, include: id }, asking);
      expect([query, answer.body.total, found(answer)]).toEqual([query, 0, []]);
    }
    for (const query of oppositeFilters) {
      const answer = await list({ ...query, include: plain }, asking);
      expect([query, answer.body.total, found(answer)]).toEqual([query, 0, []]);
    }
  });

  it.each(SHUT_TO)('is found by title and dates, masked, for %s', async (_name, asking) => {
    const queries = [{}, { search: 'members' }, { search: 'evening members' }, { start_date: '2027-03-06' }];
    for (const query of [...queries, { ends_before: '2027-03-07' }, { status: 'publish' }]) {
      const answer = await list({ ...query, include: id }, asking);
      expect([query, found(answer)]).toEqual([query, [id]]);
      expect(answer.body.events[0]).toMatchObject(MASK);
    }
  });

  it.each(OPEN_TO)('is found by all values, for %s', async (_name, asking) => {
    for (const query of maskedFilters(linked)) {
      const answer = await list({ ...query, include: id }, asking);
      expect([query, answer.body.total, found(answer)]).toEqual([query, 1, [id]]);
    }
    for (const query of oppositeFilters)
      expect([query, found(await list({ ...query, include: plain }, asking))]).toEqual([query, [plain]]);
  });

  const lookups = (event: number): [string, Asking['query']][] => [
    ['venues', { event }],
    ['organizers', { event }],
    ['categories', { post: event, hide_empty: false }],
    ['tags', { event, hide_empty: false }],
  ];

  it.each(SHUT_TO)('is not revealed by reverse look-ups, for %s', async (_name, asking) => {
    for (const [plural, query] of lookups(id)) {
      const answer = await server().ask(`GET /${plural}`, { ...asking, query: { ...asking.query, ...query } });
      expect([plural, answer.status, answer.body.total, answer.body[plural]]).toEqual([plural, 200, 0, []]);
    }
  });

  it('reveals its links to users who may edit it', async () => {
    for (const [plural, query] of lookups(id)) {
      const { body } = await server().ask(`GET /${plural}`, { as: 'editor', query });
      expect([plural, body.total]).toEqual([plural, 1]);
    }
  });

  it.each(SHUT_TO)('is not counted by linked records, for %s', async (_name, asking) => {
    for (const [plural, own] of [
      ['venues', linked.venue],
      ['organizers', linked.organizer],
    ] as const) {
      const ids = async (query: Asking['query']) => {
        const answer = await server().ask(`GET /${plural}`, { ...asking, query: { ...query, per_page: 50 } });
        return answer.body[plural].map((post: { id: number }) => post.id);
      };
      expect(await ids({ has_events: true })).not.toContain(own);
      expect(await ids({ has_events: false })).toContain(own);
      expect(await ids({ only_with_upcoming: true })).not.toContain(own);
    }
    for (const [plural, own] of [
      ['categories', linked.category],
      ['tags', linked.tag],
    ] as const) {
      expect((await server().ask(`GET /${plural}/${own}`, asking)).body.count).toBe(0);
      const { body } = await server().ask(`GET /${plural}`, { ...asking, query: { include: own } });
      expect(body.total).toBe(0);
    }
  });

  it('is counted again without its password', async () => {
    const { ask, make } = server();
    const { id: other, linked: its } = await makeLocked(server(), { title: 'Opened' });
    const counts = async () => {
      const terms = [`categories/${its.category}`, `tags/${its.tag}`].map((path) => ask(`GET /${path}`));
      return (await Promise.all(terms)).map(({ body }) => body.count);
    };
    expect(await counts()).toEqual([0, 0]);
    await make(`PATCH /events/${other}`, { post_password: '' });
    expect(await counts()).toEqual([1, 1]);
    const { body } = await ask('GET /venues', { query: { has_events: true, search: 'opened' } });
    expect(body.venues.map((post: { id: number }) => post.id)).toEqual([its.venue]);
    await make(`PATCH /events/${other}`, { post_password: 'sesame' });
    expect(await counts()).toEqual([0, 0]);
    await ask(`DELETE /events/${other}`, { as: 'editor', query: { force: true } });
    expect(await counts()).toEqual([0, 0]);
  });

  it('is no longer counted after migrating an old database', async () => {
    const { db } = server().context;
    await db.query.updateTable('terms').set({ count: 5 }).where('id', '=', linked.tag).execute();
    await sql`DELETE FROM migrations WHERE name = '0008-counts-without-password'`.execute(db.query);
    await migrate(db);
    expect((await server().ask(`GET /tags/${linked.tag}`)).body.count).toBe(0);
  });

  it('is not hidden: it can be referenced, and its tickets are listed without their values', async () => {
    const { ask } = server();
    expect((await ask('GET /events', { query: { post_parent: id } })).status).toBe(200);
    const listed = await ask('GET tickets:/tickets', { query: { include_post: id } });
    expect(listed.body).toMatchObject({ total: 1, tickets: [{ title: 'No Access' }] });
    expect((await ask('GET tickets:/cart', { query: { post_id: id } })).status).toBe(200);
    expect((await ask('GET tickets:/attendees', { query: { post_id: id } })).body.total).toBe(0);
  });

  it('does not reveal the names of its tickets by the order of a list', async () => {
    const { ask } = server();
    const own = await makeEvent(server());
    const low = (await makeTicket(server(), own, { name: 'Aaa' })).id;
    const high = (await makeTicket(server(), own, { name: 'Zzz' })).id;
    const masked = await makeEvent(server(), { post_password: 'sesame' });
    const secret = (await makeTicket(server(), masked, { name: 'Mmm' })).id;
    const include = [high, secret, low].join();
    const titles = async (orderby: string, order: string, asking: Asking = {}) => {
      const query = { include, orderby, order, ...asking.query };
      const { body } = await ask('GET tickets:/tickets', { ...asking, query });
      return body.tickets.map(({ title }: { title: string }) => title);
    };
    for (const orderby of ['title', 'slug']) {
      expect(await titles(orderby, 'ASC')).toEqual(['Aaa', 'Zzz', 'No Access']);
      expect(await titles(orderby, 'DESC')).toEqual(['Zzz', 'No Access', 'Aaa']);
      expect(await titles(orderby, 'ASC', { query: { per_page: 1, page: 2 } })).toEqual(['Zzz']);
      expect(await titles(orderby, 'DESC', { query: { per_page: 2, page: 2 } })).toEqual(['Aaa']);
      expect(await titles(orderby, 'DESC', { as: 'editor' })).toEqual(['Zzz', 'Mmm', 'Aaa']);
      expect(await titles(orderby, 'ASC', { query: { password: 'sesame' } })).toEqual(['Aaa', 'Mmm', 'Zzz']);
    }
  });

  it('requires the password for the cart, except from users who manage its tickets', async () => {
    const { ask, make, userId } = server();
    const event = await makeEvent(server(), { author: userId('author'), post_password: 'sesame' });
    const ticket_id = await makeSeat(server(), event, 9);
    const body = { provider: 'tc', tickets: [{ ticket_id, quantity: 1 }] };
    const put = async (asking: Asking) => (await ask('POST tickets:/cart', { ...asking, body })).status;
    expect([await put({}), await put({ as: 'contributor' }), await put({ as: 'subscriber' })]).toEqual([400, 400, 400]);
    expect([await put({ as: 'author' }), await put({ as: 'editor' })]).toEqual([200, 200]);
    const { token } = await make('POST admin:/tokens', { name: 'till', scopes: 'tickets:write' }, 'author');
    const headers = { authorization: `Bearer ${token}` };
    const seen = await ask(`GET tickets:/tickets/${ticket_id}`, { headers });
    expect([await put({ headers }), seen.body.id]).toEqual([200, ticket_id]);
  });
});
