import { type Insertable, sql } from 'kysely';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { chanceOf, type RandomSource } from '../../../../bench/random.ts';
import { DATABASES, useTestServer } from '../../../../test/server.ts';
import { effort } from '../../../../test/thoroughness.ts';
import { currentCache } from '../../../db/current-cache.ts';
import type { Database } from '../../../db/database.ts';
import { newRecordIds } from '../../../db/record-ids.ts';
import type { EventLinksTable, EventStatus, EventsTable, LinkKind } from '../../../db/tables/calendar.ts';
import { ANONYMOUS, viewerOf } from '../../../http/core/auth.ts';
import { addSeconds, type LocalTime } from '../../../lib/dates/dates.ts';
import { fold } from '../../../lib/text/text.ts';
import { ON_SITE } from '../attendance.ts';
import { NO_TEXTS } from '../event-fields.ts';
import { EVENT_STATUSES } from '../event-status.ts';
import { listColumnsOf, withDerived } from '../store.ts';
import type { Bound } from './date-filters.ts';
import type { EventFilter } from './filter.ts';
import { cachedPage, listEvents } from './list-query.ts';

/** Lists are read in parts, by months and by indexes of words; here by looking at each event. */

const EVENTS = 2600;
/** So few that some lists have many events of each, and others few. */
const SERIES = 20;
const LISTS = effort(1000, 80);
const NOW = '2026-11-30 23:30:00';
const DAY = 86_400;
const WORDS = ['lantern', 'mill', 'lamp', 'milling', 'übung', 'walk'];
const EDITOR = viewerOf({ id: 1, username: 'editor', email: '', role: 'editor' });

interface Known {
  event: Insertable<EventsTable>;
  french?: string;
  /** Whether the French title replaces a missing one in the first language. */
  isFrench: boolean;
  links: Insertable<EventLinksTable>[];
}

/** Mostly short, within half a year of the present; some long, far away, or at the turn of a month. */
function timesOf(chance: RandomSource) {
  const spread = chance.is(0.1) ? 4000 : 180;
  const days = chance.is(0.2) ? 0 : chance.below(2 * spread) - spread;
  const utc_start_date = addSeconds(NOW, days * DAY + (chance.below(29) - 14) * 3600);
  const length = chance.pick([0, 3600, 3600, 7200, DAY, 40 * DAY, 400 * DAY]);
  const utc_end_date = addSeconds(utc_start_date, length);
  const offset = chance.pick([-12, -5, 0, 1, 14]) * 3600;
  const local = { start_date: addSeconds(utc_start_date, offset), end_date: addSeconds(utc_end_date, offset) };
  return { utc_start_date, utc_end_date, ...local };
}

const textOf = (chance: RandomSource): string => `${chance.pick(WORDS)} ${chance.is(0.03) ? 'rare' : 'usual'}`;

function eventOf(chance: RandomSource, id: number, series: readonly number[]): Insertable<EventsTable> {
  const posted = { date: NOW, date_utc: NOW, modified: NOW, modified_utc: NOW, trashed_from: '', image_id: null };
  const cost = { cost: '[]', currency_symbol: '', currency_position: '', currency_code: '' };
  const shown = { show_map: 0, show_map_link: 0, sticky: 0, all_day: 0 } as const;
  const values = {
    ...{ ...posted, ...cost, ...shown, ...timesOf(chance) },
    ...NO_TEXTS,
    author_id: 1,
    status: chance.pick(['publish', 'publish', 'publish', 'draft', 'trash']),
    title: textOf(chance),
    slug: `event-${id}`,
    password: chance.is(0.05) ? 'secret' : '',
    parent_id: null,
    timezone: 'UTC',
    timezone_abbr: 'UTC',
    hide_from_listings: chance.is(0.1) ? 1 : 0,
    featured: chance.is(0.2) ? 1 : 0,
    event_status: chance.is(0.2) ? chance.pick(EVENT_STATUSES) : 'scheduled',
    sale_stays_open: 0,
    utc_previous_start_date: '',
    ...ON_SITE,
  } as const;
  return { id, ...withDerived(values), series_id: chance.is(0.5) ? chance.pick(series) : null };
}

const linksOf = (chance: RandomSource, event: Insertable<EventsTable>): Insertable<EventLinksTable>[] =>
  (['category', 'venue'] as const).flatMap((kind) =>
    [1, 2, 3]
      .filter((target) => chance.is(target === 1 ? 0.9 : 0.2))
      .map((target_id, position) => ({ event_id: event.id, kind, target_id, position, ...listColumnsOf(event) })),
  );

async function makeSeries(db: Database): Promise<number[]> {
  const others = Array.from({ length: SERIES - 1 }, () => 'series' as const);
  const ids = await newRecordIds(db, ['series', ...others]);
  const common = {
    author_id: 1,
    status: 'publish' as const,
    template: '{}',
    start_day: '2026-01-01',
    rrule: 'FREQ=DAILY',
  };
  const lists = { rdates: '[]', exdates: '[]', follows_series_id: null, modified: NOW, modified_utc: NOW };
  await db.query
    .insertInto('series')
    .values(ids.map((id) => ({ id, slug: `series-${id}`, ...common, ...lists })))
    .execute();
  return ids;
}

/** Random events, half of them in series. */
async function fill(
  db: Database,
  chance: RandomSource,
  [count, series]: [number, readonly number[]],
): Promise<Known[]> {
  const rows = Array.from({ length: count }, () => ({ kind: 'event' as const }));
  const ids = await db.query.insertInto('records').values(rows).returning('id').execute();
  const known = ids.map(({ id }): Known => {
    const event = eventOf(chance, id, series);
    const french = chance.is(0.5) ? textOf(chance) : undefined;
    return { event, links: linksOf(chance, event), french, isFrench: french !== undefined && chance.is(0.2) };
  });
  for (let at = 0; at < known.length; at += 200) {
    const some = known.slice(at, at + 200);
    await db.query
      .insertInto('events')
      .values(some.map(({ event }) => event))
      .execute();
    await db.query
      .insertInto('event_links')
      .values(some.flatMap(({ links }) => links))
      .execute();
    const texts = some.flatMap(({ french, ...one }) => (french === undefined ? [] : [{ ...one, french }]));
    if (texts.length === 0) continue;
    await db.query
      .insertInto('translations')
      .values(
        texts.map(({ event, french, isFrench }) => ({
          ...({ kind: 'event', record_id: event.id, language: 'fr' } as const),
          provisional: isFrench ? '["title"]' : '[]',
          texts: JSON.stringify({ title: french }),
          name_key: fold(french),
          search_text: fold(french),
          ...listColumnsOf(event),
        })),
      )
      .execute();
  }
  return known;
}

const instant = (chance: RandomSource): LocalTime =>
  chance.is(0.5) ? NOW : addSeconds(NOW, (chance.below(600) - 300) * DAY + chance.below(DAY));

function boundsOf(chance: RandomSource): Bound[] {
  const one = (edge: Bound['edge'], ...operators: Bound['operator'][]): Bound[] => {
    const clock = chance.pick(['utc', 'event'] as const);
    return chance.is(0.4) ? [{ edge, operator: chance.pick(operators), clock, value: instant(chance) }] : [];
  };
  return [...one('start', '>=', '>'), ...one('start', '<'), ...one('end', '<=', '<'), ...one('end', '>')];
}

const STATUSES: readonly (readonly EventStatus[])[] = [
  ['scheduled'],
  ['cancelled'],
  ['postponed', 'moved_online'],
  ['scheduled', 'rescheduled'],
];

function filterOf(chance: RandomSource, series: readonly number[]): EventFilter {
  const isEditor = chance.is(0.3);
  const targets = chance.pick([[], [], [1], [2], [1, 2], [1, 2, 3]]);
  const words = chance.pick(['', '', '', 'mill', 'rare', 'rare lantern', 'la', 'ubung', 'unknown', '"mill usual"']);
  return {
    visibility: chance.is(0.7) || !isEditor ? { statuses: ['publish'], label: 'publish' } : { label: 'any' },
    bounds: boundsOf(chance),
    reader: { viewer: isEditor ? EDITOR : ANONYMOUS },
    asksMasked: targets.length > 0,
    linked: targets.length > 0 ? { [chance.pick(['category', 'venue'] as const)]: targets } : {},
    ...(words && { search: words }),
    ...(chance.is(0.5) && { language: 'fr' }),
    ...(chance.is(0.1) && { featured: chance.is(0.5) }),
    ...(chance.is(0.2) && { eventStatuses: chance.pick(STATUSES) }),
    ...(chance.is(0.1) && { series: chance.pick([null, ...series.slice(0, 3)]) }),
    ...(isEditor && chance.is(0.2) && { missing: chance.pick([{ language: 'fr' }, { language: undefined }]) }),
  };
}

const isWithin = (event: Insertable<EventsTable>, { edge, operator, clock, value }: Bound): boolean => {
  const time = event[`${clock === 'utc' ? 'utc_' : ''}${edge}_date`];
  return { '>=': time >= value, '>': time > value, '<=': time <= value, '<': time < value }[operator];
};

function isListed({ event, french, isFrench, links }: Known, filter: EventFilter): boolean {
  const { visibility, bounds, linked, search, language, featured, eventStatuses, missing, series } = filter;
  const isEditor = filter.reader.viewer === EDITOR;
  const text = language ? (french ?? event.title) : event.title;
  const terms = search?.startsWith('"') ? [search.slice(1, -1)] : (search ?? '').split(' ');
  return (
    (visibility.statuses ? visibility.statuses.includes(event.status) : event.status !== 'trash') &&
    (isEditor || event.hide_from_listings === 0) &&
    (isEditor || !filter.asksMasked || event.password === '') &&
    (series === undefined || event.series_id === series) &&
    (featured === undefined || (event.featured === 1) === featured) &&
    (eventStatuses === undefined || eventStatuses.includes(event.event_status ?? 'scheduled')) &&
    (missing === undefined || (missing.language === undefined ? isFrench : french === undefined)) &&
    bounds.every((bound) => isWithin(event, bound)) &&
    (Object.entries(linked) as [LinkKind, number[]][]).every(([kind, targets]) =>
      links.some((link) => link.kind === kind && targets.includes(link.target_id)),
    ) &&
    terms.every((term) => fold(text).includes(term))
  );
}

function inOrder({ event: a }: Known, { event: b }: Known): number {
  if (a.utc_start_date === b.utc_start_date) return a.id - b.id;
  return a.utc_start_date < b.utc_start_date ? -1 : 1;
}

/** The first event of each series, and all that are in none. */
function firstsOf(found: readonly Known[]): Known[] {
  const seen = new Set<number>();
  return found.filter(({ event: { series_id } }) => {
    if (typeof series_id !== 'number') return true;
    const isFirst = !seen.has(series_id);
    seen.add(series_id);
    return isFirst;
  });
}

describe.each(DATABASES)('lists of random events on %s', (kind) => {
  const server = useTestServer(kind);
  const chance = chanceOf(13);
  let known: Known[];
  let series: number[];
  beforeAll(async () => {
    const { db } = server().context;
    series = await makeSeries(db);
    known = await fill(db, chance, [EVENTS, series]);
    // As autovacuum would have done by now; without statistics PostgreSQL reads all of a table again and again.
    if (kind === 'postgres') await sql`ANALYZE`.execute(db.query);
  });

  const expectPages = async (filter: EventFilter, offsetsOf: (total: number) => number[]) => {
    const [isDescending, isCollapsed] = [chance.is(0.3), chance.is(0.4)];
    const matches = known.filter((one) => isListed(one, filter)).sort(inOrder);
    const found = isCollapsed ? firstsOf(matches) : matches;
    const ids = (isDescending ? found.reverse() : found).map(({ event }) => event.id);
    for (const offset of offsetsOf(ids.length)) {
      const { db } = server().context;
      const range = { limit: 10, offset, isDescending, isCollapsed };
      const page = await cachedPage(db, filter, { ...range, state: await currentCache({ db }) });
      expect({ filter, range, page }).toEqual({
        ...{ filter, range },
        page: { total: ids.length, ids: ids.slice(offset, offset + 10) },
      });
    }
  };

  it('have the events, order and totals that looking at each event gives', async () => {
    for (let time = 0; time < LISTS; time += 1) {
      if (time % 40 === 39) known.push(...(await fill(server().context.db, chance, [5, series])));
      await expectPages(filterOf(chance, series), (total) => [0, chance.below(total + 20), Math.max(0, total - 7)]);
    }
  });

  const since = (value: LocalTime): EventFilter => ({
    visibility: { statuses: ['publish'], label: 'publish' },
    bounds: [{ edge: 'start', operator: '>=', clock: 'event', value }],
    reader: { viewer: ANONYMOUS },
    asksMasked: false,
    linked: {},
  });

  it('are counted once for all of their pages, apart from collapsed ones, and anew after a change', async () => {
    const { db } = server().context;
    const counted = async (range: { offset: number; isCollapsed?: boolean }) => {
      const state = await currentCache({ db });
      const asked = vi.spyOn(state.counts, 'get');
      const { total } = await cachedPage(db, since('2026-12-01 00:00:00'), { limit: 10, ...range, state });
      const counts = asked.mock.calls.length;
      asked.mockRestore();
      return { total, counts };
    };
    const first = await counted({ offset: 0 });
    expect(first.counts).toBeGreaterThan(0);
    expect(await counted({ offset: 10 })).toEqual({ total: first.total, counts: 0 });
    expect((await counted({ offset: 0, isCollapsed: true })).total).toBeLessThan(first.total);
    known.push(...(await fill(db, chance, [200, series])));
    const changed = await counted({ offset: 20 });
    expect(changed.counts).toBeGreaterThan(0);
    expect(changed.total).toBeGreaterThan(first.total);
  });

  it('count what starts in later months once for all days of a month', async () => {
    const { db } = server().context;
    const state = await currentCache({ db });
    const counted = vi.spyOn(state.counts, 'set');
    const days = ['2027-01-03', '2027-01-14', '2027-01-25'];
    for (const day of days) await listEvents(db, since(`${day} 00:00:00`), { limit: 10, offset: 0, state });
    expect(counted).toHaveBeenCalledTimes(days.length + 1);
  });
});
