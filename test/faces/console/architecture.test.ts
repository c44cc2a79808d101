import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** Folders of browser code. A file imports only from its own folder and from those before it. */
const ORDER = [
  'client',
  'console/i18n',
  'console/ui',
  'console/data',
  'console/shared',
  'console/features',
  'console/app',
  'console/main.tsx',
];

interface Import {
  from: string;
  to: string;
}

const paths = globSync('apps/{client,console}/**/*.{ts,tsx}').filter((path) => !path.endsWith('.test.ts'));

/** Imports by `import` statements, types included, with paths below `apps`; `import('…')` is what a route opens later. */
const imports = paths.flatMap((path): Import[] => {
  const statements = readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?:[^';]*? from )?'(\.[^']+\.tsx?)'/gms);
  const from = path.slice('apps/'.length);
  return [...statements].map(([, to = '']) => ({ from, to: join(dirname(from), to) }));
});

const inApps = imports.filter(({ to }) => to.startsWith('client/') || to.startsWith('console/'));

const rankOf = (path: string): number => ORDER.findIndex((name) => path === name || path.startsWith(`${name}/`));

const featureOf = (path: string): string | undefined => /^console\/features\/[^/]+/.exec(path)?.[0];

const isRefused = ({ from, to }: Import): boolean => {
  const feature = featureOf(to);
  const isAcrossFeatures = feature !== undefined && featureOf(from) !== undefined && featureOf(from) !== feature;
  return rankOf(from) < 0 || rankOf(to) < 0 || rankOf(to) > rankOf(from) || isAcrossFeatures;
};

/** Folders that import themselves through others. */
function circularFolders(all: readonly Import[]): string[] {
  const between = all.filter(({ from, to }) => dirname(from) !== dirname(to));
  const next = Map.groupBy(between, ({ from }) => dirname(from));
  const isCircular = (start: string): boolean => {
    const reached = new Set<string>();
    const pending = [start];
    for (const folder of pending)
      for (const { to } of next.get(folder) ?? []) {
        if (!reached.has(dirname(to))) pending.push(dirname(to));
        reached.add(dirname(to));
      }
    return reached.has(start);
  };
  return [...next.keys()].filter(isCircular);
}

describe('the architecture of the console', () => {
  it('has every folder in the order', () => {
    expect(new Set(paths.map((path) => rankOf(path.slice('apps/'.length))))).toEqual(new Set(ORDER.keys()));
  });

  it('imports only downwards, and nothing from another feature', () => {
    expect(inApps.length).toBeGreaterThan(1000);
    expect(inApps.filter(isRefused)).toEqual([]);
  });

  it('has no circles of folders', () => {
    expect(circularFolders(inApps)).toEqual([]);
  });

  it('has at most 25 source files in a folder and 400 lines in a file', () => {
    const folders = Map.groupBy(paths, dirname);
    expect([...folders].filter(([, files]) => files.length > 25).map(([folder]) => folder)).toEqual([]);
    expect(paths.filter((path) => readFileSync(path, 'utf8').split('\n').length > 400)).toEqual([]);
  });

  it('reads and writes nothing in the ui folder', () => {
    const sources = paths
      .filter((path) => path.startsWith('apps/console/ui/'))
      .map((path) => readFileSync(path, 'utf8'));
    expect(sources.filter((source) => /client\/call\.ts|@tanstack\/react-/.test(source))).toEqual([]);
  });

  it.each([
    ['console/ui/button.tsx', 'console/data/account.ts'],
    ['console/shared/record/use-record.ts', 'console/features/log/log.tsx'],
    ['console/features/orders/order.tsx', 'console/features/log/log.tsx'],
    ['console/features/orders/order.tsx', 'console/app/frame.tsx'],
    ['client/call.ts', 'console/i18n/texts.ts'],
    ['console/parts/button.tsx', 'console/ui/icon.tsx'],
  ])('would refuse %s importing %s', (from, to) => {
    expect(isRefused({ from, to })).toBe(true);
  });

  it('would report a circle of two folders', () => {
    const back = { from: 'console/ui/button.tsx', to: 'console/ui/table/data-table.tsx' };
    expect(circularFolders([...inApps, back])).toEqual(expect.arrayContaining(['console/ui', 'console/ui/table']));
  });
});
