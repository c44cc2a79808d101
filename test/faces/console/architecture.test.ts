import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { betweenFolders, circles, type Import, importsOf } from '../../import-graph.ts';

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

const paths = globSync('apps/{client,console}/**/*.{ts,tsx}').filter((path) => !path.endsWith('.test.ts'));

/**
 * Imports with paths below `apps`, types included. Lazy ones, by `import('…')`, do not count: a route opens its screen
 * later, and the screen imports the route.
 */
const imports = paths
  .flatMap((path) => importsOf(path.slice('apps/'.length), readFileSync(path, 'utf8')))
  .filter(({ isLazy }) => !isLazy);

const inApps = imports.filter(({ to }) => /^(client|console)\/.*\.tsx?$/.test(to));

const rankOf = (path: string): number => ORDER.findIndex((name) => path === name || path.startsWith(`${name}/`));

const featureOf = (path: string): string | undefined => /^console\/features\/[^/]+/.exec(path)?.[0];

const isRefused = ({ from, to }: Pick<Import, 'from' | 'to'>): boolean => {
  const feature = featureOf(to);
  const isAcrossFeatures = feature !== undefined && featureOf(from) !== undefined && featureOf(from) !== feature;
  return rankOf(from) < 0 || rankOf(to) < 0 || rankOf(to) > rankOf(from) || isAcrossFeatures;
};

describe('the architecture of the console', () => {
  it('has every folder in the order', () => {
    expect(new Set(paths.map((path) => rankOf(path.slice('apps/'.length))))).toEqual(new Set(ORDER.keys()));
  });

  it('imports only downwards, and nothing from another feature', () => {
    expect(inApps.length).toBeGreaterThan(1000);
    expect(inApps.filter(isRefused)).toEqual([]);
  });

  it('has no circles, neither of files nor of folders', () => {
    expect(circles(inApps)).toEqual([]);
    expect(circles(betweenFolders(inApps), dirname)).toEqual([]);
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

  it('would report a circle of two files, even of types only', () => {
    const [from, to] = ['console/ui/table/use-row-keys.ts', 'console/ui/table/data-table.tsx'];
    const back = { from, to, names: 'type { DataTableProps } from ' };
    expect(circles([...inApps, back])).toEqual(expect.arrayContaining([from, to]));
  });

  it('would report a circle of two folders', () => {
    const back = { from: 'console/ui/button.tsx', to: 'console/ui/table/data-table.tsx', names: '{ DataTable } from ' };
    const found = circles(betweenFolders([...inApps, back]), dirname);
    expect(found).toEqual(expect.arrayContaining(['console/ui', 'console/ui/table']));
  });
});
