import { defineConfig } from 'vitest/config';
import { common, SLOW } from '../../vitest.config.ts';

const include = (process.env.MUTATE_TESTS ?? '').split(',');

/** The tests that `run.ts` names, in one project; of folders only the quick ones. */
export default defineConfig({
  test: {
    ...common,
    // Stryker puts its own programs and mutants into Vite's modules.
    experimental: { viteModuleRunner: true },
    globalSetup: 'test/global-setup.ts',
    include,
    exclude: SLOW.filter((file) => !include.includes(file)),
  },
});
