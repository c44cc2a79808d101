import fc from 'fast-check';

/**
 * Random tests try the same cases in every run, so that a failure belongs to the change that caused it. `TEST_SEED=1234`
 * tries others; the seed of a failure is in its message.
 */
fc.configureGlobal({ seed: Number(process.env.TEST_SEED ?? 20_261_122) });
