import { setTimeout as pause } from 'node:timers/promises';
import { startStripe } from './stripe-stand-in.ts';

/**
 * `npm run gateways -- [SERVER]`: the stand-in of Stripe, to try payments without an account. Prints the settings for the
 * server, and sends webhooks to it: http://127.0.0.1:8080 by default.
 */

const [, , server = 'http://127.0.0.1:8080'] = process.argv;
const PORT = 4242;

const standIn = await startStripe({ port: PORT, webhookUrl: `${server}/calendar/tickets/v1/gateways/stripe/webhook` });
process.stdout.write(`MARQUEE_STRIPE_KEY=${standIn.key}
MARQUEE_STRIPE_WEBHOOK_SECRET=${standIn.secret}
MARQUEE_STRIPE_URL=${standIn.address}

Webhooks go to ${server}. The pages of payments are at ${standIn.address}/pay/.
`);

for (;;) {
  await pause(500);
  const statuses = await standIn.sendWebhooks().catch(() => ['the server is not there']);
  if (statuses.length > 0) process.stdout.write(`webhooks: ${statuses.join(', ')}\n`);
}
