/**
 * The benchmark of starts: on no data, and on calendars, of one version or of two in turn. What it does and how to read
 * it: README.md beside it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createDatabase, startPostgres } from '../test/postgres.ts';
import { DATABASES, type DatabaseKind, WITHOUT_LIMITS } from '../test/server.ts';
import { fetchOnce } from './client.ts';
import { cpuTimeOf, memoryOf, startMarquee } from './process.ts';
import { AUTHORIZATION } from './sites.ts';
import { median } from './statistics.ts';

const { values: options } = parseArgs({
  options: {
    against: { type: 'string' },
    database: { type: 'string' },
    turns: { type: 'string', default: '7' },
  },
});

/** Checkouts by the name of their version. */
const VERSIONS: Readonly<Record<string, string>> = {
  ...(options.against !== undefined && { old: resolve(options.against) }),
  new: join(import.meta.dirname, '..'),
};

/** The cost of the events of each calendar. */
const CALENDARS = { 'free events': '', 'events with a price': '12.50' } as const;
/** More than the first list shows. */
const EVENTS = 30;

const FIGURES = {
  'first response, ms': (start) => start.firstResponse,
  'processor time, ms': (start) => start.processorTime,
  'memory, MiB': (start) => start.memory,
} as const satisfies Record<string, (start: Start) => number>;

interface Start {
  firstResponse: number;
  /** Of all threads, until the first response. */
  processorTime: number;
  /** Resident at the first response. */
  memory: number;
}

/** A folder, and a database where there is a server for it, which are empty at first. */
interface Data {
  settings: Readonly<Record<string, string>>;
  remove(): Promise<void>;
}

async function makeData(postgresUrl: string | undefined): Promise<Data> {
  const folder = await mkdtemp(join(tmpdir(), 'marquee-start-'));
  const database = postgresUrl === undefined ? undefined : await createDatabase(postgresUrl);
  return {
    settings: {
      ...WITHOUT_LIMITS,
      MARQUEE_DATA: folder,
      MARQUEE_ADMIN: atob(AUTHORIZATION.replace('Basic ', '')),
      ...(database && { MARQUEE_DATABASE_URL: database.url }),
    },
    async remove() {
      await database?.drop();
      await rm(folder, { recursive: true });
    },
  };
}

const addressOfEvents = (address: string) => `${address}/calendar/events/v1/events`;

async function fill(version: string, { settings }: Data, cost: string): Promise<void> {
  const server = await startMarquee(settings, { checkout: VERSIONS[version] });
  try {
    for (let index = 0; index < EVENTS; index += 1) {
      const event = {
        start_date: 'tomorrow 18:00',
        end_date: 'tomorrow 20:00',
        venue: { venue: `Hall ${index}` },
        cost,
      };
      const { status, body } = await fetchOnce({
        url: addressOfEvents(server.address),
        headers: { Authorization: AUTHORIZATION },
        body: JSON.stringify({ title: `Concert ${index}`, description: '<p>Music</p>', ...event }),
      });
      if (status !== 201) throw new Error(`an event was refused with ${status}: ${body.toString()}`);
    }
  } finally {
    await server.stop();
  }
}

async function startOnce(version: string, data: Data | undefined): Promise<Start> {
  const began = performance.now();
  const server = await startMarquee(data?.settings ?? {}, { checkout: VERSIONS[version] });
  try {
    const { status } = await fetchOnce({ url: addressOfEvents(server.address) });
    if (status !== 200) throw new Error(`the first response was ${status}`);
    return {
      firstResponse: performance.now() - began,
      processorTime: 1000 * (cpuTimeOf(server.pid) ?? Number.NaN),
      memory: memoryOf(server.pid)?.resident ?? Number.NaN,
    };
  } finally {
    await server.stop();
  }
}

/** Starts the versions alternately, after one start of each that fills its cache of compiled code. */
async function measure(startOf: (version: string) => Promise<Start>): Promise<Map<string, Start[]>> {
  const versions = Object.keys(VERSIONS);
  const starts = new Map(versions.map((version) => [version, [] as Start[]]));
  for (const version of versions) await startOf(version);
  for (let turn = 0; turn < Number(options.turns); turn += 1)
    for (const version of turn % 2 === 0 ? versions : versions.toReversed())
      starts.get(version)?.push(await startOf(version));
  return starts;
}

function print(name: string, starts: ReadonlyMap<string, readonly Start[]>): void {
  const figures = Object.entries(FIGURES).map(([figure, read]) => {
    const medians = [...starts].map(([version, own]) => `${version} ${median(own.map(read)).toFixed(0)}`.padStart(9));
    return `${figure}: ${medians.join(' ')}`;
  });
  console.log(`${name.padEnd(32)} ${figures.join(' | ')}`);
}

async function measureOn(kind: DatabaseKind, postgresUrl?: string): Promise<void> {
  const empty = await measure(async (version) => {
    const data = await makeData(postgresUrl);
    try {
      return await startOnce(version, data);
    } finally {
      await data.remove();
    }
  });
  print(`${kind}, no data`, empty);
  for (const [name, cost] of Object.entries(CALENDARS)) {
    const calendars = new Map<string, Data>();
    try {
      for (const version of Object.keys(VERSIONS)) {
        const data = await makeData(postgresUrl);
        calendars.set(version, data);
        await fill(version, data, cost);
      }
      print(`${kind}, ${name}`, await measure((version) => startOnce(version, calendars.get(version))));
    } finally {
      for (const data of calendars.values()) await data.remove();
    }
  }
}

for (const kind of DATABASES) {
  if (options.database !== undefined && options.database !== kind) continue;
  const postgres = kind === 'postgres' ? await startPostgres() : undefined;
  try {
    await measureOn(kind, postgres?.url);
  } finally {
    await postgres?.stop();
  }
}
