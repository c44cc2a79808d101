import type { Updateable } from 'kysely';
import { modifiedTimes } from '../../../calendar/posts/post.ts';
import type { Database } from '../../../db/database.ts';
import type { AttendeesTable } from '../../../db/tables/ticketing.ts';
import { assertFound, endpoint, type HandlerContext, ok } from '../../../http/core/endpoint.ts';
import { ApiError } from '../../../http/core/errors.ts';
import { PRIVATE_NO_STORE } from '../../../http/core/response.ts';
import { clearable, filledText, integer } from '../../../http/input/schemas.ts';
import { type LocalTime, toUtc } from '../../../lib/dates/dates.ts';
import { isAdmitted } from '../../attendees/admission.ts';
import { mailTransfer } from '../../attendees/holder-mails.ts';
import { NO_INFORMATION, newSecurityCode } from '../../attendees/new-attendee.ts';
import { currentOf, currentShown, findPassAttendees, lockHolder } from '../../attendees/pass-attendees.ts';
import { type Attendee, getAttendee, keysOf } from '../../attendees/store.ts';
import { TICKET_TOKEN } from '../../attendees/ticket-token.ts';
import { findCompanions, findTransfers, recordTransfer } from '../../attendees/transfers.ts';
import { changeHolder } from '../../attendees/update.ts';
import { heldTicketSchema, loadHeldRelations, renderHeldTicket, renderPassDate } from '../held-ticket.ts';
import { fullName, holderEmail, holderOptout } from '../holder-input.ts';
import { ORDER_TOKEN } from '../order-token.ts';
import { findOrder } from '../store.ts';
import { type AccessibleTicket, getAccessible, getChangeable, linkNotFound } from './ticket-access.ts';

/** A single ticket, opened by the token of its page or of its order. */

async function respondWith(ctx: HandlerContext, { attendee, access }: Omit<AccessibleTicket, 'isTransferred'>) {
  const { db } = ctx.context;
  const { id, order_id, pass_id } = attendee;
  const dates = (await findPassAttendees(db, [pass_id])).get(pass_id ?? 0) ?? [];
  const [relations, order, transfers, companions] = await Promise.all([
    loadHeldRelations(ctx, [attendee, ...dates]),
    order_id === null ? undefined : findOrder(db, order_id),
    findTransfers(db, [id]),
    access === 'holder' ? findCompanions(db, attendee) : [],
  ]);
  const options = { relations, ctx, access, order, transfers: transfers.get(id) ?? [], companions };
  if (pass_id === null) return ok(renderHeldTicket(attendee, options), PRIVATE_NO_STORE);
  // All attendees of a pass share the page of the first, which shows the next date.
  const shown = id === pass_id ? (currentOf(dates, toUtc(ctx.now)) ?? attendee) : attendee;
  const pass = { id: pass_id, dates: dates.flatMap((date) => renderPassDate(date, relations, ctx) ?? []) };
  return ok({ ...renderHeldTicket(shown, options), id, pass }, PRIVATE_NO_STORE);
}

/**
 * Responds with a ticket after its change.
 * @throws {ApiError} attendee-not-found if the ticket has a new code by now, which this request must not learn
 */
async function respondAfter(ctx: HandlerContext, { attendee: { id, security_code }, access }: AccessibleTicket) {
  const attendee = await getAttendee(ctx.context.db, id);
  if (attendee.security_code !== security_code) throw linkNotFound();
  return respondWith(ctx, { attendee, access });
}

const attendeeId = integer('Id of the attendee.', { min: 1 });
const securityCode = filledText('Security code of the ticket.', { max: 200 });
const refusedCode = filledText('Security code of the ticket, which alone is refused: 403 `ticket-link-required`.', {
  max: 200,
});

interface TicketInput {
  id?: number;
  security_code?: string;
}

/** Properties shared by the endpoints. */
const shared = {
  namespace: 'tickets',
  requestHeaders: [TICKET_TOKEN, ORDER_TOKEN],
  responses: { 200: heldTicketSchema },
} as const;

/** Properties shared by changes. */
const change = {
  ...shared,
  find: async ({ id, security_code }: TicketInput, ctx: HandlerContext) =>
    id === undefined ? undefined : getChangeable(ctx, id, security_code),
} as const;

const read = endpoint({
  ...shared,
  methods: ['GET'],
  path: '/attendees/{id}/ticket',
  name: 'held_tickets.read',
  summary: 'Read a ticket, as its holder',
  description:
    'Requires the token of the ticket or of its order; with neither, it is reported as missing. The security code alone shows the event and whether the ticket is valid, without name and code. The first attendee of a series pass is shown with its next date.',
  input: { id: attendeeId, security_code: securityCode },
  required: ['id'],
  errors: ['attendee-not-found', 'ticket-transferred'],
  find: async ({ id, security_code }: TicketInput, ctx) =>
    id === undefined ? undefined : getAccessible(ctx, id, security_code),
  handle: async (ctx, _input, held) => respondWith(ctx, assertFound(held)),
});

const update = endpoint({
  ...change,
  methods: ['POST', 'PUT', 'PATCH'],
  path: '/attendees/{id}/ticket',
  name: 'held_tickets.update',
  summary: 'Change the name on a ticket, as its holder',
  description: 'Requires the token of the ticket, or of its order unless the ticket was transferred.',
  input: { id: attendeeId, security_code: refusedCode, full_name: fullName, optout: clearable(holderOptout) },
  required: ['id'],
  body: 'HeldTicketChange',
  errors: ['attendee-not-found', 'ticket-link-required', 'ticket-transferred', 'ticket-not-transferable'],
  async handle(ctx, { full_name, optout }, found) {
    const ticket = assertFound(found);
    if (ticket.attendee.status !== 'publish') throw notTransferable('not-admitted');
    await ctx.context.db.transaction((trx) => changeHolder(trx, ticket.attendee, { full_name, optout }, ctx));
    return respondAfter(ctx, ticket);
  },
});

const transfer = endpoint({
  ...change,
  methods: ['POST'],
  path: '/attendees/{id}/transfer',
  name: 'held_tickets.transfer',
  summary: 'Transfer a ticket to another person, as its holder',
  description:
    'Requires the token of the ticket, or of its order unless the ticket was transferred before. The ticket gets a new security code and a new page, shown only in this response; the old ones become invalid at once, and the order shows the name of the recipient only. Answers to registration questions are removed. A ticket that was used, or that does not admit, cannot be transferred.',
  input: {
    id: attendeeId,
    security_code: refusedCode,
    full_name: fullName,
    email: holderEmail,
    optout: clearable(holderOptout),
  },
  required: ['id', 'full_name', 'email'],
  body: 'TransferInput',
  errors: [
    'rest_missing_callback_param',
    'attendee-not-found',
    'ticket-link-required',
    'ticket-transferred',
    'ticket-not-transferable',
  ],
  async handle(ctx, { full_name, email, optout }, found) {
    const { attendee } = assertFound(found);
    await transferTicket(ctx, attendee, { full_name, email: email.trim(), optout: optout === false ? 0 : 1 });
    // The response is the only one with the address of the new page.
    return respondWith(ctx, { attendee: await getAttendee(ctx.context.db, attendee.id), access: 'holder' });
  },
});

type Recipient = Pick<Attendee, 'full_name' | 'email' | 'optout'>;

/**
 * One statement checks and writes, so that only one of a transfer, a check-in with the old code and another
 * transfer succeeds.
 * @throws {ApiError} ticket-not-transferable
 */
async function transferTicket(ctx: HandlerContext, attendee: Attendee, recipient: Recipient): Promise<void> {
  if (!isAdmitted(attendee)) throw notTransferable('not-admitted');
  const { db, random } = ctx.context;
  const given = await db.transaction(async (trx) => {
    await lockHolder(trx, attendee);
    const { language } = ctx;
    const renewed = { ...modifiedTimes(ctx), security_code: newSecurityCode(random), language };
    const changed = await trx.query
      .updateTable('attendees')
      .set({ ...recipient, ...keysOf(recipient), ...renewed, user_id: 0, information: NO_INFORMATION })
      .where(attendee.pass_id === null ? 'id' : 'pass_id', '=', attendee.pass_id ?? attendee.id)
      .where('checked_in', '=', 0)
      .where('status', '=', 'publish')
      .where('attendance_status', '=', attendee.attendance_status)
      .where('security_code', '=', attendee.security_code)
      .returning(['id', 'security_code'])
      .execute();
    if (changed.length === 0) return false;
    const date_utc = toUtc(ctx.now);
    const former = await formerHolder(trx, await currentDate(trx, attendee, date_utc));
    for (const id of await changeUsed(trx, attendee, { change: renewed, now: date_utc })) {
      const transfer = await recordTransfer(trx, { ...attendee, id }, { ...recipient, date_utc });
      if (id === former.id)
        await mailTransfer(trx, { transfer, former, recipient: recipient.email, language, now: ctx.now });
    }
    return true;
  });
  if (given) return;
  const now = await getAttendee(db, attendee.id);
  throw notTransferable(now.checked_in === 1 ? 'checked-in' : 'changed');
}

/** The attendee for the next date of a pass that has not ended: mails are about that date. */
async function currentDate(db: Database, attendee: Attendee, now: LocalTime): Promise<Attendee> {
  if (attendee.pass_id === null) return attendee;
  const dates = (await findPassAttendees(db, [attendee.pass_id])).get(attendee.pass_id) ?? [];
  const { id, event_id } = currentShown(dates, now) ?? attendee;
  return { ...attendee, id, event_id };
}

/** The holder before a transfer; the customer, if the ticket has no address of its own. */
async function formerHolder(
  db: Database,
  attendee: Attendee,
): Promise<Pick<Attendee, 'id' | 'event_id' | 'email' | 'language'>> {
  const { id, event_id, email, language, order_id } = attendee;
  const order = order_id === null ? undefined : await findOrder(db, order_id);
  return {
    id,
    event_id,
    email: email || (order?.purchaser_email ?? ''),
    language: language || (order?.language ?? ''),
  };
}

/**
 * Gives the used dates of a series pass the code of the others. They keep the name of the person who was there.
 * @returns the ids of all attendees that are transferred
 * @throws {ApiError} ticket-not-transferable while the pass is in use
 */
async function changeUsed(
  db: Database,
  { id, pass_id }: Attendee,
  { change, now }: { change: Updateable<AttendeesTable>; now: LocalTime },
): Promise<number[]> {
  if (pass_id === null) return [id];
  const all = (await findPassAttendees(db, [pass_id])).get(pass_id) ?? [];
  if (all.some(({ checked_in, ends }) => checked_in === 1 && ends > now)) throw notTransferable('checked-in');
  // Also those of deleted events.
  const query = db.query.updateTable('attendees').set(change).where('pass_id', '=', pass_id);
  return (await query.returning('id').execute()).map((one) => one.id);
}

/** Error with its `reason` in the response. */
const notTransferable = (reason: 'not-admitted' | 'checked-in' | 'changed'): ApiError =>
  new ApiError('ticket-not-transferable', { data: { reason } });

/** Tickets as seen by their holders. */
export const heldTicketEndpoints = [read, update, transfer];
