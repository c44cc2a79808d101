import type { Insertable } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { LogRow } from '../../db/dialect.ts';
import type { CheckInsTable } from '../../db/tables/ticketing.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { isAdmittedSql } from './admission.ts';
import type { Attendee } from './store.ts';

/** Source of a check-in or check-out. */
export interface CheckInSource {
  /** `app` for a scanned code, `site` for everything else. */
  source: 'site' | 'app';
  /** 0 without an account. */
  userId: number;
  /** null without a key, and for the key in the settings. */
  keyId: number | null;
  /** Name of the scanner as it reports it, or empty. */
  device: string;
  /** The scanned code, which must not have been replaced meanwhile. */
  code?: string;
  now: Date;
}

/** Columns changed by a check-in. */
type CheckInColumns = Pick<
  Attendee,
  'checked_in' | 'checkin_utc' | 'checkin_source' | 'checkin_author' | 'checkin_device'
>;

/**
 * Checks an attendee in and logs it. One statement both checks and writes, so that one of several concurrent scanners
 * succeeds.
 * @returns undefined for the others, and for attendees who are not admitted
 */
export async function checkIn(
  db: Database,
  attendeeId: number,
  by: CheckInSource,
): Promise<CheckInColumns | undefined> {
  const columns: CheckInColumns = {
    checked_in: 1,
    checkin_utc: toUtc(by.now),
    checkin_source: by.source,
    checkin_author: by.userId,
    checkin_device: by.device,
  };
  const change = db.query
    .updateTable('attendees')
    .set(columns)
    .where('id', '=', attendeeId)
    .where('checked_in', '=', 0)
    .where(isAdmittedSql)
    .$if(by.code !== undefined, (update) => update.where('security_code', '=', by.code ?? ''))
    .returning('id');
  const done = await db.dialect.updateWithLog(db, change, logRowOf(attendeeId, 'in', by));
  return done && columns;
}

/** Checks an attendee out and logs it, if the attendee is checked in. */
export async function checkOut(db: Database, attendeeId: number, by: CheckInSource): Promise<void> {
  const change = db.query
    .updateTable('attendees')
    .set({ checked_in: 0, checkin_utc: '', checkin_source: '', checkin_author: 0, checkin_device: '' })
    .where('id', '=', attendeeId)
    .where('checked_in', '=', 1)
    .returning('id');
  await db.dialect.updateWithLog(db, change, logRowOf(attendeeId, 'out', by));
}

function logRowOf(attendeeId: number, action: 'in' | 'out', by: CheckInSource): LogRow {
  const row: Insertable<CheckInsTable> = {
    attendee_id: attendeeId,
    action,
    date_utc: toUtc(by.now),
    source: by.source,
    user_id: by.userId,
    key_id: by.keyId,
    device: by.device,
  };
  return { table: 'check_ins', row };
}

/** Check-ins and check-outs of an attendee, oldest first. */
export const findCheckIns = (db: Database, attendeeId: number) =>
  db.query.selectFrom('check_ins').selectAll().where('attendee_id', '=', attendeeId).orderBy('id').execute();
