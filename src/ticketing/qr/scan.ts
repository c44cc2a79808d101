import { findEvent } from '../../calendar/events/store.ts';
import type { Database } from '../../db/database.ts';
import type { GuardedContext, RequestContext } from '../../http/core/endpoint.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import { isAdmitted } from '../attendees/admission.ts';
import { checkIn } from '../attendees/check-in.ts';
import { findScanned } from '../attendees/pass-attendees.ts';
import { isCodeOf } from '../attendees/security-code.ts';
import { type Attendee, findHolder, type Holder } from '../attendees/store.ts';
import { hasRightById } from '../tickets/event-scope.ts';

export interface Scan {
  /** Id of the attendee. */
  ticket_id: number;
  security_code: string;
  /** null for none. */
  event_id?: number | null;
  device_id?: string;
}

/** Reasons for refusing a scanned code. */
export const REFUSALS = [
  'security_code_not_valid',
  'attendee_not_authorized',
  'attendee_already_checked_in',
  'event_not_happening_now',
  'event_mismatch',
  'attendee_failed_check_in',
] as const;
type Refusal = (typeof REFUSALS)[number];

/** `holder` is absent if the scanner may not learn the identity; `before` is the holder before the check-in. */
export type Outcome = { refusal?: undefined; holder: Holder; before: Holder } | { refusal: Refusal; holder?: Holder };

/** Checks in the holder of a code, for a viewer with the capability `check_in`. */
export async function scanCode(ctx: GuardedContext, scan: Scan): Promise<Outcome> {
  const { db } = ctx.context;
  const scanned = await findHolder(db, scan.ticket_id);
  const holder = scanned && (await atEvent(ctx, scanned, scan));
  const attendee = (holder ?? scanned)?.attendee;
  if (!attendee || !(await isCodeOf(attendee, scan.security_code, ctx))) {
    return { refusal: 'security_code_not_valid' };
  }
  if (!holder) return { refusal: isEventNamed(ctx, scan) ? 'event_mismatch' : 'event_not_happening_now' };
  const isWanted = (scan.event_id ?? attendee.event_id) === attendee.event_id;
  if (!isWanted || !(await hasRightById(ctx, 'check_in', attendee.event_id))) return { refusal: 'event_mismatch' };
  const refusal =
    refusalOf(attendee) ?? ((await isOutsideEvent(ctx, attendee)) ? 'event_not_happening_now' : undefined);
  if (refusal) return { refusal, holder };
  const { viewer, now } = ctx;
  const source = {
    source: 'app' as const,
    userId: viewer.account?.id ?? 0,
    keyId: viewer.key?.id ?? null,
    device: scan.device_id ?? '',
    code: attendee.security_code,
    now,
  };
  const done = await checkIn(db, attendee.id, source);
  return done
    ? { holder: { ...holder, attendee: { ...attendee, ...done } }, before: holder }
    : refusedConcurrently(db, holder);
}

/** The event for which a code is scanned, by the request or by the key. */
const eventOf = ({ viewer }: RequestContext, { event_id }: Scan): number | undefined =>
  event_id ?? viewer.key?.eventId ?? undefined;

const isEventNamed = (ctx: RequestContext, scan: Scan): boolean => eventOf(ctx, scan) !== undefined;

/** The holder of a series pass as the attendee of one event; undefined if there is none for this scan. */
async function atEvent(ctx: RequestContext, holder: Holder, scan: Scan): Promise<Holder | undefined> {
  const { pass_id } = holder.attendee;
  if (pass_id === null) return holder;
  const { db, config } = ctx.context;
  const buffer = config.checkInWindow.buffer * 60;
  const id = await findScanned(db, pass_id, { event: eventOf(ctx, scan), now: toUtc(ctx.now), buffer });
  return id === undefined ? undefined : findHolder(db, id);
}

function refusalOf(attendee: Attendee): Refusal | undefined {
  if (!isAdmitted(attendee)) return 'attendee_not_authorized';
  return attendee.checked_in === 1 ? 'attendee_already_checked_in' : undefined;
}

/** The attendee changed concurrently: by another scanner, with the order, or by a transfer of the ticket. */
async function refusedConcurrently(db: Database, before: Holder): Promise<Outcome> {
  const holder = (await findHolder(db, before.attendee.id)) ?? before;
  if (holder.attendee.security_code !== before.attendee.security_code) return { refusal: 'security_code_not_valid' };
  return { refusal: refusalOf(holder.attendee) ?? 'attendee_failed_check_in', holder };
}

/** Whether check-in is limited to the time of the event and the time is outside it. */
async function isOutsideEvent({ context, now }: RequestContext, { event_id }: Attendee): Promise<boolean> {
  const { isOn, buffer } = context.config.checkInWindow;
  if (!isOn) return false;
  const event = await findEvent(context.db, event_id);
  if (!event) return false;
  const moment = toUtc(now);
  return (
    moment < addSeconds(event.utc_start_date, -buffer * 60) || moment > addSeconds(event.utc_end_date, buffer * 60)
  );
}
