import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { BuildManifest } from '../../../src/web/apps/app-build.ts';
import { useConsole } from './console.ts';

const { open, server } = useConsole();

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

it('makes at most 12 requests for the first screen and 16 for any other', { timeout: 120_000 }, async () => {
  const { id } = await server().make('POST /events', {
    title: 'Concert',
    status: 'publish',
    ...{ start_date: '2027-03-06 18:30', end_date: '2027-03-06 21:00' },
  });
  const counts: Record<string, number> = {};
  await open('administrator', '/nothing', async (first) => {
    const { origin } = new URL(first.url());
    for (const path of [
      '/',
      '/events',
      '/events/new',
      `/events/${id}`,
      '/orders',
      '/venues',
      '/media',
      '/settings/site',
      '/log',
    ]) {
      const page = await first.context().newPage();
      // The icon, for which headless browsers do not ask.
      const made = ['/assets/icon.svg'];
      page.on('request', (request) => void made.push(request.url()));
      await page.goto(`${origin}/console${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
      counts[path] = made.length;
      await page.close();
    }
  });
  const { '/': home, ...others } = counts;
  expect(home).toBeGreaterThan(6);
  expect(home).toBeLessThanOrEqual(12);
  expect(Object.entries(others).filter(([, made]) => made > 16)).toEqual([]);
});

it('loads the editor of texts, when one is opened, as at most 135 KB', () => {
  const chunks = Object.keys(files).filter((path) => path.startsWith('assets/editor-'));
  expect(sizeOf(chunks, '.js')).toBeGreaterThan(80_000);
  expect(sizeOf(chunks, '.js')).toBeLessThanOrEqual(135_000);
});
