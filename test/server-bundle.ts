import { createHash } from 'node:crypto';
import { existsSync, globSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * The server in a few files, for tests that start it as a process: loading its hundreds of sources one by one takes half
 * of the processor time of such a start. `terminal.test.ts` and `loaded-modules.test.ts` start the sources themselves.
 */

const ROOT = join(import.meta.dirname, '..');
const BUNDLES = join(ROOT, 'node_modules/.cache/marquee-test');
/** Programs: the command, the process that it starts for each worker, and the servers of tests (`programOf`). */
const ENTRIES = {
  cli: 'src/cli.ts',
  worker: 'src/server/workers/worker.ts',
  'race-server': 'test/race-server.ts',
  'job-process': 'test/job-process.ts',
  'mail-process': 'test/mail-process.ts',
};
/** Packages that stay outside: of native code, and of files that they find beside their own. */
const OUTSIDE = /^(sharp|pg-native|node:)/;

/** Contents of a bundle: sources, texts, versions of packages, and this program. */
const SOURCES = [
  ...['src/**/*.{ts,json}', 'package-lock.json'],
  'test/{server-bundle,race-server,job-process,mail-process,statements}.ts',
];

/** Returns the path of the command, and builds it if a source has changed. */
export async function bundledServer(): Promise<string> {
  const folder = join(BUNDLES, digestOfSources());
  if (!existsSync(folder)) await build(folder);
  return join(folder, 'cli.mjs');
}

function digestOfSources(): string {
  const hash = createHash('sha256');
  for (const file of globSync(SOURCES, { cwd: ROOT }).sort()) {
    const { mtimeMs, size } = statSync(join(ROOT, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

async function build(folder: string): Promise<void> {
  const bundle = await rolldown({
    cwd: ROOT,
    input: ENTRIES,
    platform: 'node',
    tsconfig: false,
    transform: { target: 'esnext' },
    external: (id) => OUTSIDE.test(id),
    plugins: [{ name: 'locations', transform: (code, id) => withLocations(code, id) }],
  });
  // In a separate folder, because another run may build too.
  const started = `${folder}.${process.pid}`;
  await bundle.write({ dir: started, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' });
  await bundle.close();
  await mkdir(BUNDLES, { recursive: true });
  const old = (await readdir(BUNDLES)).filter((name) => /^\w+$/.test(name));
  await Promise.all(old.map((name) => rm(join(BUNDLES, name), { recursive: true, force: true })));
  await rename(started, folder).catch(() => rm(started, { recursive: true }));
}

/** Modules find their files where their sources are, and the program of a worker in the bundle. */
function withLocations(code: string, source: string): string | null {
  if (!code.includes('import.meta.')) return null;
  return code
    .replace(/new URL\('worker\.ts', import\.meta\.url\)/, "new URL('worker.mjs', import.meta.ownUrl)")
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(source)))
    .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(source).href))
    .replaceAll('import.meta.ownUrl', 'import.meta.url');
}
