import { type Clock, systemClock } from '../../packages/client/src/marquee-client.ts';

/** Waits of calls for another attempt, as a busy server asks and after lost connections. */

/** Shorter waits are not worth a notice, in milliseconds. */
const SHORT = 1000;

/** Times in milliseconds at which calls try again. */
const waits = new Set<{ until: number }>();
const listeners = new Set<() => void>();

const tell = (): void => {
  for (const listener of listeners) listener();
};

export function subscribeToWaits(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Time of the last attempt that a call waits for, in milliseconds since 1970; undefined if none waits. */
export const nextAttempt = (): number | undefined =>
  waits.size === 0 ? undefined : Math.max(...[...waits].map(({ until }) => until));

/** Clock of the client, which announces long waits. */
export const announcingClock: Clock = {
  ...systemClock,
  async sleep(milliseconds, signal) {
    if (milliseconds < SHORT) return systemClock.sleep(milliseconds, signal);
    const wait = { until: Date.now() + milliseconds };
    waits.add(wait);
    tell();
    try {
      await systemClock.sleep(milliseconds, signal);
    } finally {
      waits.delete(wait);
      tell();
    }
  },
};
