import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { MutantResult } from '@stryker-mutator/api/core';
import { RULES } from './rules.ts';

/**
 * `npm run mutate -- [--sample 12] [FILE…]`: changes rules, one place at a time, and reports the changes after which
 * their tests pass, on SQLite. Without files, all of `rules.ts`; with a sample of 0, every change that Stryker knows.
 */

const HOME = 'test/mutate';

function install(): void {
  if (existsSync(join(HOME, 'node_modules/@stryker-mutator/core'))) return;
  const { status } = spawnSync('npm', ['--prefix', HOME, 'ci', '--ignore-scripts'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('Stryker could not be installed');
}

/** Patterns for Vitest of test files without their ending, and of folders. */
const patternsOf = (tests: readonly string[]): string[] =>
  tests.map((path) => (existsSync(path) ? `${path}/*.test.ts` : `${path}.test.ts`));

async function mutate(file: string, tests: readonly string[], sample: number): Promise<MutantResult[]> {
  // Installed only now.
  const { Stryker } = await import('@stryker-mutator/core');
  process.env.MUTATE_TESTS = patternsOf(tests).join();
  const configFile = `${HOME}/stryker.json`;
  const tempDirName = join(tmpdir(), 'marquee-mutants');
  return new Stryker({ configFile, tempDirName, mutate: [file], sample }).runMutationTest();
}

/** The place of a change, its kind, and the code before and after it. */
function lineOf(file: string, { location: { start, end }, mutatorName, replacement = '' }: MutantResult): string {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line);
  const last = lines.length - 1;
  lines[last] = lines[last]?.slice(0, end.column - 1) ?? '';
  lines[0] = lines[0]?.slice(start.column - 1) ?? '';
  const brief = (text: string) => text.replace(/\s+/g, ' ').slice(0, 160);
  return `${file}:${start.line}:${start.column} ${mutatorName}: ${brief(lines.join('\n'))} -> ${brief(replacement)}`;
}

async function report(file: string, tests: readonly string[]): Promise<void> {
  const started = Date.now();
  const results = await mutate(file, tests, Number(values.sample));
  const possible = results.filter(({ status }) => status !== 'Ignored');
  // `sample.ts` refuses the others as if they did not compile.
  const tried = possible.filter(({ status }) => status !== 'CompileError');
  const left = tried.filter(({ status }) => status !== 'Killed');
  const seconds = Math.round((Date.now() - started) / 1000);
  console.log(`${file}: ${left.length} of ${tried.length} not killed (of ${possible.length} in all, ${seconds} s)`);
  for (const one of left) console.log(`  ${one.status} ${lineOf(file, one)}`);
}

const { values, positionals } = parseArgs({
  options: { sample: { type: 'string', default: '12' } },
  allowPositionals: true,
});
install();
process.env.TEST_DATABASES = 'sqlite';
for (const file of positionals.length > 0 ? positionals : Object.keys(RULES)) {
  const tests = RULES[file];
  if (!tests) throw new Error(`${file} is not in ${HOME}/rules.ts`);
  try {
    await report(file, tests);
  } catch (error) {
    console.error(`${file}: ${error}`);
    process.exitCode = 1;
  }
}
