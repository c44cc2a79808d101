import { constants } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startWorker, type WorkerEnd } from './worker-process.ts';

describe('a worker that cannot be started', () => {
  const { execPath } = process;
  afterEach(() => {
    process.execPath = execPath;
    vi.unstubAllEnvs();
  });

  /** Ends that the worker reports. */
  async function endsOf(): Promise<WorkerEnd[]> {
    const ends: WorkerEnd[] = [];
    await new Promise<void>((resolve) => {
      const onEnd = (end: WorkerEnd) => {
        ends.push(end);
        resolve();
      };
      startWorker(1, 0, { onMessage: () => undefined, onLine: () => undefined, onEnd });
    });
    return ends;
  }

  it('ends once, with the error that Node emits', async () => {
    // Simulates an upgrade of Node.
    process.execPath = '/nonexistent/node';
    const error = expect.objectContaining({ code: 'ENOENT' });
    expect(await endsOf()).toEqual([{ code: -constants.errno.ENOENT, signal: null, error }]);
  });

  it('ends once, with the error that Node throws', async () => {
    // Exceeds the limit of the system, because a lack of memory cannot be provoked.
    vi.stubEnv('LONG', 'x'.repeat(1_000_000));
    const error = expect.objectContaining({ code: 'E2BIG' });
    expect(await endsOf()).toEqual([{ code: null, signal: null, error }]);
  });
});
