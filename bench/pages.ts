import {
  type AgainstOptions,
  type Compared,
  type Comparison,
  judge,
  printHeader as printComparisonHeader,
  printVerdict,
  withVersions,
} from './against.ts';
import { copyResponses } from './bare.ts';
import { fetchOnce, type Measured, measure, type Request } from './client.ts';
import { change, type Generator, medianOf, withProcessorTime } from './figures.ts';
import type { Running } from './process.ts';
import { type Servers, withServers } from './servers.ts';
import { type Original, WITHOUT_MEMORY } from './sites.ts';
import { median } from './statistics.ts';
import { verdict } from './verdicts.ts';

export interface PagesOptions {
  only: RegExp;
  /** Results of all rounds, by figure. */
  seconds: number;
  turns: number;
  generator: Generator;
  serverCore?: number;
  profile: boolean;
  /** Size of the calendar. */
  events: number;
}

/** One kind of page. Its paths are asked in turn. */
interface PageCase {
  name: string;
  paths: readonly string[];
  /** Milliseconds that rendering may take. */
  wanted?: number;
  /** As `wanted`, of processor time alone. */
  wantedProcessor?: number;
}

interface PageRow {
  name: string;
  /** One request at a time, at a server that remembers nothing. */
  rendered: Measured;
  /** Milliseconds of processor time of the server per request of `rendered`. */
  processor: number;
  /** As `rendered`, each after a change to the data. */
  changed: Measured;
  /** One request at a time, for cached pages. */
  remembered: Measured;
  /** Many requests at a time, for cached pages. */
  crowd: Measured;
  /** Bare node:http with the same bytes and headers, as `crowd`. */
  bare: Measured;
}

export interface PagesRun {
  database: string;
  generatedIn: number;
  rows: PageRow[];
}

/** Targets for cached pages: maximum milliseconds, and minimum pages a second. */
const REMEMBERED = { p50: 1, rate: 3000 };
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 1;
/** Number of pages of one kind whose responses fit into the default cache. */
const FEW = 200;
const DAY_MS = 86_400_000;
/** Events of a feed. */
const FEED = 300;
/** Days over which a generated calendar extends. */
const CALENDAR_DAYS = 3652;

function casesOf({ events, venues }: Original, now: Date, count: number): PageCase[] {
  const day = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const months = Array.from({ length: 24 }, (_, month) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 + month)).toISOString().slice(0, 7),
  );
  const feedDays = Math.ceil((FEED * CALENDAR_DAYS) / count) - 1;
  // The first day of a week in English.
  const toMonday = 7 - ((now.getUTCDay() + 6) % 7);
  return [
    { name: 'list', paths: numbered(20, (page) => `/events/list/page/${page + 2}/`), wanted: 8 },
    { name: 'event', paths: events.slice(0, FEW).map(({ slug }) => `/event/${slug}/`), wanted: 8 },
    { name: 'venue', paths: venues.map((slug) => `/venue/${slug}/`), wanted: 8 },
    { name: 'month', paths: months.map((month) => `/events/month/${month}/`), wanted: 20 },
    { name: 'week', paths: numbered(50, (week) => `/events/week/${day(toMonday + 7 * week)}/`), wanted: 20 },
    { name: 'day', paths: numbered(50, (days) => `/events/${day(1 + days)}/`) },
    { name: 'photo', paths: numbered(20, (page) => `/events/photo/page/${page + 2}/`) },
    { name: 'past', paths: numbered(20, (page) => `/events/past/page/${page + 2}/`) },
    { name: 'home', paths: ['/'] },
    { name: 'feed', paths: numbered(20, (days) => feedPath(day(days), day(days + feedDays))), wantedProcessor: 100 },
  ];
}

const feedPath = (from: string, to: string): string =>
  `/calendar/events/v1/events.ics?start_date=${from}&end_date=${to}`;

const numbered = (count: number, at: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => at(index));

/** Measures public pages: rendered, after changes, and cached, the last in turn with a bare server. */
export const printPages = (original: Original, options: PagesOptions): Promise<PagesRun> =>
  withServers(original, options, async (servers) => {
    printHeader(original.kind);
    const rows: PageRow[] = [];
    for (const page of casesOf(original, new Date(), options.events)) {
      if (!options.only.test(page.name)) continue;
      const row = await measurePage(page, servers, options);
      print(row, page);
      rows.push(row);
    }
    return { database: original.kind, generatedIn: original.generatedIn, rows };
  });

/** Relative slowdown of a page that counts as equal. */
const PAGE_TOLERANCE = 0.05;
const FIGURES = ['rendered', 'processor', 'changed'] as const;

/** Measures the pages of two versions in turn, without a memory of responses, and says which became slower. */
export const printPagesComparison = (
  original: Original,
  options: Pick<AgainstOptions, 'against' | 'only' | 'serverCore' | 'turns' | 'events'> & { seconds: number },
): Promise<Compared> =>
  withVersions(original, { ...options, settings: WITHOUT_MEMORY }, async ({ compare, servers }) => {
    const { only, turns, events } = options;
    const seconds = options.seconds / turns;
    printComparisonHeader(`${original.kind}, ${events} events: pages`, FIGURES);
    const comparisons: Comparison[] = [];
    for (const { name, paths } of casesOf(original, new Date(), events)) {
      if (!only.test(name)) continue;
      const at = (site: Running): Request[] => paths.map((path) => ({ url: `${site.address}${path}` }));
      for (const site of servers) {
        for (const request of at(site)) await expectPage(request);
        await measure({ requests: at(site), clients: 1, seconds: WARM_UP_SECONDS });
      }
      const figures = {
        rendered: async (site: Running) => (await measure({ requests: at(site), clients: 1, seconds })).p50,
        processor: async (site: Running) =>
          (await withProcessorTime(site, () => measure({ requests: at(site), clients: 1, seconds }))).processor,
        changed: async (site: Running) =>
          (await measure({ requests: at(site), clients: 1, seconds, before: () => change(site) })).p50,
      };
      comparisons.push(...(await compare({ name, figures }, turns)));
    }
    return printVerdict(judge(original.kind, comparisons, PAGE_TOLERANCE));
  });

async function measurePage(page: PageCase, { warm, cold, bare }: Servers, options: PagesOptions): Promise<PageRow> {
  const { turns, generator } = options;
  const seconds = options.seconds / turns;
  const at = (site: Running): Request[] => page.paths.map((path) => ({ url: `${site.address}${path}` }));
  for (const request of at(cold)) await expectPage(request);
  // A page is cached on its second request.
  const atLeast = 2 * page.paths.length;
  for (const site of [cold, warm]) {
    await measure({ requests: at(site), clients: 1, seconds: WARM_UP_SECONDS, atLeast });
  }
  await copyResponses(at(warm), bare);
  const processor: number[] = [];
  const figures = {
    rendered: async () => {
      const load = { requests: at(cold), clients: 1, seconds };
      const measured = await withProcessorTime(cold, () => measure(load));
      processor.push(measured.processor);
      return measured;
    },
    changed: () => measure({ requests: at(cold), clients: 1, seconds, before: () => change(cold) }),
    remembered: () => measure({ requests: at(warm), clients: 1, seconds }),
    crowd: () => generator({ requests: at(warm), clients: CONNECTIONS, seconds }),
    bare: () => generator({ requests: [{ url: bare.address }], clients: CONNECTIONS, seconds }),
  };
  const measured = Object.fromEntries(Object.keys(figures).map((name) => [name, [] as Measured[]]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [name, figure] of Object.entries(figures)) measured[name]?.push(await figure());
  }
  const of = (name: keyof typeof figures) => medianOf(measured[name] ?? []);
  return {
    name: page.name,
    rendered: of('rendered'),
    processor: median(processor),
    changed: of('changed'),
    remembered: of('remembered'),
    crowd: of('crowd'),
    bare: of('bare'),
  };
}

/** @throws unless the response is a page, since a redirect would be faster */
async function expectPage(request: Request): Promise<void> {
  const { status } = await fetchOnce(request);
  if (status !== 200) throw new Error(`${request.url} answered ${status}`);
}

const COLUMNS = [
  ...['p50 ms', 'p99', 'CPU ms', 'wanted', 'verdict', 'changed'],
  ...['known p50', 'pages/s', 'bare', 'of bare', 'verdict', 'KiB'],
];
const WIDTH = 8;

function printHeader(database: string): void {
  console.log(`\n${database}: pages\n`);
  console.log(' '.repeat(WIDTH), COLUMNS.map((column) => column.padStart(9)).join(' '));
}

function print({ name, rendered, processor, changed, remembered, crowd, bare }: PageRow, page: PageCase): void {
  const { wanted = page.wantedProcessor } = page;
  const judged = page.wanted === undefined ? processor : rendered.p50;
  const columns = [
    rendered.p50.toFixed(2),
    rendered.p99.toFixed(2),
    processor.toFixed(2),
    wanted === undefined ? '' : String(wanted),
    verdict(wanted === undefined ? undefined : judged < wanted),
    changed.p50.toFixed(2),
    remembered.p50.toFixed(2),
    crowd.rate.toFixed(0),
    bare.rate.toFixed(0),
    `${((100 * crowd.rate) / bare.rate).toFixed(0)} %`,
    verdict(remembered.p50 <= REMEMBERED.p50 && crowd.rate >= REMEMBERED.rate),
    (crowd.bytes / 1024).toFixed(1),
  ];
  console.log(name.padEnd(WIDTH), columns.map((column) => column.padStart(9)).join(' '));
}
