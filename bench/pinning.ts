import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** One core for the server alone, another for what asks it. */
export interface Cores {
  server: number;
  generator: number;
}

/** Whether a program can be run. */
export const isInstalled = (command: string): boolean =>
  spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;

/** The first two cores this process may use; undefined where there is only one, or no `taskset`. */
export function findCores(): Cores | undefined {
  if (process.platform !== 'linux' || !isInstalled('taskset')) return undefined;
  const list = /^Cpus_allowed_list:\s+(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  const [server, generator] = coresIn(list);
  return server === undefined || generator === undefined ? undefined : { server, generator };
}

/** The numbers in a list such as `0-2,5`. */
export const coresIn = (list: string): number[] =>
  list
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [from = 0, to = from] = range.split('-').map(Number);
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    });

/** Keeps this process, and every process it starts without `pinnedCommand`, on one core. */
export const pinSelf = (core: number): void =>
  void execFileSync('taskset', ['-acp', String(core), String(process.pid)], { stdio: 'ignore' });

/** A command line that runs `command` on one core, or anywhere without one. */
export const pinnedCommand = (command: readonly string[], core: number | undefined): readonly string[] =>
  core === undefined ? command : ['taskset', '-c', String(core), ...command];
