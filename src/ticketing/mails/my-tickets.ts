import { sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../../db/database.ts';
import { endpoint } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { email } from '../../http/input/schemas.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import { secretHash } from '../../lib/hash.ts';
import { addressKey } from '../../lib/text/email.ts';
import { mailboxHash, queueMail } from '../../platform/mails/outbox.ts';

/**
 * "Send me my tickets": a mail with links to the current orders of an address. The response, and the work before it, are the
 * same for every address: orders are looked up when the mail is rendered.
 */

/** Mails of this kind that an address gets within a day; further requests change nothing, and the response does not tell. */
export const MAX_PER_DAY = 5;
const DAY = 86_400;
/** Seconds in which repeated requests make one mail. */
const SLOT = 300;

/** All visitors count together. */
const EVERYONE = { client: { address: '', isShared: true }, cart: 'everyone' } as const;

const send = endpoint({
  namespace: 'tickets',
  methods: ['POST'],
  path: '/my-tickets',
  name: 'buyers_orders.send_links',
  summary: 'Send the links to current orders to their address',
  description:
    'The mail is sent if there are current orders or tickets of the address. The response does not tell whether there are.',
  input: { email: email('The address that was given for the orders.') },
  required: ['email'],
  body: 'MyTicketsInput',
  answers: { 202: z.object({ accepted: z.literal(true) }).meta({ id: 'MyTicketsAnswer' }) },
  errors: ['rest_missing_callback_param', 'too-many-requests', 'mail-not-configured'],
  counted: 'ticket-mails',
  async handle(ctx, { email: to }) {
    const { context, language, now, limits } = ctx;
    if (!context.config.smtp) throw new ApiError('mail-not-configured');
    await limits.countRequest('all-ticket-mails', EVERYONE);
    await context.db.transaction((trx) => queueMyTickets(trx, { to, language, now }));
    return { status: 202, body: { accepted: true }, headers: PRIVATE_NO_STORE };
  },
});

async function queueMyTickets(
  db: Database,
  { to, language, now }: { to: string; language: string; now: Date },
): Promise<void> {
  const address = addressKey(to);
  const { count } = await db.query
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('mailbox', '=', mailboxHash(to))
    // Requests for other spellings must not use up those of this one.
    .where(sql`lower(to_email)`, '=', address)
    .where('kind', '=', 'my_tickets')
    .where('created_utc', '>', addSeconds(toUtc(now), -DAY))
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_PER_DAY) return;
  const slot = Math.floor(now.getTime() / 1000 / SLOT);
  await queueMail(db, {
    ...{ kind: 'my_tickets', key: `my-tickets-${secretHash(address)}-${slot}`, to, language, now },
    ...{ record_kind: 'mailbox', record_id: 0 },
  });
}

export const myTicketsEndpoints = [send];
