import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { type BuildManifest, CONSOLE_BUILD, ROOT, readManifest, sourcesDigest } from '../src/web/apps/app-build.ts';
import { LEAFLET, LEAFLET_FILES } from '../src/web/frame/assets.ts';

/**
 * `npm run build`: copies Leaflet into `dist/leaflet` and builds the console into `dist/console`. With `--on-install`, as
 * npm runs it after an installation, it never fails but prints a sentence, and a previous build stays. With
 * `--if-stale` it builds the console only if its sources have changed.
 */

const REMEDY = 'The calendar and its pages work without it, but for maps; "npm ci && npm run build" builds it.';

const { resolve } = createRequire(import.meta.url);

function areToolsInstalled(): boolean {
  try {
    return ['vite', 'react', 'leaflet'].every((name) => existsSync(resolve(`${name}/package.json`)));
  } catch {
    return false;
  }
}

async function copyLeaflet(): Promise<void> {
  await mkdir(LEAFLET, { recursive: true });
  for (const name of LEAFLET_FILES) {
    const copy = join(LEAFLET, `${name}.${process.pid}`);
    await copyFile(resolve(`leaflet/dist/${name}`), copy);
    await rename(copy, join(LEAFLET, name));
  }
}

/** Builds in a separate process, so that running out of memory does not end the installation. */
function buildOnInstall(): void {
  const command = [import.meta.filename, '--if-stale'];
  const { status } = spawnSync(process.execPath, command, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) console.log(`The console could not be built: "npm run build" says why. ${REMEDY}`);
}

async function build(): Promise<void> {
  // The value of tests would make Vite build React for development.
  process.env.NODE_ENV = 'production';
  const { build: buildWithVite } = await import('vite');
  const sources = await sourcesDigest();
  // In a separate folder, so that a failed build does not affect the previous one.
  const folder = `${CONSOLE_BUILD}.${process.pid}`;
  try {
    const configFile = join(ROOT, 'apps/vite.config.ts');
    await buildWithVite({ configFile, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
    const manifest: BuildManifest = { sources: sources ?? '', files: await compressAll(folder) };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
    await replace(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Puts a new build in the place of the previous one. */
async function replace(folder: string): Promise<void> {
  const previous = `${folder}.previous`;
  await mkdir(dirname(CONSOLE_BUILD), { recursive: true });
  await rename(CONSOLE_BUILD, previous).catch(() => undefined);
  await rename(folder, CONSOLE_BUILD);
  await rm(previous, { recursive: true, force: true });
}

/** Writes the compressed forms of every hashed file beside it. */
async function compressAll(folder: string): Promise<BuildManifest['files']> {
  const names = (await readdir(join(folder, 'assets'))).sort();
  const entries = names.map(async (name) => {
    const path = join(folder, 'assets', name);
    return [`assets/${name}`, await compressFile(path)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

const asGzip = promisify(gzip);
const asBrotli = promisify(brotliCompress);

async function compressFile(path: string): Promise<BuildManifest['files'][string]> {
  const bytes = await readFile(path);
  // Quality 11 would take three times as long for the last three per cent.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  const [zipped, brotli] = await Promise.all([asGzip(bytes, { level: 9 }), asBrotli(bytes, { params })]);
  await Promise.all([writeFile(`${path}.gz`, zipped), writeFile(`${path}.br`, brotli)]);
  return { bytes: bytes.length, gzip: zipped.length, br: brotli.length };
}

const isStale = async (): Promise<boolean> => (await readManifest(CONSOLE_BUILD))?.sources !== (await sourcesDigest());

const isOnInstall = process.argv.includes('--on-install');
if (!areToolsInstalled()) {
  console.log(`The console is not built: development dependencies are missing. ${REMEDY}`);
  process.exitCode = isOnInstall ? 0 : 1;
} else if (isOnInstall) buildOnInstall();
else {
  await copyLeaflet();
  if (!process.argv.includes('--if-stale') || (await isStale())) await build();
}
