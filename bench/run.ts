/** The benchmark of reads. What it does and how to read it: README.md beside it. */
import { mkdir, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { DATABASES, type DatabaseKind } from '../test/server.ts';
import { printComparison } from './against.ts';
import { printLists } from './lists.ts';
import { printPages, printPagesComparison } from './pages.ts';
import { findCores, isInstalled, pinSelf } from './pinning.ts';
import { printTargets, printTargetsComparison } from './print-targets.ts';
import { runRaces } from './race-process.ts';
import { printSeries } from './series.ts';
import { makeOriginal, WITHOUT_MEMORY } from './sites.ts';
import { printSizes } from './sizes.ts';
import { printGeneration } from './verdicts.ts';
import { measureByWorkers } from './workers.ts';
import { measureByWrk } from './wrk.ts';

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '100000' },
    database: { type: 'string' },
    cases: { type: 'string' },
    lists: { type: 'boolean', default: false },
    series: { type: 'boolean', default: false },
    pages: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    against: { type: 'string' },
    only: { type: 'string', default: '' },
    memory: { type: 'string', default: 'on' },
    seconds: { type: 'string', default: '3' },
    turns: { type: 'string' },
    generator: { type: 'string' },
    profile: { type: 'boolean', default: false },
    keep: { type: 'string' },
  },
});

const hasWrk = options.generator !== 'own' && isInstalled('wrk');
const cores = findCores();
const cases = options.cases?.split(',');
const { profile, turns = '3' } = options;
const common = {
  events: Number(options.events),
  only: new RegExp(options.only, 'i'),
  generator: hasWrk ? measureByWrk : measureByWorkers,
  serverCore: cores?.server,
};
const keep = options.keep === undefined ? undefined : resolve(options.keep);
const timed = { ...common, seconds: Number(options.seconds), turns: Number(turns), profile, keep };

const conditions = [
  hasWrk
    ? 'Throughput by wrk, single requests by our own client.'
    : 'WITHOUT WRK: throughput by processes of our own client, which are slower.',
  cores
    ? `The server has core ${cores.server}; what asks it, and PostgreSQL, have core ${cores.generator}.`
    : 'NOT PINNED: the server and what asks it share all cores (no taskset here, or one core only).',
];
if (options.memory === 'off') conditions.push('The servers cache no responses (--memory off).');
for (const line of conditions) console.log(line);
// Processes that this one starts are on its core, unless said otherwise.
if (cores) pinSelf(cores.generator);

async function runOn(kind: DatabaseKind) {
  if (options.sizes !== undefined) return printSizes(kind, options.sizes.split(',').map(Number), timed);
  const against = options.against === undefined ? undefined : resolve(options.against);
  // An older version cannot read what this one has made.
  const origin = against === undefined ? { keep } : { checkout: against };
  const original = await makeOriginal({ kind, events: common.events, ...origin });
  printGeneration(original, common.events);
  try {
    if (against !== undefined) {
      if (options.pages)
        return await printPagesComparison(original, { ...timed, turns: Number(options.turns ?? 7), against });
      const isCold = options.memory === 'off';
      const versions = {
        ...timed,
        turns: Number(options.turns ?? 7),
        against,
        ...(isCold && { settings: WITHOUT_MEMORY }),
      };
      if (cases) return await printTargetsComparison(original, { ...versions, cases, isCold });
      return await printComparison(original, versions);
    }
    if (options.series) return await printSeries(original, timed);
    if (options.lists) return await printLists(original, timed);
    if (options.pages) return await printPages(original, timed);
    return await printTargets(original, { ...timed, cases });
  } finally {
    await original.close();
  }
}

const isOfTargets =
  !options.lists && !options.series && !options.pages && options.sizes === undefined && options.against === undefined;
const runs: Awaited<ReturnType<typeof runOn>>[] = [];
for (const kind of DATABASES) {
  if (options.database && options.database !== kind) continue;
  runs.push(await runOn(kind));
  if (isOfTargets && (!cases || cases.includes('races'))) await runRaces(kind, cores);
}
if (runs.some((run) => 'slower' in run && run.slower.length > 0)) process.exitCode = 1;
const results = join(import.meta.dirname, 'results');
await mkdir(results, { recursive: true });
const at = new Date().toISOString();
const report = { at, node: process.version, cpu: cpus()[0]?.model, conditions, options, runs };
await writeFile(join(results, `${at.replace(/[:.]/g, '-')}.json`), `${JSON.stringify(report, undefined, 2)}\n`);
