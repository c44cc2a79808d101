import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sectionOf, withRelease } from './changelog.ts';

/**
 * `npm run release -- VERSION`: sets the version, moves unreleased changes in the changelog under it, commits and tags
 * them, builds the apps, and writes the archive, its checksum and the release notes to `dist/`. Nothing is pushed.
 */

const ROOT = join(import.meta.dirname, '..');
const DIST = join(ROOT, 'dist');
const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

function fail(reason: string): never {
  console.error(reason);
  process.exit(1);
}

function isNewer(version: string, current: string): boolean {
  const [next, last] = [version, current].map((text) => VERSION.exec(text)?.slice(1).map(Number) ?? []);
  const difference = next?.map((part, index) => part - (last?.[index] ?? 0)).find((part) => part !== 0);
  return difference !== undefined && difference > 0;
}

function requireReleasable(version: string): void {
  if (!VERSION.test(version)) fail('Usage: npm run release -- VERSION, such as 1.2.0');
  const { version: current } = JSON.parse(read('package.json')) as { version: string };
  const isFirst = run('git', 'tag', '--list', 'v*') === '';
  if (!isNewer(version, current) && !(isFirst && version === current)) fail(`${version} is not above ${current}.`);
  if (run('git', 'status', '--porcelain') !== '') fail('There are changes that are not committed.');
}

/** Sets the version and updates the changelog; returns the heading of the version in it. */
function writeVersion(version: string): string {
  const date = new Date().toISOString().slice(0, 10);
  const changelog = withRelease(read('CHANGELOG.md'), version, date);
  for (const folder of ['.', 'packages/client'])
    run('npm', 'version', version, '--no-git-tag-version', '--allow-same-version', '--prefix', folder);
  writeFileSync(join(ROOT, 'CHANGELOG.md'), changelog);
  return `## ${version} - ${date}`;
}

function commit(version: string): void {
  run('git', 'add', '--update');
  run('git', 'commit', '--message', `Release ${version}`);
  run('git', 'tag', '--annotate', `v${version}`, '--message', `Marquee ${version}`);
}

/** Committed files, except those that `.gitattributes` excludes, and the output of `npm run build`. */
function writeArchive(version: string, heading: string): void {
  const name = `marquee-${version}`;
  const archive = join(DIST, `${name}.tar.gz`);
  run('npm', 'run', '--silent', 'build');
  mkdirSync(DIST, { recursive: true });
  const built = globSync('dist/{console,door,leaflet}/**/*.*', { cwd: ROOT }).flatMap((file) => [
    `--prefix=${name}/${dirname(file)}/`,
    `--add-file=${file}`,
  ]);
  run('git', 'archive', ...built, `--prefix=${name}/`, `--output=${archive}`, `v${version}`);
  const checksum = createHash('sha256').update(readFileSync(archive)).digest('hex');
  writeFileSync(`${archive}.sha256`, `${checksum}  ${name}.tar.gz\n`);
  writeFileSync(join(DIST, `${name}.md`), `${sectionOf(read('CHANGELOG.md'), heading)}\n`);
}

const version = process.argv[2] ?? '';
try {
  requireReleasable(version);
  const heading = writeVersion(version);
  commit(version);
  writeArchive(version, heading);
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}
console.log(`Committed and tagged v${version}; the archive, its checksum and the notes are in dist/.`);
console.log(`To publish: git push --follow-tags, then a release of v${version} with these files.`);
