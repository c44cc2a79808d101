import { modifiedNow } from '../../calendar/posts/post.ts';
import { assertFound, endpoint, type HandlerContext, ok } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { clearable, filledText, integer } from '../../http/input/schemas.ts';
import { isAdmitted } from '../attendees/admission.ts';
import { NO_INFORMATION, newSecurityCode } from '../attendees/new-attendee.ts';
import { isCodeOfAny } from '../attendees/security-code.ts';
import { type Attendee, findAttendee, keysOf } from '../attendees/store.ts';
import { changeHolder } from '../attendees/update.ts';
import { heldTicketSchema, loadHeldRelations, PRIVATE, renderHeldTicket } from './held-ticket.ts';
import { fullName, holderEmail, holderOptout } from './holder-input.ts';
import { findOrderByToken, ORDER_TOKEN } from './order-token.ts';

/** A single ticket, opened by its security code or the token of its order. */

interface Held {
  attendee: Attendee;
  /** Whether the request has the token of the order. */
  isBuyer: boolean;
}

/**
 * The attendee with an id, if the request has the token of the order or the security code.
 * @throws {ApiError} attendee-not-found, too_many_attempts
 */
async function getHeld(ctx: HandlerContext, id: number, code: string | undefined): Promise<Held> {
  const attendee = await findAttendee(ctx.context.db, id);
  const orderId = attendee?.order_id ?? undefined;
  const isBuyer =
    ctx.header(ORDER_TOKEN) !== undefined &&
    orderId !== undefined &&
    (await findOrderByToken(ctx, orderId)) !== undefined;
  const isHolder = isBuyer || (code !== undefined && (await isCodeOfAny(attendee, { id, code }, ctx)));
  if (!attendee || !isHolder) throw new ApiError('attendee-not-found', { message: 'ticket.link' });
  return { attendee, isBuyer };
}

async function answerWith(ctx: HandlerContext, { attendee: { id }, isBuyer }: Held) {
  const attendee = assertFound(await findAttendee(ctx.context.db, id));
  const relations = await loadHeldRelations(ctx, [attendee]);
  return ok(renderHeldTicket(attendee, { relations, urls: ctx.urls, isBuyer }), PRIVATE);
}

const attendeeId = integer('Id of the attendee.', { min: 1 });
const securityCode = filledText('Security code of the ticket, unless the token of the order is sent.', { max: 200 });

/** Properties shared by the endpoints. */
const shared = {
  namespace: 'tickets',
  requestHeaders: [ORDER_TOKEN],
  answers: { 200: heldTicketSchema },
  find: async ({ id, security_code }: { id?: number; security_code?: string }, ctx: HandlerContext) =>
    id === undefined ? undefined : getHeld(ctx, id, security_code),
} as const;

const read = endpoint({
  ...shared,
  methods: ['GET'],
  path: '/attendees/{id}/ticket',
  name: 'held_tickets.read',
  summary: 'Read a ticket, as its holder',
  description: 'Requires its security code, or the token of its order; with neither, it is reported as missing.',
  input: { id: attendeeId, security_code: securityCode },
  required: ['id'],
  errors: ['attendee-not-found'],
  handle: async (ctx, _input, held) => answerWith(ctx, assertFound(held)),
});

const update = endpoint({
  ...shared,
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/attendees/{id}/ticket',
  name: 'held_tickets.update',
  summary: 'Change the name on a ticket, as its holder',
  input: { id: attendeeId, security_code: securityCode, full_name: fullName, optout: clearable(holderOptout) },
  required: ['id'],
  body: 'HeldTicketChange',
  errors: ['attendee-not-found', 'ticket-not-transferable'],
  async handle(ctx, { full_name, optout }, held) {
    const { id, status } = assertFound(held).attendee;
    if (status !== 'publish') throw notTransferable('not-admitted');
    await ctx.context.db.transaction((trx) => changeHolder(trx, id, { full_name, optout }, ctx));
    return answerWith(ctx, assertFound(held));
  },
});

const transfer = endpoint({
  ...shared,
  methods: ['POST'],
  path: '/attendees/{id}/transfer',
  name: 'held_tickets.transfer',
  summary: 'Transfer a ticket to another person, as its holder',
  description:
    'The ticket gets a new security code, shown only in this response and in the order of its customer; the old code becomes invalid at once. Answers to registration questions are removed. A ticket that was used, or that does not admit, cannot be transferred.',
  input: {
    id: attendeeId,
    security_code: securityCode,
    full_name: fullName,
    email: holderEmail,
    optout: clearable(holderOptout),
  },
  required: ['id', 'full_name', 'email'],
  body: 'TransferInput',
  errors: ['rest_missing_callback_param', 'attendee-not-found', 'ticket-not-transferable'],
  async handle(ctx, { full_name, email, optout }, held) {
    const { attendee } = assertFound(held);
    await transferTicket(ctx, attendee, { full_name, email: email.trim(), optout: optout === false ? 0 : 1 });
    return answerWith(ctx, assertFound(held));
  },
});

type Recipient = Pick<Attendee, 'full_name' | 'email' | 'optout'>;

/**
 * One statement both checks and writes, so that only one of a transfer, a check-in with the old code and another
 * transfer succeeds.
 * @throws {ApiError} ticket-not-transferable
 */
async function transferTicket(ctx: HandlerContext, attendee: Attendee, recipient: Recipient): Promise<void> {
  if (!isAdmitted(attendee)) throw notTransferable('not-admitted');
  const { db, random } = ctx.context;
  const given = await db.transaction(({ query }) =>
    query
      .updateTable('attendees')
      .set({
        ...recipient,
        ...keysOf(recipient),
        ...modifiedNow(ctx),
        user_id: 0,
        information: NO_INFORMATION,
        security_code: newSecurityCode(random),
      })
      .where('id', '=', attendee.id)
      .where('checked_in', '=', 0)
      .where('status', '=', 'publish')
      .where('attendance_status', '=', attendee.attendance_status)
      .where('security_code', '=', attendee.security_code)
      .returning('id')
      .executeTakeFirst(),
  );
  if (given) return;
  const now = assertFound(await findAttendee(db, attendee.id));
  throw notTransferable(now.checked_in === 1 ? 'checked-in' : 'changed');
}

/** Error with its `reason` in the response. */
const notTransferable = (reason: 'not-admitted' | 'checked-in' | 'changed'): ApiError =>
  new ApiError('ticket-not-transferable', { data: { reason } });

/** Tickets as seen by their holders. */
export const heldTicketEndpoints = [read, update, transfer];
