import { casesOf } from './cases.ts';
import { type Measured, measure } from './client.ts';
import { CROWD, type Generator, loadOf, medianOf, type Subject, warmUp } from './figures.ts';
import { memoryOf } from './process.ts';
import { type Original, startSite, WITHOUT_MEMORY } from './sites.ts';

export interface ListsOptions {
  events: number;
  only: RegExp;
  /** Results of all rounds, by figure. */
  seconds: number;
  turns: number;
  generator: Generator;
  serverCore?: number;
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
}

export interface ListsRun {
  database: string;
  generatedIn: number;
  /** MiB after all requests. */
  memory?: number;
  rows: Row[];
}

/** Measures every list without the response cache, and prints a row for each. */
export async function printLists(original: Original, options: ListsOptions): Promise<ListsRun> {
  const { only, serverCore: core, profile, events: count } = options;
  const nodeArgs = profile ? ['--cpu-prof', '--cpu-prof-dir=bench/results'] : [];
  const server = await startSite(original, { core, nodeArgs, settings: WITHOUT_MEMORY });
  try {
    printHeader(original.kind, count);
    const { generated, events, generatedIn } = original;
    const cases = casesOf({ ...generated, events, count }, new Date()).filter(({ name }) => only.test(name));
    const rows: Row[] = [];
    for (const one of cases) {
      const row = await measureCase({ one, server }, options);
      print(row);
      rows.push(row);
    }
    return { database: original.kind, generatedIn, memory: memoryOf(server.pid)?.resident, rows };
  } finally {
    await server.stop();
  }
}

async function measureCase(subject: Subject, options: ListsOptions): Promise<Row> {
  const { turns, generator } = options;
  const seconds = options.seconds / turns;
  await warmUp(subject);
  const figures = {
    alone: () => measure({ ...loadOf(subject), seconds }),
    frenchAlone: () => measure({ ...loadOf(subject, { inFrench: true }), seconds }),
    frenchChanged: () => measure({ ...loadOf(subject, { inFrench: true, changed: true }), seconds }),
    changed: () => measure({ ...loadOf(subject, { changed: true }), seconds }),
    crowd: () => generator({ ...loadOf(subject), clients: CROWD, seconds }),
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
  };
}

const COLUMNS = [
  ...['p50 ms', 'p95', 'p99', 'changed', 'fr / en', 'fr chgd'],
  ...[`req/s ${CROWD}`, `p50 ${CROWD}`, 'KiB'],
];

function printHeader(database: string, events: number): void {
  console.log(`\n${database}, ${events} events, nothing cached\n`);
  console.log(' '.repeat(36), COLUMNS.map((column) => column.padStart(9)).join(' '));
}

const figure = (value: number, digits = 2): string => value.toFixed(digits).padStart(9);

function print({ name, alone, changed, french, crowd }: Row): void {
  const columns = [
    ...[alone.p50, alone.p95, alone.p99, changed.p50].map((value) => figure(value)),
    figure(french.alone.p50 / alone.p50),
    figure(french.changed.p50),
    figure(crowd.rate, 0),
    figure(crowd.p50),
    figure(alone.bytes / 1024, 1),
  ];
  console.log(name.padEnd(36), columns.join(' '));
}
