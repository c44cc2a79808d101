import type { Updateable } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { AttendeesTable } from '../../db/tables/ticketing.ts';
import { addSeconds, type LocalTime, localDay } from '../../lib/dates/dates.ts';
import { isAdmitted } from './admission.ts';
import type { Attendee } from './store.ts';

/** Series passes: attendees in several occurrences, of one holder with one security code. */

/** Attendee of a pass in one occurrence, with start and end of the event, UTC. */
export interface PassAttendee extends Attendee {
  starts: LocalTime;
  ends: LocalTime;
  timezone: string;
  /** Whether the event is in the trash. */
  isTrashed: boolean;
  isCancelled: boolean;
}

const attendeesOfPasses = byIds((query, ids) =>
  query
    .selectFrom('attendees')
    .innerJoin('events', 'events.id', 'attendees.event_id')
    .selectAll('attendees')
    .select(['utc_start_date as starts', 'utc_end_date as ends', 'timezone'])
    .select(['events.status as post_status', 'event_status'])
    .where('pass_id', 'in', ids)
    .orderBy('utc_start_date')
    .orderBy('attendees.id'),
);

/** The attendees of passes by `pass_id`, archived ones too, in the order of their events. */
export async function findPassAttendees(
  db: Database,
  passIds: readonly (number | null)[],
): Promise<ReadonlyMap<number, PassAttendee[]>> {
  const ids = passIds.filter((id) => id !== null);
  if (ids.length === 0) return new Map();
  const rows = await attendeesOfPasses(db, ids);
  return Map.groupBy(rows.map(withEventState), ({ pass_id }) => pass_id ?? 0);
}

const withEventState = <Row extends { post_status: string; event_status: string }>({
  post_status,
  event_status,
  ...row
}: Row) => ({ ...row, isTrashed: post_status === 'trash', isCancelled: event_status === 'cancelled' });

/** Ids of the events that a change of the holder concerns: of an attendee, or of all attendees of the pass. */
export async function eventsOfHolder(
  db: Database,
  { event_id, pass_id }: Pick<Attendee, 'event_id' | 'pass_id'>,
): Promise<number[]> {
  if (pass_id === null) return [event_id];
  const rows = await db.query
    .selectFrom('attendees')
    .select('event_id')
    .distinct()
    .where('pass_id', '=', pass_id)
    .execute();
  return rows.map((row) => row.event_id);
}

/**
 * Seconds before the start of an event from which a pass is scanned for it, even if the event starts after midnight.
 */
const ADMITTED_BEFORE = 6 * 3600;

interface Scanned {
  /** Event that the request or the key names. */
  event: number | undefined;
  now: LocalTime;
  /** Seconds after the end of an event in which a pass may still be scanned for it. */
  buffer: number;
}

/** Members of an attendee that decide whether a scan of the pass is for this attendee. */
type PassDate = Pick<PassAttendee, 'id' | 'status' | 'starts' | 'ends' | 'timezone' | 'isTrashed' | 'isCancelled'>;

// A scan needs few columns of up to 60 attendees.
const datesOfScanned = byIds((query, ids) =>
  query
    .selectFrom('attendees')
    .innerJoin('events', 'events.id', 'attendees.event_id')
    .select(['attendees.id', 'attendees.status', 'utc_start_date as starts', 'utc_end_date as ends', 'timezone'])
    .select(['events.status as post_status', 'event_status'])
    .where('pass_id', 'in', ids)
    .orderBy('utc_start_date')
    .orderBy('attendees.id'),
);

/**
 * Id of the attendee for whose event a pass is scanned: the named event, otherwise the current event, otherwise the
 * next event if it is on the same day in its time zone or begins soon, otherwise the event that has just ended.
 * Cancelled events come last.
 */
export async function findScanned(db: Database, passId: number, scanned: Scanned): Promise<number | undefined> {
  const { event } = scanned;
  if (event === undefined) {
    const rows = await datesOfScanned(db, [passId]);
    return attendeeAt(rows.map(withEventState), scanned)?.id;
  }
  const named = db.query.selectFrom('attendees').select('id').where('pass_id', '=', passId);
  return (await named.where('event_id', '=', event).executeTakeFirst())?.id;
}

/** The attendee of a pass for a scan that names no event, if there is one. Exported for its test. */
export function attendeeAt(attendees: readonly PassDate[], moment: Omit<Scanned, 'event'>): PassDate | undefined {
  const open = attendees.filter(({ status }) => status === 'publish');
  // A cancelled pass is refused as such.
  if (open.length === 0) return attendees[0];
  const shown = open.filter(({ isTrashed }) => !isTrashed);
  const [taking, cancelled] = [false, true].map((is) => shown.filter(({ isCancelled }) => isCancelled === is));
  return nearest(taking ?? [], moment) ?? nearest(cancelled ?? [], moment);
}

function nearest(attendees: readonly PassDate[], { now, buffer }: Omit<Scanned, 'event'>): PassDate | undefined {
  const onNow = attendees.findLast(({ starts, ends }) => starts <= now && ends > now);
  if (onNow) return onNow;
  const next = attendees.find(({ starts }) => starts > now);
  const isSoon =
    next &&
    (localDay(next.starts, next.timezone) === localDay(now, next.timezone) ||
      next.starts <= addSeconds(now, ADMITTED_BEFORE));
  return isSoon ? next : attendees.findLast(({ ends }) => ends <= now && addSeconds(ends, buffer) >= now);
}

/** The attendee for the next event of a pass that has not ended, otherwise for the last one. */
export const currentOf = (attendees: readonly PassAttendee[], now: LocalTime): PassAttendee | undefined =>
  attendees.find((one) => isAdmitted(one) && one.ends > now) ??
  attendees.find(({ status, ends }) => status === 'publish' && ends > now) ??
  attendees.at(-1);

/** `currentOf` among events that are shown. */
export const currentShown = (attendees: readonly PassAttendee[], now: LocalTime): PassAttendee | undefined =>
  currentOf(
    attendees.filter(({ isTrashed }) => !isTrashed),
    now,
  );

/**
 * Changes the other attendees of a pass like one of them, in the transaction of the caller, which has the lock of the
 * pass. With `unusedOnly`, attendees who are checked in keep their values.
 */
export async function changeOthers(
  db: Database,
  { id, pass_id }: Pick<Attendee, 'id' | 'pass_id'>,
  change: Updateable<AttendeesTable>,
  { unusedOnly = false } = {},
): Promise<void> {
  if (pass_id === null) return;
  const others = db.query.updateTable('attendees').set(change).where('pass_id', '=', pass_id).where('id', '<>', id);
  await (unusedOnly ? others.where('checked_in', '=', 0) : others).execute();
}

/** Excludes other edits of an attendee, or of all attendees of its pass. */
export const lockHolder = (db: Database, { id, pass_id }: Pick<Attendee, 'id' | 'pass_id'>): Promise<void> =>
  db.dialect.lock(db, `attendee-${pass_id ?? id}`);
