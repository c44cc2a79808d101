import type { Database } from '../../db/database.ts';
import { eventOfKey } from '../../http/auth.ts';
import type { Call } from '../../http/endpoint.ts';
import { addSeconds, toWall } from '../../lib/dates.ts';
import { isSameSecret } from '../../lib/secret.ts';
import { checkIn, isAdmitted } from '../attendees/check-in.ts';
import { type Attendee, findAttendee } from '../attendees/store.ts';
import { findEvent } from '../events/store.ts';

export interface Scan {
  /** Id of the attendee. */
  ticket_id: number;
  security_code: string;
  event_id?: number | null;
  device_id?: string;
}

/** Why a code does not open the door. */
export const REFUSALS = [
  'security_code_not_valid',
  'attendee_not_authorized',
  'attendee_already_checked_in',
  'event_not_happening_now',
  'event_mismatch',
  'attendee_failed_check_in',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** The attendee is shown except to those who have no right to learn who it is. */
export type Outcome = { refusal?: undefined; attendee: Attendee } | { refusal: Refusal; attendee?: Attendee };

/** Checks in whoever a code belongs to. The key of the request has been found to be right. */
export async function scanCode(call: Call, scan: Scan): Promise<Outcome> {
  const { db } = call.context;
  const attendee = await findAttendee(db, scan.ticket_id);
  if (!attendee || !isSameSecret(scan.security_code, attendee.security_code)) {
    return { refusal: 'security_code_not_valid' };
  }
  const wanted = [scan.event_id ?? attendee.event_id, eventOfKey(call.viewer) ?? attendee.event_id];
  if (wanted.some((id) => id !== attendee.event_id)) return { refusal: 'event_mismatch' };
  const refusal =
    refusalOf(attendee) ?? ((await isOutsideEvent(call, attendee)) ? 'event_not_happening_now' : undefined);
  if (refusal) return { refusal, attendee };
  const { viewer, now } = call;
  const door = {
    source: 'app' as const,
    userId: viewer.account?.id ?? 0,
    keyId: viewer.key?.id ?? null,
    device: scan.device_id ?? '',
    now,
  };
  const done = await db.transaction((trx) => checkIn(trx, attendee.id, door));
  return done ? { attendee: done } : refusedMeanwhile(db, attendee);
}

function refusalOf(attendee: Attendee): Refusal | undefined {
  if (!isAdmitted(attendee)) return 'attendee_not_authorized';
  return attendee.checked_in === 1 ? 'attendee_already_checked_in' : undefined;
}

/** Somebody else was faster: another scanner, or whoever changed the order. */
async function refusedMeanwhile(db: Database, before: Attendee): Promise<Outcome> {
  const attendee = (await findAttendee(db, before.id)) ?? before;
  return { refusal: refusalOf(attendee) ?? 'attendee_failed_check_in', attendee };
}

/** Whether check-in is limited to the time of the event, and it is not that time. */
async function isOutsideEvent({ context, now }: Call, { event_id }: Attendee): Promise<boolean> {
  const { isOn, buffer } = context.config.checkInWindow;
  if (!isOn) return false;
  const event = await findEvent(context.db, event_id);
  if (!event) return false;
  const moment = toWall(now);
  return (
    moment < addSeconds(event.utc_start_date, -buffer * 60) || moment > addSeconds(event.utc_end_date, buffer * 60)
  );
}
