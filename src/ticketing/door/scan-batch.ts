import { type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { DoorScansTable } from '../../db/door-tables.ts';
import type { toUtc } from '../../lib/dates/dates.ts';
import { attendeeAt, findPassAttendees, type PassAttendee } from '../attendees/pass-attendees.ts';
import { lockListed } from './list-rows.ts';
import { findVisits, NEW_SCAN, type Visit } from './passages.ts';
import type { Counter, DeviceScan, KeptScan } from './take-scans.ts';

/** Everything that a batch of scans may concern, read in few statements, with the locks of its attendees. */
export interface ScanBatch {
  /** Scans of the device by the ids that it gave them: those of the batch that are known, and those that it takes back. */
  scans: Map<string, KeptScan>;
  visits: Map<number, Visit>;
  /** Attendees of passes, by pass. */
  passes: ReadonlyMap<number, PassAttendee[]>;
  /** Adds a new scan. */
  add(row: KeptScan): void;
  /** Times of accepted undos of a scan. */
  undone(id: string): string[];
  /** An id for a scan that has none yet: beyond all others, in the order of the scans. */
  nextId(): number;
}

const BATCH_IDS = 1000;

export async function loadBatch(db: Database, counter: Counter, scans: readonly DeviceScan[]): Promise<ScanBatch> {
  const named = scans.flatMap(({ attendee }) => attendee ?? []);
  const locked = await lockListed(db, named);
  const passIds = locked.map(({ pass_id }) => pass_id);
  const passes = await findPassAttendees(db, passIds);
  const atGate = new Set(counter.events.map(({ id }) => id));
  const dates = [...passes.values()].flat().filter(({ event_id }) => atGate.has(event_id));
  // Read under the locks, so that of two requests with the same scan, the later one finds it.
  const ids = [...new Set(scans.flatMap(({ id, undoes }) => (undoes === undefined ? [id] : [id, undoes])))];
  let kept = await findScans(db, counter.device.id, ids);
  const others = [...dates.map(({ id }) => id), ...kept.flatMap(({ attendee_id }) => attendee_id ?? [])];
  const have = new Set(locked.map(({ id }) => id));
  const further = await lockListed(
    db,
    others.filter((id) => !have.has(id)),
  );
  if (further.length > 0) kept = await findScans(db, counter.device.id, ids);
  const visits = await findVisits(db, [...locked, ...further]);
  let next = NEW_SCAN - BATCH_IDS;
  const asked = new Set(ids);
  const all = kept.map((row) => ({ ...row, isChanged: false, isReported: false, passage: undefined }));
  const known = new Map<string, KeptScan>(
    all.filter(({ scan_id }) => asked.has(scan_id)).map((row) => [row.scan_id, row]),
  );
  const undos: KeptScan[] = all.filter(({ mode }) => mode === 'undo');
  return {
    scans: known,
    visits,
    passes: passIds.some((id) => id !== null) ? passes : new Map(),
    add(row) {
      known.set(row.scan_id, row);
      if (row.mode === 'undo') undos.push(row);
    },
    undone: (id) =>
      undos.flatMap(({ undoes, verdict, scanned_utc: at }) => (undoes === id && verdict === 'undone' ? at : [])),
    nextId: () => ++next,
  };
}

/** Scans of a device with these ids, and undos of them. */
async function findScans(
  db: Database,
  deviceId: number,
  ids: readonly string[],
): Promise<Selectable<DoorScansTable>[]> {
  const list = sql.join([...ids]);
  const { rows } = await sql<Selectable<DoorScansTable>>`SELECT * FROM door_scans
      WHERE device_id = ${deviceId} AND scan_id IN (${list})
    UNION SELECT * FROM door_scans WHERE device_id = ${deviceId} AND undoes <> '' AND undoes IN (${list})`.execute(
    db.query,
  );
  return rows;
}

/** The attendee of a scan: of a pass, the one of the event that it is scanned for. */
export function chooseAttendee(
  { visits, passes }: ScanBatch,
  { events, buffer }: Counter,
  { attendee: id, code, event, at }: DeviceScan & { at: string },
): Visit | undefined {
  const scanned = visits.get(id ?? 0);
  const pass = scanned?.attendee.pass_id ?? null;
  if (pass === null || code === undefined) return scanned;
  const atGate = new Set(events.map((one) => one.id));
  const candidates = (passes.get(pass) ?? []).filter(({ event_id }) => atGate.has(event_id));
  const named = candidates.find(({ event_id }) => event_id === event);
  const now = at.slice(0, 19) as ReturnType<typeof toUtc>;
  return visits.get((named ?? attendeeAt(candidates, { now, buffer: buffer * 60 }))?.id ?? 0) ?? scanned;
}
