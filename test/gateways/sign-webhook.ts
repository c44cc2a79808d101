import { createHmac } from 'node:crypto';

/** Headers of a webhook of Stripe, by its scheme: https://docs.stripe.com/webhooks#verify-manually */
export function signWebhook(body: string, secret: string, seconds: number): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': `t=${seconds},v1=${signature}` };
}
