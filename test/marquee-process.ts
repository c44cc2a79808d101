import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The sources, or in tests a bundle of them, which starts in half the time (`server-bundle.ts`). */
const CLI = process.env.TEST_SERVER ?? join(import.meta.dirname, '../src/cli.ts');
/** The path of a program of tests: its source, or what the bundle of the server has of it. */
export function programOf(source: URL): string {
  const path = fileURLToPath(source);
  const bundled = join(dirname(CLI), `${basename(path, '.ts')}.mjs`);
  return existsSync(bundled) ? bundled : path;
}

/** As in `npm start` and the Dockerfile: without it, V8 enlarges its heap under any load and keeps it. */
const NODE_OPTIONS = ['--max-semi-space-size=8', '--heap-growing-percent=50'];

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Lines. */
  out: string[];
  err: string[];
}

export interface MarqueeProcess {
  /** Scheme, host and port; fails when the process ends before it listens. */
  address: Promise<string>;
  ended: Promise<Ended>;
  pid: number;
  /** The lines of its standard output so far. */
  output(): string[];
  signal(name: NodeJS.Signals): void;
  /** Stops reading its standard output, so that the pipe fills up. */
  stopReading(): void;
  /** Closes the other end of its standard output. */
  closeOutput(): void;
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');

/** `marquee serve` as an operator starts it, with these settings and no others, on a free port unless they say otherwise. */
export const serveProcess = (settings: Record<string, string>, options?: SpawnOptions): MarqueeProcess =>
  commandProcess(['serve'], settings, options);

/** Environment besides the settings. */
export interface SpawnOptions {
  /** Shell commands to run before the process: `umask 0`, `ulimit -S -f 4096`. */
  shell?: string;
  /** A file descriptor for standard output instead of the pipe that `Ended.out` and `address` come from. */
  stdout?: number;
  /** Signals go to the process and all that it has started, as those of a terminal do. */
  isGroup?: boolean;
}

/** As `serveProcess`, for any command; those that end have no address. */
export const commandProcess = (
  args: readonly string[],
  settings: Record<string, string>,
  options?: SpawnOptions,
): MarqueeProcess => nodeProcess([...NODE_OPTIONS, CLI, ...args], settings, options);

/** As `serveProcess`, for another script that reports its address. */
export function nodeProcess(
  args: readonly string[],
  settings: Record<string, string> = {},
  { shell = ':', stdout, isGroup = false }: SpawnOptions = {},
): MarqueeProcess {
  const child = spawn('/bin/sh', ['-c', `${shell} && exec "$@"`, 'sh', process.execPath, ...args], {
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: join(tmpdir(), 'marquee-compile-cache'),
      MARQUEE_PORT: '0',
      MARQUEE_LOG_LEVEL: 'silent',
      ...settings,
    },
    stdio: ['ignore', stdout ?? 'pipe', 'pipe'],
    detached: isGroup,
  });
  let out = '';
  let err = '';
  const listening = Promise.withResolvers<string>();
  // Tests of processes that are to fail do not await the address.
  listening.promise.catch(() => undefined);
  child.stdout?.on('data', (chunk) => {
    out += String(chunk);
    const address = /^Marquee listens on (\S+)$/m.exec(out)?.[1];
    if (address) listening.resolve(address);
  });
  child.stderr?.on('data', (chunk) => {
    err += String(chunk);
  });
  const ended = once(child, 'close').then(([code, signal]): Ended => {
    listening.reject(new Error(`ended before it listened: ${err}`));
    return { code, signal, out: linesOf(out), err: linesOf(err) };
  });
  const pid = child.pid ?? 0;
  return {
    address: listening.promise,
    ended,
    pid,
    output: () => linesOf(out),
    signal(name) {
      const isOver = child.exitCode !== null || child.signalCode !== null;
      if (isGroup && !isOver) process.kill(-pid, name);
      else child.kill(name);
    },
    stopReading: () => void child.stdout?.pause(),
    closeOutput: () => void child.stdout?.destroy(),
  };
}
