import { expect, it } from 'vitest';
import { announcingClock, nextAttempt, subscribeToWaits } from './waits.ts';

it('announces a long wait until it ends, also by its signal, and no short one', async () => {
  let told = 0;
  const unsubscribe = subscribeToWaits(() => {
    told += 1;
  });
  await announcingClock.sleep(1);
  expect([told, nextAttempt()]).toEqual([0, undefined]);
  const controller = new AbortController();
  const before = Date.now();
  const waiting = announcingClock.sleep(30_000, controller.signal);
  expect(told).toBe(1);
  expect(nextAttempt()).toBeGreaterThanOrEqual(before + 30_000);
  controller.abort(new Error('left'));
  await expect(waiting).rejects.toThrow('left');
  expect([told, nextAttempt()]).toEqual([2, undefined]);
  unsubscribe();
});
