import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { enqueue } from '../src/platform/jobs/queue.ts';
import { programOf } from './marquee-process.ts';
import { createDatabase } from './postgres.ts';
import type { DatabaseKind } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SCRIPT = programOf(new URL('job-process.ts', import.meta.url));
/** Clocks run so many times faster: a lease of five minutes lapses after a second. */
const SPEED = 300;
const PROCESSES = 3;

interface Options {
  kind: DatabaseKind;
  postgresUrl: string;
  jobs: number;
  /** Kills of random processes, each of which is started again. */
  kills: number;
  /** Longest work in milliseconds; work of more than a second loses its claim to another process. */
  longest: number;
  /** Writes effects outside the transaction that removes the job. */
  isOutside?: boolean;
  /** Milliseconds after which it has hung. */
  timeout: number;
}

export interface JobsRun {
  /** Effects by the number of times they were booked, without those booked once. */
  wrong: Record<string, number>;
  booked: number;
  /** Jobs that are still in the queue. */
  left: number;
  /** Kills that interrupted running jobs. */
  hits: number;
}

/** Three processes run jobs on one database, and are killed at random. */
export async function runJobsInProcesses(options: Options): Promise<JobsRun> {
  const data = await temporaryFolder('jobs');
  const database = options.kind === 'postgres' ? await createDatabase(options.postgresUrl) : undefined;
  const file = join(data, 'marquee.db');
  const db = openDatabase(database ? { kind: 'postgres', url: database.url, pool: 2 } : { kind: 'sqlite', file });
  const began = Date.now();
  const start = () => launch(database?.url ?? `sqlite:${file}`, data, [began, SPEED, options.isOutside ? 1 : 0]);
  try {
    await migrate(db);
    await sql`CREATE TABLE effects (name TEXT NOT NULL)`.execute(db.query);
    await addJobs(db, options, new Date(began));
    const running = await Promise.all(Array.from({ length: PROCESSES }, start));
    let hits = 0;
    try {
      for (let kill = 0; kill < options.kills; kill += 1) {
        await delay(Math.random() * 300);
        const index = Math.floor(Math.random() * PROCESSES);
        const victim = running[index];
        if (!victim) continue;
        await end(victim, 'SIGKILL');
        hits += Number(await countRunning(db)) > 0 ? 1 : 0;
        running[index] = await start();
      }
      await untilEmpty(db, options.timeout);
    } finally {
      await Promise.all(running.map((one) => end(one, 'SIGTERM')));
    }
    return { ...(await effectsOf(db, options.jobs)), left: await countLeft(db), hits };
  } finally {
    await db.close();
    await database?.drop();
    await rm(data, { recursive: true, force: true });
  }
}

async function addJobs(db: Database, { jobs, longest }: Options, now: Date): Promise<void> {
  for (let index = 0; index < jobs; index += 1) {
    const milliseconds = Math.ceil(((index % 10) / 9) * longest);
    const payload = { name: `effect-${index}`, milliseconds };
    await enqueue(db, { kind: 'test.effect', key: payload.name, payload, now });
  }
}

async function launch(url: string, data: string, args: readonly number[]): Promise<ChildProcess> {
  const child = spawn(process.execPath, [SCRIPT, ...args.map(String)], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: join(tmpdir(), 'marquee-compile-cache'),
      MARQUEE_DATA: data,
      MARQUEE_DATABASE_URL: url,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await Promise.race([once(child.stdout ?? child, 'data'), once(child, 'exit')]);
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

const count = async ({ query }: Database, isRunning: boolean): Promise<number> => {
  const row = await query
    .selectFrom('jobs')
    .select(({ fn }) => fn.countAll().as('count'))
    .$if(isRunning, (jobs) => jobs.where('state', '=', 'running'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
};
const countLeft = (db: Database) => count(db, false);
const countRunning = (db: Database) => count(db, true);

async function untilEmpty(db: Database, timeout: number): Promise<void> {
  const until = Date.now() + timeout;
  while (Date.now() < until && (await countLeft(db)) > 0) await delay(100);
}

async function effectsOf(db: Database, jobs: number): Promise<Pick<JobsRun, 'wrong' | 'booked'>> {
  const { rows } = await sql<{ name: string; times: number }>`SELECT name, count(*) AS times FROM effects
    GROUP BY name`.execute(db.query);
  const times = new Map(rows.map((row) => [row.name, Number(row.times)]));
  const all = Array.from({ length: jobs }, (_, index) => `effect-${index}`);
  const wrong = all.filter((name) => times.get(name) !== 1).map((name) => [name, times.get(name) ?? 0]);
  return { wrong: Object.fromEntries(wrong), booked: rows.length };
}
