import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openDatabase } from '../src/db/database.ts';
import { findJobRuns } from '../src/jobs/job-runs.ts';
import { runJobsInProcesses } from './job-processes.ts';
import { commandProcess, type MarqueeProcess, serveProcess } from './marquee-process.ts';
import { BOTH_DATABASES } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

// `npm run faults -- jobs` and its short form in test/faults have the guarded effects.
it.each(BOTH_DATABASES)('effects outside the booking are repeated when a claim lapses, on %s', async (kind) => {
  const postgresUrl = kind === 'postgres' ? inject('postgresUrl') : '';
  const control = { kind, postgresUrl, jobs: 24, kills: 0, longest: 3000, isOutside: true, timeout: 5000 };
  const { wrong } = await runJobsInProcesses(control);
  expect(Math.max(0, ...Object.values(wrong))).toBeGreaterThan(1);
});

describe('a process', () => {
  let data: string;
  let running: MarqueeProcess | undefined;
  beforeEach(async () => {
    data = await temporaryFolder('work');
  });
  afterEach(async () => {
    running?.signal('SIGKILL');
    await running?.ended;
    await rm(data, { recursive: true, force: true });
  });

  const settings = () => ({ MARQUEE_DATA: data, MARQUEE_ADMIN: 'admin:correct-horse' });
  const runs = async () => {
    const db = openDatabase({ kind: 'sqlite', file: join(data, 'marquee.db') });
    const found = await findJobRuns(db);
    await db.close();
    return found.length;
  };
  const says = async ({ output, ended }: MarqueeProcess, line: string) => {
    let hasEnded = false;
    void ended.then(() => {
      hasEnded = true;
    });
    while (!output().includes(line)) {
      if (hasEnded) throw new Error('it ended');
      await delay(20);
    }
  };
  const stop = async (one: MarqueeProcess) => {
    one.signal('SIGTERM');
    return (await one.ended).code;
  };

  it.each([
    ['work', {}],
    ['serve', { MARQUEE_JOBS: 'only' }],
  ])('with `marquee %s` and %o runs jobs, listens on no port, and ends with 0 on SIGTERM', async (command, more) => {
    running = commandProcess([command], { ...settings(), ...more });
    await says(running, 'Marquee runs background jobs');
    expect(await stop(running)).toBe(0);
    expect(running.output()).toEqual(['Marquee runs background jobs']);
    expect(await runs()).toBeGreaterThan(0);
  });

  it.each([
    ['on', true],
    ['off', false],
  ])('with MARQUEE_JOBS=%s serves, and runs periodic jobs: %s', async (jobs, hasRuns) => {
    running = serveProcess({ ...settings(), MARQUEE_JOBS: jobs });
    await running.address;
    expect(await stop(running)).toBe(0);
    expect((await runs()) > 0).toBe(hasRuns);
  });
});
