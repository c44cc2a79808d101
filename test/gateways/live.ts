import { spawnSync } from 'node:child_process';

/**
 * `npm run gateways:live`: the contract of gateways against the real services, in their test modes. Never part of CI: it
 * needs a network, an account and a browser.
 */

const { MARQUEE_STRIPE_KEY: key = '' } = process.env;

if (process.env.CI || !/^[rs]k_test_/.test(key)) {
  process.stderr.write(`Set MARQUEE_STRIPE_KEY to a secret key of a Stripe account in test mode: it begins with sk_test_, or
rk_test_ if it may write Checkout Sessions, Payment Intents, Charges and Refunds and read Disputes. The computer needs
Chromium and a way to api.stripe.com and checkout.stripe.com. Nothing costs money. This does not run in CI.
`);
  process.exit(1);
}

const { status } = spawnSync('npx', ['vitest', 'run', '--config', 'test/gateways/live.config.ts'], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
