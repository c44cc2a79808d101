import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type Asking, DATABASES, useTestServer } from '../../../test/server.ts';

type Query = NonNullable<Asking['query']>;

describe.each(DATABASES)('links of the event list on %s', (kind) => {
  const server = useTestServer(kind);
  let ids: { venue: number; organizer: number; category: number; parent: number; events: number[] };

  beforeAll(async () => {
    const { make } = server();
    const venue = (await make('POST /venues', { venue: 'Here', geo_lat: 40.7, geo_lng: -74 })).id;
    const organizer = (await make('POST /organizers', { organizer: 'A' })).id;
    const category = (await make('POST /categories', { name: 'Été & co' })).id;
    await make('POST /categories', { name: 'below', parent: category });
    const times = { start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };
    const parent = (await make('POST /events', { title: 'Parent', ...times })).id;
    const events: number[] = [];
    for (const [index, title] of ['one', 'two', 'three', 'four', 'five', 'other', 'past'].entries()) {
      const linked = {
        venue,
        organizer,
        categories: index % 2 ? 'Été & co' : 'below',
        tags: ['tag, one'],
        post_parent: parent,
      };
      const made = await make('POST /events', {
        title: `Fête "${title}"`,
        ...(title === 'past' ? { start_date: '2020-01-01', end_date: '2020-01-01' } : times),
        ...(title !== 'other' && { ...linked, featured: true }),
        post_password: 'sesame',
      });
      events.push(made.id);
    }
    ids = { venue, organizer, category, parent, events };
  });

  const paramsOf = (link: string) => Object.fromEntries(new URL(link).searchParams);
  const idsOf = (answer: Answer): number[] => answer.body.events.map(({ id }: { id: number }) => id);

  const everything = (): Query => ({
    start_date: '2027-02-28 10:00',
    end_date: '2027-03-02 10:00',
    starts_after: '2027-01-01',
    starts_before: '2027-12-31',
    ends_after: '2027-01-02',
    ends_before: '2027-12-30',
    strict_dates: 'yes',
    search: 'fete "',
    categories: `${ids.category}`,
    tags: 'tag-one',
    venue: ids.venue,
    organizer: ids.organizer,
    featured: true,
    status: 'publish',
    geoloc: true,
    geoloc_lat: 40.7,
    geoloc_lng: -74.01,
    post_parent: ids.parent,
    ticketed: false,
    i18n_language: 'fr',
    password: 'sesame',
    per_page: 2,
    unknown: 'x',
  });

  it('keep every parameter in force, flags as 1 and 0, and never the password', async () => {
    const answer = await server().ask('GET /events', { query: everything() });
    expect([answer.status, answer.body.total]).toEqual([200, 5]);
    const params = {
      page: '1',
      per_page: '2',
      start_date: '2027-02-28 10:00:00',
      end_date: '2027-03-02 10:00:00',
      search: 'fete "',
      geoloc: '1',
      geoloc_lat: '40.7',
      geoloc_lng: '-74.01',
      status: 'publish',
      post_parent: String(ids.parent),
      starts_before: '2027-12-31 00:00:00',
      starts_after: '2027-01-01 00:00:00',
      ends_before: '2027-12-30 00:00:00',
      ends_after: '2027-01-02 00:00:00',
      ticketed: '0',
      venue: String(ids.venue),
      organizer: String(ids.organizer),
      featured: '1',
      categories: String(ids.category),
      tags: 'tag-one',
      strict_dates: '1',
      i18n_language: 'fr',
    };
    expect(paramsOf(answer.body.rest_url)).toEqual(params);
    expect(paramsOf(answer.body.next_rest_url)).toEqual({ ...params, page: '2' });
    expect(answer.body.previous_rest_url).toBeUndefined();
    expect(answer.body.rest_url).toMatch(/^http:\/\/localhost\/calendar\/events\/v1\/events\/\?page=1&per_page=2&/);
    expect(answer.text).not.toContain('sesame');
  });

  /** Each filter parameter alone. */
  const ALONE: [name: string, query: () => Query][] = [
    ['nothing', () => ({})],
    ['start_date', () => ({ start_date: '2019-01-01' })],
    ['end_date', () => ({ end_date: '2020-01-01' })],
    ['strict dates', () => ({ starts_after: '2027-03-01 13:59:59', strict_dates: true })],
    ['strict without dates', () => ({ strict_dates: true })],
    ['ends_after=now', () => ({ ends_after: 'now' })],
    ['search', () => ({ search: '"t' })],
    ['categories by name', () => ({ categories: 'Été & co' })],
    ['categories by slug', () => ({ categories: 'below' })],
    ['tags', () => ({ tags: 'tag-one' })],
    ['venue', () => ({ venue: ids.venue })],
    ['organizer', () => ({ organizer: `${ids.organizer},${ids.organizer}` })],
    ['featured', () => ({ featured: 'yes' })],
    ['not featured', () => ({ featured: 'off' })],
    ['geoloc', () => ({ geoloc: true })],
    ['not geoloc', () => ({ geoloc: 0 })],
    ['a point', () => ({ geoloc_lat: '40.70', geoloc_lng: '-7.4e1' })],
    ['include', () => ({ include: ids.events.join(',') })],
    ['post_parent', () => ({ post_parent: ids.parent })],
  ];

  it.each(ALONE)('select the same events when followed: %s', async (_name, query) => {
    const ask = (query: Query) => server().ask('GET /events', { query: { ...query, password: 'sesame' } });
    const first = await ask({ ...query(), per_page: 2 });
    expect(first.body.total).toBeGreaterThan(0);
    const followed = await ask(paramsOf(first.body.rest_url));
    expect(followed.body).toEqual(first.body);
    if (!first.body.next_rest_url) return;
    const next = await ask(paramsOf(first.body.next_rest_url));
    const asked = await ask({ ...query(), per_page: 2, page: 2 });
    expect(next.body).toEqual(asked.body);
    const back = await ask(paramsOf(next.body.previous_rest_url));
    expect(idsOf(back)).toEqual(idsOf(first));
  });

  it('keep the window that held when the first page was read', async () => {
    const { ask, clock } = server();
    const first = await ask('GET /events', { query: { per_page: 2 } });
    clock.now = new Date('2027-03-02T12:00:00Z');
    const next = await ask('GET /events', { query: paramsOf(first.body.next_rest_url) });
    const anew = await ask('GET /events', { query: { per_page: 2 } });
    clock.now = new Date('2026-11-21T17:00:00Z');
    expect([next.body.total, anew.body.total]).toEqual([first.body.total, 0]);
  });

  it.each([
    ['/calendar', 'http://localhost/calendar/events/v1', 'calendar_events_cat'],
    ['/wp-json/calendar', 'http://localhost/wp-json/calendar/events/v1', 'calendar_events_cat'],
    ['/wp-json/tribe', 'http://localhost/wp-json/tribe/events/v1', 'tribe_events_cat'],
  ])('keep the prefix %s', async (prefix, root, taxonomy) => {
    const { ask } = server();
    const list = await ask('GET /events', {
      prefix,
      query: { per_page: 1, page: 2, password: 'sesame', tags: 'tag-one' },
    });
    expect(list.status).toBe(200);
    for (const link of ['rest_url', 'next_rest_url', 'previous_rest_url'])
      expect(list.body[link]).toMatch(new RegExp(`^${root}/events/\\?page=`));
    const [event] = list.body.events;
    expect(event.rest_url).toBe(`${root}/events/${event.id}`);
    const [category] = event.categories;
    expect(category.urls).toMatchObject({
      self: `${root}/categories/${category.id}`,
      collection: `${root}/categories`,
    });
    expect([category.taxonomy, event.tags[0].taxonomy]).toEqual([taxonomy, 'post_tag']);
    const draft = await ask('POST /events', {
      prefix,
      as: 'author',
      body: { title: 'Draft', start_date: '2027-01-01', end_date: '2027-01-02', status: 'draft' },
    });
    expect(draft.body).toMatchObject({
      rest_url: `${root}/events/${draft.body.id}`,
      url: `http://localhost/?post_type=${taxonomy.replace('_cat', '')}&p=${draft.body.id}`,
    });
  });
});
