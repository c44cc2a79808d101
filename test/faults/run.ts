/**
 * Causes every fault that Marquee promises to survive, and checks the result: docs/reliability.md.
 *
 *     npm run faults                          all parts, both databases
 *     npm run faults -- kill sigterm          some parts
 *     npm run faults -- --database sqlite --short
 *     npm run faults -- --list                what there is
 *     npm run faults -- --markdown            the table of what was measured last
 */
import { parseArgs } from 'node:util';
import { startPostgres } from '../postgres.ts';
import { DATABASES, type DatabaseKind } from '../server.ts';
import type { Outcome, Part } from './part.ts';
import { PARTS } from './parts.ts';
import { keep, markdownOf, type Result, readLatest, textOf } from './report.ts';
import { within } from './site.ts';

/** Minutes after which a part has hung, unless it says otherwise. */
const AT_MOST = 10;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    database: { type: 'string' },
    short: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    markdown: { type: 'boolean', default: false },
  },
});

const failed = (error: unknown): Outcome => ({
  ...{ did: 'could not be carried out', figures: {} },
  problems: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
});

async function runPart(part: Part, kind: DatabaseKind, postgresUrl: string): Promise<Result> {
  const at = new Date().toISOString();
  const began = performance.now();
  console.log(`${part.name} on ${kind} …`);
  const run = part.run({ kind, isShort: options.short, postgresUrl });
  const { atMost = AT_MOST } = part;
  const outcome = await within(run, `took more than ${atMost} minutes`, atMost * 60_000).catch(failed);
  const took = (performance.now() - began) / 1000;
  const result = { ...outcome, part: part.name, database: kind, isShort: options.short, took, at };
  console.log(textOf([result]));
  return result;
}

async function runAll(parts: readonly Part[]): Promise<Result[]> {
  const kinds = DATABASES.filter((kind) => !options.database || kind === options.database);
  const postgres = kinds.includes('postgres') ? await startPostgres() : undefined;
  try {
    const results: Result[] = [];
    for (const part of parts) {
      for (const kind of kinds.filter((one) => part.databases.includes(one)))
        results.push(await runPart(part, kind, postgres?.url ?? ''));
    }
    return results;
  } finally {
    await postgres?.stop();
  }
}

const unknown = positionals.filter((name) => !PARTS.some((part) => part.name === name));
if (unknown.length > 0 || (options.database && !DATABASES.some((kind) => kind === options.database))) {
  console.error(`There is no ${unknown.join(', ') || options.database}. --list shows what there is.`);
  process.exitCode = 2;
} else if (options.list) {
  for (const { name, about, databases } of PARTS) console.log(`${name.padEnd(14)} ${about} (${databases.join(', ')})`);
} else if (options.markdown) {
  console.log(markdownOf(await readLatest(PARTS)));
} else {
  const results = await runAll(PARTS.filter(({ name }) => positionals.length === 0 || positionals.includes(name)));
  await keep(results, PARTS);
  console.log(`\n${markdownOf(results)}`);
  process.exitCode = results.some(({ problems }) => problems.length > 0) ? 1 : 0;
  // A part that hung may have left processes running.
  process.exit();
}
