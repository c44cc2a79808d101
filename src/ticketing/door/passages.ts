import { type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { DoorScansTable } from '../../db/door-tables.ts';
import type { CheckInsTable } from '../../db/ticketing-tables.ts';
import { type Passage, type Reentry, timelineOf } from '../../lib/door/timeline.ts';
import { checkInKey, placeOf, scanKey, settleClashes } from './clash-store.ts';
import type { ListedAttendee } from './list-rows.ts';

/**
 * Passages of attendees: scans at gates, and check-ins elsewhere, such as by `POST /qr` or in the console. The state of
 * an attendee and its log of check-ins follow from all of them.
 */

export interface DoorPassage extends Passage {
  /** Gate and device, for people. */
  place: string;
  deviceId: number;
  /** Row of `door_scans`; null for a check-in elsewhere. */
  scanId: number | null;
  /** Columns of the attendee after this entry. */
  source: string;
  author: number;
  device: string;
}

type ScanColumns = Pick<Selectable<DoorScansTable>, 'id' | 'mode' | 'scanned_utc' | 'reentry' | 'overrides'>;

/** Key of a scan that has no id yet: it comes after all others of the same moment. */
export const NEW_SCAN = Number.MAX_SAFE_INTEGER;

export const passageOf = (
  { id, mode, scanned_utc, reentry, overrides }: ScanColumns,
  { gate, device }: { gate: { name: string }; device: { id: number; name: string } },
): DoorPassage => ({
  key: scanKey(id),
  at: scanned_utc,
  action: mode === 'out' ? 'out' : 'in',
  reentry: reentry as Reentry,
  overrides: overrides === 1,
  place: placeOf(gate, device),
  deviceId: device.id,
  scanId: id,
  source: 'app',
  author: 0,
  device: device.name,
});

/** All passages of an attendee, with the lock of its row. */
export async function findPassages(db: Database, attendee: ListedAttendee): Promise<DoorPassage[]> {
  const scans = await db.query
    .selectFrom('door_scans as s')
    .innerJoin('door_devices as d', 'd.id', 's.device_id')
    .leftJoin('gates as g', 'g.id', 's.gate_id')
    .select(['s.id', 's.mode', 's.scanned_utc', 's.reentry', 's.overrides', 's.device_id'])
    .select(['d.name as device', 'g.name as gate'])
    .where('s.attendee_id', '=', attendee.id)
    // Attendees may be moved to other events.
    .where('s.event_id', '=', attendee.event_id)
    .where('s.counts', '=', 1)
    .where('s.is_undone', '=', 0)
    .execute();
  const others = await findCheckIns(db, attendee);
  return [
    ...scans.map(({ device, gate, device_id, ...scan }) =>
      passageOf(scan, { gate: { name: gate ?? device }, device: { id: device_id, name: device } }),
    ),
    ...others.flatMap((row) => (row.scan_id === null ? [elsewhere(row)] : [])),
  ];
}

/** The log of an attendee. An entry that was imported without one gets its row, so that no later scan hides it. */
async function findCheckIns(db: Database, { id, checked_in }: ListedAttendee): Promise<CheckIn[]> {
  const find = () => db.query.selectFrom('check_ins').selectAll().where('attendee_id', '=', id).execute();
  const rows = await find();
  if (checked_in === 0 || rows.some(({ action }) => action === 'in')) return rows;
  await sql`INSERT INTO check_ins (attendee_id, action, date_utc, source, user_id, key_id, device)
    SELECT id, 'in', checkin_utc, checkin_source, checkin_author, NULL, checkin_device FROM attendees
    WHERE id = ${id}`.execute(db.query);
  return find();
}

type CheckIn = Selectable<CheckInsTable>;

const elsewhere = ({ id, date_utc, action, device, source, user_id }: CheckIn): DoorPassage => ({
  key: checkInKey(id),
  at: date_utc,
  action: action === 'in' ? 'in' : 'out',
  reentry: 'after_out',
  overrides: false,
  corrects: true,
  place: device,
  deviceId: 0,
  scanId: null,
  source,
  author: user_id,
  device,
});

/** Makes the state of an attendee, its log of check-ins and its clashes agree with its passages. */
export async function settle(
  db: Database,
  attendee: ListedAttendee,
  { passages, now }: { passages: readonly DoorPassage[]; now: Date },
): Promise<void> {
  const timeline = timelineOf(passages);
  await settleState(db, attendee, timeline.entry);
  await settleLog(db, attendee, timeline.effective);
  await settleClashes(db, attendee, { clashes: timeline.clashes, now });
}

async function settleState(db: Database, attendee: ListedAttendee, entry: DoorPassage | undefined): Promise<void> {
  const checkin_utc = entry?.at.slice(0, 19) ?? '';
  await db.query
    .updateTable('attendees')
    .set({
      checked_in: entry ? 1 : 0,
      checkin_utc,
      checkin_source: entry?.source ?? '',
      checkin_author: entry?.author ?? 0,
      checkin_device: entry?.device ?? '',
    })
    .where('id', '=', attendee.id)
    .execute();
}

/** The log has a row for each passage that changed the state; clashes and undone scans have none. */
async function settleLog(
  db: Database,
  { id: attendeeId, event_id }: ListedAttendee,
  effective: readonly DoorPassage[],
): Promise<void> {
  const logged = await db.query
    .selectFrom('check_ins')
    .innerJoin('door_scans', 'door_scans.id', 'check_ins.scan_id')
    .select(['check_ins.id', 'check_ins.scan_id'])
    .where('check_ins.attendee_id', '=', attendeeId)
    .where('door_scans.event_id', '=', event_id)
    .execute();
  const wanted = new Set(effective.map(({ scanId }) => scanId));
  const outdated = logged.filter(({ scan_id }) => !wanted.has(scan_id)).map(({ id }) => id);
  if (outdated.length > 0) await db.query.deleteFrom('check_ins').where('id', 'in', outdated).execute();
  const known = new Set(logged.map(({ scan_id }) => scan_id));
  const rows = effective.flatMap(({ scanId, action, at, device }) =>
    scanId === null || known.has(scanId)
      ? []
      : [
          {
            ...{ attendee_id: attendeeId, action, date_utc: at.slice(0, 19), source: 'app', user_id: 0 },
            ...{ key_id: null, device, scan_id: scanId },
          },
        ],
  );
  if (rows.length > 0) await db.query.insertInto('check_ins').values(rows).execute();
}
