import { type Case, casesOf } from './cases.ts';
import { type Load, type Measured, measure } from './client.ts';
import { CROWD, type Generator, loadOf, warmUp } from './figures.ts';
import { type Original, type Site, startSite } from './sites.ts';
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

export interface Comparison {
  name: string;
  /** Name of a figure of `Figures`. */
  figure: string;
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
  scatter: Readonly<Record<string, number>>;
  slower: string[];
}

/** Milliseconds that a server takes for a request, by the name of what is measured. */
type Figures = Readonly<Record<string, (server: Site) => Promise<number>>>;

interface Named {
  name: string;
  figures: Figures;
}

export interface Versions {
  /** Compares one case in so many turns, and prints the result. */
  compare(one: Named, turns: number): Promise<Comparison[]>;
  servers: readonly Site[];
}

/** Starts the old version twice and the new one, each on a copy of the same data, and stops them afterwards. */
export async function withVersions<T>(
  original: Original,
  { against, serverCore: core, settings }: Pick<AgainstOptions, 'against' | 'serverCore' | 'settings'>,
  use: (versions: Versions) => Promise<T>,
): Promise<T> {
  const servers = new Map<ServerName, Site>();
  try {
    for (const name of SERVERS)
      servers.set(name, await startSite(original, { core, settings, ...(name !== 'new' && { checkout: against }) }));
    return await use({
      servers: [...servers.values()],
      async compare(one, turns) {
        const compared = await compareCase(one, servers, turns);
        print(compared);
        return compared;
      },
    });
  } finally {
    for (const server of servers.values()) await server.stop();
  }
}

/** Measures every case of two versions in turn, on copies of the same data, and says which became slower. */
export const printComparison = (original: Original, options: AgainstOptions): Promise<Compared> =>
  withVersions(original, options, async ({ compare, servers }) => {
    const { only, events: count, turns, generator } = options;
    printHeader(`${original.kind}, ${count} events`, FIGURES);
    const { generated, events } = original;
    const comparisons: Comparison[] = [];
    for (const one of casesOf({ ...generated, events, count }, new Date())) {
      if (!only.test(one.name)) continue;
      for (const server of servers) await warmUp({ one, server });
      comparisons.push(...(await compare({ name: one.name, figures: figuresOf(one, generator) }, turns)));
    }
    return printVerdict(judge(original.kind, comparisons));
  });

const FIGURES = ['load', 'changed', 'french'] as const;

/** Under load, the time between two responses. */
function figuresOf(one: Case, generator: Generator): Record<(typeof FIGURES)[number], Figures[string]> {
  const alone = (load: Omit<Load, 'seconds'>): Promise<Measured> => measure({ ...load, seconds: ALONE_SECONDS });
  return {
    load: async (server) =>
      1000 / (await generator({ ...loadOf({ one, server }), clients: CROWD, seconds: CROWD_SECONDS })).rate,
    changed: async (server) => (await alone(loadOf({ one, server }, { changed: true }))).p50,
    french: async (server) => (await alone(loadOf({ one, server }, { inFrench: true }))).p50,
  };
}

async function compareCase(
  { name, figures }: Named,
  servers: ReadonlyMap<ServerName, Site>,
  turns: number,
): Promise<Comparison[]> {
  const times = new Map<string, number[]>();
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [figure, timeOf] of Object.entries(figures)) {
      for (const [version, server] of turned([...servers], turn)) {
        const key = `${figure} ${version}`;
        times.set(key, [...(times.get(key) ?? []), await timeOf(server)]);
      }
    }
  }
  const of = (figure: string, version: ServerName) => median(times.get(`${figure} ${version}`) ?? []);
  return Object.keys(figures).map((figure) => {
    const [old, again, ours] = [of(figure, 'old'), of(figure, 'again'), of(figure, 'new')];
    const scatter = Math.max(old, again) / Math.min(old, again) - 1;
    return { name, figure, old, again, new: ours, ratio: ours / old, scatter };
  });
}

/** The same list from another place on, so that none of the servers always comes first. */
const turned = <T>(list: readonly T[], turn: number): T[] => {
  const first = turn % list.length;
  return [...list.slice(first), ...list.slice(0, first)];
};

/** Slower is what is so by more than the tolerance, and by more than the same version differs from itself. */
export function judge(database: string, comparisons: Comparison[], tolerance = TOLERANCE): Compared {
  const byFigure = Map.groupBy(comparisons, ({ figure }) => figure);
  const scatter = Object.fromEntries(
    [...byFigure].map(([figure, own]) => {
      const sorted = own.map((one) => one.scatter).sort((a, b) => a - b);
      return [figure, sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 0];
    }),
  );
  if (comparisons.some(({ ratio }) => Number.isNaN(ratio)))
    throw new Error('The processor time of a server is unknown.');
  const isSlower = ({ figure, ratio, scatter: own }: Comparison) =>
    ratio > 1 + Math.max(tolerance, own, scatter[figure] ?? 0);
  const slower = comparisons.filter(isSlower).map(({ name, figure }) => `${name} (${figure})`);
  return { database, comparisons, scatter, slower };
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

export function printHeader(title: string, figures: readonly string[]): void {
  const columns = ['old ms', 'new ms', 'new/old', 'scatter'].map((column) => column.padStart(8)).join(' ');
  console.log(`\n${title}\n`);
  console.log(' '.repeat(36), figures.map((figure) => figure.padEnd(35)).join(' | '));
  console.log(' '.repeat(36), figures.map(() => columns).join(' | '));
}

function print(compared: readonly Comparison[]): void {
  const cells = compared.map(({ old, new: ours, ratio, scatter }) =>
    [old.toFixed(3), ours.toFixed(3), ratio.toFixed(3), percent(scatter)].map((text) => text.padStart(8)).join(' '),
  );
  console.log((compared[0]?.name ?? '').padEnd(36), cells.join(' | '));
}

export function printVerdict(compared: Compared): Compared {
  const { comparisons, scatter, slower } = compared;
  for (const [figure, own] of Map.groupBy(comparisons, (one) => one.figure)) {
    const ratio = median(own.map((one) => one.ratio));
    console.log(
      `${figure}: new/old ${ratio.toFixed(3)} in the middle; the same version differs by ${percent(scatter[figure] ?? 0)}`,
    );
  }
  console.log(slower.length === 0 ? 'No case is slower.' : `Slower: ${slower.join(', ')}.`);
  return compared;
}
