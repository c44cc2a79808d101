import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Races, processes, faults, browsers, and what goes through every operation for every caller; the rest is quick. */
const SLOW = [
  'src/cli/demo.test.ts',
  'src/cli/first-language.test.ts',
  'src/http/server.test.ts',
  'test/answers.test.ts',
  'test/bench.test.ts',
  'test/canaries.test.ts',
  'test/client-package.test.ts',
  'test/explain.test.ts',
  'test/faults/*.test.ts',
  'test/hostile-text.test.ts',
  'test/idempotency-processes.test.ts',
  'test/limits-processes.test.ts',
  'test/overload.test.ts',
  'test/pages.test.ts',
  'test/postgres-outage.test.ts',
  'test/process.test.ts',
  'test/races.test.ts',
  'test/regular-expressions.test.ts',
  'test/rights.test.ts',
  'test/shutdown.test.ts',
  'test/stock-history.test.ts',
  'test/storage-faults.test.ts',
  'test/terminal.test.ts',
];

/** What every lane is run with. */
const common = {
  pool: 'threads',
  isolate: false,
  // Halves the time of a start of Marquee.
  env: { NODE_COMPILE_CACHE: join(tmpdir(), 'marquee-compile-cache') },
  testTimeout: 20_000,
  hookTimeout: 30_000,
} as const;

export default defineConfig({
  test: {
    globalSetup: 'test/global-setup.ts',
    maxWorkers: Math.max(2, availableParallelism()),
    projects: [
      {
        test: {
          ...common,
          name: 'quick',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'packages/**/*.test.ts'],
          exclude: SLOW,
        },
      },
      { test: { ...common, name: 'slow', include: SLOW } },
    ],
  },
});
