import type { Database } from '../../db/database.ts';
import { newRecordId } from '../../db/record-ids.ts';
import type { Flag } from '../../db/tables.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { placesLeft, withExpiredReleased } from '../tickets/reserve.ts';
import { SoldOut, type Ticket, takePlaces } from '../tickets/stock.ts';
import { type CheckInSource, checkIn } from './check-in.ts';
import { attendeeRow, type Guest, type Making } from './new-attendee.ts';
import { insertAttendees } from './store.ts';

export interface AttendeeInput {
  full_name: string;
  email: string;
  attendee_status?: string;
  check_in?: boolean | null;
  optout?: boolean | null;
}

/**
 * Makes a completed order of one place, paid by hand, in the transaction of the caller; gives the id of its attendee.
 * Orders import attendees, so `app.ts` hands this to the endpoints of attendees.
 */
export type SellByHand = (db: Database, ctx: RequestContext, sale: { ticket: Ticket; guest: Guest }) => Promise<number>;

const ANSWERS = ['yes', 'no'];

/** An RSVP answer as the interface takes it. The status of a paid attendee is that of the order. */
export function requireAnswer(ticket: Pick<Ticket, 'provider'>, status: string): void {
  if (ticket.provider === 'rsvp' && ANSWERS.includes(status)) return;
  throw new ApiError('invalid-attendee-status', { values: { allowed: 'yes, no (RSVP)' } });
}

export const makingOf = ({ context, viewer, now }: RequestContext, userId = 0): Making => ({
  userId,
  authorId: viewer.account?.id ?? 0,
  now,
  timezone: context.config.timezone,
  random: context.random,
});

/** The caller as the one who checks people in by hand. */
export const siteDoor = ({ viewer, now }: RequestContext): CheckInSource => ({
  source: 'site',
  userId: viewer.account?.id ?? 0,
  keyId: viewer.key?.id ?? null,
  device: '',
  now,
});

/**
 * Makes one attendee and takes the place: an RSVP alone, a paid one with a completed order paid by hand.
 * @throws {ApiError} attendee-creation-failed when there is no place left; nothing remains
 */
export async function createAttendee(
  ctx: RequestContext,
  ticket: Ticket,
  input: AttendeeInput,
  sell: SellByHand,
): Promise<number> {
  const { attendee_status: status, check_in } = input;
  if (status !== undefined) requireAnswer(ticket, status);
  if (check_in && status === 'no') throw new ApiError('tec-et-attendee-invalid-check-in');
  const { db } = ctx.context;
  const addProblem = (available: number) =>
    new ApiError('attendee-creation-failed', { data: { ticket_id: ticket.id, available } });
  if (status !== 'no' && (await placesLeft(db, ticket.id, ctx.now)) === 0) throw addProblem(0);
  try {
    return await withExpiredReleased(db, ctx.now, () =>
      db.transaction((trx) => insert(trx, { ctx, ticket, input, sell })),
    );
  } catch (error) {
    if (!(error instanceof SoldOut)) throw error;
    throw addProblem(await placesLeft(db, ticket.id, ctx.now));
  }
}

interface Creation {
  ctx: RequestContext;
  ticket: Ticket;
  input: AttendeeInput;
  sell: SellByHand;
}

async function insert(db: Database, creation: Creation): Promise<number> {
  const { ctx, ticket, input, sell } = creation;
  const isReply = ticket.provider === 'rsvp';
  const attendeeId = isReply
    ? await newRsvp(db, creation)
    : await sell(db, ctx, { ticket, guest: guestOf(input, false) });
  if (input.check_in) await checkIn(db, attendeeId, siteDoor(ctx));
  return attendeeId;
}

const guestOf = ({ full_name, email, optout }: AttendeeInput, preset: boolean): Guest => {
  const hidden: Flag = (optout ?? preset) ? 1 : 0;
  return { full_name, email, optout: hidden, information: undefined };
};

async function newRsvp(db: Database, { ctx, ticket, input }: Omit<Creation, 'sell'>): Promise<number> {
  const id = await newRecordId(db, 'attendee');
  const attendance_status = input.attendee_status ?? 'yes';
  const guest = guestOf(input, true);
  await insertAttendees(db, [
    attendeeRow(id, { ticket, guest, attendance_status, order_id: null, price: 0 }, makingOf(ctx)),
  ]);
  if (attendance_status === 'yes') await takePlaces(db, [{ ticket_id: ticket.id, quantity: 1 }], 'sold');
  return id;
}
