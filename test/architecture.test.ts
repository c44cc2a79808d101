import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** The resources: folders of `src/resources`. */
const RESOURCES =
  'limits audit users translations media posts site terms categories tags linked-posts venues organizers linked-kinds library events nonces tickets check-in-keys attendees orders cart replies reports qr idempotency-keys wp';

/** Each imports only itself and those before it, types included, so there are no cycles among them. */
const ORDER =
  `locales lib db config.ts context.ts site-config.ts http log.ts ${RESOURCES} web jobs demo app.ts main.ts workers cli cli.ts`.split(
    ' ',
  );

interface Import {
  from: string;
  to: string;
  /** The text before `from`; empty for `import('…')`. */
  names: string;
}

const IMPORT = /(?:^(?:import|export) ([^';]*? from )?|\bimport\(\s*)'(\.[^']+)'/gms;

const importsOf = (from: string, source: string): Import[] =>
  [...source.matchAll(IMPORT)].map(([, names = '', path = '']) => ({ from, to: join(dirname(from), path), names }));

/** The sources by their path below `src`. */
const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test|\.d)\.ts$/.test(file))
    .map((file) => [file, readFileSync(join('src', file), 'utf8')]),
);

/** Every import of the sources, with paths below `src`. */
const imports: Import[] = [...sources].flatMap(([from, source]) => importsOf(from, source));

/** The layer or the resource of a file. */
const unitOf = (file: string): string => file.replace(/^resources\//, '').split('/')[0] ?? '';

/** Files that `app.ts` takes endpoints from. */
const endpointFiles = new Set(
  imports
    .filter(({ from, to, names }) => from === 'app.ts' && to.startsWith('resources/') && /Endpoints?\b/.test(names))
    .map(({ to }) => to),
);

function refusalOf({ from, to, names }: Import): string | undefined {
  const [importer, imported] = [unitOf(from), unitOf(to)];
  if (importer === imported) return undefined;
  if (!ORDER.includes(importer)) return 'is of a folder that has no place in the order';
  if (ORDER.indexOf(imported) > ORDER.indexOf(importer)) return 'does not stand after it';
  if (endpointFiles.has(to) && from !== 'app.ts') return 'is not app.ts, which alone knows endpoints';
  if (importer === 'http' && imported === 'db') return 'knows no database';
  const isHanded = ORDER.indexOf('http') <= ORDER.indexOf(importer) && ORDER.indexOf(importer) <= ORDER.indexOf('web');
  if (isHanded && imported === 'config.ts' && !names.startsWith('type ')) return 'is handed its configuration';
  return undefined;
}

const refusals = (all: readonly Import[]): string[] =>
  all.flatMap((one) => {
    const refusal = refusalOf(one);
    return refusal ? [`${one.from} imports ${one.to}, but ${refusal}`] : [];
  });

/** Files that import themselves indirectly. */
function circles(all: readonly Import[]): string[] {
  const own = Map.groupBy(all, ({ from }) => from);
  const isCircular = (start: string) => {
    const reached = new Set<string>();
    const pending = [start];
    for (const file of pending)
      for (const { to } of own.get(file) ?? []) {
        if (!reached.has(to)) pending.push(to);
        reached.add(to);
      }
    return reached.has(start);
  };
  return [...own.keys()].filter(isCircular);
}

describe('the architecture', () => {
  it('finds the imports of every layer and resource', () => {
    expect(new Set(imports.map(({ from }) => unitOf(from)))).toEqual(new Set(ORDER.slice(1)));
    expect(endpointFiles.size).toBeGreaterThan(10);
  });

  it('lets every file import only what comes before it in the order', () => {
    expect(refusals(imports)).toEqual([]);
  });

  it('loads libraries that most servers never need when they are needed', () => {
    const LIBRARY = /^import (?!type )[^;]*from '(?:sharp|qrcode|pg)';/m;
    const importers = [...sources].flatMap(([file, source]) => (LIBRARY.test(source) ? [file] : []));
    // These two are loaded late themselves.
    expect(importers.sort()).toEqual(['db/postgres.ts', 'demo/posters.ts']);
    const isLate = ({ to, names }: Import) => !importers.includes(to) || names === '' || names.startsWith('type ');
    expect(imports.filter((one) => !isLate(one)).map(({ from }) => from)).toEqual(['demo/fill.ts']);
  });

  it('has no import cycles', () => {
    expect(circles(imports)).toEqual([]);
  });

  it('keeps browser code and the server apart, but for pure rules and the tokens of the pages', () => {
    const shared = /^(packages\/client\/src\/marquee-client\.ts|src\/lib\/(text|slug|money|month|theme)\.ts)$/;
    const files = globSync('apps/{client,console}/**/*.{ts,tsx}');
    const found = files.flatMap((file) => importsOf(file, readFileSync(file, 'utf8')));
    expect(found.length).toBeGreaterThan(50);
    const isOwn = ({ from, to }: Import) =>
      to.startsWith('apps/client/') || to.startsWith(from.slice(0, from.indexOf('/', 5)));
    expect(found.filter((one) => !isOwn(one) && !shared.test(one.to))).toEqual([]);
    expect(imports.filter(({ to }) => to.startsWith('..'))).toEqual([]);
  });

  it.each([
    ['lib/dates.ts', 'db/tables.ts', 'type { Tables } from '],
    ['http/serve.ts', 'db/database.ts', 'type { Database } from '],
    ['http/serve.ts', 'config.ts', '{ readConfig } from '],
    ['resources/events/view.ts', 'resources/tickets/stock.ts', 'type { Ticket } from '],
    ['resources/wp/wp.ts', 'resources/events/events.ts', '{ eventEndpoints } from '],
    ['resources/sponsors/sponsors.ts', 'lib/dates.ts', ''],
  ])('would refuse %s importing %s', (from, to, names) => {
    expect(refusals([{ from, to, names }])).toHaveLength(1);
  });

  it.each([
    "import type { Tables } from '../db/tables.ts';",
    "import {\n  type Tables,\n} from '../db/tables.ts';",
    "import '../db/tables.ts';",
    "export * from '../db/tables.ts';",
    "export type One = import('../db/tables.ts').Tables;",
    "const load = () => import('../db/tables.ts');",
  ])('would notice %j', (line) => {
    expect(importsOf('lib/dates.ts', line)).toMatchObject([{ to: 'db/tables.ts' }]);
  });

  it('would report a cycle of two files, even of types only', () => {
    const back = { from: 'lib/local-time.ts', to: 'lib/dates.ts', names: 'type { LocalTime } from ' };
    expect(circles([...imports, back])).toEqual(expect.arrayContaining(['lib/dates.ts', 'lib/local-time.ts']));
  });
});
