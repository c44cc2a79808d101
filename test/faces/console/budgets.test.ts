import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { BuildManifest } from '../../../src/web/apps/app-build.ts';
import { useConsole } from './console.ts';

const { open } = useConsole();

const { files }: BuildManifest = JSON.parse(readFileSync('dist/console/manifest.json', 'utf8'));

/** Bytes after gzip of the files with an ending. */
const sizeOf = (paths: Iterable<string>, ending: string): number =>
  [...paths].filter((path) => path.endsWith(ending)).reduce((sum, path) => sum + (files[path]?.gzip ?? 0), 0);

it('loads at most 240 KB of scripts and 15 KB of styles before it can be used', async () => {
  const loaded = new Set<string>();
  const note = (url: string) => void loaded.add(new URL(url).pathname.replace('/console/', ''));
  await open('editor', '/', async (page) => {
    page.on('requestfinished', (request) => note(request.url()));
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
  });
  expect(sizeOf(loaded, '.js')).toBeGreaterThan(100_000);
  expect(sizeOf(loaded, '.js')).toBeLessThanOrEqual(240_000);
  expect(sizeOf(loaded, '.css')).toBeLessThanOrEqual(15_000);
});

it('loads the editor of texts, when one is opened, as at most 135 KB', () => {
  const chunks = Object.keys(files).filter((path) => path.startsWith('assets/editor-'));
  expect(sizeOf(chunks, '.js')).toBeGreaterThan(80_000);
  expect(sizeOf(chunks, '.js')).toBeLessThanOrEqual(135_000);
});
