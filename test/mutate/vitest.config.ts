import { defineConfig } from 'vitest/config';
import { common, SLOW } from '../../vitest.config.ts';

/** The quick tests that `run.ts` names, in one project. */
export default defineConfig({
  test: {
    ...common,
    globalSetup: 'test/global-setup.ts',
    include: (process.env.MUTATE_TESTS ?? '').split(','),
    exclude: SLOW,
  },
});
