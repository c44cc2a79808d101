import {
  type AgainstOptions,
  type Compared,
  type Comparison,
  judge,
  printHeader as printComparisonHeader,
  printVerdict,
  withVersions,
} from './against.ts';
import { copyResponses } from './bare.ts';
import { type Measured, measure, type Request } from './client.ts';
import { type Generator, medianOf, withProcessorTime } from './figures.ts';
import { memoryOf } from './process.ts';
import { type Servers, withServers } from './servers.ts';
import type { Original, Site } from './sites.ts';
import { median } from './statistics.ts';
import { type Target, targetsOf } from './targets.ts';
import { type Facts, isMet, printFacts, printHeader, printRow, type Row } from './verdicts.ts';

export interface TargetsOptions {
  events: number;
  /** Names of targets; all unless given. */
  cases?: readonly string[];
  /** Results of all rounds, by figure. */
  seconds: number;
  turns: number;
  generator: Generator;
  serverCore?: number;
  profile: boolean;
}

export interface TargetsRun {
  database: string;
  generatedIn: number;
  rows: Row[];
  facts?: Facts;
}

/** As many connections as visitors come by. */
const CONNECTIONS = 32;
/** Seconds between looks at whether a server still becomes faster. */
const WARM_UP_SECONDS = 2;
/** A server that is not faster by that much is warm. */
const FASTER = 1.03;
/** The most looks: half a minute. */
const MOST_LOOKS = 15;
/** More than any server handles; endless targets would run out of addresses. */
const mostASecond = ({ isEndless }: Target): number => (isEndless ? 10_000 : 40_000);
/**
 * Number of single events whose responses fill the default cache; with more, the server would not recognise repeated
 * ones.
 */
const FILLING = 4500;

/** Measures each target in turn with a bare server that sends the same, and says which are met. */
export const printTargets = (original: Original, options: TargetsOptions): Promise<TargetsRun> =>
  withServers(original, options, async (servers) => {
    const { cases, events } = options;
    printHeader(original.kind, events);
    const rows: Row[] = [];
    for (const target of targetsOf(original, new Date())) {
      if (cases && !cases.includes(target.name)) continue;
      const row = await measureTarget(target, servers, { ...options, database: original.kind });
      printRow(row);
      rows.push(row);
    }
    const facts = cases && !cases.includes('memory') ? undefined : await factsOf(original, servers.warm);
    if (facts) printFacts(facts);
    return { database: original.kind, generatedIn: original.generatedIn, rows, facts };
  });

/** Milliseconds of processor time of the server per request. */
const FIGURES = ['processor'] as const;

interface Chosen {
  /** Names of targets. */
  cases: readonly string[];
  /** Whether the servers cache no responses. */
  isCold: boolean;
}

/**
 * Targets that two versions can be compared by.
 * @throws for a target that is unknown, has background work, or needs the other choice of `--memory`
 */
export function comparableTargets(original: Original, { cases, isCold }: Chosen): Target[] {
  const comparable = targetsOf(original, new Date()).filter(
    (target) => !target.background && isCold === (target.isCold ?? false),
  );
  const refused = cases.filter((name) => !comparable.some((target) => target.name === name));
  if (refused.length === 0) return comparable.filter(({ name }) => cases.includes(name));
  const names = comparable.map(({ name }) => name).join(', ');
  throw new Error(`${refused.join(', ')}: with --memory ${isCold ? 'off' : 'on'}, --against compares ${names}.`);
}

/**
 * Compares the processor time of targets of two versions in turn, which depends less on other work of the machine than
 * their rate, and says which became slower.
 */
export function printTargetsComparison(
  original: Original,
  options: AgainstOptions & Chosen & { seconds: number },
): Promise<Compared> {
  const { turns, seconds, generator } = options;
  const targets = comparableTargets(original, options);
  return withVersions(original, options, async ({ compare, servers }) => {
    printComparisonHeader(`${original.kind}, ${options.events} events: targets`, FIGURES);
    const comparisons: Comparison[] = [];
    for (const target of targets) {
      for (const server of servers) await warmUp(target, server);
      const processor = async (server: Site) => {
        const requests = await target.requests(server, Math.ceil(seconds * mostASecond(target)));
        const load = { clients: CONNECTIONS, seconds, requests };
        return (await withProcessorTime(server, () => generator(load))).processor;
      };
      comparisons.push(...(await compare({ name: target.name, figures: { processor } }, turns)));
    }
    return printVerdict(judge(original.kind, comparisons));
  });
}

type Conditions = TargetsOptions & { database: Original['kind'] };

interface Turn {
  measured: Measured;
  bare: Measured;
  /** Microseconds of processor time a request. */
  cpu: number;
  bareCpu: number;
  /** How often a second what goes on meanwhile was done. */
  meanwhile?: number;
}

async function measureTarget(target: Target, servers: Servers, conditions: Conditions): Promise<Row> {
  const site = target.isCold ? servers.cold : servers.warm;
  await copyResponses(await warmUp(target, site), servers.bare);
  await measure({ clients: CONNECTIONS, seconds: 0.1, requests: [{ url: servers.bare.address }] });
  const turns: Turn[] = [];
  for (let turn = 0; turn < conditions.turns; turn += 1) turns.push(await takeTurn(target, site, servers, conditions));
  const measured = medianOf(turns.map((turn) => turn.measured));
  const bare = medianOf(turns.map((turn) => turn.bare));
  const middle = (of: (turn: Turn) => number | undefined) => median(turns.map((turn) => of(turn) ?? Number.NaN));
  const row = {
    name: target.name,
    title: target.title,
    measured,
    bare,
    share: median(turns.map((turn) => turn.measured.rate / turn.bare.rate)),
    wanted: target.wanted[conditions.database],
    wantedP99: target.wantedP99,
    cpu: middle(({ cpu }) => cpu),
    bareCpu: middle(({ bareCpu }) => bareCpu),
    ...(target.background && {
      meanwhile: {
        what: target.background.what,
        wanted: target.background.rate,
        done: middle(({ meanwhile }) => meanwhile),
      },
    }),
  };
  return { ...row, isMet: isMet(row) };
}

/**
 * Sends requests until the responses are cached and V8 has compiled the code, which takes longer the fewer requests
 * arrive: until the server has not become faster in two measurements. Returns the last requests.
 */
async function warmUp(target: Target, site: Site): Promise<readonly Request[]> {
  const load = { seconds: WARM_UP_SECONDS, clients: CONNECTIONS };
  let best = 0;
  for (let look = 0, inVain = 0; ; look += 1) {
    const requests = await target.requests(site, WARM_UP_SECONDS * mostASecond(target));
    // Targets are cached on their second request.
    const { rate } = await measure({ ...load, requests, atLeast: target.isEndless ? 0 : 2 * requests.length });
    inVain = rate > best * FASTER ? 0 : inVain + 1;
    best = Math.max(best, rate);
    if (inVain === 2 || look === MOST_LOOKS) return requests;
  }
}

async function takeTurn(
  target: Target,
  site: Site,
  { bare }: Servers,
  { generator, ...conditions }: Conditions,
): Promise<Turn> {
  const seconds = conditions.seconds / conditions.turns;
  const load = { clients: CONNECTIONS, seconds };
  const requests = await target.requests(site, Math.ceil(seconds * mostASecond(target)));
  const background = await target.background?.start(site);
  const ours = await withProcessorTime(site, () => generator({ ...load, requests }));
  const meanwhile = await background?.stop();
  const theirs = await withProcessorTime(bare, () => generator({ ...load, requests: [{ url: bare.address }] }));
  return { measured: ours, bare: theirs, cpu: 1000 * ours.processor, bareCpu: 1000 * theirs.processor, meanwhile };
}

/** Fills the response cache first. */
async function factsOf({ events }: Original, site: Site): Promise<Facts> {
  const requests = events.slice(0, FILLING).map(({ id }) => ({
    url: `${site.address}/calendar/events/v1/events/${id}`,
  }));
  await measure({ requests, clients: CONNECTIONS, seconds: 0, atLeast: 2 * requests.length });
  return { firstResponse: site.firstResponse, memory: memoryOf(site.pid) };
}
