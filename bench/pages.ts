import { copyAnswers } from './bare.ts';
import { fetchOnce, type Measured, measure, type Request } from './client.ts';
import { change, type Generator, medianOf } from './figures.ts';
import type { Running } from './process.ts';
import { type Servers, withServers } from './servers.ts';
import type { Original } from './sites.ts';
import { verdict } from './verdicts.ts';

export interface PagesOptions {
  only: RegExp;
  /** Results of all rounds, by figure. */
  seconds: number;
  turns: number;
  generator: Generator;
  serverCore?: number;
  profile: boolean;
}

/** One kind of page. Its paths are asked in turn. */
interface PageCase {
  name: string;
  paths: readonly string[];
  /** Milliseconds that rendering may take. */
  wanted?: number;
}

interface PageRow {
  name: string;
  /** One request at a time, at a server that remembers nothing. */
  rendered: Measured;
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

function casesOf({ events }: Original, now: Date): PageCase[] {
  const day = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
  const months = Array.from({ length: 24 }, (_, month) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1 + month)).toISOString().slice(0, 7),
  );
  // The first day of a week in English.
  const toMonday = 7 - ((now.getUTCDay() + 6) % 7);
  return [
    { name: 'list', paths: numbered(20, (page) => `/events/list/page/${page + 2}/`), wanted: 8 },
    { name: 'event', paths: events.slice(0, FEW).map(({ slug }) => `/event/${slug}/`), wanted: 8 },
    { name: 'month', paths: months.map((month) => `/events/month/${month}/`), wanted: 20 },
    { name: 'week', paths: numbered(50, (week) => `/events/week/${day(toMonday + 7 * week)}/`), wanted: 20 },
    { name: 'day', paths: numbered(50, (days) => `/events/${day(1 + days)}/`) },
    { name: 'photo', paths: numbered(20, (page) => `/events/photo/page/${page + 2}/`) },
    { name: 'past', paths: numbered(20, (page) => `/events/past/page/${page + 2}/`) },
    { name: 'home', paths: ['/'] },
  ];
}

const numbered = (count: number, at: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => at(index));

/** Measures public pages: rendered, after changes, and cached, the last in turn with a bare server. */
export const printPages = (original: Original, options: PagesOptions): Promise<PagesRun> =>
  withServers(original, options, async (servers) => {
    printHeader(original.kind);
    const rows: PageRow[] = [];
    for (const page of casesOf(original, new Date())) {
      if (!options.only.test(page.name)) continue;
      const row = await measurePage(page, servers, options);
      print(row, page);
      rows.push(row);
    }
    return { database: original.kind, generatedIn: original.generatedIn, rows };
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
  await copyAnswers(at(warm), bare);
  const figures = {
    rendered: () => measure({ requests: at(cold), clients: 1, seconds }),
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
  ...['p50 ms', 'p99', 'wanted', 'verdict', 'changed'],
  ...['known p50', 'pages/s', 'bare', 'of bare', 'verdict', 'KiB'],
];
const WIDTH = 8;

function printHeader(database: string): void {
  console.log(`\n${database}: pages\n`);
  console.log(' '.repeat(WIDTH), COLUMNS.map((column) => column.padStart(9)).join(' '));
}

function print({ name, rendered, changed, remembered, crowd, bare }: PageRow, { wanted }: PageCase): void {
  const columns = [
    rendered.p50.toFixed(2),
    rendered.p99.toFixed(2),
    wanted === undefined ? '' : String(wanted),
    verdict(wanted === undefined ? undefined : rendered.p50 < wanted),
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
