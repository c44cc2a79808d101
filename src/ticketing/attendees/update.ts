import type { Updateable } from 'kysely';
import { modifiedTimes } from '../../calendar/posts/post.ts';
import type { Database } from '../../db/database.ts';
import type { AttendeesTable } from '../../db/tables/ticketing.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { checkRevision } from '../../http/core/revisions.ts';
import { plainText } from '../../lib/text/text.ts';
import { logChange } from '../../platform/audit/log.ts';
import { returnSeats, SoldOut, takeSeats, withExpiredReleased } from '../seats/seat-counters.ts';
import { seatsLeft, takesSeat } from '../seats/seats.ts';
import { isAdmitted } from './admission.ts';
import { auditedAttendee } from './audited.ts';
import { checkIn, checkOut } from './check-in.ts';
import { type AttendeeInput, checkRsvpAnswer, siteSource } from './create.ts';
import { changeOthers, lockHolder } from './pass-attendees.ts';
import { type Attendee, getAttendee, keysOf, updateAttendee } from './store.ts';

export interface AttendeeChange extends Partial<AttendeeInput> {
  door_note?: string | null;
}

/**
 * Changes the fields of an attendee that were sent, all or none. An RSVP answer takes or returns a seat.
 * @throws {ApiError} invalid-attendee-status, tec-et-attendee-already-checked-in, tec-et-attendee-invalid-check-in,
 * ticket-capacity-not-available
 * @throws {OutdatedRevision}
 */
export async function changeAttendee(ctx: RequestContext, attendee: Attendee, change: AttendeeChange): Promise<void> {
  const { attendee_status: answer } = change;
  if (answer !== undefined) checkRsvpAnswer(attendee, answer);
  const { db } = ctx.context;
  try {
    await withExpiredReleased(db, ctx.now, () =>
      db.transaction(async (trx) => {
        const current = await lockAttendee(trx, attendee);
        checkRevision(ctx, current);
        const moves = await logChange(
          trx,
          isEdit(change) ? ctx.actor : undefined,
          { kind: auditedAttendee, id: attendee.id },
          async () => {
            await changeFields(trx, current, change, ctx);
            return answer === undefined ? 0 : changeAnswer(trx, attendee.id, answer);
          },
        );
        await changeCheckIn(trx, attendee.id, change.check_in, ctx);
        const seats = [{ ticket_id: current.ticket_id, quantity: 1 }];
        if (moves > 0) await takeSeats(trx, seats, 'sold');
        if (moves < 0) await returnSeats(trx, seats, 'sold');
      }),
    );
  } catch (error) {
    if (!(error instanceof SoldOut)) throw error;
    const available = await seatsLeft(db, attendee.ticket_id, ctx.now);
    throw new ApiError('ticket-capacity-not-available', {
      data: { ticket_id: attendee.ticket_id, available },
      values: { ticket: attendee.ticket_title, count: available },
    });
  }
}

/** Whether a change is more than a check-in, which has a log of its own. */
const isEdit = ({ check_in: _checkIn, ...rest }: AttendeeChange): boolean =>
  Object.values(rest).some((value) => value !== undefined);

/** The current attendee, under a lock that excludes other edits. */
export async function lockAttendee(db: Database, attendee: Pick<Attendee, 'id' | 'pass_id'>): Promise<Attendee> {
  await lockHolder(db, attendee);
  return getAttendee(db, attendee.id);
}

/**
 * Changes the holder's data, in the transaction of the caller; for a series pass, the data of all its attendees.
 * @param holder the attendee as the request was allowed to change it
 * @throws {ApiError} ticket-not-transferable if the ticket was transferred meanwhile
 */
export async function changeHolder(
  db: Database,
  attendee: Pick<Attendee, 'id' | 'security_code' | 'pass_id'>,
  change: Pick<AttendeeChange, 'full_name' | 'email' | 'optout'>,
  ctx: RequestContext,
): Promise<void> {
  const current = await lockAttendee(db, attendee);
  if (current.security_code !== attendee.security_code)
    throw new ApiError('ticket-not-transferable', { data: { reason: 'changed' } });
  await changeFields(db, current, change, ctx);
}

async function changeFields(
  db: Database,
  current: Attendee,
  change: AttendeeChange,
  ctx: RequestContext,
): Promise<void> {
  const { full_name, email, optout, attendee_status, door_note } = change;
  const isTouched = [full_name, email, optout, attendee_status, door_note].some((value) => value !== undefined);
  if (!isTouched) return;
  const named = {
    ...(full_name !== undefined && { full_name: plainText(full_name) }),
    ...(email !== undefined && { email: email.trim() }),
  };
  const columns: Updateable<AttendeesTable> = {
    ...named,
    ...(typeof optout === 'boolean' && { optout: optout ? 1 : 0 }),
    ...(door_note !== undefined && { door_note: door_note ?? '' }),
    ...modifiedTimes(ctx),
  };
  const keys = keysOf({ full_name: named.full_name ?? '', email: named.email ?? '' });
  if (named.full_name !== undefined) columns.name_key = keys.name_key;
  if (named.email !== undefined) columns.email_key = keys.email_key;
  await updateAttendee(db, current, columns);
  // The dates that were used keep the name of the person who came.
  await changeOthers(db, current, columns, { unusedOnly: true });
}

/**
 * Writes an RSVP answer. Of concurrent requests with the same answer, only one finds another answer to replace.
 * @returns 1 if it takes a seat, -1 if it returns one, otherwise 0
 */
async function changeAnswer(db: Database, id: number, answer: string): Promise<number> {
  const changed = await db.query
    .updateTable('attendees')
    .set({ attendance_status: answer })
    .where('id', '=', id)
    .where('attendance_status', '<>', answer)
    .returning(['status', 'attendance_status'])
    .executeTakeFirst();
  if (changed?.status !== 'publish') return 0;
  return takesSeat(changed) ? 1 : -1;
}

async function changeCheckIn(
  db: Database,
  id: number,
  checkedIn: boolean | null | undefined,
  ctx: RequestContext,
): Promise<void> {
  if (checkedIn === undefined) return;
  if (!checkedIn) return checkOut(db, id, siteSource(ctx));
  if (await checkIn(db, id, siteSource(ctx))) return;
  const isTwice = isAdmitted(await getAttendee(db, id));
  throw new ApiError(isTwice ? 'tec-et-attendee-already-checked-in' : 'tec-et-attendee-invalid-check-in');
}
