import { sql } from 'kysely';
import { findEvent } from '../../calendar/events/store.ts';
import { modifiedTimes } from '../../calendar/posts/post.ts';
import type { Database } from '../../db/database.ts';
import { newRecordIds } from '../../db/record-ids.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { originOf } from '../attendees/create.ts';
import { mailRsvp } from '../attendees/holder-mails.ts';
import { attendeeRow, type HolderData } from '../attendees/new-attendee.ts';
import { type Attendee, getAttendee, insertAttendees } from '../attendees/store.ts';
import { missingTicket, notAvailable, notOnSale } from '../cart/errors.ts';
import { linkNotFound } from '../orders/customer/ticket-access.ts';
import { takeFreeSeats } from '../orders/free-seats.ts';
import { returnSeats, SoldOut, seatsOf, takeSeats, withExpiredReleased } from '../seats/seat-counters.ts';
import { isCountedStatus, seatsLeft } from '../seats/seats.ts';
import { statusRefusal } from '../tickets/sale-window.ts';
import type { Ticket } from '../tickets/store.ts';
import { findTicket, isOnSaleAt } from '../tickets/store.ts';

/** RSVPs of visitors: one attendee for each seat, the first of whom controls all of them. */

export const RSVP_ANSWERS = ['yes', 'no'] as const;
export type RsvpAnswer = (typeof RSVP_ANSWERS)[number];

/** Places that an answer is for: all of the RSVP, by its first attendee, or only the attendee's own. */
export const RSVP_SCOPES = ['reply', 'place'] as const;
type RsvpScope = (typeof RSVP_SCOPES)[number];

interface NewRsvp {
  ticket: Ticket;
  holder: HolderData;
  answer: RsvpAnswer;
  /** Number of seats; a "no" has one attendee without a seat. */
  quantity: number;
  /** Network under which its seats count; empty for none. */
  network: string;
}

/**
 * Creates the attendees of an RSVP and takes their seats.
 * @throws {ApiError} ticket-capacity-not-available, too-many-free-places
 */
export async function createRsvp(ctx: RequestContext, rsvp: NewRsvp): Promise<Attendee[]> {
  const { db } = ctx.context;
  return withSeats(ctx, rsvp.ticket, () => db.transaction((trx) => insertRsvp(trx, ctx, rsvp)));
}

async function insertRsvp(
  db: Database,
  ctx: RequestContext,
  { ticket, holder, answer, quantity, network }: NewRsvp,
): Promise<Attendee[]> {
  const places = answer === 'yes' ? quantity : 1;
  const others = Array.from({ length: places - 1 }, () => 'attendee' as const);
  const ids = await newRecordIds(db, ['attendee', ...others]);
  const attendee = { ticket, holder, attendance_status: answer, order_id: null, price: 0 };
  const origin = originOf(ctx, ctx.viewer.account?.id);
  const attendees = await insertAttendees(
    db,
    ids.map((id) => ({ ...attendeeRow(id, attendee, origin), reply_id: ids[0], language: ctx.language })),
  );
  const [first] = attendees;
  if (first) await mailRsvp(db, first, { kind: 'rsvp', language: ctx.language, now: ctx.now });
  if (!isCountedStatus(answer)) return attendees;
  await takeFreeSeats(db, ctx, { network, email: holder.email, places, attendees: ids });
  await takeSeats(db, [{ ticket_id: ticket.id, quantity: places }], 'sold');
  return attendees;
}

/** Runs work that takes seats of a ticket; turns a lack of them into the error with the number left. */
async function withSeats<T>(ctx: RequestContext, ticket: Ticket, work: () => Promise<T>): Promise<T> {
  const { db } = ctx.context;
  try {
    return await withExpiredReleased(db, ctx.now, work);
  } catch (error) {
    if (!(error instanceof SoldOut)) throw error;
    throw await notAvailable(ctx, ticket, await seatsLeft(db, ticket.id, ctx.now));
  }
}

interface RsvpChange {
  answer: RsvpAnswer;
  scope: RsvpScope;
  /** Network under which seats taken again count; empty for none. */
  network: string;
}

/**
 * Changes the answer of an RSVP: the first attendee's for all its seats unless `scope` is `place`, any other's for one seat.
 * @throws {ApiError} ticket-does-not-exist, event-cancelled, event-postponed, ticket-capacity-not-available,
 *   attendee-not-found, tec-et-attendee-already-checked-in, too-many-free-places
 */
export async function changeRsvp(ctx: RequestContext, attendee: Attendee, change: RsvpChange): Promise<Attendee[]> {
  const { db } = ctx.context;
  const ticket = await findTicket(db, attendee.ticket_id);
  // A "no" is possible as long as there is an attendee.
  if (change.answer === 'yes') await requireOnSale(ctx, attendee, ticket);
  const work = () => db.transaction((trx) => updateRsvp(trx, ctx, { attendee, ...change }));
  return ticket ? withSeats(ctx, ticket, work) : work();
}

async function requireOnSale(ctx: RequestContext, attendee: Attendee, ticket: Ticket | undefined): Promise<void> {
  if (!ticket) throw missingTicket(attendee.ticket_id);
  const event = await findEvent(ctx.context.db, ticket.event_id);
  const refusal = event && statusRefusal(ticket, event);
  if (refusal) throw refusal;
  if (!isOnSaleAt(ticket, toUtc(ctx.now))) throw await notOnSale(ctx, ticket);
}

async function updateRsvp(
  db: Database,
  ctx: RequestContext,
  { attendee, answer, scope, network }: RsvpChange & { attendee: Attendee },
): Promise<Attendee[]> {
  const isMeant = scope === 'place' ? isPlace(attendee.id) : isOfRsvp(attendee.id);
  const changed = await db.query
    .updateTable('attendees')
    .set({ attendance_status: answer, ...modifiedTimes(ctx) })
    .where(isMeant)
    .where('status', '=', 'publish')
    .where('attendance_status', '<>', answer)
    .where('checked_in', '=', 0)
    .returning(['id', 'ticket_id'])
    .execute();
  const left = await findMeant(db, isMeant);
  // The ticket may have a new holder by now.
  if (!left.some(({ security_code }) => security_code === attendee.security_code)) throw linkNotFound();
  if (left.some(({ attendance_status }) => attendance_status !== answer))
    throw new ApiError('tec-et-attendee-already-checked-in');
  if (changed.length > 0) await mailChange(db, ctx, attendee);
  // Staff may have moved some attendees to another ticket.
  const seats = seatsOf(changed);
  if (isCountedStatus(answer)) {
    const attendees = changed.map(({ id }) => id);
    await takeFreeSeats(db, ctx, { network, email: attendee.email, places: attendees.length, attendees });
    await takeSeats(db, seats, 'sold');
  } else await returnSeats(db, seats, 'sold');
  return left;
}

async function mailChange(db: Database, { language, now }: RequestContext, { id }: Attendee): Promise<void> {
  const attendee = await getAttendee(db, id);
  await mailRsvp(db, attendee, { kind: 'rsvp_changed', language: attendee.language || language, now });
}

const isPlace = (id: number) => sql<boolean>`${sql.ref('id')} = ${id}`;
const isOfRsvp = (id: number) => sql<boolean>`(${sql.ref('id')} = ${id} OR ${sql.ref('reply_id')} = ${id})`;

/** The attendees whose answer changes with that attendee's answer, except archived ones. */
const findMeant = (db: Database, isMeant: ReturnType<typeof isPlace>): Promise<Attendee[]> =>
  db.query.selectFrom('attendees').selectAll().where(isMeant).where('status', '=', 'publish').orderBy('id').execute();
