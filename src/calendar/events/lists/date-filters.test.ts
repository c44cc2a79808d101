import { beforeAll, describe, expect, it } from 'vitest';
import { withDates } from '../../../../test/dates.ts';
import { BOTH_DATABASES, useTestServer } from '../../../../test/server.ts';
import { DATE_FILTERS, type DateFilter, dateWindow } from './date-filters.ts';

/** 10 p.m. in New York; the next day in most of the world. */
const LATE = { siteZone: 'America/New_York', now: new Date('2026-11-21T03:00:00Z'), strict: false };
const STRICT = { ...LATE, strict: true };

type Options = Parameters<typeof dateWindow>[1];

function windowOf(dates: Partial<Record<DateFilter, string>>, options: Options) {
  const { bounds, shown } = dateWindow(withDates(dates, DATE_FILTERS), options);
  return { bounds, shown };
}

describe('the default window', () => {
  it.each([
    ['America/New_York', '2026-11-21T03:00:00Z', '2026-11-20 00:00:00', '2028-11-20 23:59:59'],
    ['UTC', '2026-11-21T03:00:00Z', '2026-11-21 00:00:00', '2028-11-21 23:59:59'],
    ['Asia/Tokyo', '2026-11-20T15:00:00Z', '2026-11-21 00:00:00', '2028-11-21 23:59:59'],
    ['Asia/Tokyo', '2026-11-20T14:59:59Z', '2026-11-20 00:00:00', '2028-11-20 23:59:59'],
    ['UTC+5:30', '2026-11-20T18:30:00Z', '2026-11-21 00:00:00', '2028-11-21 23:59:59'],
    ['UTC', '2028-02-29T12:00:00Z', '2028-02-29 00:00:00', '2030-02-28 23:59:59'],
  ])('in %s at %s is from %s to %s', (siteZone, now, start_date, end_date) => {
    expect(windowOf({}, { siteZone, now: new Date(now), strict: false })).toEqual({
      bounds: [
        { edge: 'start', operator: '>=', clock: 'event', value: start_date },
        { edge: 'end', operator: '<=', clock: 'event', value: end_date },
      ],
      shown: { start_date, end_date },
    });
  });

  it('in strict mode is the same days as instants', () => {
    expect(windowOf({}, STRICT).shown).toEqual({
      start_date: '2026-11-20 05:00:00',
      end_date: '2028-11-21 04:59:59',
    });
  });
});

describe('a window is the same', () => {
  it.each([
    ['America/New_York', {}, Date.parse('2026-11-21T05:00:00Z')],
    ['America/Havana', {}, Date.parse('2026-11-21T05:00:00Z')],
    ['Asia/Tokyo', {}, Date.parse('2026-11-21T15:00:00Z')],
    ['UTC', { start_date: '2027-06-10', ends_before: '@1812672000' }, Number.POSITIVE_INFINITY],
    ['UTC', { start_date: '2027-06-10', ends_after: 'now' }, undefined],
    ['UTC', { start_date: 'today' }, undefined],
    ['UTC', { start_date: '10 June' }, undefined],
  ])('in %s with %o until %s', (siteZone, dates, until) => {
    expect(dateWindow(withDates(dates, DATE_FILTERS), { ...LATE, siteZone }).freshUntil).toBe(until);
  });

  it('until midnight where clocks were put forward at midnight', () => {
    const now = new Date('2026-03-08T03:00:00Z');
    const { freshUntil } = dateWindow({}, { ...LATE, siteZone: 'America/Havana', now });
    expect(freshUntil).toBe(Date.parse('2026-03-08T05:00:00Z'));
  });
});

const MEANINGS: [DateFilter, edge: string, operator: string, day: string][] = [
  ['start_date', 'start', '>=', '00:00:00'],
  ['end_date', 'end', '<=', '23:59:59'],
  ['starts_before', 'start', '<', '23:59:59'],
  ['starts_after', 'start', '>', '23:59:59'],
  ['ends_before', 'end', '<', '23:59:59'],
  ['ends_after', 'end', '>', '23:59:59'],
];

describe('a date filter', () => {
  it.each(MEANINGS)('%s: %s %s the day at %s', (name, edge, operator, day) => {
    const value = `2027-06-10 ${day}`;
    expect(windowOf({ [name]: '2027-06-10 15:00' }, LATE)).toEqual({
      bounds: [{ edge, operator, clock: 'event', value }],
      shown: { [name]: value },
    });
  });

  it.each(MEANINGS)('%s, strict: %s %s the instant', (name, edge, operator) => {
    expect(windowOf({ [name]: '2027-06-10 15:00' }, STRICT)).toEqual({
      bounds: [{ edge, operator, clock: 'utc', value: '2027-06-10 15:00:00' }],
      shown: { [name]: '2027-06-10 15:00:00' },
    });
  });

  it('is in the table of these tests, whichever it is', () => {
    expect(MEANINGS.map(([name]) => name).sort()).toEqual([...DATE_FILTERS].sort());
  });

  it.each([
    ['2027-06-10', '2027-06-10', '2027-06-10 00:00:00'],
    ['10 June 2027 8pm', '2027-06-10', '2027-06-10 20:00:00'],
    ['1812672000', '2027-06-11', '2027-06-11 00:00:00'],
    ['2027-06-10T15:00-04:00', '2027-06-10', '2027-06-10 19:00:00'],
    ['2027-06-11T03:00:00Z', '2027-06-10', '2027-06-11 03:00:00'],
    ['today', '2026-11-20', '2026-11-20 05:00:00'],
    ['tomorrow 9am', '2026-11-21', '2026-11-21 14:00:00'],
    ['+1 week', '2026-11-27', '2026-11-28 03:00:00'],
  ])('%s is the day %s, and strictly %s', (text, day, instant) => {
    expect(windowOf({ start_date: text }, LATE).shown.start_date).toBe(`${day} 00:00:00`);
    expect(windowOf({ start_date: text }, STRICT).shown.start_date).toBe(instant);
  });

  it.each(DATE_FILTERS)('%s=now is the current instant, strict or not', (name) => {
    for (const setting of [LATE, STRICT]) {
      const { bounds, shown } = windowOf({ [name]: 'Now' }, setting);
      expect(bounds).toMatchObject([{ clock: 'utc', value: '2026-11-21 03:00:00' }]);
      expect(shown).toEqual({ [name]: 'now' });
    }
  });

  it('keeps its meaning when its shown value is sent again', () => {
    const texts = ['2027-06-10 15:00', '1812672000', '2027-06-10T23:00-04:00', 'tomorrow 9am', 'now', 'last monday'];
    for (const setting of [LATE, STRICT]) {
      for (const text of texts) {
        const sent = Object.fromEntries(DATE_FILTERS.map((name) => [name, text]));
        const first = windowOf(sent, setting);
        expect(windowOf(first.shown, setting)).toEqual(first);
      }
    }
    expect(windowOf(windowOf({}, STRICT).shown, STRICT)).toEqual(windowOf({}, STRICT));
  });
});

type Fixture = [title: string, start: string, end: string, more?: object];

const JUNE: Fixture[] = [
  ['W0', '2027-06-09 17:00', '2027-06-09 18:00'],
  ['W1', '2027-06-10 16:00', '2027-06-10 16:30'],
  ['W2', '2027-06-10 20:00', '2027-06-10 20:30'],
  ['W3', '2027-06-11 10:00', '2027-06-11 12:00'],
  ['W4', '2027-06-09 10:00', '2027-06-12 10:00'],
  ['WA', '2027-06-10', '2027-06-10', { all_day: true }],
];

const QUERIES: [query: Record<string, string>, found: string, shown: Record<string, string>][] = [
  [
    { start_date: '2027-06-10', end_date: '2027-06-10' },
    'WA W1 W2',
    { start_date: '2027-06-10 00:00:00', end_date: '2027-06-10 23:59:59' },
  ],
  [
    { start_date: '2027-06-10 15:00', end_date: '2027-06-10 18:00', strict_dates: 'false' },
    'WA W1 W2',
    { start_date: '2027-06-10 00:00:00', end_date: '2027-06-10 23:59:59', strict_dates: '0' },
  ],
  [
    { start_date: '2027-06-10 15:00', end_date: '2027-06-10 18:00', strict_dates: 'true' },
    '',
    { start_date: '2027-06-10 15:00:00', end_date: '2027-06-10 18:00:00', strict_dates: '1' },
  ],
  [
    { start_date: '2027-06-10 20:00', end_date: '2027-06-10 22:00', strict_dates: 'yes' },
    'W1',
    { start_date: '2027-06-10 20:00:00', end_date: '2027-06-10 22:00:00', strict_dates: '1' },
  ],
  [
    { start_date: '2027-06-10 15:00-04:00', end_date: '2027-06-10T18:00-04:00', strict_dates: 'on' },
    'W1',
    { start_date: '2027-06-10 19:00:00', end_date: '2027-06-10 22:00:00', strict_dates: '1' },
  ],
  [
    { starts_after: '2027-06-10', end_date: '2027-06-30' },
    'W3',
    { starts_after: '2027-06-10 23:59:59', end_date: '2027-06-30 23:59:59' },
  ],
  [{ starts_before: '2027-06-10' }, 'W4 W0 WA W1 W2', { starts_before: '2027-06-10 23:59:59' }],
  [{ starts_before: '2027-06-09' }, 'W4 W0', { starts_before: '2027-06-09 23:59:59' }],
  [{ ends_after: '2027-06-10', starts_before: '2027-06-30' }, 'W4 W3', { ends_after: '2027-06-10 23:59:59' }],
  [{ ends_before: '2027-06-10' }, 'W0 W1 W2', { ends_before: '2027-06-10 23:59:59' }],
  [{ ends_after: '2027-06-09', starts_before: '2027-06-10' }, 'W4 WA W1 W2', {}],
  [{ starts_after: '2027-06-09', end_date: '2027-06-10' }, 'WA W1 W2', {}],
  [{ starts_before: '2027-06-10 20:00', strict_dates: '1' }, 'W4 W0 WA', {}],
  [{ starts_before: '2027-06-10 20:00:01', strict_dates: '1' }, 'W4 W0 WA W1', {}],
  [{ ends_before: '2027-06-10 20:30', strict_dates: '1' }, 'W0', {}],
  [{ ends_after: '2027-06-11 15:59:59', starts_before: '2027-07-01', strict_dates: '1' }, 'W4 W3', {}],
  [{ ends_after: '2027-06-11 16:00', starts_before: '2027-07-01', strict_dates: '1' }, 'W4', {}],
];

/** It is November 21 in New York. */
const EDGES: Fixture[] = [
  ['yesterday', '2026-11-20 23:59:59', '2026-11-21 10:00'],
  ['first', '2026-11-21 00:00:00', '2026-11-21 00:00:00'],
  ['Tokyo', '2026-11-21 00:00:00', '2026-11-21 01:00:00', { timezone: 'Asia/Tokyo' }],
  ['Honolulu', '2026-11-20 23:59:59', '2026-11-20 23:59:59', { timezone: 'Pacific/Honolulu' }],
  ['last', '2028-11-21 10:00', '2028-11-21 23:59:59'],
  ['beyond', '2028-11-21 10:00', '2028-11-22 00:00:00'],
];

describe.each(BOTH_DATABASES)('date filters of the event list on %s', (kind) => {
  const june = useTestServer(kind);
  const edges = useTestServer(kind);
  const past = useTestServer(kind);
  const make = async (server: ReturnType<typeof june>, fixtures: Fixture[]) => {
    for (const [title, start_date, end_date, more] of fixtures)
      await server.make('POST /events', { title, start_date, end_date, ...more });
  };
  beforeAll(async () => {
    await make(june(), JUNE);
    await make(edges(), EDGES);
  });
  const titles = (events: { title: string }[]) => events.map(({ title }) => title).join(' ');

  it.each(QUERIES)('%j finds %s', async (query, found, shown) => {
    const { body } = await june().ask('GET /events', { query });
    expect([titles(body.events), body.total]).toEqual([found, body.events.length]);
    const link = Object.fromEntries(new URL(body.rest_url).searchParams);
    expect(link).toMatchObject(shown);
    const dates = Object.keys(link).filter((name) => (DATE_FILTERS as readonly string[]).includes(name));
    expect(dates.sort()).toEqual(
      Object.keys(query)
        .filter((name) => name !== 'strict_dates')
        .sort(),
    );
  });

  it('by default are from today in the site’s time zone to 24 months later, in the time zone of each event', async () => {
    const { body } = await edges().ask('GET /events');
    expect(titles(body.events)).toBe('Tokyo first last');
    expect(Object.fromEntries(new URL(body.rest_url).searchParams)).toEqual({
      page: '1',
      per_page: '6',
      start_date: '2026-11-21 00:00:00',
      end_date: '2028-11-21 23:59:59',
      status: 'publish',
    });
  });

  it('are replaced by any explicit one', async () => {
    const { body } = await edges().ask('GET /events', { query: { start_date: '2026-11-01' } });
    expect(titles(body.events)).toBe('Tokyo yesterday first Honolulu last beyond');
  });

  it.each([
    ['Asia/Manila', '1840-05-31 23:00', '1840-06-01'],
    ['America/Juneau', '1866-05-31 00:30', '1866-05-30'],
  ])('find the past of %s, further from UTC than any zone is today', async (timezone, start_date, otherDay) => {
    const day = start_date.slice(0, 10);
    const [before, after] = [day, otherDay].sort();
    await past().make('POST /events', { title: timezone, timezone, start_date, end_date: start_date });
    const foundBy = async (query: Record<string, string>) =>
      titles((await past().ask('GET /events', { query })).body.events);
    expect(await foundBy({ start_date: day, starts_before: day })).toBe(timezone);
    expect(await foundBy({ start_date: before ?? '', end_date: after ?? '' })).toBe(timezone);
    expect(await foundBy({ ends_after: day, starts_before: after ?? '' })).toBe('');
  });

  it('find ongoing and upcoming events with ends_after=now', async () => {
    const query = { ends_after: 'now', starts_before: '2027-01-01' };
    edges().clock.now = new Date('2026-11-21T14:59:59Z');
    const running = await edges().ask('GET /events', { query });
    edges().clock.now = new Date('2026-11-21T15:00:00Z');
    const over = await edges().ask('GET /events', { query });
    expect([titles(running.body.events), titles(over.body.events)]).toEqual(['yesterday', '']);
    expect(new URL(over.body.rest_url).searchParams.get('ends_after')).toBe('now');
  });

  it.each([
    ...DATE_FILTERS.flatMap((name) => [
      [name, 'foo'],
      [name, ''],
      [name, '2027-02-30'],
    ]),
    ['strict_dates', ''],
    ['strict_dates', 'perhaps'],
  ])('%s=%s is refused', async (name, value) => {
    const answer = await june().ask('GET /events', { query: { [name]: value } });
    expect(answer).toMatchObject({ status: 400, body: { code: 'rest_invalid_param' } });
    expect(Object.keys(answer.body.data.params)).toEqual([name]);
  });
});
