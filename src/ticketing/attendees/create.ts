import type { Flag } from '../../db/columns.ts';
import type { Database } from '../../db/database.ts';
import { newRecordId } from '../../db/record-ids.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { logCreations } from '../../platform/audit/log.ts';
import { SoldOut, takeSeats, withExpiredReleased } from '../seats/seat-counters.ts';
import { availabilityOf, isCountedStatus, type SeatCounts, seatsLeft } from '../seats/seats.ts';
import type { Ticket } from '../tickets/store.ts';
import { createdAttendee } from './audited.ts';
import { type CheckInSource, checkIn } from './check-in.ts';
import { type AttendeeOrigin, attendeeRow, type HolderData } from './new-attendee.ts';
import { type Attendee, getAttendee, insertAttendees } from './store.ts';

export interface AttendeeInput {
  full_name: string;
  email: string;
  attendee_status?: string;
  check_in?: boolean | null;
  optout?: boolean | null;
}

/**
 * Creates a completed order for one seat, paid at the counter, in the caller's transaction; returns its attendee.
 * Orders import attendees, so `app.ts` passes this to the endpoints of attendees.
 */
export type SellAtCounter = (
  db: Database,
  ctx: RequestContext,
  sale: { ticket: Ticket; holder: HolderData },
) => Promise<Attendee>;

const ANSWERS = ['yes', 'no'];

/**
 * Accepts an RSVP answer. A paid attendee has the status of the order instead.
 * @throws {ApiError} invalid-attendee-status
 */
export function checkRsvpAnswer(ticket: Pick<Ticket, 'provider'>, status: string): void {
  if (ticket.provider === 'rsvp' && ANSWERS.includes(status)) return;
  throw new ApiError('invalid-attendee-status', { values: { allowed: 'yes, no (RSVP)' } });
}

export const originOf = ({ context, viewer, now }: RequestContext, userId = 0): AttendeeOrigin => ({
  userId,
  authorId: viewer.account?.id ?? 0,
  now,
  timezone: context.config.timezone,
  random: context.random,
});

/** The check-in source of a viewer who checks people in without scanning a code. */
export const siteSource = ({ viewer, now }: RequestContext): CheckInSource => ({
  source: 'site',
  userId: viewer.account?.id ?? 0,
  keyId: viewer.key?.id ?? null,
  device: '',
  now,
});

/**
 * Creates an attendee and takes the seat; a paid one gets a completed order.
 * @throws {ApiError} attendee-creation-failed when no seat is left; nothing is written then
 */
export async function createAttendee(
  ctx: RequestContext,
  ticket: Ticket & { counts?: SeatCounts },
  input: AttendeeInput,
  sell: SellAtCounter,
): Promise<Attendee> {
  const { attendee_status: status, check_in } = input;
  if (status !== undefined) checkRsvpAnswer(ticket, status);
  if (check_in && status === 'no') throw new ApiError('tec-et-attendee-invalid-check-in');
  const { db } = ctx.context;
  const soldOut = (available: number) =>
    new ApiError('attendee-creation-failed', { data: { ticket_id: ticket.id, available } });
  // Refuse early: most requests for sold-out tickets need no transaction.
  if (status !== 'no' && ticket.counts && availabilityOf(ticket.counts).available === 0) throw soldOut(0);
  try {
    return await withExpiredReleased(db, ctx.now, () =>
      db.transaction((trx) => insert(trx, { ctx, ticket, input, sell })),
    );
  } catch (error) {
    if (!(error instanceof SoldOut)) throw error;
    throw soldOut(await seatsLeft(db, ticket.id, ctx.now));
  }
}

interface CreateOptions {
  ctx: RequestContext;
  ticket: Ticket;
  input: AttendeeInput;
  sell: SellAtCounter;
}

async function insert(db: Database, options: CreateOptions): Promise<Attendee> {
  const { ctx, ticket, input, sell } = options;
  const isRsvp = ticket.provider === 'rsvp';
  const attendee = isRsvp
    ? await newRsvp(db, options)
    : await sell(db, ctx, { ticket, holder: holderOf(input, false) });
  if (!input.check_in) return attendee;
  await checkIn(db, attendee.id, siteSource(ctx));
  return getAttendee(db, attendee.id);
}

const holderOf = ({ full_name, email, optout }: AttendeeInput, preset: boolean): HolderData => {
  const hidden: Flag = (optout ?? preset) ? 1 : 0;
  return { full_name, email, optout: hidden, information: undefined };
};

async function newRsvp(db: Database, { ctx, ticket, input }: Omit<CreateOptions, 'sell'>): Promise<Attendee> {
  const id = await newRecordId(db, 'attendee');
  const attendance_status = input.attendee_status ?? 'yes';
  const holder = holderOf(input, true);
  const row = attendeeRow(id, { ticket, holder, attendance_status, order_id: null, price: 0 }, originOf(ctx));
  const [attendee] = await insertAttendees(db, [row]);
  if (!attendee) throw new Error('an inserted row was not returned');
  await logCreations(db, ctx.actor, [createdAttendee(attendee)]);
  if (isCountedStatus(attendance_status)) await takeSeats(db, [{ ticket_id: ticket.id, quantity: 1 }], 'sold');
  return attendee;
}
