/**
 * The benchmark of a move: a dump of a WordPress site is imported while the server responds. What it does and how to
 * read it: README.md beside it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { dumpOf, serialized, type WordpressPost, type WordpressSite } from '../test/wordpress-files.ts';
import { cpuTimeOf, memoryOf, startMarquee } from './process.ts';
import { chanceOf, type RandomSource, zipf } from './random.ts';
import { percentile } from './statistics.ts';
import { verdict } from './verdicts.ts';
import { WORDS } from './words.ts';

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '20261127' },
    profile: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
});
const EVENTS = Number(options.events);
const WANTED = { minutes: 10, mebibytes: 400 };

const [VENUES, ORGANIZERS, CATEGORIES, TAGS, ACCOUNTS] = [400, 200, 60, 300, 40];
const FIRST = { venue: 1000, organizer: 2000, event: 10_000 };
/** Ids that an event takes, with its ticket, order and attendees. */
const IDS = 5;
/** One event of so many has a ticket that was sold twice. */
const SOLD = 20;
const CHUNK = 500;

const rank = zipf(WORDS.length);
const textOf = (chance: RandomSource, words: number): string =>
  Array.from({ length: words }, () => WORDS[rank(chance)] ?? '').join(' ');

const slugOf = (title: string): string => title.replaceAll(' ', '-');

const base = (chance: RandomSource): WordpressSite => ({
  home: 'https://old.example',
  options: { timezone_string: 'Europe/Berlin', tribe_events_calendar_options: serialized({}) },
  users: Array.from({ length: ACCOUNTS }, (_none, index) => ({
    ...{ id: index + 1, login: `user${index}`, pass: '', email: `user${index}@old.example` },
    meta: [['wp_capabilities', serialized({ author: true })]] as const,
  })),
  terms: [
    ...Array.from({ length: CATEGORIES }, (_none, index) => ({
      ...{
        id: index + 1,
        taxonomy: 'tribe_events_cat',
        name: `${textOf(chance, 2)} ${index}`,
        slug: `category-${index}`,
      },
      ...(index >= 10 && { parent: 1 + (index % 10) }),
    })),
    ...Array.from({ length: TAGS }, (_none, index) => ({
      ...{ id: 100 + index, taxonomy: 'post_tag', name: `${textOf(chance, 1)} ${index}`, slug: `tag-${index}` },
    })),
  ],
  posts: [
    ...Array.from(
      { length: VENUES },
      (_none, index): WordpressPost => ({
        ...{ id: FIRST.venue + index, type: 'tribe_venue', title: textOf(chance, 2), slug: `venue-${index}` },
        meta: [
          ['_VenueAddress', textOf(chance, 3)],
          ['_VenueCity', textOf(chance, 1)],
        ],
      }),
    ),
    ...Array.from(
      { length: ORGANIZERS },
      (_none, index): WordpressPost => ({
        ...{
          id: FIRST.organizer + index,
          type: 'tribe_organizer',
          title: textOf(chance, 2),
          slug: `organizer-${index}`,
        },
      }),
    ),
  ],
});

function eventOf(index: number, chance: RandomSource): WordpressPost[] {
  const id = FIRST.event + index * IDS;
  const title = textOf(chance, 4);
  const start = new Date(Date.UTC(2024, 0, 1, 8 + chance.below(12)) + chance.below(1500) * 86_400_000);
  const local = (hours: number) => new Date(+start + hours * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
  const paragraphs = Array.from(
    { length: 3 },
    () => `<!-- wp:paragraph --><p>${textOf(chance, 40)}</p><!-- /wp:paragraph -->`,
  );
  const event: WordpressPost = {
    ...{ id, type: 'tribe_events', title, slug: `${slugOf(title)}-${index}`, author: 1 + chance.below(ACCOUNTS) },
    content: paragraphs.join('\n'),
    terms: [1 + chance.below(CATEGORIES), 100 + chance.below(TAGS)],
    meta: [
      ['_EventStartDate', local(1)],
      ['_EventEndDate', local(3)],
      ['_EventStartDateUTC', local(0)],
      ['_EventEndDateUTC', local(2)],
      ['_EventTimezone', 'Africa/Lagos'],
      ['_EventVenueID', String(FIRST.venue + chance.below(VENUES))],
      ['_EventOrganizerID', String(FIRST.organizer + chance.below(ORGANIZERS))],
      ['_EventShowMap', '1'],
      ['_EventCost', '12'],
      ['_EventURL', 'https://old.example/more'],
      ['_edit_lock', '1700000000:1'],
      ['_EventOrigin', 'events-calendar'],
    ],
  };
  return index % SOLD === 0 ? [event, ...soldOf(id)] : [event];
}

const soldOf = (id: number): WordpressPost[] => [
  {
    ...{ id: id + 1, type: 'tec_tc_ticket', title: 'Seat' },
    meta: [
      ['_tec_tickets_commerce_event', String(id)],
      ['_price', '12.50'],
      ['_manage_stock', 'yes'],
      ['_stock', '98'],
      ['_tribe_ticket_capacity', '100'],
      ['_global_stock_mode', 'own'],
    ],
  },
  {
    ...{ id: id + 2, type: 'tec_tc_order', status: 'tec-tc-completed' },
    meta: [
      ['_tec_tc_order_total_value', '25'],
      ['_tec_tc_order_currency', 'USD'],
      ['_tec_tc_order_gateway', 'stripe'],
      ['_tec_tc_order_purchaser_full_name', `Customer ${id}`],
      ['_tec_tc_order_purchaser_email', `customer${id}@post.example`],
    ],
  },
  ...[id + 3, id + 4].map(
    (own): WordpressPost => ({
      ...{ id: own, type: 'tec_tc_attendee', parent: id + 2 },
      meta: [
        ['_tec_tickets_commerce_ticket', String(id + 1)],
        ['_tec_tickets_commerce_event', String(id)],
        ['_tec_tickets_commerce_full_name', `Guest ${own}`],
        ['_tec_tickets_commerce_email', `guest${own}@post.example`],
        ['_tec_tickets_commerce_security_code', `code${own}`],
        ['_tec_tickets_commerce_price_paid', '12.50'],
      ],
    }),
  ),
];

/** Writes the dump in pieces, each with all tables; returns its size in MiB. */
async function writeDump(path: string): Promise<number> {
  const chance = chanceOf(Number(options.seed));
  const file = await open(path, 'w');
  const site = base(chance);
  await file.appendFile(dumpOf(site));
  for (let from = 0; from < EVENTS; from += CHUNK) {
    const posts = Array.from({ length: Math.min(CHUNK, EVENTS - from) }, (_none, at) => eventOf(from + at, chance));
    await file.appendFile(dumpOf({ ...site, users: [], terms: [], posts: posts.flat() }));
  }
  await file.close();
  return (await stat(path)).size / 2 ** 20;
}

interface Usage {
  /** Seconds of processor time. */
  cpu: number;
  /** MiB at the most. */
  memory: number;
}

function usageOf(pid: number): Usage | undefined {
  const [cpu, memory] = [cpuTimeOf(pid), memoryOf(pid)];
  return cpu === undefined || memory === undefined ? undefined : { cpu, memory: memory.peak };
}

interface Answers {
  count: number;
  p50: number;
  p99: number;
  slowest: number;
}

/** Pause between two requests, in milliseconds. */
const PACE = 20;

/** Asks for lists and single events until it is aborted. */
async function askMeanwhile(address: string, signal: AbortSignal): Promise<Answers> {
  const chance = chanceOf(1);
  const took: number[] = [];
  while (!signal.aborted) {
    const day = new Date(Date.UTC(2024, 0, 1) + chance.below(1400) * 86_400_000).toISOString().slice(0, 10);
    const path = `/calendar/events/v1/events?start_date=${day}&per_page=10&page=${1 + chance.below(3)}`;
    const began = performance.now();
    const response = await fetch(`${address}${path}`);
    await response.arrayBuffer();
    took.push(performance.now() - began);
    if (response.status >= 500) throw new Error(`${path} answered ${response.status}`);
    await delay(PACE);
  }
  const sorted = took.toSorted((a, b) => a - b);
  const of = (share: number) => percentile(sorted, share);
  return { count: took.length, p50: of(0.5), p99: of(0.99), slowest: sorted.at(-1) ?? 0 };
}

/** Runs the command; returns its seconds and its use of the machine. */
async function runImport(args: readonly string[], env: Record<string, string>): Promise<Usage & { seconds: number }> {
  const profile = options.profile ? ['--cpu-prof', '--cpu-prof-dir=bench/results'] : [];
  const began = performance.now();
  const child = spawn(process.execPath, [...profile, 'src/cli.ts', 'import', 'wordpress', ...args], {
    ...{ env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'ignore', 'inherit'] },
  });
  let usage: Usage = { cpu: 0, memory: 0 };
  const timer = setInterval(() => {
    usage = usageOf(child.pid ?? 0) ?? usage;
  }, 200);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`the import ended with ${code}`);
  return { ...usage, seconds: (performance.now() - began) / 1000 };
}

const folder = options.keep ?? (await mkdtemp(join(tmpdir(), 'marquee-moving-')));
await mkdir(folder, { recursive: true });
const dump = join(folder, 'site.sql');
const size = await writeDump(dump);
console.log(`${EVENTS} events in a dump of ${size.toFixed(0)} MiB`);
const env = { MARQUEE_DATA: join(folder, 'data'), MARQUEE_TIMEZONE: 'Europe/Berlin' };
const server = await startMarquee(env);
const stop = new AbortController();
const asking = askMeanwhile(server.address, stop.signal);
try {
  const { seconds, cpu, memory } = await runImport(['--sql', dump], env);
  stop.abort();
  const { count, p50, p99, slowest } = await asking;
  const each = (cpu / EVENTS) * 1000;
  const minutes = (seconds / EVENTS) * (100_000 / 60);
  console.log(
    `took            ${seconds.toFixed(1)} s; 100,000 events ${minutes.toFixed(1)} min ${verdict(minutes < WANTED.minutes)}`,
  );
  console.log(`processor       ${cpu.toFixed(1)} s; ${each.toFixed(2)} s for 1,000 events`);
  console.log(`memory          ${memory.toFixed(0)} MiB ${verdict(memory < WANTED.mebibytes)}`);
  console.log(
    `the server      ${count} requests, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, slowest ${slowest.toFixed(0)} ms`,
  );
} finally {
  stop.abort();
  await asking.catch(() => undefined);
  await server.stop();
  if (options.keep === undefined) await rm(folder, { recursive: true, force: true });
}
