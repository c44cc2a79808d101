import { defineConfig } from 'vitest/config';

/** Tests that need `recheck`, which is installed in this folder only. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
