import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BOTH_DATABASES, useTestServer } from '../../test/server.ts';
import type { Context } from '../base/context.ts';
import { findJobRuns } from './job-runs.ts';
import { createLease, inTurn, LEASE } from './leases.ts';
import { every, PERIODIC_JOBS, type PeriodicRuns, startPeriodic } from './periodic.ts';

it('periodic jobs have distinct names', () => {
  expect(new Set(PERIODIC_JOBS.map(({ name }) => name)).size).toBe(PERIODIC_JOBS.length);
});

describe.each(BOTH_DATABASES)('periodic jobs on %s', (kind) => {
  const server = useTestServer(kind, {}, { isFreshEachTime: true });
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());

  const pass = (seconds: number) => {
    const { clock } = server();
    clock.now = new Date(clock.now.getTime() + seconds * 1000);
  };
  /** Moves timers and clock second by second, and waits for the runs. */
  const advance = async (seconds: number, ...runs: PeriodicRuns[]) => {
    for (let second = 0; second < seconds; second += 1) {
      pass(1);
      vi.advanceTimersByTime(1000);
      for (const run of runs) await run.settled();
    }
  };

  it('run at once and at their intervals, also after a failure, until they are stopped', async () => {
    const logged: string[] = [];
    const log = { error: (_: object, text: string) => void logged.push(text), warn: () => undefined };
    const context = { ...server().context, log } as unknown as Context;
    const failing = vi.fn().mockRejectedValueOnce(new Error('fault')).mockResolvedValue(0);
    const working = vi.fn().mockResolvedValue(0);
    const runs = startPeriodic(context, [every('failing', 5, failing), every('working', 15, working)]);
    await runs.settled();
    await advance(15, runs);
    expect([failing.mock.calls.length, working.mock.calls.length]).toEqual([4, 2]);
    expect(failing).toHaveBeenCalledWith(context);
    expect(logged).toEqual(['failing failed']);
    expect((await findJobRuns(context.db)).map(({ name }) => name)).toEqual(['failing', 'working']);
    await runs.stop();
    await advance(30, runs);
    expect(failing.mock.calls.length).toBe(4);
  });

  it('run rare jobs at their interval, also across restarts', async () => {
    const rare = vi.fn().mockResolvedValue(0);
    const start = () => startPeriodic(server().context, [every('rare', 600, rare)]);
    const first = start();
    await first.settled();
    await advance(540, first);
    await first.stop();
    const second = start();
    await advance(59, second);
    expect(rare).toHaveBeenCalledTimes(1);
    await advance(61, second);
    expect(rare).toHaveBeenCalledTimes(2);
    await second.stop();
  });

  it('do not start again before the last run has ended', async () => {
    const end = Promise.withResolvers<void>();
    const slow = vi.fn(() => end.promise);
    const runs = startPeriodic(server().context, [every('slow', 5, slow)]);
    await vi.waitFor(() => expect(slow).toHaveBeenCalledTimes(1), 30_000);
    await advance(15);
    end.resolve();
    await runs.settled();
    expect(slow).toHaveBeenCalledTimes(1);
    await advance(5, runs);
    expect(slow).toHaveBeenCalledTimes(2);
    await runs.stop();
  });

  it('run in one of several processes, and in another one when it stops or dies', async () => {
    const calls: number[] = [];
    const start = (process: number): PeriodicRuns =>
      startPeriodic(server().context, [every('working', 5, async () => void calls.push(process))]);
    const first = start(1);
    await first.settled();
    const [second, third] = [start(2), start(3)];
    await advance(60, first, second, third);
    expect(calls).toEqual(Array(13).fill(1));
    await first.stop();
    calls.length = 0;
    await advance(10, second, third);
    expect(new Set(calls).size).toBe(1);
    expect(calls).toHaveLength(2);
    await Promise.all([second.stop(), third.stop()]);
  });

  it('run less often than once a minute by the time of their last success, in any process', async () => {
    const calls: string[] = [];
    const turn = (work: () => Promise<void>) => inTurn(server().context, { name: 'daily', seconds: 86_400 }, work);
    const succeed = async () => void calls.push('done');
    expect(await turn(succeed)).toBe(true);
    pass(86_399);
    expect(await turn(succeed)).toBe(false);
    pass(1);
    await expect(turn(() => Promise.reject(new Error('fault')))).rejects.toThrow('fault');
    expect(await turn(succeed)).toBe(false);
    pass(300);
    expect(await turn(succeed)).toBe(true);
    // The clock was days ahead.
    pass(-10 * 86_400);
    expect(await turn(succeed)).toBe(true);
    expect(calls).toHaveLength(3);
  });

  it('lease lapses for others 30 seconds after its last renewal', async () => {
    const { context } = server();
    const [own, other] = [createLease(context, 'test'), createLease(context, 'test')];
    expect(await own.hold()).toBe(true);
    pass(LEASE - 1);
    expect(await other.hold()).toBe(false);
    expect(await own.hold()).toBe(true);
    pass(LEASE - 1);
    expect(await other.hold()).toBe(false);
    pass(1);
    expect(await other.hold()).toBe(true);
    expect(await own.hold()).toBe(false);
    await other.release();
    expect(await own.hold()).toBe(true);
  });

  it('lease of a process whose clock was ahead is taken over', async () => {
    const { context } = server();
    pass(86_400);
    expect(await createLease(context, 'test').hold()).toBe(true);
    pass(-86_400);
    expect(await createLease(context, 'test').hold()).toBe(true);
  });

  it('lease is not taken from a process whose clock is a little ahead', async () => {
    const { context } = server();
    const [ahead, behind] = [createLease(context, 'test'), createLease(context, 'test')];
    pass(20);
    expect(await ahead.hold()).toBe(true);
    pass(-20);
    expect(await behind.hold()).toBe(false);
    pass(20 + LEASE);
    expect(await behind.hold()).toBe(true);
  });

  it('lease is given to one of many processes that ask together', async () => {
    const { context } = server();
    const answers = await Promise.all(Array.from({ length: 20 }, () => createLease(context, 'test').hold()));
    expect(answers.filter((isHeld) => isHeld)).toHaveLength(1);
  });
});
