import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Asking, BOTH_DATABASES, type TestServer, useTestServer } from '../../../../test/server.ts';
import { EVENT_STATUSES } from '../event-status.ts';

type Body = Answer['body'];
type Query = NonNullable<Asking['query']>;

const idsOf = (body: Body): number[] => body.events.map(({ id }: { id: number }) => id);

/** Created once per database: linked records, terms, and sixty events of every kind. */
interface World {
  venues: number[];
  organizers: number[];
  /** A root, its child, its grandchild, and an unrelated one. */
  categories: number[];
  tags: number[];
  parent: number;
  events: Body[];
}

/** A reproducible pseudo-random sequence. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >>> 8) % sides;
  };
}

const WORDS = ['lantern', 'harbour', 'été', 'walk', 'CONCERT', '100%', 'snake_case'];
const ZONES = ['America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'UTC'];
const AUTHORS = ['administrator', 'editor', 'author', 'contributor'] as const;

async function makeWorld(server: TestServer): Promise<World> {
  const { make } = server;
  const made = async (call: string, bodies: object[]) => {
    const ids: number[] = [];
    for (const body of bodies) ids.push((await make(call, body)).id);
    return ids;
  };
  const venues = await made('POST /venues', [
    { venue: 'Here', geo_lat: 40.7, geo_lng: -74 },
    { venue: 'There', geo_lat: 48.85, geo_lng: 2.35 },
    { venue: 'Nowhere' },
  ]);
  const organizers = await made('POST /organizers', [{ organizer: 'A' }, { organizer: 'B' }, { organizer: 'C' }]);
  const tags = await made('POST /tags', [{ name: 't1' }, { name: 't2' }, { name: 't3' }]);
  const root = (await make('POST /categories', { name: 'root' })).id;
  const child = (await make('POST /categories', { name: 'child', parent: root })).id;
  const grandchild = (await make('POST /categories', { name: 'grandchild', parent: child })).id;
  const apart = (await make('POST /categories', { name: 'apart' })).id;
  const categories = [root, child, grandchild, apart];
  const parent = await make('POST /events', {
    title: 'Festival',
    start_date: '2027-05-01',
    end_date: '2027-05-31',
    timezone: 'UTC',
  });
  const roll = dice(7);
  const some = (ids: number[], most: number) => ids.filter(() => roll(3) < most);
  const events = [parent];
  for (let index = 0; index < 59; index += 1) {
    const day = String(1 + roll(28)).padStart(2, '0');
    const hour = String(roll(24)).padStart(2, '0');
    const start = `2027-0${4 + roll(3)}-${day} ${hour}`;
    const author = AUTHORS[roll(4)] ?? 'editor';
    const event = await make('POST /events', {
      title: `${WORDS[roll(WORDS.length)]} ${roll(10)}`,
      description: WORDS[roll(WORDS.length)],
      excerpt: roll(2) ? WORDS[roll(WORDS.length)] : undefined,
      start_date: `${start}:00:00`,
      end_date: roll(3) ? `${start}:59:59` : '2027-07-05 12:00:00',
      ...(roll(5) === 0 && { all_day: true }),
      ...{ timezone: ZONES[roll(ZONES.length)], author: server.userId(author) },
      ...{ featured: roll(3) === 0, hide_from_listings: roll(6) === 0 },
      event_status: EVENT_STATUSES[index % EVENT_STATUSES.length],
      status: ['publish', 'publish', 'publish', 'draft', 'private', 'pending', 'trash'][roll(7)],
      post_parent: roll(5) === 0 ? parent.id : undefined,
      ...{ venue: some(venues, 1).slice(0, 2), organizer: some(organizers, 1) },
      ...{ categories: some(categories, 1), tags: some(tags, 1) },
      ...(roll(8) === 0 && { post_password: 'sesame' }),
    });
    events.push(event);
  }
  return { venues, organizers, categories, tags, parent: parent.id, events };
}

describe('the world of the tests', () => {
  it('has a random source that covers all values', () => {
    const roll = dice(7);
    const sides = new Set(Array.from({ length: 200 }, () => roll(7)));
    expect([...sides].sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });
});

/** A filter of the list: its parameters, and the events that match it. */
interface Choice {
  query: Query;
  lets(event: Facts): boolean;
}

/** An event in the model: the response to its creation, and values that responses do not show. */
interface Facts {
  event: Body;
  author: string;
  parent: number;
  venues: number[];
  organizers: number[];
  categories: number[];
  tags: number[];
  text: string;
  /** Its texts in French. */
  french: string;
}

const overlap = (one: readonly number[], other: readonly number[]) => one.some((id) => other.includes(id));

function choicesOf(world: World): Record<string, Choice[]> {
  const linked = (name: string, of: (facts: Facts) => number[], ids: number[]): Choice[] =>
    [[0], [1], [2], [0, 2]].map((picks) => {
      const wanted = picks.flatMap((pick) => ids[pick] ?? []);
      return { query: { [name]: wanted.join(',') }, lets: (facts) => overlap(of(facts), wanted) };
    });
  const below = [
    world.categories,
    world.categories.slice(1, 3),
    world.categories.slice(2, 3),
    world.categories.slice(3),
  ];
  const [, ...lower] = below;
  const date = (name: string, value: string, lets: (event: Body) => boolean): Choice => ({
    query: { [name]: value },
    lets: ({ event }) => lets(event),
  });
  return {
    start: [
      date('start_date', '2027-05-10 13:00', ({ start_date }) => start_date >= '2027-05-10 00:00:00'),
      date('starts_after', '2027-05-10', ({ start_date }) => start_date > '2027-05-10 23:59:59'),
      date('starts_before', '2027-05-10', ({ start_date }) => start_date < '2027-05-10 23:59:59'),
    ],
    end: [
      date('end_date', '2027-05-20', ({ end_date }) => end_date <= '2027-05-20 23:59:59'),
      date('ends_after', '2027-05-20', ({ end_date }) => end_date > '2027-05-20 23:59:59'),
      date('ends_before', '2027-05-20', ({ end_date }) => end_date < '2027-05-20 23:59:59'),
    ],
    venue: linked('venue', ({ venues }) => venues, world.venues),
    organizer: linked('organizer', ({ organizers }) => organizers, world.organizers),
    tags: linked('tags', ({ tags }) => tags, world.tags),
    categories: [
      ...lower.map(
        (wanted): Choice => ({
          query: { categories: String(wanted[0]) },
          lets: ({ categories }) => overlap(categories, wanted),
        }),
      ),
      { query: { categories: 'root' }, lets: ({ categories }) => overlap(categories, world.categories.slice(0, 3)) },
      {
        query: { categories: 'child,apart' },
        lets: ({ categories }) => overlap(categories, world.categories.slice(1)),
      },
    ],
    featured: [true, false].map((featured) => ({
      query: { featured },
      lets: ({ event }) => event.featured === featured,
    })),
    event_status: [['scheduled'], ['cancelled'], ['postponed', 'moved_online']].map((statuses) => ({
      query: { event_status: statuses.join(',') },
      lets: ({ event }) => statuses.includes(event.event_status),
    })),
    geoloc: [
      { query: { geoloc: true }, lets: ({ venues }) => overlap(venues, world.venues.slice(0, 2)) },
      { query: { geoloc: false }, lets: ({ venues }) => !overlap(venues, world.venues.slice(0, 2)) },
      {
        query: { geoloc_lat: 40.75, geoloc_lng: -74.05 },
        lets: ({ venues }) => overlap(venues, world.venues.slice(0, 1)),
      },
    ],
    author: [...new Set(world.events.map(({ author }) => author))].map((asked) => ({
      query: { author: asked },
      lets: ({ author }) => author === asked,
    })),
    post_parent: [{ query: { post_parent: world.parent }, lets: ({ parent }) => parent === world.parent }],
    search: [
      ...[
        ['lantern', 'lantern'],
        ['ETE', 'été'],
        ['ncer', 'concert'],
        ['100%', '100%'],
        ['e_c', 'snake_case'],
      ].map(([search = '', word = '']): Choice => ({ query: { search }, lets: ({ text }) => text.includes(word) })),
      ...['fanal', 'lantern', 'une'].map(
        (search): Choice => ({
          query: { search, i18n_language: 'fr' },
          lets: ({ french }) => french.includes(search),
        }),
      ),
    ],
    ticketed: [
      { query: { ticketed: false }, lets: () => true },
      { query: { ticketed: true }, lets: () => false },
    ],
  };
}

const CALLERS = ['administrator', 'editor', 'author', 'contributor', 'subscriber', undefined] as const;
type Caller = (typeof CALLERS)[number];
const seesAll = (caller: Caller) => caller === 'administrator' || caller === 'editor';

function isListed({ event, author }: Facts, caller: Caller, server: TestServer): boolean {
  if (event.status === 'trash' || (event.hide_from_listings && !seesAll(caller))) return false;
  const isOwn = caller !== undefined && caller !== 'subscriber' && author === String(server.userId(caller));
  return event.status === 'publish' || seesAll(caller) || isOwn;
}

/** Masked content is visible to users who may edit the event; contributors may edit no published ones. */
function isOpenTo({ event, author }: Facts, caller: Caller, server: TestServer): boolean {
  if (seesAll(caller)) return true;
  const isOwn = caller !== undefined && author === String(server.userId(caller));
  return isOwn && (caller === 'author' || (caller === 'contributor' && ['draft', 'pending'].includes(event.status)));
}

/** Filters that a locked event matches by what it shows. */
const BY_WHAT_IS_SHOWN = ['search', 'start', 'end', 'event_status', 'author'];

describe.each(BOTH_DATABASES)('the event list on %s', (kind) => {
  const server = useTestServer(kind);
  let world: World;
  let facts: Facts[];
  let choices: Record<string, Choice[]>;
  let locked: Set<number>;

  beforeAll(async () => {
    world = await makeWorld(server());
    const { query } = server().context.db;
    const rows = await query.selectFrom('events').select(['id', 'parent_id', 'password']).execute();
    const row = (id: number) => rows.find((found) => found.id === id);
    locked = new Set(rows.filter(({ password }) => password !== '').map(({ id }) => id));
    const french = new Map(
      world.events.map(({ id }, at) => [id, at % 3 === 0 ? `fanal ${at % 2 ? 'une' : 'deux'}` : '']),
    );
    for (const [id, description] of french)
      if (description !== '') await server().make(`PATCH /events/${id}`, { description, i18n_language: 'fr' });
    facts = world.events.map((event) => {
      const ids = (list: Body) => (Array.isArray(list) ? list : [list]).map(({ id }: { id: number }) => id);
      return {
        event,
        author: event.author,
        parent: row(event.id)?.parent_id ?? 0,
        ...{ venues: ids(event.venue), organizers: ids(event.organizer) },
        ...{ categories: ids(event.categories), tags: ids(event.tags) },
        text: `${event.title} ${event.description} ${event.excerpt}`.toLowerCase(),
        french: `${event.title} ${french.get(event.id) || event.description} ${event.excerpt}`.toLowerCase(),
      };
    });
    choices = choicesOf(world);
  });

  const wide = { query: { start_date: '2027-01-01' }, lets: () => true };

  const inOrder = (found: Facts[]) =>
    found
      .sort((a, b) => a.event.utc_start_date.localeCompare(b.event.utc_start_date) || a.event.id - b.event.id)
      .map(({ event }) => event.id);

  function modelled(picked: readonly Choice[], caller: Caller): number[] {
    const shown = new Set([wide, ...BY_WHAT_IS_SHOWN.flatMap((name) => choices[name] ?? [])]);
    const found = facts.filter((fact) => {
      if (!isListed(fact, caller, server())) return false;
      if (!locked.has(fact.event.id) || isOpenTo(fact, caller, server())) return picked.every((one) => one.lets(fact));
      const title = fact.event.title.toLowerCase();
      const masked = { ...fact, text: title, french: title };
      return picked.every((choice) => shown.has(choice) && choice.lets(masked));
    });
    return inOrder(found);
  }

  /** Follows the links in one direction and returns the ids of every page, first to last. */
  async function walk(start: Answer, link: 'next_rest_url' | 'previous_rest_url', as: Caller): Promise<number[][]> {
    const pages = [idsOf(start.body)];
    for (let body = start.body; body[link] !== undefined; ) {
      const { searchParams } = new URL(body[link]);
      const { status, body: next } = await server().ask('GET /events', { as, query: Object.fromEntries(searchParams) });
      expect([status, next.rest_url]).toEqual([200, body[link]]);
      expect([next.total, next.total_pages]).toEqual([body.total, body.total_pages]);
      pages.push(idsOf(next));
      body = next;
    }
    return pages;
  }

  it('has test data that cover all filters', () => {
    const all = modelled([], 'administrator').length;
    expect(all).toBeGreaterThan(40);
    expect(modelled([], undefined).length).toBeLessThan(all - 10);
    expect(modelled([], 'contributor')).not.toEqual(modelled([], 'author'));
    expect(locked.size).toBeGreaterThan(3);
    for (const [name, rows] of Object.entries(choices)) {
      for (const choice of rows) {
        const found = modelled([choice], 'administrator').length;
        expect([name, choice.query, found > 0 || choice.query.ticketed === true]).toEqual([name, choice.query, true]);
        expect([name, choice.query, found < all || choice.query.ticketed === false]).toEqual([
          name,
          choice.query,
          true,
        ]);
      }
    }
  });

  it.each(['editor', 'contributor'] as const)(
    'shows %s by each filter alone the matching events that the account may see',
    async (as) => {
      for (const choice of Object.values(choices).flat()) {
        const { body } = await server().ask('GET /events', { as, query: { ...choice.query, per_page: 100 } });
        expect([choice.query, idsOf(body)]).toEqual([choice.query, modelled([choice], as)]);
        expect(body.total).toBe(idsOf(body).length);
      }
    },
  );

  it('returns every event that matches combined filters once, on pages of any size, in both directions', async () => {
    const names = Object.keys(choices);
    const picks = fc
      .uniqueArray(fc.constantFrom(...names), { maxLength: 3 })
      .chain((chosen) =>
        fc.tuple(
          fc.constant(chosen),
          fc.tuple(...chosen.map((name) => fc.nat((choices[name]?.length ?? 1) - 1))),
          fc.integer({ min: 3, max: 30 }),
          fc.constantFrom(...CALLERS),
          fc.constantFrom('asc', 'desc'),
        ),
      );
    const property = fc.asyncProperty(picks, async ([chosen, indexes, perPage, as, order]) => {
      const picked = [wide, ...chosen.flatMap((name, at) => choices[name]?.[indexes[at] ?? 0] ?? [])];
      const query = Object.assign({}, ...picked.map((choice) => choice.query), { per_page: perPage, order });
      const first = await server().ask('GET /events', { as, query });
      const forth = await walk(first, 'next_rest_url', as);
      const expected = order === 'asc' ? modelled(picked, as) : modelled(picked, as).reverse();
      expect(forth.flat()).toEqual(expected);
      expect([first.body.total, first.body.total_pages]).toEqual([
        expected.length,
        Math.ceil(expected.length / perPage),
      ]);
      expect(forth.slice(0, -1).every((page) => page.length === perPage)).toBe(true);
      const last = await server().ask('GET /events', { as, query: { ...query, page: forth.length } });
      const back = await walk(last, 'previous_rest_url', as);
      expect(back.reverse()).toEqual(forth);
    });
    await fc.assert(property, { numRuns: 15, seed: 1 });
  });

  it('combines values of one filter by OR, and several filters by AND', async () => {
    const find = async (query: Query) =>
      idsOf((await server().ask('GET /events', { as: 'editor', query: { per_page: 100, ...query } })).body);
    const [a = 0, b = 0] = world.organizers;
    const [one, two, both, tagged] = [
      await find({ organizer: a }),
      await find({ organizer: b }),
      await find({ organizer: `${a},${b}` }),
      await find({ organizer: `${a},${b}`, tags: 't1' }),
    ];
    expect(both.filter((id) => one.includes(id) || two.includes(id)).length).toBe(new Set([...one, ...two]).size);
    expect(tagged.length).toBeLessThan(both.length);
    expect(await find({ 'organizer[]': a, 'organizer[1]': b })).toEqual(both);
  });

  it('shows events with the same start by id', async () => {
    const { make, ask } = server();
    const times = { start_date: '2027-11-11 11:00', end_date: '2027-11-11 12:00' };
    const ids: number[] = [];
    for (const title of ['z', 'a', 'm', 'b']) ids.push((await make('POST /events', { title, ...times })).id);
    // PostgreSQL stores a changed row after the others.
    await make(`PATCH /events/${ids[0]}`, { title: 'changed' });
    const pages: number[] = [];
    for (const page of [1, 2, 3, 4])
      pages.push(...idsOf((await ask('GET /events', { query: { start_date: '2027-11-11', per_page: 1, page } })).body));
    expect(pages).toEqual(ids);
    for (const id of ids) await make(`DELETE /events/${id}`, { force: true });
  });

  it.each(['venue', 'organizer'])('%s takes slugs as well as ids, and refuses what is neither', async (name) => {
    const { make, ask } = server();
    const times = { start_date: '2027-08-11 11:00', end_date: '2027-08-11 12:00' };
    const at = async (label: string) => {
      const event = await make('POST /events', { title: label, ...times, [name]: { [name]: label } });
      return { id: event.id, linked: [event[name]].flat()[0] };
    };
    const [one, other] = [await at(`Slugged ${name}`), await at(`Other ${name}`)];
    const found = async (value: string) => {
      const { body } = await ask('GET /events', { query: { [name]: value, start_date: '2027-01-01' } });
      return body.events.map(({ id }: Body) => id);
    };
    expect(await found(one.linked.slug)).toEqual([one.id]);
    expect(await found(`${one.linked.slug},${other.linked.id}`)).toEqual([one.id, other.id]);
    expect((await ask('GET /events', { query: { [name]: `${one.linked.slug},neither` } })).status).toBe(400);
    for (const { id } of [one, other]) await ask(`DELETE /events/${id}`, { as: 'editor', query: { force: true } });
  });

  describe('include', () => {
    it('finds events of any date, but none that is hidden from the viewer', async () => {
      const { make, ask } = server();
      const past = await make('POST /events', { title: 'Past', start_date: '2001-01-01', end_date: '2001-01-01' });
      const draft = facts.find(({ event }) => event.status === 'draft')?.event.id;
      const query = { include: `${draft},${past.id},999999`, start_date: '2027-01-01', end_date: '2027-12-31' };
      expect(idsOf((await ask('GET /events', { query })).body)).toEqual([past.id]);
      const seen = await ask('GET /events', { as: 'editor', query });
      expect(idsOf(seen.body)).toEqual([past.id, draft]);
      const shown = new URL(seen.body.rest_url).searchParams;
      expect([shown.get('include'), shown.has('start_date')]).toEqual([`${draft},${past.id},999999`, false]);
      await make(`DELETE /events/${past.id}`, { force: true });
    });
  });

  describe('status', () => {
    const total = async (as: Caller, status: string) => {
      const answer = await server().ask('GET /events', { as, query: { status, start_date: '2027-01-01' } });
      return answer.status === 200 ? answer.body.total : answer.status;
    };
    const counted = (as: Caller, statuses: string[]) => {
      const wanted = facts.filter((fact) => statuses.includes(fact.event.status) && isListed(fact, as, server()));
      return wanted.length;
    };

    it.each(CALLERS)('%s lists the events that the account may see', async (as) => {
      const mayName = as !== undefined && as !== 'subscriber';
      expect(await total(as, 'publish')).toBe(counted(as, ['publish']));
      for (const statuses of [['draft'], ['publish', 'draft'], ['private', 'pending'], ['publish', 'publish']])
        expect(await total(as, statuses.join(', '))).toBe(mayName ? counted(as, statuses) : 400);
      expect(await total(as, 'any')).toBe(mayName ? modelled([wide], as).length : 400);
      for (const status of ['foo', 'draft,foo', 'publish,any', '']) expect(await total(as, status)).toBe(400);
    });

    it('is repeated in links: any, publish, or the requested one', async () => {
      const label = async (as: Caller, status?: string) => {
        const { body } = await server().ask('GET /events', { as, query: status ? { status } : {} });
        return new URL(body.rest_url).searchParams.get('status');
      };
      expect(await label('contributor')).toBe('any');
      expect(await label('editor', 'any')).toBe('any');
      expect(await label('subscriber')).toBe('publish');
      expect(await label(undefined, 'publish')).toBe('publish');
      expect(await label('editor', 'draft, publish,draft')).toBe('draft,publish');
    });
  });

  const REFUSED: [name: string, value: string][] = [
    ...['page', 'per_page'].flatMap((name) =>
      ['foo', '-1', '0', 'foo bar', '1.5', ''].map((value): [string, string] => [name, value]),
    ),
    ...['search', 'categories', 'tags', 'venue', 'organizer', 'include', 'featured', 'post_parent', 'geoloc'].map(
      (name): [string, string] => [name, ''],
    ),
    ...['ticketed', 'strict_dates', 'password'].map((name): [string, string] => [name, '']),
    ['categories', 'unknown'],
    ['categories', 'root,999999'],
    ['tags', 'unknown'],
    ['venue', '999999'],
    ['venue', 'foo'],
    ['organizer', '999999'],
    ['organizer', '1.5'],
    ['include', 'foo-bar,23'],
    ['include', '0'],
    ['post_parent', '999999'],
    ['post_parent', '0'],
    ['post_parent', 'foo'],
    ['author', '0'],
    ['author', 'foo'],
    ['featured', 'perhaps'],
    ['i18n_language', 'de'],
    ['order', 'none'],
    ['order', ''],
  ];

  it.each(REFUSED)('refuses %s=%j', async (name, value) => {
    const answer = await server().ask('GET /events', { as: 'editor', query: { [name]: value } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(Object.keys(answer.body.data.params)).toEqual([name]);
  });

  it('names all invalid parameters together', async () => {
    const query = { page: 0, venue: 999_999, status: 'draft', geoloc_lat: 10, start_date: 'foo', tags: 'unknown' };
    const { body } = await server().ask('GET /events', { query });
    expect(Object.keys(body.data.params).sort()).toEqual(
      ['page', 'venue', 'status', 'geoloc_lng', 'start_date', 'tags'].sort(),
    );
  });

  it('refuses a parent that the viewer may not see, as one that does not exist', async () => {
    const { make, ask } = server();
    const times = { start_date: '2027-11-11 11:00', end_date: '2027-11-11 12:00' };
    const draft = await make('POST /events', { title: 'Secret parent', ...times, status: 'draft' });
    const bodies = [draft.id, 999_999].map(async (post_parent) => {
      const { text, headers } = await ask('GET /events', { query: { post_parent } });
      return text.replace(headers.get('x-request-id') ?? '', '');
    });
    const [hidden, absent] = await Promise.all(bodies);
    expect(hidden).toBe(absent);
    expect((await ask('GET /events', { as: 'editor', query: { post_parent: draft.id } })).status).toBe(200);
    await make(`DELETE /events/${draft.id}`, { force: true });
  });

  it('has both orders for all viewers, each cached by itself, except for clients of the reference', async () => {
    const { ask } = server();
    const query = { start_date: '2027-01-01', per_page: 5 };
    const ascending = await ask('GET /events', { query });
    expect(new URL(ascending.body.rest_url).searchParams.has('order')).toBe(false);
    const descending = await ask('GET /events', { query: { ...query, order: 'DESC' } });
    const last = await ask('GET /events', { query: { ...query, per_page: 100 } });
    expect(idsOf(descending.body)).toEqual(idsOf(last.body).reverse().slice(0, 5));
    expect(new URL(descending.body.rest_url).searchParams.get('order')).toBe('desc');
    expect((await ask('GET /events', { query: { ...query, order: 'asc' } })).body.events).toEqual(
      ascending.body.events,
    );
    const byStart = await ask('GET /events', { query: { ...query, orderby: 'start_date', order: 'desc' } });
    expect(byStart.body).toEqual(descending.body);
    const ignored = ['desc', 'none', ''].flatMap((order): Asking[] => [
      { prefix: '/wp-json/tribe', query: { ...query, order } },
      { query: { ...query, order, orderby: 'title' } },
    ]);
    for (const asking of ignored) {
      const { body } = await ask('GET /events', asking);
      expect(idsOf(body)).toEqual(idsOf(ascending.body));
      expect(new URL(body.rest_url).searchParams.has('order')).toBe(false);
    }
  });

  it('has pages of 6, at most of 100, and none past the last', async () => {
    const { ask } = server();
    const first = await ask('GET /events', { query: { start_date: '2027-01-01' } });
    expect(first.body.events.length).toBe(6);
    const many = await ask('GET /events', { query: { start_date: '2027-01-01', per_page: 1000 } });
    expect(new URL(many.body.rest_url).searchParams.get('per_page')).toBe('100');
    const past = await ask('GET /events', { query: { start_date: '2027-01-01', per_page: 100, page: 2 } });
    expect(past).toMatchObject({ status: 404, body: { code: 'event-archive-page-not-found' } });
    const none = await ask('GET /events', { query: { search: 'no such thing' } });
    expect(none.body).toMatchObject({ events: [], total: 0, total_pages: 0 });
    expect([none.body.next_rest_url, none.body.previous_rest_url]).toEqual([undefined, undefined]);
    expect([none.headers.get('x-tec-total'), first.headers.get('x-tec-totalpages')]).toEqual([
      '0',
      String(first.body.total_pages),
    ]);
    expect((await ask('GET /events', { query: { search: 'no such thing', page: 2 } })).status).toBe(404);
  });
});
