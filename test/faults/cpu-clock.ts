import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** CPU time that requests take of a server, whatever else the machine does. On Linux only. */
export interface CpuClock {
  /** Milliseconds of the main thread since the last call; other threads compile and collect garbage. */
  total(): number | undefined;
  /** Milliseconds of the longest turn of the event loop since the last request has come. */
  longestTurn(): Promise<number>;
}

const TURN_CLOCK = fileURLToPath(new URL('turn-clock.ts', import.meta.url));

/** Milliseconds after which a turn has ended whose response has come. */
const END_OF_TURN = 50;

/** Settings of a server whose turns are measured. */
export const turnClockIn = (folder: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=${TURN_CLOCK}`,
  TURN_CLOCK: fileIn(folder),
});

const fileIn = (folder: string): string => join(folder, 'longest-turn');

export function createCpuClock(pid: number, folder: string): CpuClock {
  let last = cpuOf(pid);
  return {
    total() {
      const [before, now] = [last, cpuOf(pid)];
      last = now;
      return before === undefined || now === undefined ? undefined : now - before;
    },
    async longestTurn() {
      await delay(END_OF_TURN);
      return Number(readFileSync(fileIn(folder), 'utf8')) / 1000;
    },
  };
}

/** Milliseconds of CPU that the main thread of a process has taken. */
function cpuOf(pid: number): number | undefined {
  try {
    const [nanoseconds] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
    return Number(nanoseconds) / 1e6;
  } catch {
    return undefined;
  }
}
