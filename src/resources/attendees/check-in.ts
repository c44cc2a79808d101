import type { Insertable } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { LogRow } from '../../db/dialect.ts';
import type { CheckInsTable } from '../../db/tables.ts';
import { toWall } from '../../lib/dates.ts';
import type { Attendee } from './store.ts';

/** Who checks somebody in or out. */
export interface CheckInSource {
  /** `app` for a scanned code, `site` for everything else. */
  source: 'site' | 'app';
  /** 0 for nobody in particular. */
  userId: number;
  /** null without a key, and for the key of the settings. */
  keyId: number | null;
  /** What the scanner calls itself, or empty. */
  device: string;
  now: Date;
}

/** The RSVP answer and the status of an order that let people in. */
const ADMITTED = ['yes', 'completed'];

/** Whether an attendee may come in at all, checked in or not. */
export const isAdmitted = ({ status, attendance_status }: { status: string; attendance_status: string }): boolean =>
  status === 'publish' && ADMITTED.includes(attendance_status);

/** What a check-in changes of an attendee. */
type Entry = Pick<Attendee, 'checked_in' | 'checkin_utc' | 'checkin_source' | 'checkin_author' | 'checkin_device'>;

/**
 * Checks an attendee in and logs it. One statement both asks and writes, so of any number of scanners one gets through.
 * The others get undefined, and so does whoever scans somebody not admitted.
 */
export async function checkIn(db: Database, attendeeId: number, by: CheckInSource): Promise<Entry | undefined> {
  const entry: Entry = {
    checked_in: 1,
    checkin_utc: toWall(by.now),
    checkin_source: by.source,
    checkin_author: by.userId,
    checkin_device: by.device,
  };
  const change = db.query
    .updateTable('attendees')
    .set(entry)
    .where('id', '=', attendeeId)
    .where('checked_in', '=', 0)
    .where('status', '=', 'publish')
    .where('attendance_status', 'in', ADMITTED)
    .returning('id');
  const done = await db.dialect.updateWithLog(db, change, noteOf(attendeeId, 'in', by));
  return done && entry;
}

/** Checks an attendee out and logs it. Somebody who is out stays out. */
export async function checkOut(db: Database, attendeeId: number, by: CheckInSource): Promise<void> {
  const change = db.query
    .updateTable('attendees')
    .set({ checked_in: 0, checkin_utc: '', checkin_source: '', checkin_author: 0, checkin_device: '' })
    .where('id', '=', attendeeId)
    .where('checked_in', '=', 1)
    .returning('id');
  await db.dialect.updateWithLog(db, change, noteOf(attendeeId, 'out', by));
}

function noteOf(attendeeId: number, action: 'in' | 'out', by: CheckInSource): LogRow {
  const row: Insertable<CheckInsTable> = {
    attendee_id: attendeeId,
    action,
    date_utc: toWall(by.now),
    source: by.source,
    user_id: by.userId,
    key_id: by.keyId,
    device: by.device,
  };
  return { table: 'check_ins', row };
}

/** Everything that happened to an attendee at the door, oldest first. */
export const findCheckIns = (db: Database, attendeeId: number) =>
  db.query.selectFrom('check_ins').selectAll().where('attendee_id', '=', attendeeId).orderBy('id').execute();
