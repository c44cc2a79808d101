import type { Measured } from './client.ts';
import type { Original } from './sites.ts';

export interface Row {
  name: string;
  title: string;
  measured: Measured;
  /** Bare node:http with the same bytes and headers. */
  bare: Measured;
  /** Requests a second relative to the bare server, as the median of all rounds. */
  share: number;
  wanted?: number;
  /** Milliseconds. */
  wantedP99?: number;
  /** Microseconds of processor time that a request took the server. */
  cpu: number;
  bareCpu: number;
  /** Background work, with its rate per second. */
  meanwhile?: { what: string; wanted: number; done: number };
  /** Undefined where nothing is wanted. */
  isMet?: boolean;
}

export interface Facts {
  /** Seconds. */
  firstResponse: number;
  /** In MiB, with a full response cache. */
  memory?: { resident: number; peak: number };
}

/** Share of the background work that must be done. */
const TOLERANCE = 0.9;
/** Limits: seconds until the first response, and 300 MB of memory, in MiB. */
const WANTED = { firstResponse: 1.5, resident: 286 };

/** Whether all that is wanted of a target is so; undefined where nothing is. */
export function isMet({ share, wanted, measured, wantedP99, meanwhile }: Omit<Row, 'isMet'>): boolean | undefined {
  if (wanted === undefined) return undefined;
  if (meanwhile && meanwhile.done < TOLERANCE * meanwhile.wanted) return false;
  return share >= wanted && (wantedP99 === undefined || measured.p99 < wantedP99);
}

const percent = (share: number | undefined): string => (share === undefined ? '' : `${(share * 100).toFixed(0)} %`);

const COLUMNS: readonly [title: string, text: (row: Row) => string][] = [
  ['req/s', ({ measured }) => measured.rate.toFixed(0)],
  ['bare', ({ bare }) => bare.rate.toFixed(0)],
  ['of bare', ({ share }) => `${(share * 100).toFixed(1)} %`],
  ['wanted', ({ wanted }) => percent(wanted)],
  ['verdict', ({ isMet: met }) => verdict(met)],
  ['p50 ms', ({ measured }) => measured.p50.toFixed(2)],
  ['p99 ms', ({ measured }) => measured.p99.toFixed(2)],
  ['CPU us', ({ cpu }) => cpu.toFixed(0)],
  ['bare us', ({ bareCpu }) => bareCpu.toFixed(0)],
  ['KiB', ({ measured }) => (measured.bytes / 1024).toFixed(1)],
];

const WIDTH = 64;

/** An original that was kept has the figures of when it was made. */
export function printGeneration({ kind, generatedIn, generatorMemory }: Original, events: number): void {
  const memory = generatorMemory === undefined ? '' : `, with at most ${generatorMemory.toFixed(0)} MiB`;
  console.log(`\n${kind}: ${events} events generated in ${generatedIn.toFixed(0)} s${memory}`);
}

export function printHeader(database: string, events: number): void {
  console.log(`\n${database}, ${events} events\n`);
  console.log(' '.repeat(WIDTH), COLUMNS.map(([title]) => title.padStart(8)).join(' '));
}

export function printRow(row: Row): void {
  const { name, title, meanwhile } = row;
  const note = meanwhile ? `  ${meanwhile.done.toFixed(0)} ${meanwhile.what} a second` : '';
  console.log(
    `${name.padEnd(11)} ${title}`.padEnd(WIDTH),
    COLUMNS.map(([, text]) => text(row).padStart(8)).join(' ') + note,
  );
}

export function printFacts({ firstResponse, memory }: Facts): void {
  console.log(`first response after ${firstResponse.toFixed(2)} s: ${verdict(firstResponse <= WANTED.firstResponse)}`);
  if (!memory) return;
  const { resident, peak } = memory;
  const isSmall = verdict(resident < WANTED.resident);
  console.log(`${resident.toFixed(0)} MiB resident with full memories, at most ${peak.toFixed(0)}: ${isSmall}`);
}

export function verdict(met: boolean | undefined): string {
  if (met === undefined) return '';
  return met ? 'met' : 'MISSED';
}
