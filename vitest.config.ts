import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'packages/**/*.test.ts'],
    globalSetup: 'test/global-setup.ts',
    pool: 'threads',
    isolate: false,
    maxWorkers: Math.max(2, availableParallelism()),
    // Halves the time of a start of Marquee.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'marquee-compile-cache') },
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
});
