import type { DatabaseKind } from '../test/server.ts';
import { casesOf } from './cases.ts';
import { measure } from './client.ts';
import { loadOf, type Subject, warmUp } from './figures.ts';
import { makeOriginal, type Original, type Site, startSite, WITHOUT_MEMORY } from './sites.ts';
import { median } from './statistics.ts';
import { printGeneration, verdict } from './verdicts.ts';

export interface SizesOptions {
  only: RegExp;
  seconds: number;
  turns: number;
  serverCore?: number;
  /** A folder for originals to use again. */
  keep?: string;
}

interface SizeRow {
  name: string;
  /** Milliseconds, one request at a time, by size. */
  p50: number[];
  /** Ratio of the last size to the first. */
  ratio: number;
}

export interface SizesRun {
  database: string;
  sizes: readonly number[];
  rows: SizeRow[];
}

/** Maximum time of a calendar relative to a small one. */
const WANTED = 1.5;

/** Measures the lists of calendars of some sizes in turn, at servers that remember nothing. */
export async function printSizes(
  kind: DatabaseKind,
  sizes: readonly number[],
  options: SizesOptions,
): Promise<SizesRun> {
  const originals: Original[] = [];
  const sites: Site[] = [];
  try {
    for (const events of sizes) {
      const original = await makeOriginal({ kind, events, keep: options.keep });
      originals.push(original);
      printGeneration(original, events);
      sites.push(await startSite(original, { core: options.serverCore, settings: WITHOUT_MEMORY }));
    }
    console.log(`\n${' '.repeat(36)}`, sizes.map((size) => String(size).padStart(9)).join(' '), '    ratio');
    const cases = originals.map(({ generated, events }, index) =>
      casesOf({ ...generated, events, count: sizes[index] ?? 0 }, new Date()),
    );
    const rows: SizeRow[] = [];
    for (const [place, { name }] of (cases[0] ?? []).entries()) {
      if (!options.only.test(name)) continue;
      const subjects = sites.flatMap((server, index) => {
        const one = cases[index]?.[place];
        return one ? [{ one, server }] : [];
      });
      const p50 = await measureInTurn(subjects, options);
      const row = { name, p50, ratio: (p50.at(-1) ?? Number.NaN) / (p50[0] ?? Number.NaN) };
      print(row);
      rows.push(row);
    }
    return { database: kind, sizes, rows };
  } finally {
    for (const site of sites) await site.stop();
    for (const original of originals) await original.close();
  }
}

async function measureInTurn(subjects: readonly Subject[], { seconds, turns }: SizesOptions): Promise<number[]> {
  for (const subject of subjects) await warmUp(subject);
  const measured: number[][] = subjects.map(() => []);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [index, subject] of subjects.entries()) {
      measured[index]?.push((await measure({ ...loadOf(subject), seconds: seconds / turns })).p50);
    }
  }
  return measured.map(median);
}

function print({ name, p50, ratio }: SizeRow): void {
  const columns = [...p50, ratio].map((value) => value.toFixed(2).padStart(9));
  console.log(name.padEnd(36), columns.join(' '), verdict(ratio <= WANTED));
}
