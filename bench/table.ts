import { casesOf } from './cases.ts';
import { type Measured, measure } from './client.ts';
import { CROWD, copyAnswer, type Generator, loadOf, medianOf, type Subject, warmUp } from './figures.ts';
import { type Running, residentMemory, start } from './process.ts';
import { type Original, startSite } from './sites.ts';

export interface TableOptions {
  events: number;
  only: RegExp;
  /** Of each figure of a case, in all turns together. */
  seconds: number;
  turns: number;
  generator: Generator;
  serverCore?: number;
  settings?: Readonly<Record<string, string>>;
  profile: boolean;
}

interface Row {
  name: string;
  /** One request at a time, and nothing else going on. */
  alone: Measured;
  /** As `alone`, after a change to the data each. */
  changed: Measured;
  /** As `alone` and `changed`, in French. */
  french: { alone: Measured; changed: Measured };
  crowd: Measured;
  /** Bare node:http with the bytes of the case, measured in turn with `alone` and `crowd`. */
  bare: { alone: Measured; crowd: Measured };
}

export interface Run {
  database: string;
  generatedIn: number;
  /** MiB after all requests. */
  memory?: number;
  rows: Row[];
}

/** Measures every case of one version, and prints a row of each. */
export async function printTable(original: Original, options: TableOptions): Promise<Run> {
  const { only, serverCore: core, settings, profile, events: count } = options;
  const nodeArgs = profile ? ['--cpu-prof', '--cpu-prof-dir=bench/results'] : [];
  const server = await startSite(original, { core, nodeArgs, settings });
  const bare = await start(['bench/baseline.ts'], { core });
  try {
    printHeader(original.kind, count);
    const { generated, events } = original;
    const cases = casesOf({ ...generated, events, count }, new Date()).filter(({ name }) => only.test(name));
    const rows: Row[] = [];
    for (const one of cases) {
      const row = await measureCase({ one, server }, bare, options);
      print(row);
      rows.push(row);
    }
    printBare(rows);
    return { database: original.kind, generatedIn: original.generatedIn, memory: residentMemory(server.pid), rows };
  } finally {
    await bare.stop();
    await server.stop();
  }
}

async function measureCase(subject: Subject, bare: Running, options: TableOptions): Promise<Row> {
  const { turns, generator } = options;
  const seconds = options.seconds / turns;
  const atBare = { urls: [bare.address], seconds };
  await warmUp(subject);
  await copyAnswer(subject, bare);
  await measure({ ...atBare, clients: 1, seconds: 0.1 });
  const figures = {
    alone: () => measure({ ...loadOf(subject), seconds }),
    bareAlone: () => measure({ ...atBare, clients: 1 }),
    frenchAlone: () => measure({ ...loadOf(subject, { inFrench: true }), seconds }),
    frenchChanged: () => measure({ ...loadOf(subject, { inFrench: true, changed: true }), seconds }),
    changed: () => measure({ ...loadOf(subject, { changed: true }), seconds }),
    crowd: () => generator({ ...loadOf(subject), clients: CROWD, seconds }),
    bareCrowd: () => generator({ ...atBare, clients: CROWD }),
  };
  const measured = Object.fromEntries(Object.keys(figures).map((name) => [name, [] as Measured[]]));
  for (let turn = 0; turn < turns; turn += 1) {
    for (const [name, figure] of Object.entries(figures)) measured[name]?.push(await figure());
  }
  const of = (name: keyof typeof figures) => medianOf(measured[name] ?? []);
  return {
    name: subject.one.name,
    alone: of('alone'),
    changed: of('changed'),
    french: { alone: of('frenchAlone'), changed: of('frenchChanged') },
    crowd: of('crowd'),
    bare: { alone: of('bareAlone'), crowd: of('bareCrowd') },
  };
}

const COLUMNS = [
  ...['p50 ms', 'p95', 'p99', 'changed', 'fr / en', 'fr chgd'],
  ...[`req/s ${CROWD}`, `p50 ${CROWD}`, 'bare', '% of bare', 'KiB'],
];

function printHeader(database: string, events: number): void {
  console.log(`\n${database}, ${events} events\n`);
  console.log(' '.repeat(36), COLUMNS.map((column) => column.padStart(9)).join(' '));
}

const figure = (value: number, digits = 2): string => value.toFixed(digits).padStart(9);

function print({ name, alone, changed, french, crowd, bare }: Row): void {
  const columns = [
    ...[alone.p50, alone.p95, alone.p99, changed.p50].map((value) => figure(value)),
    figure(french.alone.p50 / alone.p50),
    figure(french.changed.p50),
    figure(crowd.rate, 0),
    figure(crowd.p50),
    figure(bare.crowd.rate, 0),
    figure((crowd.rate / bare.crowd.rate) * 100, 1),
    figure(alone.bytes / 1024, 1),
  ];
  console.log(name.padEnd(36), columns.join(' '));
}

/** What our own client takes for itself, which the times of single requests above hold too. */
function printBare([row]: readonly Row[]): void {
  if (!row) return;
  const { alone, crowd } = row.bare;
  const times = [alone.p50, alone.p95, alone.p99].map((value) => figure(value));
  const rates = [' '.repeat(9 * 3 + 2), figure(crowd.rate, 0), figure(crowd.p50)];
  console.log(`bare, the bytes of "${row.name}"`.padEnd(36), [...times, ...rates].join(' '));
}
