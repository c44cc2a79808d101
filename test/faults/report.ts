import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseKind } from '../server.ts';
import type { Outcome, Part } from './part.ts';

/** Result of one part on one database. */
export interface Result extends Outcome {
  part: string;
  database: DatabaseKind;
  isShort: boolean;
  /** Seconds. */
  took: number;
  /** ISO 8601. */
  at: string;
}

const FOLDER = join(import.meta.dirname, 'results');
const LATEST = join(FOLDER, 'latest.json');

const verdictOf = ({ problems, skipped }: Outcome): string => {
  if (problems.length > 0) return 'FAILED';
  return skipped === undefined ? 'kept' : `kept (skipped: ${skipped})`;
};

const figuresOf = ({ figures }: Outcome): string =>
  Object.entries(figures)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

/** The newest result of every part on every database, in the order of the parts. */
export async function readLatest(parts: readonly Part[]): Promise<Result[]> {
  const kept = await readFile(LATEST, 'utf8').then(
    (text) => JSON.parse(text) as Result[], // written below
    () => [],
  );
  return parts.flatMap(({ name }) => kept.filter(({ part }) => part === name));
}

/** Stores results, replacing older ones of the same part and database. */
export async function keep(results: readonly Result[], parts: readonly Part[]): Promise<void> {
  const isNew = (old: Result) => results.some(({ part, database }) => part === old.part && database === old.database);
  const all = [...(await readLatest(parts)).filter((old) => !isNew(old)), ...results];
  await mkdir(FOLDER, { recursive: true });
  await writeFile(LATEST, `${JSON.stringify(all, undefined, 2)}\n`);
}

/** The table of docs/reliability.md. */
export function markdownOf(results: readonly Result[]): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const rows = results.map((result) => {
    const cells = [`\`npm run faults -- ${result.part}\``, result.database, result.did, figuresOf(result)];
    return `| ${[...cells, verdictOf(result)].map(cell).join(' | ')} |`;
  });
  return ['| command | database | what was done | measured | promise |', '|---|---|---|---|---|', ...rows].join('\n');
}

/** The same for a terminal, with all problems. */
export function textOf(results: readonly Result[]): string {
  return results
    .map((result) => {
      const head = `${result.part.padEnd(14)} ${result.database.padEnd(9)} ${verdictOf(result)}`;
      const lines = [result.did, figuresOf(result), ...result.problems.map((problem) => `! ${problem}`)];
      return [`${head} (${result.took.toFixed(0)} s)`, ...lines.map((line) => `    ${line}`)].join('\n');
    })
    .join('\n');
}
