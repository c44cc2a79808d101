import { beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from './server.ts';
import { EVENING } from './tickets.ts';

/** Menus, filters and labels of events, as calendar programs ask for them. */
const PREFIX = '/wp-json/tribe';

describe.each(DATABASES)('categories as clients ask for them, on %s', (kind) => {
  const server = useTestServer(kind);
  const ids: Record<string, number> = {};

  beforeAll(async () => {
    const { make } = server();
    const category = async (name: string, parent = 0) => {
      ids[name] = (await make('POST /categories', { name, parent })).id;
    };
    await category('Arts');
    await category('Music', ids.Arts);
    await category('Jazz', ids.Music);
    await category('Bebop', ids.Jazz);
    await category('Rock', ids.Music);
    await category('Empty');
    await category('Emptier', ids.Empty);
    for (const [name, slug] of [
      ['Town Hall', 'hall'],
      ['Old Mill', 'mill'],
      ['1922', ''],
    ] as const)
      ids[slug || name] = (await make('POST /venues', { venue: name })).id;
    ids.club = (await make('POST /organizers', { organizer: 'Jazz Club' })).id;
    const event = async (title: string, fields: object) => {
      ids[title] = (await make('POST /events', { ...EVENING, title, ...fields })).id;
    };
    await event('Set', { categories: [ids.Jazz], tags: ['live'], venue: ids.hall, organizer: ids.club });
    await event('Jam', { categories: [ids.Jazz], venue: ids.mill });
    await event('Reading', { venue: ids['1922'] });
    await event('Rehearsal', { categories: [ids.Rock], status: 'draft' });
  });

  const ask = (call: string, query: Record<string, string | number | boolean> = {}) =>
    server().ask(call, { query, prefix: PREFIX });
  const names = async (query: Record<string, string | number | boolean>) => {
    const { body } = await ask('GET /categories', query);
    return [body.categories.map(({ name }: { name: string }) => name).join(' '), body.total, body.total_pages];
  };

  it.each<[string, Record<string, string | number | boolean>, string]>([
    ['a menu', {}, 'Arts Jazz Music'],
    ['a menu that says what it wants', { hide_empty: 1, per_page: 50, orderby: 'name' }, 'Arts Jazz Music'],
    ['a menu of all', { hide_empty: 0, per_page: 50 }, 'Arts Bebop Emptier Empty Jazz Music Rock'],
    ['a menu by count', { hide_empty: true, orderby: 'count', order: 'desc' }, 'Jazz Arts Music'],
    ['its top level', { parent: 0 }, 'Arts'],
    ['what opens below an entry', { parent: 'arts' }, 'Music'],
    ['what opens below that', { parent: 'Music' }, 'Jazz'],
    ['what opens below the last', { parent: 'jazz' }, ''],
    ['a search that only an ancestor matches', { search: 'mus' }, 'Music'],
    ['a search that only an empty one matches', { search: 'bebop' }, ''],
    ['an entry by its slug', { slug: 'arts' }, 'Arts'],
    ['some entries', { include: 'arts,rock,Jazz' }, 'Arts Jazz'],
    ['all but some', { exclude: ['arts', 'jazz'].join() }, 'Music'],
  ])('%s: %j', async (_what, query, expected) => {
    expect(await names(query)).toEqual([expected, expected.split(' ').filter(Boolean).length, expected ? 1 : 0]);
  });

  it('count the ancestors in totals and pages', async () => {
    const pages = [1, 2, 3].map((page) => names({ hide_empty: true, per_page: 2, page }));
    expect(await Promise.all(pages)).toEqual([
      ['Arts Jazz', 3, 2],
      ['Music', 3, 2],
      ['', 3, 2],
    ]);
    const { headers } = await ask('GET /categories', { per_page: 1 });
    expect(headers.get('x-tec-total')).toBe('3');
  });

  it.each(['event', 'post'])('the filter for one %s lists its own terms', async (name) => {
    expect(await names({ [name]: ids.Set ?? 0 })).toEqual(['Jazz', 1, 1]);
    expect(await names({ [name]: ids.Set ?? 0, hide_empty: false })).toEqual(['Jazz', 1, 1]);
    expect(await names({ [name]: ids.Reading ?? 0 })).toEqual(['', 0, 0]);
  });

  it('drop an ancestor when its last event is removed', async () => {
    const { id } = await server().make('POST /events', { ...EVENING, title: 'Once', categories: [ids.Emptier] });
    expect((await names({ per_page: 50 }))[0]).toBe('Arts Emptier Empty Jazz Music');
    await server().make(`DELETE /events/${id}`, undefined);
    expect((await names({ per_page: 50 }))[0]).toBe('Arts Jazz Music');
  });

  it.each<[Record<string, string>, string]>([
    [{ venue: 'town-hall' }, 'Set'],
    [{ venue: 'TOWN-HALL' }, 'Set'],
    [{ venue: 'town-hall,old-mill' }, 'Jam Set'],
    [{ venue: '1922' }, 'Reading'],
    [{ organizer: 'jazz-club' }, 'Set'],
    [{ categories: 'music' }, 'Jam Set'],
    [{ tags: 'live' }, 'Set'],
    [{ categories: 'arts', venue: 'old-mill' }, 'Jam'],
    [{ organizer: 'jazz-club', tags: 'live', venue: 'old-mill' }, ''],
  ])('events are found by the slugs %j', async (query, expected) => {
    const { status, body } = await ask('GET /events', query);
    const titles = body.events.map(({ title }: { title: string }) => title).sort();
    expect([status, titles.join(' ')]).toEqual([200, expected]);
    for (const [name, value] of Object.entries(query))
      expect(new URL(body.rest_url).searchParams.get(name)).toBe(value);
  });

  it('events are found by ids and slugs together', async () => {
    const { body } = await ask('GET /events', { venue: `${ids.hall},old-mill,${ids.hall}` });
    expect(body.total).toBe(2);
  });

  it.each<Record<string, string>>([
    { venue: 'nowhere' },
    { venue: 'town-hall,nowhere' },
    { venue: 'jazz-club' },
    { venue: '!' },
    { venue: '0' },
    { venue: '' },
    { organizer: 'town-hall' },
  ])('%j names nothing', async (query) => {
    const { status, body } = await ask('GET /events', query);
    expect([status, Object.keys(body.data.params)]).toEqual([400, Object.keys(query)]);
  });

  it('the slug of a draft is found only by users who may see it, and a published record takes precedence', async () => {
    const { make } = server();
    const draftIn = async (venue: string) => {
      const { id, slug } = await make('POST /venues', { venue, status: 'draft' }, 'author');
      const event = await make('POST /events', { ...EVENING, title: venue, venue: id }, 'author');
      return { slug, found: [event.id] };
    };
    const find = async (venue: string, as?: 'author' | 'contributor') => {
      const { status, body } = await server().ask('GET /events', { as, query: { venue } });
      return status === 200 ? body.events.map(({ id }: { id: number }) => id) : status;
    };
    const attic = await draftIn('Attic');
    expect([await find('attic'), await find('attic', 'contributor')]).toEqual([400, 400]);
    expect(await find('attic', 'author')).toEqual(attic.found);
    await make('POST /venues', { venue: 'Loft' });
    expect((await draftIn('Loft')).slug).toBe('loft');
    expect([await find('loft'), await find('loft', 'author')]).toEqual([[], []]);
  });
});
