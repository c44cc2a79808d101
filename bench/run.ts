/** The benchmark of the event list. What it does and how to read it: README.md beside it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DATABASES, type DatabaseKind } from '../test/server.ts';
import { printComparison } from './against.ts';
import { findCores, isInstalled, pinSelf } from './pinning.ts';
import { makeOriginal, WITHOUT_MEMORY } from './sites.ts';
import { printTable } from './table.ts';
import { measureByWorkers } from './workers.ts';
import { measureByWrk } from './wrk.ts';

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    database: { type: 'string' },
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '2' },
    turns: { type: 'string' },
    against: { type: 'string' },
    generator: { type: 'string' },
    memory: { type: 'string', default: 'on' },
    profile: { type: 'boolean', default: false },
  },
});

const ROOT = join(import.meta.dirname, '..');
const hasWrk = options.generator !== 'own' && isInstalled('wrk');
const cores = findCores();
const common = {
  events: Number(options.events),
  only: new RegExp(options.only, 'i'),
  generator: hasWrk ? measureByWrk : measureByWorkers,
  serverCore: cores?.server,
  ...(options.memory === 'off' && { settings: WITHOUT_MEMORY }),
};

const conditions = [
  hasWrk
    ? 'Throughput by wrk, single requests by our own client.'
    : 'WITHOUT WRK: throughput by processes of our own client, which are slower than a bare server.',
  cores
    ? `The server has core ${cores.server}; what asks it, and PostgreSQL, have core ${cores.generator}.`
    : 'NOT PINNED: the server and what asks it share all cores (no taskset here, or one core only).',
];
if (options.memory === 'off') conditions.push('The servers remember no answers (--memory off).');
for (const line of conditions) console.log(line);
// What this process starts is on its core, unless said otherwise.
if (cores) pinSelf(cores.generator);

async function runOn(kind: DatabaseKind) {
  const against = options.against === undefined ? undefined : resolve(options.against);
  const original = await makeOriginal({ kind, events: common.events, checkout: against ?? ROOT });
  try {
    if (against !== undefined)
      return await printComparison(original, { ...common, turns: Number(options.turns ?? 7), against });
    const { seconds, profile, turns = '3' } = options;
    const run = await printTable(original, { ...common, seconds: Number(seconds), turns: Number(turns), profile });
    console.log(
      `\ngenerated in ${run.generatedIn.toFixed(0)} s, memory ${run.memory?.toFixed(0) ?? '?'} MiB at the end`,
    );
    return run;
  } finally {
    await original.close();
  }
}

const runs: Awaited<ReturnType<typeof runOn>>[] = [];
for (const kind of DATABASES) {
  if (!options.database || options.database === kind) runs.push(await runOn(kind));
}
if (runs.some((run) => 'slower' in run && run.slower.length > 0)) process.exitCode = 1;
const results = join(import.meta.dirname, 'results');
await mkdir(results, { recursive: true });
const at = new Date().toISOString();
const report = { at, node: process.version, cpu: cpus()[0]?.model, conditions, options, runs };
await writeFile(join(results, `${at.replace(/[:.]/g, '-')}.json`), `${JSON.stringify(report, undefined, 2)}\n`);
