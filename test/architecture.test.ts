import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { betweenFolders, circles, type Import, importsOf } from './import-graph.ts';

/** Each layer imports only itself and those before it, types included. */
const LAYERS =
  'locales lib db base http platform calendar ticketing wp web jobs demo moving app.ts server cli.ts'.split(' ');

/** Layers whose rooms, their folders, must not import each other in a circle either. */
const WITH_ROOMS = ['lib', 'http', 'platform', 'calendar', 'ticketing', 'web'];

/** The sources by their path below `src`. */
const sources = new Map(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test|\.d)\.ts$/.test(file))
    .map((file) => [file, readFileSync(join('src', file), 'utf8')]),
);

/** Every import of the sources, with paths below `src`. */
const imports: Import[] = [...sources].flatMap(([from, source]) => importsOf(from, source));

const layerOf = (file: string): string => file.split('/')[0] ?? '';

/** The folder of a file in its layer; files that are in none share one. */
const roomOf = (file: string): string =>
  file.split('/').length > 2 ? file.split('/').slice(0, 2).join('/') : layerOf(file);

/** Files that `app.ts` takes endpoints from. */
const endpointFiles = new Set(
  imports
    .filter(({ from, to, names }) => from === 'app.ts' && layerOf(to) !== 'http' && /Endpoints?\b/.test(names))
    .map(({ to }) => to),
);

/** Derives the types of responses, for all pages. */
const RESPONSES = 'web/frame/responses.ts';

function refusalOf({ from, to, names }: Import): string | undefined {
  const [importer, imported] = [LAYERS.indexOf(layerOf(from)), LAYERS.indexOf(layerOf(to))];
  if (importer === -1) return 'is in no layer';
  if (imported > importer) return 'is in a lower layer';
  const knowsEndpoints = from === 'app.ts' || (from === RESPONSES && names.startsWith('type '));
  if (endpointFiles.has(to) && !knowsEndpoints && roomOf(from) !== roomOf(to))
    return 'is not app.ts, which alone knows endpoints';
  if (layerOf(from) === 'http' && layerOf(to) === 'db') return 'knows no database';
  const isHanded = LAYERS.indexOf('http') <= importer && importer <= LAYERS.indexOf('web');
  if (isHanded && to === 'base/config.ts' && !names.startsWith('type ')) return 'is handed its configuration';
  return undefined;
}

const refusals = (all: readonly Import[]): string[] =>
  all.flatMap((one) => {
    const refusal = refusalOf(one);
    return refusal ? [`${one.from} imports ${one.to}, but ${refusal}`] : [];
  });

/** Imports within layers that have rooms. */
const inLayers = (all: readonly Import[]): Import[] =>
  all.filter(({ from, to }) => WITH_ROOMS.includes(layerOf(from)) && layerOf(from) === layerOf(to));

const betweenRooms = (all: readonly Import[]): Import[] =>
  inLayers(all).filter(({ from, to }) => roomOf(from) !== roomOf(to));

describe('the architecture', () => {
  it('finds the imports of every layer', () => {
    expect(new Set(imports.map(({ from }) => layerOf(from)))).toEqual(new Set(LAYERS.slice(1)));
    expect(betweenRooms(imports).length).toBeGreaterThan(100);
    expect(endpointFiles.size).toBeGreaterThan(10);
  });

  it('lets every file import only its own layer and lower ones', () => {
    expect(refusals(imports)).toEqual([]);
  });

  it('loads libraries that most servers never need when they are needed', () => {
    const LIBRARY = /^import (?!type )[^;]*from '(?:sharp|uqr|pg|stripe|nodemailer|pdfkit|passkit-generator)';/m;
    const importers = [...sources].flatMap(([file, source]) => (LIBRARY.test(source) ? [file] : []));
    // These are loaded late themselves; those of documents by their thread.
    const documents = ['lib/paper/apple-pass.ts', 'lib/paper/ticket-pdf.ts', 'lib/paper/typesetter.ts'];
    expect(importers.sort()).toEqual(['db/postgres.ts', 'demo/posters.ts', ...documents]);
    const isLate = ({ to, names }: Import) => !importers.includes(to) || names === '' || names.startsWith('type ');
    const early = ['demo/fill.ts', 'lib/paper/invoice-pdf.ts', 'lib/paper/ticket-pdf.ts'];
    expect(imports.filter((one) => !isLate(one)).map(({ from }) => from)).toEqual(early);
    const toDocuments = imports.filter(({ to }) => to.startsWith('lib/paper/') && early.includes(to));
    expect(toDocuments.filter(({ names }) => names !== '')).toEqual([]);
  });

  it('has files of at most 400 lines', () => {
    const lengths = [...sources].map(([file, source]) => [file, source.split('\n').length - 1] as const);
    expect(lengths.filter(([, lines]) => lines > 400)).toEqual([]);
  });

  it('keeps folders small enough to take in at a glance, migrations aside', () => {
    const folders = Map.groupBy([...sources.keys()], (file) => dirname(file));
    const sizes = [...folders].map(([folder, files]) => [folder, files.length] as const);
    const large = sizes.filter(([folder, size]) => size > 25 && folder !== 'db/migrations');
    expect(large).toEqual([]);
  });

  it('has no import cycles, neither of files nor of folders', () => {
    expect(circles(imports)).toEqual([]);
    expect(circles(betweenRooms(imports), roomOf)).toEqual([]);
    expect(circles(betweenFolders(inLayers(imports)), dirname)).toEqual([]);
  });

  it('keeps browser code and the server apart, but for pure rules and the tokens of the pages', () => {
    const shared =
      /^(packages\/client\/src\/marquee-client\.ts|src\/lib\/(text\/(text|slug|messages|program-of)|money\/(money|rates|typed-number)|dates\/(month|local-time)|theme|audit-kinds|category-hues|linked-kinds|mail-kinds|order-number|door\/(door-list|door-verdict|timeline|signed-code)|recurrence\/recurrence-rule)\.ts)$/;
    const files = globSync('apps/{client,console}/**/*.{ts,tsx}');
    const found = files.flatMap((file) => importsOf(file, readFileSync(file, 'utf8')));
    expect(found.length).toBeGreaterThan(50);
    const isOwn = ({ from, to }: Import) =>
      to.startsWith('apps/client/') || to.startsWith(from.slice(0, from.indexOf('/', 5)));
    expect(found.filter((one) => !isOwn(one) && !shared.test(one.to))).toEqual([]);
    expect(imports.filter(({ to }) => to.startsWith('..'))).toEqual([]);
  });

  it.each([
    ['lib/dates/dates.ts', 'db/tables.ts', 'type { Tables } from '],
    ['http/pipeline/serve.ts', 'db/database.ts', 'type { Database } from '],
    ['http/pipeline/serve.ts', 'base/config.ts', '{ readConfig } from '],
    ['calendar/events/view.ts', 'ticketing/seats/seat-counters.ts', 'type { Ticket } from '],
    ['wp/wp.ts', 'calendar/events/endpoints/events.ts', '{ eventEndpoints } from '],
    ['web/event/event.ts', 'calendar/events/endpoints/events.ts', 'type { eventEndpoints } from '],
    [RESPONSES, 'calendar/events/endpoints/events.ts', '{ eventEndpoints } from '],
    ['sponsors/sponsors.ts', 'lib/dates/dates.ts', ''],
  ])('would refuse %s importing %s', (from, to, names) => {
    expect(refusals([{ from, to, names }])).toHaveLength(1);
  });

  it.each([
    "import type { Tables } from '../db/tables.ts';",
    "import {\n  type Tables,\n} from '../db/tables.ts';",
    "import '../db/tables.ts';",
    "export * from '../db/tables.ts';",
    "export type One = import('../db/tables.ts').Tables;",
  ])('would notice %j', (line) => {
    expect(importsOf('lib/dates.ts', line)).toMatchObject([{ to: 'db/tables.ts', isLazy: false }]);
  });

  it('would notice a file that is loaded later', () => {
    const line = "const load = () => import('../db/tables.ts');";
    expect(importsOf('lib/dates.ts', line)).toMatchObject([{ to: 'db/tables.ts', isLazy: true }]);
  });

  it('would report a cycle of two files, even of types only', () => {
    const back = { from: 'lib/dates/local-time.ts', to: 'lib/dates/dates.ts', names: 'type { LocalTime } from ' };
    expect(circles([...imports, back])).toEqual(
      expect.arrayContaining(['lib/dates/dates.ts', 'lib/dates/local-time.ts']),
    );
  });

  it('would report a cycle of two rooms', () => {
    const back = { from: 'calendar/posts/post.ts', to: 'calendar/events/store.ts', names: 'type { Event } from ' };
    expect(circles(betweenRooms([...imports, back]), roomOf)).toEqual(
      expect.arrayContaining(['calendar/posts', 'calendar/events']),
    );
  });

  it.each([
    ['ticketing/orders/store.ts', 'ticketing/orders/staff/counter.ts'],
    ['platform/users/store.ts', 'platform/users/sign-in/session-store.ts'],
    ['calendar/events/view.ts', 'calendar/events/series/series-view.ts'],
    ['calendar/events/lists/feed.ts', 'calendar/events/endpoints/events.ts'],
  ])('would report a cycle of a folder and its subfolder: %s importing %s', (from, to) => {
    const back = { from, to, names: 'type { One } from ' };
    const found = circles(betweenFolders(inLayers([...imports, back])), dirname);
    expect(found).toEqual(expect.arrayContaining([dirname(from), dirname(to)]));
  });
});
