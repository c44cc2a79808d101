/** Milliseconds during which deaths of workers count. */
const WINDOW = 60_000;
/** Deaths in that time at which the server gives up, unless there are many workers. */
const MAX_DEATHS = 10;
/** Milliseconds before the second replacement in that time. It doubles with each further one. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5000;

interface Restarts {
  /**
   * Counts the death of a worker. Returns the milliseconds before it may be replaced; undefined when too many have died.
   * `now` is in milliseconds of a monotonic clock.
   */
  pauseAfterDeath(now: number): number | undefined;
}

/** Decides when a dead worker is replaced. All of them may die once at the same time. */
export function createRestarts(workers: number): Restarts {
  let deaths: number[] = [];
  return {
    pauseAfterDeath(now) {
      deaths = [...deaths.filter((time) => now - time < WINDOW), now];
      if (deaths.length >= Math.max(MAX_DEATHS, 2 * workers)) return undefined;
      const repeated = Math.max(0, deaths.length - workers);
      return repeated === 0 ? 0 : Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (repeated - 1));
    },
  };
}
