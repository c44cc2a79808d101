import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Asking, BOTH_DATABASES, type DatabaseKind, useTestServer } from '../../../test/server.ts';
import { deleteTicket, makeEvent, makeTicket } from '../../../test/tickets.ts';
import { secretHash } from '../../lib/hash.ts';
import { takeSeats } from '../seats/seat-counters.ts';

const LONG_SALE = { start_date: '2026-01-01', end_date: '2029-12-31' };

/** Names of the tickets below, as the list shows them by default. */
const OPEN = ['Blue seat', 'Card reply', 'Even open', 'Floor', 'Gallery', 'red-panda seat'];

/** A server with tickets of every kind. */
function useTickets(kind: DatabaseKind) {
  const server = useTestServer(kind);
  const events: Record<string, number> = {};
  const tickets: Record<string, number> = {};
  let made = 0;

  const add = async (event: string, name: string, fields: Record<string, unknown>) => {
    server().clock.now = new Date(Date.UTC(2026, 10, 21, 17, made++));
    const ticket = await makeTicket(server(), events[event] ?? 0, { ...LONG_SALE, name, ...fields });
    tickets[name] = ticket.id;
  };
  const come = async (name: string, people: string[]) => {
    const ids = [];
    for (const full_name of people) {
      const email = `${full_name.toLowerCase()}@list.example`;
      ids.push((await server().make('POST tickets:/attendees', { ticket_id: tickets[name], full_name, email })).id);
    }
    return ids;
  };

  beforeAll(async () => {
    events.first = await makeEvent(server(), { title: 'First' });
    events.second = await makeEvent(server(), { title: 'Second' });
    events.private = await makeEvent(server(), { title: 'Private', status: 'private' });
    events.draft = await makeEvent(server(), { title: 'Draft', status: 'draft' }, 'author');
    await add('first', 'red-panda seat', { price: '20', start_date: '2028-01-01', end_date: '2028-02-01' });
    await add('first', 'Blue seat', { description: '<p>front row</p>', ticket: { capacity: 5 } });
    await add('first', 'Card reply', { provider: 'rsvp', description: 'blue list', ticket: { capacity: 20 } });
    await add('second', 'Even open', { ticket: { mode: '' } });
    await add('second', 'Gallery', { ticket: { mode: 'capped', capacity: 3, event_capacity: 30 } });
    await add('second', 'Floor', { ticket: { mode: 'global' } });
    await add('private', 'Row of honour', { ticket: { capacity: 2 } });
    await add('draft', 'Unborn', { ticket: { capacity: 1 } });
    const [ada] = await come('Blue seat', ['Ada', 'Bea']);
    await come('Card reply', ['Cid']);
    await server().make(`PATCH tickets:/attendees/${ada}`, { check_in: true });
    const sold = [{ ticket_id: tickets.Gallery ?? 0, quantity: 3 }];
    await server().context.db.transaction((db) => takeSeats(db, sold, 'sold'));
  });

  /** Names in the response of a list; ids of `query` are named as above. */
  const ask = async (query: Record<string, string | number | boolean>, as?: Asking['as']) => {
    const ids = (text: string) =>
      text.replace(/@([\w -]+)/g, (_all, name: string) => String(tickets[name] ?? events[name] ?? 999_999));
    const entries = Object.entries({ per_page: 100, ...query });
    const resolved = Object.fromEntries(
      entries.map(([name, value]) => [name, typeof value === 'string' ? ids(value) : value]),
    );
    return server().ask('GET tickets:/tickets', { as, query: resolved });
  };
  const names = async (query: Record<string, string | number | boolean>, as?: Asking['as']) => {
    const { status, body } = await ask(query, as);
    expect(status).toBe(200);
    return body.tickets.map(({ title }: { title: string }) => title);
  };

  return { server, events, tickets, add, ask, names };
}

describe.each(BOTH_DATABASES)('the list of tickets on %s', (kind) => {
  const { server, events, tickets, ask, names } = useTickets(kind);

  describe('filters for all viewers', () => {
    const cases: [query: Record<string, string | number | boolean>, names: string[]][] = [
      [{}, OPEN],
      [{ order: 'DESC' }, [...OPEN].reverse()],
      [{ orderby: 'title', order: 'DESC' }, [...OPEN].reverse()],
      [{ orderby: 'id' }, ['red-panda seat', 'Blue seat', 'Card reply', 'Even open', 'Gallery', 'Floor']],
      [{ orderby: 'slug' }, OPEN],
      // Without positions, in the order in which they were made.
      [{ orderby: 'menu_order' }, ['red-panda seat', 'Blue seat', 'Card reply', 'Even open', 'Gallery', 'Floor']],
      [{ include: '@Floor,@Blue seat', orderby: 'include' }, ['Floor', 'Blue seat']],
      [{ include: '@Floor,@Blue seat', orderby: 'include', order: 'DESC' }, ['Blue seat', 'Floor']],
      [{ include: '@Floor,@Row of honour' }, ['Floor']],
      [{ include: '999999' }, []],
      [{ exclude: '@Floor,@Blue seat' }, ['Card reply', 'Even open', 'Gallery', 'red-panda seat']],
      [{ include_post: '@second' }, ['Even open', 'Floor', 'Gallery']],
      [{ exclude_post: '@second' }, ['Blue seat', 'Card reply', 'red-panda seat']],
      [{ provider: 'rsvp' }, ['Card reply']],
      [{ provider: 'tickets-commerce,woot' }, OPEN.filter((name) => name !== 'Card reply')],
      [{ provider: 'rsvp,TC' }, OPEN],
      [{ provider: 'zop,zap' }, []],
      [{ currency: 'usd,chf' }, OPEN.filter((name) => name !== 'Card reply')],
      [{ currency: 'XYZ' }, []],
      [{ currency: 'USD', provider: 'rsvp' }, []],
      [{ search: 'blue' }, ['Blue seat', 'Card reply']],
      [{ search: 'ROW front' }, ['Blue seat']],
      [{ search: 'panda' }, ['red-panda seat']],
      [{ search: 'p' }, ['Card reply', 'Even open', 'red-panda seat']],
      [{ search: 'magenta' }, []],
      [{ after: '2026-11-21 17:04:00' }, ['Floor', 'Gallery']],
      [{ before: '2026-11-21T17:01:00Z' }, ['Blue seat', 'red-panda seat']],
      [{ after: '1795280640' }, ['Floor', 'Gallery']],
      [{ available_from: '2027-06-01' }, ['red-panda seat']],
      [{ available_until: '2028-06-01' }, ['red-panda seat']],
      [{ capacity_min: 10 }, ['Card reply', 'Even open', 'Floor']],
      [{ capacity_max: 5 }, ['Blue seat', 'Gallery', 'red-panda seat']],
      [{ capacity_min: 3, capacity_max: 20 }, ['Blue seat', 'Card reply', 'Gallery']],
      [{ is_available: true }, ['Blue seat', 'Card reply', 'Even open', 'Floor']],
      [{ is_available: false }, ['Gallery', 'red-panda seat']],
      [{ status: 'draft' }, []],
      [{ status: 'draft,publish' }, OPEN],
      [{ post_status: 'any' }, OPEN],
      [{ post_status: 'private' }, []],
      [{ post_status: 'private,publish' }, OPEN],
      [{ attendee_information_available: true }, OPEN],
      [{ offset: 4 }, ['Gallery', 'red-panda seat']],
      [{ offset: 1, per_page: 2, page: 2 }, ['Floor', 'Gallery']],
      [{ offset: 9 }, []],
    ];
    it.each(cases)('%j', async (query, expected) => {
      expect(await names(query)).toEqual(expected);
    });
  });

  describe('visibility', () => {
    const cases: [as: Asking['as'], query: Record<string, string>, others: string[]][] = [
      ['administrator', {}, ['Row of honour', 'Unborn']],
      ['editor', { post_status: 'any' }, ['Row of honour', 'Unborn']],
      ['author', {}, ['Unborn']],
      ['contributor', {}, []],
      ['subscriber', {}, []],
      ['door', { post_status: 'any' }, []],
    ];
    it.each(cases)('%s asking %j', async (as, query, others) => {
      const seen = await names(query, as);
      expect(seen.filter((name: string) => !OPEN.includes(name))).toEqual(others);
      expect(seen.filter((name: string) => OPEN.includes(name))).toEqual(OPEN);
    });

    it('filters by the status of events for viewers who may see it', async () => {
      expect(await names({ post_status: 'private' }, 'editor')).toEqual(['Row of honour']);
      expect(await names({ post_status: 'draft,private' }, 'administrator')).toEqual(['Row of honour', 'Unborn']);
      expect(await names({ post_status: 'private' }, 'author')).toEqual([]);
      expect(await names({ post_status: 'nonsense' }, 'administrator')).toEqual([]);
      expect(await names({ post_status: "' OR '1'='1" }, 'administrator')).toEqual([]);
    });

    it('shows single tickets to the same viewers', async () => {
      const read = async (name: string, as: Asking['as']) =>
        (await server().ask(`GET tickets:/tickets/${tickets[name]}`, { as })).status;
      expect(await Promise.all([read('Row of honour', undefined), read('Row of honour', 'subscriber')])).toEqual([
        401, 401,
      ]);
      expect(await Promise.all([read('Row of honour', 'editor'), read('Unborn', 'author')])).toEqual([200, 200]);
      expect(await Promise.all([read('Unborn', 'contributor'), read('Unborn', 'door')])).toEqual([401, 401]);
    });
  });

  describe('filters by numbers of attendees', () => {
    const cases: [query: Record<string, number>, names: string[]][] = [
      [{ attendees_min: 1 }, ['Blue seat', 'Card reply']],
      [{ attendees_min: 2 }, ['Blue seat']],
      [{ attendees_min: 1, attendees_max: 1 }, ['Card reply']],
      [{ attendees_max: 0 }, ['Even open', 'Floor', 'Gallery', 'red-panda seat', 'Row of honour', 'Unborn']],
      [{ checkedin_min: 1 }, ['Blue seat']],
    ];
    it.each(cases)('%j', async (query, expected) => {
      expect(await names(query, 'administrator')).toEqual(expected);
    });

    it.each(['attendees_min', 'attendees_max', 'checkedin_min', 'checkedin_max'])(
      '%s is only for privileged viewers',
      async (name) => {
        expect(await ask({ [name]: 1 })).toMatchObject({ status: 401, body: { code: 'rest_forbidden' } });
        expect((await ask({ [name]: 1 }, 'contributor')).status).toBe(403);
        expect(['', 'Unborn']).toContain((await names({ [name]: 0 }, 'author')).join());
        expect((await ask({ [name]: 1 }, 'door')).status).toBe(200);
      },
    );

    it('a check-in key for one event counts attendees of that event only', async () => {
      const key = { name: 'gate', hash: secretHash('open sesame'), event_id: events.second ?? 0 };
      const values = { ...key, created_utc: '2026-11-21 17:00:00', last_used_utc: null };
      await server().context.db.query.insertInto('check_in_keys').values(values).execute();
      const { body } = await ask({ attendees_max: 9, api_key: 'open sesame' });
      expect(body.tickets.map(({ title }: { title: string }) => title)).toEqual(['Even open', 'Floor', 'Gallery']);
      expect(body.rest_url).not.toMatch(/api_key|sesame/);
      const all = await ask({ api_key: 'open sesame' });
      const counted = all.body.tickets.filter((ticket: object) => 'checkin' in ticket);
      expect(counted.map(({ title }: { title: string }) => title)).toEqual(['Even open', 'Floor', 'Gallery']);
    });
  });

  it.each([
    [{ search: '' }, 'search'],
    [{ offset: 'foo' }, 'offset'],
    [{ order: 'asc' }, 'order'],
    [{ orderby: 'price' }, 'orderby'],
    [{ is_available: 'foo' }, 'is_available'],
    [{ after: 'floz' }, 'after'],
    [{ available_from: 'never' }, 'available_from'],
    [{ include: '12,34,foo' }, 'include'],
    [{ exclude: '0' }, 'exclude'],
    [{ include_post: 999_999 }, 'include_post'],
    [{ exclude_post: 'foo,bar' }, 'exclude_post'],
    [{ capacity_max: 'big' }, 'capacity_max'],
    [{ attendee_information_available: 'x' }, 'attendee_information_available'],
    [{ page: 0 }, 'page'],
    [{ per_page: 101 }, 'per_page'],
  ])('%j is refused', async (query, name) => {
    const { status, body } = await ask(query);
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([400, 'rest_invalid_param', [name]]);
  });

  it('has totals, links and an envelope that repeats the request', async () => {
    const url = 'http://localhost/calendar/tickets/v1/tickets/';
    const plain = await server().ask('GET tickets:/tickets');
    expect(plain.body).toMatchObject({ rest_url: url, total: 6, total_pages: 1 });
    expect([plain.headers.get('x-et-total'), plain.headers.get('x-et-total-pages')]).toEqual(['6', '1']);
    const query = {
      per_page: 4,
      page: 2,
      is_available: 'FALSE',
      provider: 'rsvp, tc',
      search: 'é & b',
      password: 'sesame',
      api_key: 'k',
      i18n_language: 'fr',
      other: 1,
    };
    const { body } = await server().ask('GET tickets:/tickets', { query: { ...query, page: 1 } });
    expect([...new URL(body.rest_url).searchParams].sort()).toEqual(
      Object.entries({
        per_page: '4',
        page: '1',
        is_available: '0',
        provider: 'rsvp,tc',
        search: 'é & b',
        i18n_language: 'fr',
      }).sort(),
    );
    const past = await server().ask('GET tickets:/tickets', { query: { page: 2, per_page: 6 } });
    expect(past).toMatchObject({ status: 400, body: { code: 'invalid-page-number' } });
    const none = await server().ask('GET tickets:/tickets', { query: { include: 999_999 } });
    expect(none.body).toMatchObject({ total: 0, total_pages: 0, tickets: [] });
  });

  it('shows attendees and their counts to viewers who may see them', async () => {
    const shown = async (as: Asking['as']) => (await ask({ include: '@Blue seat' }, as)).body.tickets[0];
    for (const as of ['administrator', 'editor', 'door'] as const) {
      expect(await shown(as)).toMatchObject({
        attendees: [{ title: 'Ada', email: 'ada@list.example' }, { title: 'Bea' }],
        checkin: { checked_in: 1, unchecked_in: 1, checked_in_percentage: 50, unchecked_in_percentage: 50 },
        capacity_details: { available: 3, available_percentage: 60, max: 5, sold: 2, pending: 0 },
      });
    }
    for (const as of [undefined, 'subscriber', 'author'] as const) {
      const ticket = await shown(as);
      expect(ticket.attendees).toEqual([]);
      expect(ticket.capacity_details).toEqual({ available: 3, available_percentage: 60 });
      expect(JSON.stringify(ticket)).not.toMatch(/ada|bea|list\.example|checkin|sku/i);
    }
  });
});

describe.each(BOTH_DATABASES)('the list of tickets after changes on %s', (kind) => {
  const { server, events, tickets, add, ask, names } = useTickets(kind);

  it('shows seats in carts as pending until they expire', async () => {
    const { db } = server().context;
    const ticket_id = tickets.Floor ?? 0;
    await db.transaction((trx) => takeSeats(trx, [{ ticket_id, quantity: 4 }], 'held'));
    const { id } = await db.query
      .insertInto('carts')
      .values({ token_hash: 'a visitor', meta: '{}', expires_utc: '2026-12-01 00:00:00' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const item = { cart_id: id, ticket_id, event_id: events.second ?? 0, optout: 0 as const, position: 0 };
    await db.query
      .insertInto('cart_items')
      .values({ ...item, quantity: 4, expires_utc: '2026-11-21 18:00:00' })
      .execute();
    const floor = async () => (await ask({ include: '@Floor' }, 'administrator')).body.tickets[0].capacity_details;
    expect(await floor()).toMatchObject({ available: 23, pending: 4, sold: 0, max: 30 });
    server().clock.now = new Date('2026-11-21T18:00:00Z');
    expect(await floor()).toMatchObject({ available: 27, pending: 0 });
  });

  it('omits deleted tickets and those of deleted events', async () => {
    events.last = await makeEvent(server());
    await add('last', 'Last seat', {});
    await add('last', 'Very last seat', {});
    await deleteTicket(server(), tickets['Last seat'] ?? 0, events.last);
    expect(await names({ include_post: '@last' }, 'administrator')).toEqual(['Very last seat']);
    await server().ask(`DELETE /events/${events.last}`, { as: 'administrator' });
    expect(await names({ include_post: '@last' }, 'administrator')).toEqual([]);
    expect((await server().ask(`GET tickets:/tickets/${tickets['Very last seat']}`)).status).toBe(401);
  });
});

describe.each(BOTH_DATABASES)('tickets behind the password of their event on %s', (kind) => {
  const { server, events, tickets, add, ask, names } = useTickets(kind);
  beforeAll(async () => {
    events.locked = await makeEvent(server(), { title: 'Locked', post_password: 'sesame' });
    await add('locked', 'Secret seat', { description: 'hush', ticket: { capacity: 7 } });
    await add('locked', '1984', { provider: 'rsvp' });
  });

  it('a ticket keeps its members and loses their values', async () => {
    const { status, body } = await server().ask(`GET tickets:/tickets/${tickets['Secret seat']}`);
    const full = await server().ask(`GET tickets:/tickets/${tickets['Secret seat']}`, {
      query: { password: 'sesame' },
    });
    expect(status).toBe(200);
    const { revision: _revision, ...members } = full.body;
    expect(Object.keys(body)).toEqual(Object.keys(members));
    expect(full.body).toMatchObject({ title: 'Secret seat', capacity: 7 });
    expect(body).toMatchObject({
      id: 0,
      title: 'No Access',
      image: null,
      capacity: 0,
      is_available: null,
      attendees: [],
      available_from_details: { year: 0, month: 0 },
      rest_url: 'No Access',
    });
    expect(JSON.stringify(body)).not.toMatch(/hush|secret|sesame|[1-9]/i);
  });

  it('is counted in lists, but cannot be searched', async () => {
    const list = await ask({ include_post: '@locked' });
    expect(list.body.tickets.map(({ title }: { title: unknown }) => title)).toEqual(['No Access', 'No Access']);
    const capacities = ({ body }: Answer) => body.tickets.map(({ capacity }: { capacity: unknown }) => capacity);
    expect(capacities(list)).toEqual([0, 0]);
    expect(capacities(await ask({ include_post: '@locked', password: 'sesame' })).sort()).toEqual(['', 7]);
    expect(list.body.total).toBe(2);
    expect(await names({ search: 'hush' })).toEqual([]);
    expect(await names({ search: 'hush', password: 'sesame' })).toEqual(['Secret seat']);
    expect(await names({ search: 'hush' }, 'administrator')).toEqual(['Secret seat']);
  });

  it('is shown to viewers who may read attendees', async () => {
    for (const as of ['administrator', 'editor', 'door'] as const)
      expect(await names({ include_post: '@locked' }, as)).toEqual(['1984', 'Secret seat']);
  });
});

describe.each(BOTH_DATABASES)('tickets behind a password on %s', (kind) => {
  const server = useTestServer(kind);

  it.each(['tc', 'rsvp'])('a ticket of %s looks like any other', async (provider) => {
    const event = await makeEvent(server(), { post_password: 'sesame' });
    const sale = { sale_price: { checked: true, price: '2' } };
    const made = [
      { name: '1984', description: '12', ticket: { mode: 'own', capacity: 7 }, price: '0' },
      { name: 'Seat', ticket: { mode: '' }, start_date: '2027-01-01', start_time: '08:00:00', ...sale },
      { name: 'Full', ticket: { mode: 'own', capacity: 0 }, end_date: '2027-02-01' },
    ];
    for (const fields of made) await makeTicket(server(), event, { ...fields, provider });
    const { body } = await server().ask('GET tickets:/tickets', { query: { include_post: event } });
    expect(body.tickets).toHaveLength(3);
    expect(new Set(body.tickets.map((ticket: unknown) => JSON.stringify(ticket))).size).toBe(1);
  });
});
