import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../base/context.ts';
import { HAS_MAPS } from '../frame/assets.ts';

/** Root of the repository or of the installed package. */
export const ROOT = join(import.meta.dirname, '../../..');

/** Output folders of `npm run build`. */
export const BUILDS = { console: join(ROOT, 'dist/console'), door: join(ROOT, 'dist/door') };

/** Sources of the browser code: folders and files below the root. */
const SOURCES = ['apps', 'packages/client/src', 'src/lib/door', 'src/web/assets/tokens.css', 'package-lock.json'];

/** Description of a build; written last, so that a folder with it is complete. */
export interface BuildManifest {
  /** Digest of the sources. */
  sources: string;
  /** Sizes in bytes of each file and its compressed forms, by path. */
  files: Record<string, { bytes: number; gzip: number; br: number }>;
}

/** Manifest of a build; undefined if it is missing or unreadable. */
export async function readManifest(folder: string): Promise<BuildManifest | undefined> {
  try {
    // Written by apps/build.ts.
    return JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as BuildManifest;
  } catch {
    return undefined;
  }
}

/** Digest of the sources of the browser code; undefined if they are not installed, as in the Docker image. */
export async function sourcesDigest(root = ROOT): Promise<string | undefined> {
  try {
    const names = (await Promise.all(SOURCES.map((name) => filesBelow(root, name)))).flat().sort();
    const digest = createHash('sha256');
    for (const name of names) digest.update(`${name}\0`).update(await readFile(join(root, name)));
    return digest.digest('hex');
  } catch {
    return undefined;
  }
}

async function filesBelow(root: string, name: string): Promise<string[]> {
  if (/\.\w+$/.test(name)) return [name];
  const entries = await readdir(join(root, name), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}

/** Warns if maps are configured but Leaflet is missing, and if the console or the app at the door is missing or old. */
export async function checkBuild(
  { log, config }: Pick<Context, 'log' | 'config'>,
  { folders = Object.values(BUILDS), hasMaps = HAS_MAPS }: { folders?: readonly string[]; hasMaps?: boolean } = {},
): Promise<void> {
  if (config.mapTiles && !hasMaps) log.warn('pages show no maps: run "npm run build" and restart');
  const [manifests, sources] = await Promise.all([Promise.all(folders.map(readManifest)), sourcesDigest()]);
  if (manifests.includes(undefined)) log.warn('the console or the app at the door is not built: run "npm run build"');
  else if (sources !== undefined && manifests.some((manifest) => manifest?.sources !== sources))
    log.warn('the console or the app at the door was built from other sources: run "npm run build"');
}
