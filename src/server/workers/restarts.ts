/** Period in milliseconds in which deaths of workers count. */
const WINDOW = 60_000;
/** Number of deaths in that period at which the server stops; at least two for each worker. */
const MAX_DEATHS = 10;
/** Milliseconds before a repeated replacement. It doubles with each further one. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5000;

interface Restarts {
  /**
   * Counts the death of a worker. Returns the milliseconds before its replacement; undefined after too many deaths.
   * `now` is in milliseconds of a monotonic clock.
   */
  pauseAfterDeath(now: number): number | undefined;
}

/** Decides when a dead worker is replaced. The first death of each worker needs no pause. */
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
