import { beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../test/server.ts';

const TIMES = { start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };

const TEXTS: Record<string, object> = {
  lantern: { title: 'Lantern Night', description: '<p>Bring a <b>lan</b>tern, or two.</p>', excerpt: 'On the water' },
  fete: { title: 'Fête d’été à Łódź', description: 'Straße und Ærø' },
  choir: { title: 'Choir', description: 'We sing Lantern songs', excerpt: 'Bring nothing' },
  percent: { title: '100% wool', description: 'a_b under_score' },
  percentless: { title: '1000 wools', description: 'axb underXscore' },
  quotes: { title: `Say "it's" \\o/ ok`, description: 'semi;colon (round) [square] {curly} *star* a AND b' },
  japanese: { title: '東京の祭り', description: '提灯を持って' },
  ampersand: { title: 'Fish & chips', description: 'R&amp;B <em>evening</em> x &lt; y' },
};

const FOUND: [search: string, found: string][] = [
  ['lantern', 'lantern choir'],
  ['LANTERN', 'lantern choir'],
  ['lantern night', 'lantern'],
  ['night lantern', 'lantern'],
  ['bring', 'lantern choir'],
  ['bring water', 'lantern'],
  ['lantern nosuchword', ''],
  ['"lantern songs"', 'choir'],
  ['"songs lantern"', ''],
  ['"lantern', 'lantern choir'],
  ['anter', 'lantern choir'],
  ['rn ni', 'lantern'],
  ['ch', 'choir ampersand'],
  ['x', 'percentless ampersand'],
  ['fete', 'fete'],
  ['FÊTE', 'fete'],
  ['ete a lodz', 'fete'],
  ["d'ete", 'fete'],
  ['strasse aero', 'fete'],
  ['100%', 'percent'],
  ['%', 'percent'],
  ['_', 'percent'],
  ['a_b', 'percent'],
  ['under_score', 'percent'],
  ['r_s', 'percent'],
  ["it's", 'quotes'],
  ["'", 'quotes fete'],
  ['\\', 'quotes'],
  ['\\o/', 'quotes'],
  ['(round)', 'quotes'],
  ['*star*', 'quotes'],
  ['NEAR(a b)', ''],
  ['a AND b', 'quotes'],
  ['semi;colon', 'quotes'],
  ["' OR 1=1 --", ''],
  ['-lantern', ''],
  ['東京', 'japanese'],
  ['の', 'japanese'],
  ['提灯を', 'japanese'],
  ['fish & chips', 'ampersand'],
  ['r&b', 'ampersand'],
  ['x < y', 'ampersand'],
  ['amp', ''],
  ['strong', ''],
  ['evening', 'ampersand'],
  ['😀', ''],
];

describe.each(DATABASES)('search of events on %s', (kind) => {
  const server = useTestServer(kind);
  const names = new Map<number, string>();
  beforeAll(async () => {
    for (const [name, texts] of Object.entries(TEXTS))
      names.set((await server().make('POST /events', { ...TIMES, ...texts })).id, name);
  });
  const find = async (search: string) => {
    const { body, status } = await server().ask('GET /events', { query: { search, per_page: 50 } });
    expect(status).toBe(200);
    expect(body.total).toBe(body.events.length);
    expect(new URL(body.rest_url).searchParams.get('search')).toBe(search);
    return body.events.map(({ id }: { id: number }) => names.get(id)).sort();
  };

  it.each(FOUND)('%s finds %s', async (search, found) => {
    expect(await find(search)).toEqual(found.split(' ').filter(Boolean).sort());
  });

  it('does not look at what an event is linked to', async () => {
    const { make } = server();
    const links = {
      venue: { venue: 'Zanzibar' },
      organizer: { organizer: 'Zanzibar' },
      tags: ['zanzibar'],
      cost: 'zanzibar',
    };
    const { id } = await make('POST /events', { title: 'Trip', ...TIMES, ...links });
    expect(await find('zanzibar')).toEqual([]);
    await make(`DELETE /events/${id}`, { force: true });
  });

  it('follows changes, and forgets what is removed', async () => {
    const { make } = server();
    const { id } = await make('POST /events', { title: 'Unusual', ...TIMES });
    names.set(id, 'own');
    expect(await find('unusual')).toEqual(['own']);
    await make(`PATCH /events/${id}`, { title: 'Extraordinary', excerpt: 'and more' });
    expect([await find('unusual'), await find('extraord more')]).toEqual([[], ['own']]);
    await make(`PATCH /events/${id}`, { excerpt: '' });
    expect(await find('extraord more')).toEqual([]);
    await make(`DELETE /events/${id}`, { force: true });
    expect(await find('extraord')).toEqual([]);
  });

  it.each(['', ' ', 'x'.repeat(501)])('refuses %j', async (search) => {
    const { status, body } = await server().ask('GET /events', { query: { search } });
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['search']]);
  });
});
