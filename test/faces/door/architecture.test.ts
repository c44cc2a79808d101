import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { betweenFolders, circles, importsOf } from '../../import-graph.ts';

const paths = globSync('apps/door/**/*.{ts,tsx}').filter((path) => !/\.test\.ts$|vite\.config\.ts$/.test(path));

/** Places that the app may import from: itself, the client, and pure rules. */
const ALLOWED = [
  ...[/^apps\/door\//, /^apps\/client\/when\.ts$/, /^packages\/client\/src\/marquee-client\.ts$/],
  ...[/^src\/lib\/(door\/|money\/money\.ts$|text\/messages\.ts$)/],
];
const LIBRARIES = ['preact', 'preact/hooks', '@preact/signals', 'idb', '@noble/ed25519', 'zxing-wasm/reader'];

/** Imports of a file, libraries included. */
const importedBy = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/(?:from|import\(|^import) ?'([^']+)'/gm)].map(([, to = '']) =>
    to.startsWith('.') ? join(dirname(path), to) : to.replace(/\/zxing_reader\.wasm\?url$/, ''),
  );

/** Imports within the app, types included. Lazy ones, by `import('…')`, do not count: such a file is loaded later. */
const inApp = paths
  .flatMap((path) => importsOf(path, readFileSync(path, 'utf8')))
  .filter(({ to, isLazy }) => to.startsWith('apps/door/') && !isLazy);

describe('the app at the door', () => {
  it('imports itself, the client and pure rules, and nothing of the console', () => {
    const imports = paths.flatMap((path) => importedBy(path).map((to) => `${path} → ${to}`));
    expect(imports.length).toBeGreaterThan(80);
    const isAllowed = (line: string) => {
      const to = line.split(' → ')[1] ?? '';
      return ALLOWED.some((place) => place.test(to)) || LIBRARIES.includes(to);
    };
    expect(imports.filter((line) => !isAllowed(line))).toEqual([]);
  });

  it('has no circles, neither of files nor of folders', () => {
    expect(betweenFolders(inApp).length).toBeGreaterThan(50);
    expect(circles(inApp)).toEqual([]);
    expect(circles(betweenFolders(inApp), dirname)).toEqual([]);
  });

  it('would report a circle of two files and of their folders, even of types only', () => {
    const [from, to] = ['apps/door/list/session.ts', 'apps/door/sync/server.ts'];
    const all = [...inApp, { from, to, names: 'type { Sold } from ' }];
    expect(circles(all)).toEqual(expect.arrayContaining([from, to]));
    const found = circles(betweenFolders(all), dirname);
    expect(found).toEqual(expect.arrayContaining(['apps/door/list', 'apps/door/sync']));
  });

  it('has at most 400 lines in a file and 25 files in a folder', () => {
    expect(paths.filter((path) => readFileSync(path, 'utf8').split('\n').length > 400)).toEqual([]);
    const folders = Map.groupBy(paths, dirname);
    expect([...folders].filter(([, files]) => files.length > 25)).toEqual([]);
  });

  it('loads at most 45 KB of scripts before it can be used', () => {
    const { files }: { files: Record<string, { gzip: number }> } = JSON.parse(
      readFileSync('dist/door/manifest.json', 'utf8'),
    );
    const sizeOf = (names: RegExp) =>
      Object.entries(files).reduce((sum, [name, { gzip }]) => (names.test(name) ? sum + gzip : sum), 0);
    expect(sizeOf(/\/(door|de)-[\w-]+\.js$/)).toBeGreaterThan(20_000);
    expect(sizeOf(/\/(door|de)-[\w-]+\.js$/)).toBeLessThanOrEqual(45_000);
    expect(sizeOf(/\.css$/)).toBeLessThanOrEqual(5000);
  });
});
