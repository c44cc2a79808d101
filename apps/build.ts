import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { BUILDS, type BuildManifest, ROOT, readManifest, sourcesDigest } from '../src/web/apps/app-build.ts';
import { LEAFLET, LEAFLET_FILES } from '../src/web/frame/assets.ts';

/**
 * `npm run build`: copies Leaflet into `dist/leaflet` and builds the console into `dist/console` and the app at the door
 * into `dist/door`. With `--on-install`, as npm runs it after an installation, it never fails but prints a sentence, and a
 * previous build stays. With `--if-stale` it builds only if the sources have changed.
 */

const REMEDY = 'The calendar and its pages work without them, but for maps; "npm ci && npm run build" builds them.';

const { resolve } = createRequire(import.meta.url);

function areToolsInstalled(): boolean {
  try {
    return ['vite', 'react', 'preact', 'leaflet'].every((name) => existsSync(resolve(`${name}/package.json`)));
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
  if (status !== 0)
    console.log(`The console and the app at the door could not be built: "npm run build" says why. ${REMEDY}`);
}

/** Configuration and output folder of each app. */
const APPS = [
  { config: 'apps/vite.config.ts', output: BUILDS.console },
  { config: 'apps/door/vite.config.ts', output: BUILDS.door },
];
type App = (typeof APPS)[number];

async function build({ config, output }: App): Promise<void> {
  // The value of tests would make Vite build React for development.
  process.env.NODE_ENV = 'production';
  const { build: buildWithVite } = await import('vite');
  const sources = await sourcesDigest();
  // In a separate folder, so that a failed build does not affect the previous one.
  const folder = `${output}.${process.pid}`;
  try {
    const configFile = join(ROOT, config);
    await buildWithVite({ configFile, logLevel: 'warn', build: { outDir: folder, emptyOutDir: true } });
    await nameFilesOfWorker(folder);
    const manifest: BuildManifest = { sources: sources ?? '', files: await compressAll(folder) };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
    await replace(folder, output);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Puts a new build in the place of the previous one. */
async function replace(folder: string, output: string): Promise<void> {
  const previous = `${output}.previous`;
  await mkdir(dirname(output), { recursive: true });
  await rename(output, previous).catch(() => undefined);
  await rename(folder, output);
  await rm(previous, { recursive: true, force: true });
}

/**
 * Writes the names of all files, and a digest of them as the version, into the service worker, which keeps the files for
 * starts without a network. Apps without a service worker stay as they are.
 */
async function nameFilesOfWorker(folder: string): Promise<void> {
  const path = join(folder, 'service-worker.js');
  const source = await readFile(path, 'utf8').catch(() => undefined);
  if (source === undefined) return;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && entry.name !== 'service-worker.js')
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  const digest = createHash('sha256');
  for (const name of names) digest.update(`${name}\0`).update(await readFile(join(folder, name)));
  // The page is kept by the address that is opened.
  const paths = names.map((name) => (name === 'index.html' ? '' : name));
  const named = source
    .replace(/(["'`])FILES_OF_THE_BUILD\1/, JSON.stringify(JSON.stringify(paths)))
    .replace('VERSION_OF_THE_BUILD', digest.digest('hex').slice(0, 12));
  await writeFile(path, named);
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

const isStale = async ({ output }: App): Promise<boolean> =>
  (await readManifest(output))?.sources !== (await sourcesDigest());

const isOnInstall = process.argv.includes('--on-install');
if (!areToolsInstalled()) {
  console.log(`The console and the app at the door are not built: development dependencies are missing. ${REMEDY}`);
  process.exitCode = isOnInstall ? 0 : 1;
} else if (isOnInstall) buildOnInstall();
else {
  await copyLeaflet();
  for (const app of APPS) if (!process.argv.includes('--if-stale') || (await isStale(app))) await build(app);
}
