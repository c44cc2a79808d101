/** Measures the start on an empty database: until the first answer, and the memory in use then. README.md says more. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDatabase, startPostgres } from '../test/postgres.ts';
import { fetchOnce } from './client.ts';
import { memoryOf, startMarquee } from './process.ts';

const RUNS = 5;

interface Start {
  /** Milliseconds. */
  firstAnswer: number;
  /** MiB. */
  memory: number;
}

async function startOnce(databaseUrl?: string): Promise<Start> {
  const data = await mkdtemp(join(tmpdir(), 'marquee-start-'));
  const began = performance.now();
  const server = await startMarquee({
    MARQUEE_DATA: data,
    ...(databaseUrl && { MARQUEE_DATABASE_URL: databaseUrl }),
  });
  try {
    const { status } = await fetchOnce({ url: `${server.address}/calendar/events/v1/events` });
    if (status !== 200) throw new Error(`the first answer was ${status}`);
    return { firstAnswer: performance.now() - began, memory: memoryOf(server.pid)?.resident ?? Number.NaN };
  } finally {
    await server.stop();
    await rm(data, { recursive: true });
  }
}

function report(database: string, starts: readonly Start[]): void {
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
  const firstAnswer = median(starts.map((start) => start.firstAnswer));
  const memory = median(starts.map((start) => start.memory));
  console.log(`${database}: first answer after ${firstAnswer.toFixed(0)} ms, ${memory.toFixed(0)} MiB resident`);
}

const sqlite: Start[] = [];
for (let run = 0; run < RUNS; run += 1) sqlite.push(await startOnce());
report('SQLite', sqlite);

const postgres = await startPostgres();
try {
  const starts: Start[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const { url, drop } = await createDatabase(postgres.url);
    starts.push(await startOnce(url));
    await drop();
  }
  report('PostgreSQL', starts);
} finally {
  await postgres.stop();
}
