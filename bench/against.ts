import { type Case, casesOf } from './cases.ts';
import { type Load, type Measured, measure } from './client.ts';
import { CROWD, type Generator, loadOf, warmUp } from './figures.ts';
import type { Running } from './process.ts';
import { type Original, startSite } from './sites.ts';
import { median } from './statistics.ts';

export interface AgainstOptions {
  events: number;
  only: RegExp;
  turns: number;
  generator: Generator;
  serverCore?: number;
  /** Settings of all three servers. */
  settings?: Readonly<Record<string, string>>;
  /** Checkout of the other version. */
  against: string;
}

/** Relative slowdown that counts as equal. */
const TOLERANCE = 0.03;
/** Seconds of one turn. So that all cases on both databases, of three servers in seven turns, take below 20 minutes. */
const CROWD_SECONDS = 0.6;
const ALONE_SECONDS = 0.15;

/** The other version runs twice, in two processes on two copies: how these differ is the scatter. */
const SERVERS = ['old', 'again', 'new'] as const;
type ServerName = (typeof SERVERS)[number];

/** Times of a request in milliseconds. Under load, the time between two responses. */
const FIGURES = ['load', 'changed', 'french'] as const;
type FigureName = (typeof FIGURES)[number];

export interface Comparison {
  name: string;
  figure: FigureName;
  /** Milliseconds, the median of all turns. */
  old: number;
  again: number;
  new: number;
  /** Time of the new version relative to the old one: above 1 it is slower. */
  ratio: number;
  /** Relative difference between two runs of the same version. */
  scatter: number;
}

export interface Compared {
  database: string;
  comparisons: Comparison[];
  /** 90th percentile of these differences, by figure. */
  scatter: Record<FigureName, number>;
  slower: string[];
}

/** Measures every case of two versions in turn, on copies of the same data, and says which became slower. */
export async function printComparison(original: Original, options: AgainstOptions): Promise<Compared> {
  const { against, serverCore: core, settings, only, events: count } = options;
  const servers = new Map<ServerName, Running>();
  try {
    for (const name of SERVERS)
      servers.set(name, await startSite(original, { core, settings, ...(name !== 'new' && { checkout: against }) }));
    printHeader(original.kind, count);
    const { generated, events } = original;
    const comparisons: Comparison[] = [];
    for (const one of casesOf({ ...generated, events, count }, new Date())) {
      if (!only.test(one.name)) continue;
      const compared = await compareCase(one, servers, options);
      print(compared);
      comparisons.push(...compared);
    }
    return printVerdict(judge(original.kind, comparisons));
  } finally {
    for (const server of servers.values()) await server.stop();
  }
}

async function compareCase(
  one: Case,
  servers: ReadonlyMap<ServerName, Running>,
  { turns, generator }: AgainstOptions,
): Promise<Comparison[]> {
  for (const server of servers.values()) await warmUp({ one, server });
  const times = new Map<string, number[]>();
  for (let turn = 0; turn < turns; turn += 1) {
    for (const figure of FIGURES) {
      for (const [name, server] of turned([...servers], turn)) {
        const key = `${figure} ${name}`;
        times.set(key, [...(times.get(key) ?? []), await timeOf(figure, { one, server }, generator)]);
      }
    }
  }
  const of = (figure: FigureName, name: ServerName) => median(times.get(`${figure} ${name}`) ?? []);
  return FIGURES.map((figure) => {
    const [old, again, ours] = [of(figure, 'old'), of(figure, 'again'), of(figure, 'new')];
    const scatter = Math.max(old, again) / Math.min(old, again) - 1;
    return { name: one.name, figure, old, again, new: ours, ratio: ours / old, scatter };
  });
}

/** The same list from another place on, so that none of the servers always comes first. */
const turned = <T>(list: readonly T[], turn: number): T[] => {
  const first = turn % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
};

async function timeOf(figure: FigureName, subject: Parameters<typeof loadOf>[0], generator: Generator) {
  const alone = (load: Omit<Load, 'seconds'>): Promise<Measured> => measure({ ...load, seconds: ALONE_SECONDS });
  if (figure === 'changed') return (await alone(loadOf(subject, { changed: true }))).p50;
  if (figure === 'french') return (await alone(loadOf(subject, { inFrench: true }))).p50;
  return 1000 / (await generator({ ...loadOf(subject), clients: CROWD, seconds: CROWD_SECONDS })).rate;
}

/** Slower is what is so by more than 3 %, and by more than the same version differs from itself. */
export function judge(database: string, comparisons: Comparison[]): Compared {
  const scatterOf = (figure: FigureName): number => {
    const sorted = comparisons.filter((one) => one.figure === figure).map(({ scatter }) => scatter);
    return sorted.sort((a, b) => a - b)[Math.ceil(sorted.length * 0.9) - 1] ?? 0;
  };
  const scatter = { load: scatterOf('load'), changed: scatterOf('changed'), french: scatterOf('french') };
  const isSlower = ({ figure, ratio, scatter: own }: Comparison) =>
    ratio > 1 + Math.max(TOLERANCE, own, scatter[figure]);
  const slower = comparisons.filter(isSlower).map(({ name, figure }) => `${name} (${figure})`);
  return { database, comparisons, scatter, slower };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function printHeader(database: string, events: number): void {
  const columns = [`old ms`, 'new ms', 'new/old', 'scatter'].map((column) => column.padStart(8)).join(' ');
  console.log(`\n${database}, ${events} events\n`);
  console.log(' '.repeat(36), FIGURES.map((figure) => figure.padEnd(35)).join(' | '));
  console.log(' '.repeat(36), FIGURES.map(() => columns).join(' | '));
}

function print(compared: readonly Comparison[]): void {
  const cells = compared.map(({ old, new: ours, ratio, scatter }) =>
    [old.toFixed(3), ours.toFixed(3), ratio.toFixed(3), percent(scatter)].map((text) => text.padStart(8)).join(' '),
  );
  console.log((compared[0]?.name ?? '').padEnd(36), cells.join(' | '));
}

function printVerdict(compared: Compared): Compared {
  const { comparisons, scatter, slower } = compared;
  for (const figure of FIGURES) {
    const ratio = median(comparisons.filter((one) => one.figure === figure).map((one) => one.ratio));
    console.log(
      `${figure}: new/old ${ratio.toFixed(3)} in the middle; the same version differs by ${percent(scatter[figure])}`,
    );
  }
  console.log(slower.length === 0 ? 'No case is slower.' : `Slower: ${slower.join(', ')}.`);
  return compared;
}
