import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../base/config.ts';
import { createMemoryCounter } from '../../platform/limits/limits.ts';
import { processMetrics } from '../../platform/monitoring/process-report.ts';
import type { FromPrimary, FromWorker } from './messages.ts';
import { Supervisor } from './supervisor.ts';
import type { WorkerEnd, WorkerEvents } from './worker-process.ts';

const REPORT = processMetrics();

/** A worker without a process. */
interface FakeWorker {
  number: number;
  sent: FromPrimary['kind'][];
  says(message: FromWorker): void;
  ends(end: Partial<WorkerEnd>): void;
  isKilled: boolean;
  /** Leaves checks unanswered. */
  hangs: boolean;
}

/** Starts two workers, and records their replacements. */
function supervised() {
  const started: FakeWorker[] = [];
  const start = (number: number, _fd: number, { onMessage, onEnd }: WorkerEvents) => {
    const worker: FakeWorker = {
      ...{ number, sent: [], isKilled: false, hangs: false, says: onMessage },
      ends: (end) => onEnd({ code: null, signal: null, ...end }),
    };
    started.push(worker);
    return {
      pid: 1000 + started.length,
      send({ kind }: FromPrimary) {
        worker.sent.push(kind);
        if (kind === 'report-wanted' && !worker.hangs) worker.says({ kind: 'report', report: REPORT });
        if (kind === 'stop' && !worker.hangs) worker.ends({ code: 0 });
      },
      kill() {
        worker.isKilled = true;
        worker.ends({ signal: 'SIGKILL' });
      },
    };
  };
  const log = pino({ level: 'silent' });
  const count = createMemoryCounter({ ...readConfig({}), cartRate: { writes: 3, checkouts: 1 } });
  const supervisor = new Supervisor({ workers: 2, fd: 4, log, writeLine: () => undefined, count, start });
  const [first, second] = started as [FakeWorker, FakeWorker];
  return { supervisor, started, first, second };
}

describe('the supervisor of workers', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('has started once all workers listen', async () => {
    const { supervisor, first, second } = supervised();
    const onStart = vi.fn();
    void supervisor.started.then(onStart);
    first.says({ kind: 'listening' });
    await vi.advanceTimersByTimeAsync(1000);
    expect(onStart).not.toHaveBeenCalled();
    second.says({ kind: 'listening' });
    await supervisor.started;
  });

  it('fails to start if a worker fails, with the first message', async () => {
    const { supervisor, first, second } = supervised();
    for (const worker of [first, second]) worker.says({ kind: 'failed', problem: 'MARQUEE_PORT 8080 is in use.' });
    await expect(supervisor.started).rejects.toThrow(/^MARQUEE_PORT 8080 is in use\.$/);
  });

  it('stops without waiting for workers that hang at the start', async () => {
    const { supervisor, first, second } = supervised();
    first.says({ kind: 'failed', problem: 'MARQUEE_PORT 8080 is in use.' });
    second.hangs = true;
    const stopped = supervisor.stop();
    await vi.advanceTimersByTimeAsync(1000);
    await stopped;
    expect(second.isKilled).toBe(true);
  });

  it('replaces a worker by one of the same number', async () => {
    const { started, second } = supervised();
    second.ends({ signal: 'SIGSEGV' });
    await vi.advanceTimersByTimeAsync(1);
    expect(started.map(({ number }) => number)).toEqual([1, 2, 2]);
  });

  it('stops when workers keep ending', async () => {
    const { supervisor, started } = supervised();
    for (let death = 0; death < 10; death += 1) {
      started.at(-1)?.ends({ code: 7 });
      await vi.advanceTimersByTimeAsync(5000);
    }
    expect((await supervisor.broken).message).toBe('Workers keep ending, the last one by status 7: see the log.');
    expect(started).toHaveLength(2 + 9);
  });

  it('kills and replaces only a worker that does not respond for a minute', async () => {
    const { started, first, second } = supervised();
    for (const worker of [first, second]) worker.says({ kind: 'listening' });
    second.hangs = true;
    await vi.advanceTimersByTimeAsync(59_000);
    expect(started).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(20_000);
    expect([first.isKilled, second.isKilled]).toEqual([false, true]);
    expect(started).toHaveLength(3);
  });

  it('stops all workers, kills those that hang, and replaces none', async () => {
    const { supervisor, started, first, second } = supervised();
    for (const worker of [first, second]) worker.says({ kind: 'listening' });
    second.hangs = true;
    const stopped = supervisor.stop();
    await vi.advanceTimersByTimeAsync(11_000);
    expect(second.isKilled).toBe(false);
    await vi.advanceTimersByTimeAsync(1000);
    await stopped;
    expect(second.isKilled).toBe(true);
    expect(started).toHaveLength(2);
  });
});
