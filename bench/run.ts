/** The benchmark of the event list. What it does and how to read it: README.md beside it. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { DatabaseAddress } from '../src/db/database.ts';
import { type Database, openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { toWall } from '../src/lib/dates.ts';
import { createDatabase, startPostgres } from '../test/postgres.ts';
import { type Case, casesOf } from './cases.ts';
import { fetchOnce, type Measured, measure } from './client.ts';
import { type Generated, generate } from './generate.ts';
import { type Running, residentMemory, start, startMarquee } from './process.ts';

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    database: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '2' },
    profile: { type: 'boolean', default: false },
  },
});
const seconds = Number(options.seconds);
const only = new RegExp(options.only, 'i');
const ADMIN = 'bench:bench-password';
const AUTHORIZATION = `Basic ${Buffer.from(ADMIN).toString('base64')}`;
/** Categories come first. */
const CHANGED_TAG = 51;
/** Clients at a time when throughput is measured. */
const CROWD = 16;

interface Row {
  name: string;
  /** One request at a time, and nothing else going on. */
  alone: Measured;
  /** The same, each request after a change to the data: nothing that the server remembers is of use. */
  changed: Measured;
  crowd: Measured;
  /** As `alone` and `changed`, in French, which half of the records have texts of their own in. */
  french: { alone: Measured; changed: Measured };
}

interface Run {
  database: string;
  generatedIn: number;
  /** MiB after all requests. */
  memory?: number;
  baseline: { alone: Measured; crowd: Measured };
  rows: Row[];
}

async function prepare(address: DatabaseAddress): Promise<{ db: Database; generated: Generated; seconds: number }> {
  const began = performance.now();
  const db = openDatabase(address);
  await migrate(db);
  const generated = await generate(db, { events: Number(options.events), now: toWall(new Date()) });
  return { db, generated, seconds: (performance.now() - began) / 1000 };
}

async function runOn(address: DatabaseAddress, data: string): Promise<Run> {
  const { db, generated, seconds: generatedIn } = await prepare(address);
  const url = address.kind === 'sqlite' ? `sqlite:${address.file}` : address.url;
  const profiling = options.profile ? ['--cpu-prof', '--cpu-prof-dir=bench/results'] : [];
  const server = await startMarquee(
    { MARQUEE_DATA: data, MARQUEE_DATABASE_URL: url, MARQUEE_ADMIN: ADMIN, MARQUEE_PER_PAGE: '10' },
    profiling,
  );
  try {
    const events = await db.query
      .selectFrom('events')
      .select(['id', 'slug'])
      .where('status', '=', 'publish')
      .where('password', '=', '')
      .limit(100)
      .execute();
    const cases = casesOf({ ...generated, events }, new Date()).filter(({ name }) => only.test(name));
    const baseline = await measureBaseline(server, data);
    const rows: Row[] = [];
    for (const one of cases) {
      const row = await measureCase(one, server);
      print(row, baseline.crowd.rate);
      rows.push(row);
    }
    return { database: address.kind, generatedIn, memory: residentMemory(server.pid), baseline, rows };
  } finally {
    await server.stop();
    await db.close();
  }
}

/** Bare node:http with the bytes of the default list. */
async function measureBaseline(server: Running, data: string): Promise<Run['baseline']> {
  const agent = new Agent();
  const { body } = await fetchOnce(`${server.address}/calendar/events/v1/events?per_page=10`, agent);
  agent.destroy();
  const file = join(data, 'baseline.json');
  await writeFile(file, body);
  const bare = await start(['bench/baseline.ts', file]);
  try {
    const urls = [bare.address];
    await measure({ urls, clients: 1, seconds: 0.5 });
    const alone = await measure({ urls, clients: 1, seconds });
    return { alone, crowd: await measure({ urls, clients: CROWD, seconds }) };
  } finally {
    await bare.stop();
  }
}

async function measureCase({ name, paths, asEditor }: Case, server: Running): Promise<Row> {
  const urls = paths.map((path) => `${server.address}/calendar/events/v1${path}`);
  const headers: Record<string, string> = asEditor ? { Authorization: AUTHORIZATION } : {};
  const load = { urls, headers, clients: 1, seconds };
  await measure({ ...load, seconds: 0.5 });
  const before = () => change(server);
  const inFrench = { ...load, urls: urls.map((url) => `${url}${url.includes('?') ? '&' : '?'}i18n_language=fr`) };
  await measure({ ...inFrench, seconds: 0.5 });
  return {
    name,
    alone: await measure(load),
    french: { alone: await measure(inFrench), changed: await measure({ ...inFrench, before }) },
    changed: await measure({ ...load, before }),
    crowd: await measure({ ...load, clients: CROWD }),
  };
}

let changes = 0;

/** Changes a record, so that the totals that the server remembers no longer count. */
async function change(server: Running): Promise<void> {
  changes += 1;
  const { status } = await fetch(`${server.address}/calendar/events/v1/tags/${CHANGED_TAG}`, {
    method: 'POST',
    headers: { Authorization: AUTHORIZATION, 'Content-Type': 'application/json' },
    body: JSON.stringify({ description: `Change ${changes}` }),
  });
  if (status !== 200) throw new Error(`a change was answered ${status}`);
}

const figure = (value: number, digits = 2): string => value.toFixed(digits).padStart(9);

type Printed = Pick<Row, 'name' | 'alone' | 'crowd'> & Partial<Row>;

/** `bare` is the rate of the baseline. */
function print({ name, alone, changed, french, crowd }: Printed, bare: number): void {
  const columns = [
    ...[alone.p50, alone.p95, alone.p99].map((value) => figure(value)),
    changed ? figure(changed.p50) : ' '.repeat(9),
    ...(french ? [figure(french.alone.p50 / alone.p50), figure(french.changed.p50)] : [' '.repeat(9), ' '.repeat(9)]),
    figure(crowd.rate, 0),
    figure(crowd.p50),
    figure((crowd.rate / bare) * 100, 0),
    figure(alone.bytes / 1024, 1),
  ];
  console.log(name.padEnd(36), columns.join(' '));
}

function printHeader(database: string): void {
  const columns = [
    'p50 ms',
    'p95',
    'p99',
    'changed',
    'fr / en',
    'fr chgd',
    `req/s ${CROWD}`,
    `p50 ${CROWD}`,
    '% of bare',
    'KiB',
  ];
  console.log(`\n${database}, ${options.events} events\n`);
  console.log(' '.repeat(36), columns.map((column) => column.padStart(9)).join(' '));
}

async function sqliteRun(folder: string): Promise<Run> {
  printHeader('SQLite');
  return runOn({ kind: 'sqlite', file: join(folder, 'marquee.db') }, folder);
}

async function postgresRun(folder: string): Promise<Run> {
  printHeader('PostgreSQL');
  const postgres = await startPostgres();
  try {
    const { url } = await createDatabase(postgres.url, `bench_${process.pid}`);
    return await runOn({ kind: 'postgres', url, pool: 6 }, folder);
  } finally {
    await postgres.stop();
  }
}

const runs: Run[] = [];
for (const [database, run] of Object.entries({ sqlite: sqliteRun, postgres: postgresRun })) {
  if (options.database && options.database !== database) continue;
  const folder = await mkdtemp(join(tmpdir(), 'marquee-bench-'));
  try {
    const result = await run(folder);
    print({ name: 'bare node:http, the same bytes', ...result.baseline }, result.baseline.crowd.rate);
    console.log(
      `\ngenerated in ${result.generatedIn.toFixed(0)} s, memory ${result.memory?.toFixed(0) ?? '?'} MiB at the end`,
    );
    runs.push(result);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
const results = join(import.meta.dirname, 'results');
await mkdir(results, { recursive: true });
const report = { at: new Date().toISOString(), node: process.version, cpu: cpus()[0]?.model, options, runs };
await writeFile(join(results, `${report.at.replace(/[:.]/g, '-')}.json`), `${JSON.stringify(report, undefined, 2)}\n`);
