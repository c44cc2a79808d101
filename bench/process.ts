import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pinnedCommand } from './pinning.ts';

const ROOT = join(import.meta.dirname, '..');

export interface Running {
  /** Scheme, host and port. */
  address: string;
  pid: number;
  /** Ends the process as an operator would, and waits for it. */
  stop(): Promise<void>;
}

export interface StartOptions {
  env?: Record<string, string>;
  nodeArgs?: readonly string[];
  /** The checkout whose program runs; this one by default. */
  checkout?: string;
  /** The core it is kept on; any by default. */
  core?: number;
}

/** Starts a Node program of the project and waits until it says where it listens. */
export async function start(
  args: readonly string[],
  { env = {}, nodeArgs = [], checkout = ROOT, core }: StartOptions = {},
): Promise<Running> {
  const [command = '', ...rest] = pinnedCommand([process.execPath, ...nodeArgs, ...args], core);
  const child = spawn(command, rest, {
    cwd: checkout,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const address = await addressOf(child);
  return {
    address,
    pid: child.pid ?? 0,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Where `npm start` keeps compiled code too. */
const COMPILE_CACHE = 'node_modules/.cache/marquee';

/** The flags of Node in `npm start` of a checkout: they are a part of its version. */
function flagsOf(checkout: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const [, flags] = /\bnode (--.*) src\/cli\.ts/.exec(scripts.start) ?? [];
  if (flags === undefined) throw new Error(`npm start of ${checkout} has no flags`);
  return flags.split(' ');
}

/** The real server on a free port, with the flags and the cache of compiled code that `npm start` has too. */
export const startMarquee = (
  env: Record<string, string>,
  { nodeArgs = [], ...options }: Omit<StartOptions, 'env'> = {},
): Promise<Running> =>
  start(['src/cli.ts', 'serve'], {
    ...options,
    env: { MARQUEE_PORT: '0', MARQUEE_LOG_LEVEL: 'error', NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    nodeArgs: [...flagsOf(options.checkout ?? ROOT), ...nodeArgs],
  });

async function addressOf(child: ChildProcess): Promise<string> {
  let said = '';
  for await (const chunk of child.stdout ?? []) {
    said += String(chunk);
    const address = /listens on (http:\S+)/.exec(said)?.[1];
    if (address) {
      child.stdout?.resume();
      return address;
    }
  }
  throw new Error(`the process ended before it listened: ${said}`);
}

/** MiB; undefined where the system does not tell. */
interface Memory {
  resident: number;
  /** The most it ever was. */
  peak: number;
}

export function memoryOf(pid: number): Memory | undefined {
  const status = readProcess(pid, 'status');
  if (status === undefined) return undefined;
  const mebibytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1]) / 1024;
  return { resident: mebibytes('VmRSS'), peak: mebibytes('VmHWM') };
}

/** Linux counts in hundredths of a second, whatever the machine. */
const TICKS_A_SECOND = 100;

/** Seconds of processor time that a process has taken, with all its threads; undefined where the system does not tell. */
export function cpuTimeOf(pid: number): number | undefined {
  // The name of the program, in parentheses, may contain spaces.
  const fields = readProcess(pid, 'stat')?.split(') ')[1]?.split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

function readProcess(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
