/**
 * The races are run once more without the guards of stock, limits on places, check-in and one-time tokens, to prove
 * that they would catch their absence. Tests only.
 */
export const testHooks = { isGuarded: true };
