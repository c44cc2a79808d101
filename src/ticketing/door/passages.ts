import { type Insertable, type Selectable, sql } from 'kysely';
import { byIds } from '../../db/by-ids.ts';
import type { Database } from '../../db/database.ts';
import type { DoorScansTable } from '../../db/tables/door.ts';
import type { CheckInsTable } from '../../db/tables/ticketing.ts';
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

/** An attendee with its passages, while its row is locked. */
export interface Visit {
  attendee: ListedAttendee;
  passages: DoorPassage[];
  /** Rows of the log of check-ins that follow from scans of its event. */
  logged: { id: number; scanId: number }[];
  /** Whether clashes may be stored. */
  mayClash: boolean;
  /** Whether its passages have changed. */
  isChanged: boolean;
}

const scansOf = byIds((query, ids) =>
  query
    .selectFrom('door_scans as s')
    .innerJoin('door_devices as d', 'd.id', 's.device_id')
    .leftJoin('gates as g', 'g.id', 's.gate_id')
    .select(['s.id', 's.attendee_id', 's.event_id', 's.mode', 's.scanned_utc', 's.reentry', 's.overrides'])
    .select(['s.device_id', 'd.name as device', 'g.name as gate'])
    .where('s.attendee_id', 'in', ids)
    .where('s.counts', '=', 1)
    .where('s.is_undone', '=', 0),
);

const checkInsOf = byIds((query, ids) =>
  query
    .selectFrom('check_ins as c')
    .leftJoin('door_scans as s', 's.id', 'c.scan_id')
    .select(['c.id', 'c.attendee_id', 'c.action', 'c.date_utc', 'c.source', 'c.user_id', 'c.device', 'c.scan_id'])
    .select('s.event_id as event_of_scan')
    .where('c.attendee_id', 'in', ids),
);

/** Attendees whose rows are locked, by id, with their passages. */
export async function findVisits(db: Database, attendees: readonly ListedAttendee[]): Promise<Map<number, Visit>> {
  const ids = attendees.map(({ id }) => id);
  const scans = Map.groupBy(await scansOf(db, ids), ({ attendee_id }) => attendee_id ?? 0);
  const log = Map.groupBy(await findCheckIns(db, attendees), ({ attendee_id }) => attendee_id);
  const visitOf = (attendee: ListedAttendee): Visit => {
    const rows = log.get(attendee.id) ?? [];
    const passages = [
      // Attendees may be moved to other events.
      ...(scans.get(attendee.id) ?? [])
        .filter(({ event_id }) => event_id === attendee.event_id)
        .map(({ device, gate, device_id, ...scan }) =>
          passageOf(scan, { gate: { name: gate ?? device }, device: { id: device_id, name: device } }),
        ),
      ...rows.flatMap((row) => (row.scan_id === null ? [elsewhere(row)] : [])),
    ];
    const logged = rows.flatMap(({ id, scan_id: scanId, event_of_scan: event }) =>
      scanId !== null && event === attendee.event_id ? [{ id, scanId }] : [],
    );
    const mayClash = passages.filter(({ action }) => action === 'in').length > 1;
    return { attendee, passages, logged, mayClash, isChanged: false };
  };
  return new Map(attendees.map((attendee) => [attendee.id, visitOf(attendee)]));
}

/** The log of attendees. An entry that was imported without a log gets a row, so that no later scan hides it. */
async function findCheckIns(db: Database, attendees: readonly ListedAttendee[]) {
  const ids = attendees.map(({ id }) => id);
  const rows = await checkInsOf(db, ids);
  const entered = new Set(rows.flatMap(({ action, attendee_id }) => (action === 'in' ? attendee_id : [])));
  const imported = attendees.filter(({ id, checked_in }) => checked_in === 1 && !entered.has(id)).map(({ id }) => id);
  if (imported.length === 0) return rows;
  await sql`INSERT INTO check_ins (attendee_id, action, date_utc, source, user_id, key_id, device)
    SELECT id, 'in', checkin_utc, checkin_source, checkin_author, NULL, checkin_device FROM attendees
    WHERE id IN (${sql.join(imported)})`.execute(db.query);
  return checkInsOf(db, ids);
}

type CheckIn = Awaited<ReturnType<typeof checkInsOf>>[number];

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

/** Makes the states of attendees, their logs of check-ins and their clashes agree with their passages. */
export async function settleAll(db: Database, visits: readonly Visit[], now: Date): Promise<void> {
  const rows: Insertable<CheckInsTable>[] = [];
  const outdated: number[] = [];
  for (const visit of visits) {
    const { entry, effective, clashes } = timelineOf(visit.passages);
    await settleState(db, visit.attendee, entry);
    const log = logChanges(visit, effective);
    rows.push(...log.rows);
    outdated.push(...log.outdated);
    if (visit.mayClash || clashes.length > 0) await settleClashes(db, visit.attendee, { clashes, now });
  }
  if (outdated.length > 0) await db.query.deleteFrom('check_ins').where('id', 'in', outdated).execute();
  if (rows.length > 0) await db.query.insertInto('check_ins').values(rows).execute();
}

async function settleState(db: Database, attendee: ListedAttendee, entry: DoorPassage | undefined): Promise<void> {
  if (!entry && attendee.checked_in === 0) return;
  await db.query
    .updateTable('attendees')
    .set({
      checked_in: entry ? 1 : 0,
      checkin_utc: entry?.at.slice(0, 19) ?? '',
      checkin_source: entry?.source ?? '',
      checkin_author: entry?.author ?? 0,
      checkin_device: entry?.device ?? '',
    })
    .where('id', '=', attendee.id)
    .execute();
}

/**
 * Finds the rows that the log of an attendee lacks, and outdated ones. Each passage that changed the state has a row;
 * clashes and undone scans have none.
 */
function logChanges({ attendee, logged }: Visit, effective: readonly DoorPassage[]) {
  const wanted = new Set(effective.map(({ scanId }) => scanId));
  const outdated = logged.filter(({ scanId }) => !wanted.has(scanId)).map(({ id }) => id);
  const known = new Set(logged.map(({ scanId }) => scanId));
  const rows = effective.flatMap(({ scanId, action, at, device }): Insertable<CheckInsTable>[] =>
    scanId === null || known.has(scanId)
      ? []
      : [
          {
            ...{ attendee_id: attendee.id, action, date_utc: at.slice(0, 19), source: 'app', user_id: 0 },
            ...{ key_id: null, device, scan_id: scanId },
          },
        ],
  );
  return { rows, outdated };
}
