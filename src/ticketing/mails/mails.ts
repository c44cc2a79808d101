import { z } from 'zod';
import type { Context } from '../../base/context.ts';
import type { Database } from '../../db/database.ts';
import { MAIL_STATUSES } from '../../db/tables/platform.ts';
import { can, eventScope, hasEventRights, type Viewer } from '../../http/core/auth.ts';
import {
  type AnyEndpoint,
  assertFound,
  created,
  endpoint,
  type LookupContext,
  ok,
  type RequestContext,
} from '../../http/core/endpoint.ts';
import { ApiError, invalidParam } from '../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../http/core/response.ts';
import { email, integer, oneOf } from '../../http/input/schemas.ts';
import { utcTime } from '../../http/output/output.ts';
import { LIST_HEADERS, listResponse, listSchema, pageFields, pageOf } from '../../http/output/pagination.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { MAIL_KINDS } from '../../lib/mail-kinds.ts';
import { addressKey } from '../../lib/text/email.ts';
import type { AuditedKind } from '../../platform/audit/kind.ts';
import { logChange, logCreation } from '../../platform/audit/log.ts';
import { type Counted, withinLimits } from '../../platform/limits/limits.ts';
import { addressOf, type Mail, mailboxHash } from '../../platform/mails/outbox.ts';
import { copyMail, findMail, type Resending, requeueMail } from '../../platform/mails/store.ts';
import { accountSubject } from '../../platform/users/password-check.ts';
import { eventsOfHolder } from '../attendees/pass-attendees.ts';
import { findAttendee } from '../attendees/store.ts';
import { findNamedOrder, type NamedOrder } from '../orders/order-scope.ts';
import { findOwners } from '../tickets/event-scope.ts';
import { opensTicket, presentAddress } from './mail-address.ts';
import { findOrderOfMail, type ListedMail, listMails } from './mail-list.ts';

/** Mails to customers, for users who manage orders, and to accounts, for administrators. */

/** Mails to accounts reveal who works here, and what their roles let them see. */
const readsAccountMails = (viewer: Viewer): boolean => can(viewer, 'manage_users');

/** Audit of mails that staff ask for; others follow from what happened to their order. */
export const auditedMail: AuditedKind = {
  name: 'mail',
  async snapshot(db, id) {
    const mail = await findMail(db, id);
    if (!mail) return undefined;
    const { kind, status, to_email, user_id } = mail;
    const order = await findOrderOfMail(db, mail);
    return {
      title: '',
      fields: { kind, order, is_asked_for: user_id !== 0, is_returned: status === 'bounced' },
      personal: { to_email },
    };
  },
};

export const mailSchema = z
  .object({
    id: z.int(),
    kind: z
      .enum(MAIL_KINDS)
      .describe(
        '`order`: what to pay and how. `tickets`: the tickets of a complete order. `refund`: money given back. `my_tickets`: links to the current orders of an address, which its owner asked for. `payment_failed`, `place_cancelled`: about an order. `ticket_received`, `ticket_transferred`: to the new holder of a ticket, and to the former one. `rsvp`, `rsvp_changed`: an answer to an event. `reminder`: the day before. `announcement` and `event_…`: announcements to the holders of tickets. Others: to accounts.',
      ),
    to: z.string().describe('E-mail address.'),
    order: z
      .int()
      .nullable()
      .describe(
        'Id of the order that it is about, or of the order of its reader’s ticket; null for several, and for a mail to an account.',
      ),
    account: z.int().describe('Account to which it goes; 0 for a mail to a customer.'),
    event: z.int().nullable().describe('Id of the event, if it is about a single one.'),
    attendee: z.int().nullable().describe('Id of the attendee to whom it goes, if it is to a holder.'),
    status: z
      .enum(MAIL_STATUSES)
      .describe(
        '`queued`: to be sent, to be tried again, or waiting for the limit of its mailbox. `sent`: accepted by the mail server. `failed`: refused by it. `held`: not sent, for want of a mail server or a week beyond the limit of a mailbox. `bounced`: came back.',
      ),
    reply: z
      .string()
      .describe('Last reply of the mail server, or the reason why there is none; empty before the first attempt.'),
    attempts: z.int().describe('Attempts so far.'),
    due_utc: utcTime.nullable().describe('Time of the next attempt; null unless it is queued.'),
    sent_utc: utcTime.nullable(),
    created_utc: utcTime,
    user: z.int().describe('Account that asked for it; 0 for a mail that the server writes by itself.'),
  })
  .meta({ id: 'Mail', description: 'A mail to a customer.' });

const fullMailSchema = mailSchema
  .extend({
    message_id: z.string().describe('`Message-ID` of every attempt; empty before the first.'),
    subject: z.string().nullable(),
    text: z
      .string()
      .nullable()
      .describe(
        'Plain text as it would be sent now: texts are not stored, and links that sign in are only in the mail itself. Null, as are `subject` and `html`, for an outdated mail.',
      ),
    html: z.string().nullable(),
    send_to: z
      .string()
      .nullable()
      .describe(
        'Address to which it would be sent again: the current address of the customer or holder. Null if it opens a ticket that is gone or has another holder by now.',
      ),
  })
  .meta({ id: 'FullMail', description: 'A mail to a customer, with its text.' });

export const renderListedMail = (mail: ListedMail): z.output<typeof mailSchema> => ({
  id: mail.id,
  kind: mail.kind,
  to: mail.to_email,
  order: mail.order_id,
  account: mail.account_id,
  event: mail.event_id || null,
  attendee: mail.attendee_id || null,
  status: mail.status,
  reply: mail.smtp_reply,
  attempts: mail.attempts,
  due_utc: mail.status === 'queued' ? mail.due_utc : null,
  sent_utc: mail.sent_utc || null,
  created_utc: mail.created_utc,
  user: mail.user_id,
});

/** Renders the texts of a mail, with links that begin with an origin; undefined if it is outdated. */
type RenderTexts = (
  context: Context,
  mail: Mail,
  origin: string,
) => Promise<{ subject: string; text: string; html: string } | undefined>;

const listFields = {
  ...pageFields,
  status: oneOf('Only mails with this status.', MAIL_STATUSES),
  kind: oneOf('Only mails of this kind.', MAIL_KINDS),
  to: email('Only mails to this mailbox.'),
  order: integer('Only mails about this order, and to the holders of its tickets.', { min: 1 }),
  event: integer('Only mails about this event or orders with places at it.', { min: 1 }),
  attendee: integer('Only mails to the holder of the ticket of this attendee, or about its order.', { min: 1 }),
};

const list = endpoint({
  namespace: 'admin',
  methods: ['GET'],
  path: '/mails',
  name: 'mails.list',
  summary: 'List mails to customers',
  description:
    'Latest first. For users who manage orders. Authors see only mails about orders for their own events, and about a series pass only if all its events are theirs. Mails to accounts are for administrators.',
  input: listFields,
  responses: { 200: listSchema('mails', mailSchema, 'MailList') },
  responseHeaders: LIST_HEADERS,
  errors: ['rest_forbidden'],
  may: (viewer) => hasEventRights(viewer, 'manage_attendees'),
  async handle({ context, urls, viewer }, { page: requestedPage, per_page, ...filters }) {
    const page = pageOf({ page: requestedPage, per_page }, context.config.perPage);
    const filter = {
      ...filters,
      within: eventScope(viewer, 'manage_attendees'),
      withAccounts: readsAccountMails(viewer),
    };
    const { mails, total } = await listMails(context.db, filter, { limit: page.perPage, offset: page.offset });
    const url = urls.rest('admin', '/mails');
    return listResponse({
      ...{ key: 'mails', items: mails.map(renderListedMail), total, page, url },
      params: { per_page: page.perPage, ...filters },
    });
  },
});

/**
 * Ids of the events that a mail is about. A mail to the holder of a series pass opens all events of the pass, so it is
 * about all.
 */
async function eventsOfMail(db: Database, { attendee_id, event_id }: Mail): Promise<number[]> {
  const attendee = attendee_id > 0 ? await findAttendee(db, attendee_id) : undefined;
  const ofHolder = attendee ? await eventsOfHolder(db, attendee) : [];
  return [...(event_id > 0 ? [event_id] : []), ...ofHolder];
}

interface Target extends NamedOrder {
  mail: ListedMail | undefined;
}

/** Properties shared by the endpoints of one mail. */
const single = {
  namespace: 'admin',
  required: ['id'],
  async find({ id }: { id?: number }, ctx: LookupContext['ctx']): Promise<Target> {
    const found = id === undefined ? undefined : await findMail(ctx.context.db, id);
    const mail = found?.account_id === 0 || readsAccountMails(ctx.viewer) ? found : undefined;
    const order_id = mail ? await findOrderOfMail(ctx.context.db, mail) : null;
    const order = await findNamedOrder(ctx, order_id ?? 0);
    const eventIds = mail ? await eventsOfMail(ctx.context.db, mail) : [];
    const events = eventIds.length > 0 ? await findOwners(ctx, eventIds) : order.events;
    return { ...order, events, mail: mail && { ...mail, order_id } };
  },
} as const;

const mailId = integer('Id of the mail.', { min: 1 });

/** @throws {ApiError} mail-not-found */
function mailOf(target: Target | undefined): ListedMail {
  if (!target?.mail) throw new ApiError('mail-not-found');
  return target.mail;
}

const read = (renderTexts: RenderTexts) =>
  endpoint({
    ...single,
    methods: ['GET'],
    path: '/mails/{id}',
    name: 'mails.read',
    summary: 'Read a mail to a customer',
    description: 'With its text, which contains the link to the order and the codes of its tickets.',
    input: { id: mailId },
    responses: { 200: fullMailSchema },
    errors: ['rest_forbidden', 'mail-not-found'],
    may: (viewer, target) => hasEventRights(viewer, 'manage_attendees', target),
    async handle({ context, urls }, _input, target) {
      const mail = mailOf(target);
      const send_to = (await presentAddress(context.db, mail)) ?? null;
      const addressed = send_to === null ? mail : { ...mail, ...addressOf(send_to) };
      const texts = await renderTexts(context, addressed, context.config.url ?? urls.origin);
      const { subject = null, text = null, html = null } = texts ?? {};
      const { message_id } = mail;
      return ok({ ...renderListedMail(mail), message_id, subject, text, html, send_to }, PRIVATE_NO_STORE);
    },
  });

/**
 * Address to which a mail is sent again. A mail that opens a ticket goes to the holder, or to an address that staff
 * choose. It does not go to its earlier address again if the ticket has another holder by now.
 * @throws {ApiError} mail-outdated
 */
function targetOf(mail: Mail, { to, present }: { to?: string; present?: string }): string {
  const target = to ?? present;
  if (target === undefined) throw new ApiError('mail-outdated');
  const isFormer = present === undefined || mailboxHash(present) !== mail.mailbox;
  if (opensTicket(mail) && isFormer && mailboxHash(target) === mail.mailbox) throw new ApiError('mail-outdated');
  return target;
}

/**
 * Lets only users who manage all attendees choose another address: others could write anything to anyone, in the texts
 * of their events.
 * @throws {InvalidParams} for another address of an account
 * @throws {ApiError} mail-address-fixed
 */
function requireAddress(
  viewer: Viewer,
  { account_id, to_email }: Mail,
  asked: { to?: string; present?: string },
): void {
  const { to, present } = asked;
  if (to === undefined) return;
  if (account_id !== 0 && to !== to_email) throw invalidParam('to', 'param.account_address');
  const isPresent = present !== undefined && addressKey(to) === addressKey(present);
  if (!isPresent && !can(viewer, 'manage_attendees')) throw new ApiError('mail-address-fixed');
}

/** The limits of a mail that an account sends again. */
const copyLimits = ({ id }: Mail, { to, userId }: { to: string; userId: number }): Counted[] => [
  { limit: 'copies-by-mail', key: String(id) },
  { limit: 'copies-by-mailbox', key: mailboxHash(to) },
  { limit: 'copies-by-account', key: accountSubject(userId) },
];

const send = (renderTexts: RenderTexts) =>
  endpoint({
    ...single,
    methods: ['POST'],
    path: '/mails/{id}/send',
    name: 'mails.send',
    summary: 'Send a mail to a customer again',
    description:
      'If the mail was sent, a copy with its current text is sent; otherwise it is tried again at once. By default it goes to the current address of the customer or holder. A mail that opens a ticket does not go to a former holder (`mail-outdated`). Copies do not count towards the limit of their mailbox; they have limits of their own (`too-many-mails`), and wait behind the mails that the server writes by itself.',
    input: {
      id: mailId,
      to: email(
        'Another address, for users who manage the attendees of all events (otherwise `mail-address-fixed`); the mail is about the same order. Mails to accounts go to their own address only.',
      ),
    },
    body: 'MailSending',
    responses: { 201: mailSchema },
    errors: ['rest_forbidden', 'mail-not-found', 'mail-address-fixed', 'mail-outdated', 'too-many-mails'],
    may: (viewer, target) => hasEventRights(viewer, 'manage_attendees', target),
    async handle(ctx, { to }, target) {
      const { context, viewer, urls, now } = ctx;
      const mail = mailOf(target);
      const present = await presentAddress(context.db, mail);
      requireAddress(viewer, mail, { to, present });
      const asked = { to: targetOf(mail, { to, present }), userId: viewer.account?.id ?? 0, now: toUtc(now) };
      const isNew = ({ status }: Mail) => status === 'sent' || status === 'bounced' || present === undefined;
      const written = {
        ...{ ...mail, ...addressOf(asked.to), user_id: asked.userId },
        created_utc: isNew(mail) ? asked.now : mail.created_utc,
      };
      if (!(await renderTexts(context, written, urls.origin))) throw new ApiError('mail-outdated');
      const sent = await withinLimits(context, 'too-many-mails', copyLimits(mail, asked), () =>
        context.db.transaction(async (trx) => {
          const current = assertFound(await findMail(trx, mail.id));
          return isNew(current) ? addCopy(trx, ctx, current, asked) : requeue(trx, ctx, current, asked);
        }),
      );
      return created(renderListedMail({ ...sent, order_id: mail.order_id }), PRIVATE_NO_STORE);
    },
  });

/** Sends a mail as another one. */
async function addCopy(db: Database, { context, actor }: RequestContext, mail: Mail, asked: Resending): Promise<Mail> {
  const key = `again-${mail.id}-${context.random(8).toString('hex')}`;
  const copy = await copyMail(db, mail, { ...asked, key });
  await logCreation(db, actor, { kind: auditedMail, id: copy.id });
  return copy;
}

const requeue = (db: Database, { actor }: RequestContext, mail: Mail, asked: Resending): Promise<Mail> =>
  logChange(db, actor, { kind: auditedMail, id: mail.id }, () => requeueMail(db, mail, asked));

/** @param renderTexts mails are rendered like pages, which are above this layer */
export const mailEndpoints = (renderTexts: RenderTexts): readonly AnyEndpoint[] => [
  list,
  read(renderTexts),
  send(renderTexts),
];
