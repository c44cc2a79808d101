import { beforeAll, describe, expect, it } from 'vitest';
import { DATABASES, useTestServer } from '../../../../test/server.ts';

const at = (day: string, hour = 19) => ({
  start_date: `${day} ${hour}:00:00`,
  end_date: `${day} ${hour + 2}:00:00`,
});

describe.each(DATABASES)('lists with series on %s', (kind) => {
  const server = useTestServer(kind);
  let pottery = 0;
  let venue = 0;
  const titles = async (query: Record<string, string | number>, prefix?: string) => {
    const { status, body } = await server().ask('GET /events', {
      ...{ query: { start_date: '2027-03-01', per_page: 50, ...query }, prefix },
    });
    expect(status).toBe(200);
    const list: { title: string; start_date: string }[] = body.events;
    return {
      total: body.total,
      list: list.map(({ title, start_date }) => `${start_date.slice(0, 10)} ${title}`),
      body,
    };
  };

  beforeAll(async () => {
    const { make } = server();
    const begin = (event: object, rrule: string) => make('POST /series', { event, recurrence: { rrule } });
    const series = await begin({ title: 'Pottery', ...at('2027-03-01'), tags: ['Clay'] }, 'FREQ=WEEKLY;COUNT=4');
    pottery = series.id;
    await begin({ title: 'Choir', ...at('2027-03-02'), venue: { venue: 'Hall' } }, 'FREQ=WEEKLY;COUNT=3');
    await make('POST /events', { title: 'Clay fair', ...at('2027-03-08', 10), tags: ['Clay'] });
    await make('POST /events', { title: 'Clay fair', ...at('2027-03-20', 10) });
    const { body } = await server().ask(`GET /series/${pottery}/occurrences`, {});
    const moved = await make(`PATCH /events/${body.occurrences[1].id}`, { venue: { venue: 'Kiln' } });
    venue = moved.venue.id;
  });

  it('have every occurrence', async () => {
    expect((await titles({})).total).toBe(9);
  });

  it('collapse series to their first event in the list', async () => {
    const all = await titles({ collapse: 'series' });
    expect(all).toMatchObject({
      total: 4,
      list: ['2027-03-01 Pottery', '2027-03-02 Choir', '2027-03-08 Clay fair', '2027-03-20 Clay fair'],
    });
    expect(all.body.rest_url).toContain('collapse=series');
    const later = await titles({ collapse: 'series', start_date: '2027-03-10' });
    expect(later.list).toEqual(['2027-03-15 Pottery', '2027-03-16 Choir', '2027-03-20 Clay fair']);
    const descending = await titles({ collapse: 'series', order: 'desc' });
    expect(descending.list).toEqual(all.list.toReversed());
  });

  it('are paged when they are collapsed', async () => {
    const pages = await Promise.all([1, 2].map((page) => titles({ collapse: 'series', per_page: 3, page })));
    expect(pages.map(({ total, list }) => [total, list.length])).toEqual([
      ...[
        [4, 3],
        [4, 1],
      ],
    ]);
    expect(pages[1]?.list).toEqual(['2027-03-20 Clay fair']);
  });

  it('collapse after all other filters', async () => {
    expect((await titles({ collapse: 'series', venue })).list).toEqual(['2027-03-08 Pottery']);
    expect((await titles({ collapse: 'series', tags: 'clay' })).list).toEqual([
      ...['2027-03-01 Pottery', '2027-03-08 Clay fair'],
    ]);
    expect((await titles({ collapse: 'series', search: 'clay' })).total).toBe(2);
    expect((await titles({ collapse: 'series', search: 'pottery' })).list).toEqual(['2027-03-01 Pottery']);
    const { body } = await server().ask('GET /events', { query: { collapse: 'series', ends_after: '2027-03-04' } });
    expect(body.total).toBe(4);
  });

  it('show one series', async () => {
    expect((await titles({ series: pottery })).total).toBe(4);
    expect((await titles({ series: pottery, collapse: 'series' })).list).toEqual(['2027-03-01 Pottery']);
    const { status, body } = await server().ask('GET /events', { query: { series: 999_999 } });
    expect([status, Object.keys(body.data.params)]).toEqual([400, ['series']]);
    expect((await server().ask('GET /events', { query: { collapse: 'venues' } })).status).toBe(400);
  });

  it('ignore both for clients of the reference', async () => {
    const old = await titles({ collapse: 'series', series: 999_999 }, '/wp-json/tribe');
    expect(old.total).toBe(9);
    expect(old.body.rest_url).not.toContain('series');
  });
});

describe.each(DATABASES)('filtered lists with series on %s', (kind) => {
  const server = useTestServer(kind);

  it('know the series of events by category, tag and venue, also after a series was split or ended', async () => {
    const { make, ask } = server();
    const event = { title: 'Yoga', ...at('2027-06-01'), tags: ['Mat'], categories: ['Sport'] };
    const { id: event_id } = await make('POST /events', event);
    const series = await make('POST /series', { event_id, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=4' } });
    const named = ['tags=mat', 'categories=sport', 'tags=mat&search=yoga'];
    const listed = async (query: string) => {
      const { body } = await ask(`GET /events?collapse=series&start_date=2027-05-01&${query}`, {});
      return [body.total, body.events.map(({ start_date }: { start_date: string }) => start_date.slice(5, 10))];
    };
    for (const query of named) expect(await listed(query)).toEqual([1, ['06-01']]);
    const { body } = await ask(`GET /series/${series.id}/occurrences`, {});
    const ids = body.occurrences.map(({ id }: { id: number }) => id);
    await make(`PATCH /events/${ids[2]}?scope=following`, { title: 'Yoga later' });
    for (const query of named.slice(0, 2)) expect(await listed(query)).toEqual([2, ['06-01', '06-15']]);
    await make(`PATCH /events/${ids[3]}`, { tags: ['Mat', 'Last'] });
    expect(await listed('tags=mat')).toEqual([2, ['06-01', '06-15']]);
    expect(await listed('tags=last')).toEqual([1, ['06-22']]);
  });
});

describe.each(DATABASES)('the list of series on %s', (kind) => {
  const statements: string[] = [];
  const server = useTestServer(kind, {}, { hooks: { before: (sql) => void statements.push(sql) } });
  const list = async (query: Record<string, number>) => {
    statements.length = 0;
    const { body } = await server().ask('GET /series', { query });
    return { titles: body.series.map(({ title }: { title: string }) => title), count: statements.length, body };
  };

  it('takes as many statements for 20 series as for one', async () => {
    for (let index = 1; index <= 20; index += 1) {
      const event = { title: `Class ${index}`, ...at('2027-03-01') };
      await server().make('POST /series', { event, recurrence: { rrule: 'FREQ=WEEKLY;COUNT=2' } });
    }
    await list({ per_page: 2 });
    const [one, all] = [await list({ per_page: 1 }), await list({ per_page: 20 })];
    expect([one.titles, all.titles.length, all.body.total]).toEqual([['Class 20'], 20, 20]);
    expect(all.body.series[7]).toMatchObject({
      ...{ title: 'Class 13', total: 2, upcoming: 2, next: { start_date: '2027-03-01 19:00:00' } },
    });
    expect(all.count).toBe(one.count);
    expect(all.count).toBeLessThan(9);
  });
});
