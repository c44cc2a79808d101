import { z } from 'zod';
import { endpoint, ok } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { filledText } from '../../http/input/schemas.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { unseal } from '../../lib/seal.ts';

/** Addresses that want no reminders. */

const MAX_TOKEN = 500;

/** Ends reminders: the token of a mail, which only this site can make, is the proof. */
export const unsubscribeEndpoint = endpoint({
  namespace: 'tickets',
  methods: ['POST'],
  path: '/reminders/unsubscribe',
  name: 'reminders.unsubscribe',
  summary: 'End reminders of events',
  description:
    'Public, with the token of a reminder. The response does not reveal the address, nor whether it had ended them before.',
  input: { token: filledText('Last segment of the address in the mail.', { max: MAX_TOKEN }) },
  required: ['token'],
  body: 'Unsubscribing',
  responses: {
    200: z
      .object({ unsubscribed: z.literal(true) })
      .meta({ id: 'Unsubscribed', description: 'An address that gets no more reminders.' }),
  },
  errors: ['rest_missing_callback_param', 'unsubscribe-link-invalid'],
  async handle({ context, now }, { token }) {
    const mailbox = mailboxOf(token, context.siteKey('unsubscribe'));
    if (mailbox === undefined) throw new ApiError('unsubscribe-link-invalid');
    await context.db.transaction(({ query }) =>
      query
        .insertInto('mail_optouts')
        .values({ mailbox, created_utc: toUtc(now) })
        .onConflict((conflict) => conflict.doNothing())
        .execute(),
    );
    return ok({ unsubscribed: true as const }, PRIVATE_NO_STORE);
  },
});

/** The hash in a token; undefined for one that this site has not made. */
function mailboxOf(token: string, sealing: Buffer): string | undefined {
  try {
    return unseal(Buffer.from(token, 'base64url').toString('base64'), { sealing });
  } catch {
    return undefined;
  }
}
