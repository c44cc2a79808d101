import { defineConfig } from 'vitest/config';

/** Tests against real services, which `npm run gateways:live` starts. */
export default defineConfig({
  test: { include: ['test/gateways/*-live.ts'], testTimeout: 120_000, hookTimeout: 60_000, fileParallelism: false },
});
