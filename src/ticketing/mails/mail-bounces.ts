import { can } from '../../http/core/auth.ts';
import { endpoint, type HandlerContext, ok } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { plainLine, text } from '../../http/input/schemas.ts';
import { logChange } from '../../platform/audit/log.ts';
import { findBouncedMail, findMailByMessageId, markBounced } from '../../platform/mails/bounces.ts';
import { readDeliveryReport } from '../../platform/mails/delivery-report.ts';
import type { Mail } from '../../platform/mails/outbox.ts';
import { findOrderOfMail } from './mail-list.ts';
import { auditedMail, mailSchema, renderListedMail } from './mails.ts';

/** Maximum characters read of a report; the facts come first. */
const MAX_REPORT = 65_536;

interface Sent {
  address?: string;
  message_id?: string;
  message?: string;
  reason?: string;
}

const returnedMailSchema = mailSchema.partial().required({ status: true }).meta({
  id: 'ReturnedMail',
  description: 'A mail that came back. For a mail to an account, users who do not manage accounts get only the status.',
});

/** Receives mails that came back from providers that report them over HTTP. */
export const mailBounceEndpoint = endpoint({
  namespace: 'admin',
  methods: ['POST'],
  path: '/mail-bounces',
  name: 'mails.bounce',
  summary: 'Report a mail that came back',
  description:
    'For programs of a mail provider, with a token of an account that manages orders. The mail is named by `address`, by `message_id`, or by `message`, the report of a mail server. A mail that was not sent, or is already marked, stays unchanged. For a mail to an account, the response has only its status, except for users who manage accounts.',
  input: {
    address: plainLine('Address to which the mail was returned: its envelope sender.', { max: 320 }),
    message_id: text('`Message-ID` of the mail.', { max: 500 }),
    message: text(`Report of a mail server (RFC 3464); its first ${MAX_REPORT} characters suffice.`, {
      max: MAX_REPORT,
    }),
    reason: plainLine('Reason in the words of the other server, such as `550 5.1.1 no such user`.', { max: 500 }),
  },
  body: 'MailBounce',
  responses: { 200: returnedMailSchema },
  errors: ['rest_forbidden', 'mail-not-found', 'bounce-invalid', 'too-many-requests'],
  may: (viewer) => can(viewer, 'manage_attendees'),
  async handle(ctx, sent) {
    const { context, actor, viewer } = ctx;
    const { mail, reason } = await findReturned(ctx, sent);
    const marked = await context.db.transaction((trx) =>
      logChange(trx, actor, { kind: auditedMail, id: mail.id }, () => markBounced(trx, mail, reason)),
    );
    if (marked.account_id !== 0 && !can(viewer, 'manage_users')) return ok({ status: marked.status }, PRIVATE_NO_STORE);
    return ok(renderListedMail({ ...marked, order_id: await findOrderOfMail(context.db, marked) }), PRIVATE_NO_STORE);
  },
});

/** @throws {ApiError} mail-not-found, bounce-invalid, too-many-requests */
async function findReturned(ctx: HandlerContext, sent: Sent): Promise<{ mail: Mail; reason: string }> {
  const { context } = ctx;
  const report = sent.message === undefined ? undefined : readDeliveryReport(sent.message);
  if (report && !report.isFailure) throw new ApiError('bounce-invalid');
  const reason = sent.reason ?? report?.reason ?? '';
  if (sent.message_id !== undefined) {
    const mail = await findMailByMessageId(context.db, sent.message_id);
    if (mail) return { mail, reason };
    await countGuess(ctx);
    throw new ApiError('mail-not-found');
  }
  const addresses = [...(sent.address === undefined ? [] : [sent.address]), ...(report?.addresses ?? [])];
  const mail = await findBouncedMail(context, addresses);
  if (mail) return { mail, reason };
  await countGuess(ctx);
  throw new ApiError('bounce-invalid');
}

/** Counts a wrong address or `Message-ID`, after the comparison: a flood of them must not keep out the provider. */
const countGuess = ({ limits, client }: HandlerContext) =>
  limits.countRequest('bounce-addresses-by-network', { client });
