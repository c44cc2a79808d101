import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { launchPostgres } from './postgres.ts';
import { bundledServer } from './server-bundle.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** A PostgreSQL server for the whole run, which may still be starting: `createDatabase` waits for it. */
    postgresUrl: string;
  }
}

/**
 * Starts PostgreSQL without waiting for it, so that tests that need none begin at once. Builds the console and the bundle of the
 * server if their sources have changed, which takes two seconds each.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, ready, stop } = await launchPostgres();
  await promisify(execFile)(process.execPath, ['apps/build.ts', '--if-stale']);
  const outcome = Promise.allSettled([ready]);
  project.provide('postgresUrl', url);
  process.env.TEST_SERVER ??= await bundledServer();
  process.env.TEST_RUN = randomUUID();
  return async () => {
    const [start] = await outcome;
    await stop();
    if (start.status === 'rejected') throw start.reason;
  };
}
