import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Context } from '../base/context.ts';
import { PERIODIC_JOBS, startJobs } from './periodic.ts';

describe('periodic jobs', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('have names of their own and run at least once a minute', () => {
    expect(new Set(PERIODIC_JOBS.map(({ name }) => name)).size).toBe(PERIODIC_JOBS.length);
    for (const { interval } of PERIODIC_JOBS) expect(interval).toBeLessThanOrEqual(60);
  });

  it('run at once and at their intervals, also after a failure, until they are stopped', async () => {
    const logged: string[] = [];
    const log = { error: (_: object, text: string) => void logged.push(text), warn: () => undefined };
    // The jobs of this test use nothing else. Without a database their runs cannot be noted.
    const context = { log } as unknown as Context;
    const failing = vi.fn().mockRejectedValueOnce(new Error('no database')).mockResolvedValue(0);
    const working = vi.fn().mockResolvedValue(0);
    const stop = startJobs(context, [
      { name: 'failing', interval: 5, work: failing },
      { name: 'working', interval: 15, work: working },
    ]);
    await vi.advanceTimersByTimeAsync(15_000);
    expect([failing.mock.calls.length, working.mock.calls.length]).toEqual([4, 2]);
    expect(failing).toHaveBeenCalledWith(context);
    expect(logged).toEqual(['failing failed']);
    stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(failing.mock.calls.length).toBe(4);
  });
});
