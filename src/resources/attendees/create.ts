import type { Database } from '../../db/database.ts';
import type { Flag } from '../../db/tables.ts';
import type { Call } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { toWall, utcToWall } from '../../lib/dates.ts';
import { placeOrder } from '../orders/create-order.ts';
import { placesLeft, sell } from '../tickets/reserve.ts';
import { SoldOut, type Ticket, takePlaces } from '../tickets/stock.ts';
import { priceOn } from '../tickets/store.ts';
import { checkIn, type Door } from './check-in.ts';
import { attendeeRow, type Making } from './new-attendee.ts';
import { insertAttendees } from './store.ts';

export interface AttendeeInput {
  full_name: string;
  email: string;
  attendee_status?: string;
  check_in?: boolean | null;
  optout?: boolean | null;
}

const ANSWERS = ['yes', 'no'];

/** An RSVP answer as the interface takes it. The status of a paid attendee is that of the order. */
export function requireAnswer(ticket: Pick<Ticket, 'provider'>, status: string): void {
  if (ticket.provider === 'rsvp' && ANSWERS.includes(status)) return;
  throw new ApiError('invalid-attendee-status', { values: { allowed: 'yes, no (RSVP)' } });
}

export const makingOf = ({ context, viewer, now }: Call, userId = 0): Making => ({
  userId,
  authorId: viewer.account?.id ?? 0,
  now,
  timezone: context.config.timezone,
  random: context.random,
});

/** The caller as the one who checks people in by hand. */
export const siteDoor = ({ viewer, now }: Call): Door => ({
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
export async function createAttendee(call: Call, ticket: Ticket, input: AttendeeInput): Promise<number> {
  const { attendee_status: status, check_in } = input;
  if (status !== undefined) requireAnswer(ticket, status);
  if (check_in && status === 'no') throw new ApiError('tec-et-attendee-invalid-check-in');
  const { db } = call.context;
  const refuse = (available: number) =>
    new ApiError('attendee-creation-failed', { data: { ticket_id: ticket.id, available } });
  if (status !== 'no' && (await placesLeft(db, ticket.id, call.now)) === 0) throw refuse(0);
  try {
    return await sell(db, call.now, () => db.transaction((trx) => insert(trx, { call, ticket, input })));
  } catch (error) {
    if (!(error instanceof SoldOut)) throw error;
    throw refuse(await placesLeft(db, ticket.id, call.now));
  }
}

interface Creation {
  call: Call;
  ticket: Ticket;
  input: AttendeeInput;
}

async function insert(db: Database, { call, ticket, input }: Creation): Promise<number> {
  const id = ticket.provider === 'rsvp' ? newRsvp(db, { call, ticket, input }) : newSale(db, { call, ticket, input });
  const attendeeId = await id;
  if (input.check_in) await checkIn(db, attendeeId, siteDoor(call));
  return attendeeId;
}

const guestOf = ({ full_name, email, optout }: AttendeeInput, preset: boolean) => {
  const hidden: Flag = (optout ?? preset) ? 1 : 0;
  return { full_name, email, optout: hidden, information: undefined };
};

async function newRsvp(db: Database, { call, ticket, input }: Creation): Promise<number> {
  const { id } = await db.query
    .insertInto('records')
    .values({ kind: 'attendee' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const standing = input.attendee_status ?? 'yes';
  const guest = guestOf(input, true);
  await insertAttendees(db, [attendeeRow(id, { ticket, guest, standing, order_id: null, price: 0 }, makingOf(call))]);
  if (standing === 'yes') await takePlaces(db, [{ ticket_id: ticket.id, quantity: 1 }], 'sold');
  return id;
}

async function newSale(db: Database, { call, ticket, input }: Creation): Promise<number> {
  const { config } = call.context;
  const today = utcToWall(toWall(call.now), config.timezone).slice(0, 10);
  const { attendeeIds } = await placeOrder(
    db,
    {
      purchaser: { name: input.full_name, email: input.email },
      gateway: 'manual',
      status: 'completed',
      currency: config.currency,
      places: 'take',
      items: [{ ticket, price: priceOn(ticket, today), attendees: [guestOf(input, false)] }],
    },
    makingOf(call),
  );
  const [id] = attendeeIds;
  if (id === undefined) throw new Error('an order of one place made no attendee');
  return id;
}
