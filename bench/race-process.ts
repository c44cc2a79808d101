import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { DatabaseKind } from '../test/server.ts';
import type { Cores } from './pinning.ts';

/** Runs the races (races.ts), whose two servers and their client share both cores. */
export async function runRaces(kind: DatabaseKind, cores: Cores | undefined): Promise<void> {
  const races = [process.execPath, join(import.meta.dirname, 'races.ts'), '--database', kind];
  const [command = '', ...rest] = cores ? ['taskset', '-c', `${cores.server},${cores.generator}`, ...races] : races;
  const child = spawn(command, rest, { stdio: ['ignore', 'inherit', 'inherit'] });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('the races failed');
}
