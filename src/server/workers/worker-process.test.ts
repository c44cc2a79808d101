import { constants } from 'node:os';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startWorker, type WorkerEnd } from './worker-process.ts';

describe('a worker that cannot be started', () => {
  const { execPath } = process;
  afterEach(() => {
    process.execPath = execPath;
    vi.unstubAllEnvs();
  });

  /** What is told of its end. */
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

  it('ends once, with the reason that Node emits', async () => {
    // As while Node is being replaced by another version.
    process.execPath = '/nonexistent/node';
    const error = expect.objectContaining({ code: 'ENOENT' });
    expect(await endsOf()).toEqual([{ code: -constants.errno.ENOENT, signal: null, error }]);
  });

  it('ends once, with the reason that Node throws', async () => {
    // More than the system takes; a lack of memory cannot be brought about.
    vi.stubEnv('LONG', 'x'.repeat(1_000_000));
    const error = expect.objectContaining({ code: 'E2BIG' });
    expect(await endsOf()).toEqual([{ code: null, signal: null, error }]);
  });
});
