import { startPostgres } from '../test/postgres.ts';
import { DATABASES, type DatabaseKind } from '../test/server.ts';
import { crowd } from '../test/two-servers.ts';
import { percentile } from './statistics.ts';

/** Benchmarks of many concurrent clients, on one database after the other. */

export interface CallerFigures {
  /** Total per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export async function measureCallers<T>(
  attempts: number,
  callers: number,
  attempt: (index: number) => Promise<T>,
): Promise<CallerFigures & { answers: T[] }> {
  const times: number[] = [];
  const began = performance.now();
  const answers = await crowd(attempts, callers, async (index) => {
    const sent = performance.now();
    const answer = await attempt(index);
    times.push(performance.now() - sent);
    return answer;
  });
  const rate = attempts / ((performance.now() - began) / 1000);
  times.sort((a, b) => a - b);
  return { rate, p50: percentile(times, 0.5), p99: percentile(times, 0.99), answers };
}

/** Runs a benchmark on all databases, or on the one that `--database` names. */
export async function onDatabases(
  only: string | undefined,
  run: (kind: DatabaseKind, postgresUrl: string) => Promise<void>,
): Promise<void> {
  const postgres = await startPostgres();
  try {
    for (const kind of DATABASES) if (!only || only === kind) await run(kind, postgres.url);
  } finally {
    await postgres.stop();
  }
}
