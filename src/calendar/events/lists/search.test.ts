import { beforeAll, describe, expect, it } from 'vitest';
import { BOTH_DATABASES, useTestServer } from '../../../../test/server.ts';
import { publishScheduled } from '../../../jobs/publish-scheduled.ts';

const TIMES = { start_date: '2027-03-01 09:00:00', end_date: '2027-03-01 11:00:00' };

const TEXTS: Record<string, object> = {
  lantern: { title: 'Lantern Night', description: '<p>Bring a <b>lan</b>tern, or two.</p>', excerpt: 'On the water' },
  fete: { title: 'Fête d’été à Łódź', description: 'Straße und Ærø' },
  choir: { title: 'Choir', description: 'We sing Lantern songs', excerpt: 'Bring nothing' },
  percent: { title: '100% wool', description: 'a_b under_score' },
  percentless: { title: '1000 wools', description: 'axb underXscore' },
  quotes: { title: `Say "it's" \\o/ ok`, description: 'semi;colon (round) [square] {curly} *star* a AND b' },
  japanese: { title: '東京の祭り', description: '提灯を持って' },
  endless: { title: 'Endless', description: `${'w'.repeat(500)}abc` },
  unending: { title: 'Unending', description: `${'w'.repeat(500)}def` },
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
  ['wabc', 'endless'],
  [`${'w'.repeat(400)}`, 'endless unending'],
  ['unend wdef', 'unending'],
  ['unend wabc', ''],
  ['amp', ''],
  ['strong', ''],
  ['evening', 'ampersand'],
  ['😀', ''],
];

describe.each(BOTH_DATABASES)('search of events on %s', (kind) => {
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

  it('does not search linked records', async () => {
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

  it('reflects changes and removals', async () => {
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

/** Events on both sides of the new year in several zones, and far from it; each with a unique word. */
const AROUND_NEW_YEAR: Record<string, { start_date: string; timezone: string }> = {
  early: { start_date: '1999-06-01 10:00:00', timezone: 'UTC' },
  honolulu: { start_date: '2027-12-31 23:00:00', timezone: 'Pacific/Honolulu' },
  auckland: { start_date: '2028-01-01 01:00:00', timezone: 'Pacific/Auckland' },
  london: { start_date: '2027-12-31 23:30:00', timezone: 'Europe/London' },
  paris: { start_date: '2028-01-01 00:30:00', timezone: 'Europe/Paris' },
  midsummer: { start_date: '2028-06-24 18:00:00', timezone: 'Europe/Paris' },
  faraway: { start_date: '2060-01-01 00:00:00', timezone: 'UTC' },
};

const WINDOWS: Record<string, string>[] = [
  { start_date: '2027-12-31', end_date: '2027-12-31' },
  { start_date: '2028-01-01', end_date: '2028-12-31' },
  { start_date: '2027-01-01', end_date: '2028-01-01' },
  { start_date: '2028-01-01' },
  { end_date: '2027-12-31' },
  { starts_before: '2027-12-31' },
  { ends_after: '2027-12-31' },
  { starts_after: '2027-12-31', ends_before: '2060-12-31' },
  { start_date: '1990-01-01', end_date: '2090-01-01' },
  { start_date: '2028-01-01', end_date: '2027-01-01' },
  { start_date: '2028-01-01 00:00:00', end_date: '2028-01-01 12:00:00', strict_dates: 'true' },
];

describe.each(BOTH_DATABASES)('search within dates on %s', (kind) => {
  const server = useTestServer(kind);
  const names = new Map<number, string>();
  beforeAll(async () => {
    for (const [name, times] of Object.entries(AROUND_NEW_YEAR)) {
      const dates = { ...times, end_date: times.start_date };
      const { id } = await server().make('POST /events', { title: `Gala ${name}`, ...dates, status: 'publish' });
      names.set(id, name);
      if (name.length % 2 === 0)
        await server().make(`PATCH /events/${id}`, { title: `Soirée ${name}`, i18n_language: 'fr' });
    }
  });
  const list = async (query: Record<string, string>) => {
    const { body } = await server().ask('GET /events', { query: { ...query, per_page: 50 } });
    expect(body.total).toBe(body.events.length);
    return body.events.map(({ id }: { id: number }) => names.get(id));
  };

  it.each(WINDOWS)('finds by each word the events in the list of %j', async (window) => {
    const listed = await list(window);
    for (const i18n_language of ['en', 'fr']) {
      const searches = Object.keys(AROUND_NEW_YEAR).map((name) => list({ ...window, search: name, i18n_language }));
      expect((await Promise.all(searches)).flat().sort()).toEqual(listed.toSorted());
    }
  });

  it('distinguishes lists by date', async () => {
    const lists = await Promise.all(WINDOWS.map(list));
    expect(new Set(lists.map((listed) => listed.join(' '))).size).toBe(8);
  });

  it('follows an event in both languages when it is moved, hidden, removed or published', async () => {
    const { make } = server();
    const times = { start_date: '2028-03-01', end_date: '2028-03-01' };
    const { id } = await make('POST /events', { title: 'Tour nomade', ...times, status: 'publish' });
    await make(`PATCH /events/${id}`, { title: 'Visite nomade', i18n_language: 'fr' });
    names.set(id, 'own');
    const seen = (window: Record<string, string>) =>
      Promise.all(['en', 'fr'].map((i18n_language) => list({ ...window, search: 'nomade', i18n_language })));
    const before = { start_date: '2028-01-01', end_date: '2028-12-31' };
    const after = { start_date: '2029-01-01', end_date: '2029-12-31' };
    expect([await seen(before), await seen(after)]).toEqual([
      [['own'], ['own']],
      [[], []],
    ]);
    await make(`PATCH /events/${id}`, { start_date: '2029-03-01', end_date: '2029-03-01' });
    expect([await seen(before), await seen(after)]).toEqual([
      [[], []],
      [['own'], ['own']],
    ]);
    await make(`PATCH /events/${id}`, { hide_from_listings: true });
    expect(await seen(after)).toEqual([[], []]);
    await make(`PATCH /events/${id}`, { hide_from_listings: false });
    expect(await seen(after)).toEqual([['own'], ['own']]);
    await make(`PATCH /events/${id}`, { status: 'draft' });
    expect(await seen(after)).toEqual([[], []]);
    await make(`PATCH /events/${id}`, { status: 'publish', date: '2026-11-23 10:00' });
    expect(await seen(after)).toEqual([[], []]);
    const { clock, context } = server();
    clock.now = new Date('2026-11-24T00:00:00Z');
    await publishScheduled(context);
    expect(await seen(after)).toEqual([['own'], ['own']]);
    await make(`DELETE /events/${id}`, { force: true });
  });
});
