import { z } from 'zod';
import type { Context } from '../../base/context.ts';
import { endpoint } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { email } from '../../http/input/schemas.ts';
import { secretHash } from '../../lib/hash.ts';
import { addressKey } from '../../lib/text/email.ts';
import { consume, createLimiter } from '../../platform/limits/limits.ts';
import { queueMail } from '../../platform/mails/outbox.ts';

/**
 * "Send me my tickets": a mail with links to the current orders of an address. The response, and the work before it, are the
 * same for every address: orders are looked up when the mail is rendered.
 */

/** All visitors count together. */
const EVERYONE = { client: { address: '', isShared: true }, cart: 'everyone' } as const;

const send = endpoint({
  namespace: 'tickets',
  methods: ['POST'],
  path: '/my-tickets',
  name: 'buyers_orders.send_links',
  summary: 'Send the links to current orders to their address',
  description:
    'The mail is sent if the address has current orders or tickets. The response does not reveal whether it has.',
  input: { email: email('The address that was given for the orders.') },
  required: ['email'],
  body: 'MyTicketsInput',
  responses: { 202: z.object({ accepted: z.literal(true) }).meta({ id: 'MyTicketsAnswer' }) },
  errors: ['rest_missing_callback_param', 'too-many-requests', 'mail-not-configured'],
  counted: 'ticket-mails',
  async handle(ctx, { email: to }) {
    const { context, language, now, limits } = ctx;
    if (!context.config.smtp) throw new ApiError('mail-not-configured');
    await limits.countRequest('all-ticket-mails', EVERYONE);
    if (await isDue(context, to)) {
      const key = `my-tickets-${context.random(16).toString('hex')}`;
      await context.db.transaction((trx) =>
        queueMail(trx, { kind: 'my_tickets', key, to, language, now, record_kind: 'mailbox', record_id: 0 }),
      );
    }
    return { status: 202, body: { accepted: true }, headers: PRIVATE_NO_STORE };
  },
});

/**
 * Whether an address gets a mail now: one for repeated requests, and a few a day. Each spelling counts separately,
 * since requests for other spellings must not use up the mails of this one. Requests are counted, not mails: a mail to
 * an unknown address is deleted again, so that counting mails would make later requests faster for a known one.
 */
async function isDue(context: Context, address: string): Promise<boolean> {
  const key = secretHash(addressKey(address));
  for (const name of ['ticket-mails-in-a-row', 'ticket-mails-by-address'] as const) {
    const limiter = createLimiter(context, name);
    if (limiter && (await consume(limiter, key)).isOver) return false;
  }
  return true;
}

export const myTicketsEndpoints = [send];
