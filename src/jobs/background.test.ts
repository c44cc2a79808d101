import { expect, it } from 'vitest';
import { NOON, startTestServer } from '../../test/server.ts';
import type { Context } from '../base/context.ts';
import { toUtc } from '../lib/dates/dates.ts';
import { enqueue } from '../platform/jobs/queue.ts';
import { warnOfOverdueJob } from './background.ts';

it('reports a job that is overdue by more than ten minutes', async () => {
  const { context, clock, close } = await startTestServer('sqlite');
  const warned: object[] = [];
  const log = { warn: (details: object) => void warned.push(details) } as unknown as Context['log'];
  const look = (seconds: number) => {
    clock.now = new Date(NOON.getTime() + seconds * 1000);
    return warnOfOverdueJob({ ...context, log });
  };
  await enqueue(context.db, { kind: 'test.wait', payload: {}, now: NOON, runAt: toUtc(NOON) });
  await look(599);
  expect(warned).toEqual([]);
  await look(720);
  expect(warned).toEqual([{ job: expect.any(Number), kind: 'test.wait', minutes: 12 }]);
  await close();
});
