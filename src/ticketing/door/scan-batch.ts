import { type Selectable, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { DoorScansTable } from '../../db/tables/door.ts';
import type { DoorDevice } from '../../http/core/auth.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';
import type { DoorMode } from '../../lib/door/door-verdict.ts';
import { attendeeAt, findPassAttendees, type PassAttendee } from '../attendees/pass-attendees.ts';
import type { ScanGate } from './greeting.ts';
import { lockListed } from './list-rows.ts';
import { type DoorPassage, findVisits, NEW_SCAN, type Visit } from './passages.ts';

/** Scans of devices, and the records that a batch of them concerns. */

/** Scan as a device sends it. */
export interface DeviceScan {
  id: string;
  mode: DoorMode | 'undo';
  /** Id in the code, or of the attendee that was found by name. */
  attendee?: number;
  /** Security code; absent for an attendee that was found by name. */
  code?: string;
  /** Event for which it is scanned; needed for series passes only. */
  event?: number;
  /** Clock of the device, in milliseconds. */
  time: number;
  /** Clock of the server minus clock of the device at that time, in milliseconds. */
  offset: number;
  /** Whether the device has admitted or refused by itself; absent if it waits for the response. */
  letIn?: boolean;
  overrides: boolean;
  /** Scan of the same device to take back. */
  undoes?: string;
}

export interface Counter extends ScanGate {
  device: DoorDevice;
  now: Date;
  /** Minutes after the end of an event in which a pass may still be scanned for it. */
  buffer: number;
  /** Whether the device was revoked: its scans are kept to be looked at, and admit no holder. */
  isRevoked?: boolean;
}

/** A scan of the batch, or an earlier one that it concerns. */
export interface KeptScan extends Omit<Selectable<DoorScansTable>, 'id'> {
  /** 0 until it is stored. */
  id: number;
  /** Whether a stored scan has changed. */
  isChanged: boolean;
  /** Gate, device and time of a late refusal to report. */
  reported: Pick<Counter, 'gate' | 'device' | 'now'> | undefined;
  /** Its passage, if it counts. */
  passage: DoorPassage | undefined;
}

/** Scans of a request. */
export interface ScanRequest {
  counter: Counter;
  scans: readonly DeviceScan[];
}

/** Records that a batch of scans may concern, read in few statements while its attendees are locked. */
export interface ScanBatch {
  /** Known scans that it repeats or takes back, and its new ones. */
  scans: KeptScan[];
  visits: Map<number, Visit>;
  /** Attendees of passes, by pass. */
  passes: ReadonlyMap<number, PassAttendee[]>;
  now: Date;
  /** Scan of a device by the id that it gave it. */
  find(device: { id: number }, id: string): KeptScan | undefined;
  /** Adds a new scan. */
  add(row: KeptScan): void;
  /** Times of accepted undos of a scan. */
  undone(device: { id: number }, id: string): string[];
  /** Next provisional id of a new scan, which sorts after all stored ids. */
  nextId(): number;
}

/** Number of provisional ids, more than a batch has scans. */
const BATCH_IDS = 10_000;

export async function loadBatch(db: Database, requests: readonly ScanRequest[]): Promise<ScanBatch> {
  const scans = requests.flatMap((request) => request.scans);
  const locked = await lockListed(
    db,
    scans.flatMap(({ attendee }) => attendee ?? []),
  );
  const passIds = locked.map(({ pass_id }) => pass_id);
  const passes = await findPassAttendees(db, passIds);
  const atGates = new Set(requests.flatMap(({ counter }) => counter.events.map(({ id }) => id)));
  const dates = [...passes.values()].flat().filter(({ event_id }) => atGates.has(event_id));
  // Read under the locks: the later of two requests with the same scan finds it.
  let kept = await findScans(db, requests);
  const others = [...dates.map(({ id }) => id), ...kept.flatMap(({ attendee_id }) => attendee_id ?? [])];
  const have = new Set(locked.map(({ id }) => id));
  const further = await lockListed(
    db,
    others.filter((id) => !have.has(id)),
  );
  if (further.length > 0) kept = await findScans(db, requests);
  const visits = await findVisits(db, [...locked, ...further]);
  const now = requests[0]?.counter.now ?? new Date(0);
  return batchOf(
    kept.map((row) => ({ ...row, isChanged: false, reported: undefined, passage: undefined })),
    { visits, passes, now },
  );
}

function batchOf(scans: KeptScan[], rest: Pick<ScanBatch, 'visits' | 'passes' | 'now'>): ScanBatch {
  const keyOf = (device: number, id: string) => `${device} ${id}`;
  const known = new Map(scans.map((row) => [keyOf(row.device_id, row.scan_id), row]));
  let next = NEW_SCAN - BATCH_IDS;
  return {
    ...rest,
    scans,
    find: ({ id: device }, id) => known.get(keyOf(device, id)),
    add(row) {
      scans.push(row);
      known.set(keyOf(row.device_id, row.scan_id), row);
    },
    undone: ({ id: device }, id) =>
      scans
        .filter(({ device_id, undoes, verdict }) => device_id === device && undoes === id && verdict === 'undone')
        .map(({ scanned_utc }) => scanned_utc),
    nextId: () => ++next,
  };
}

/** Stored scans with the ids of new ones, scans that these take back, and undos that arrived before their scan. */
async function findScans(db: Database, requests: readonly ScanRequest[]): Promise<Selectable<DoorScansTable>[]> {
  const scans = requests.flatMap((request) => request.scans);
  const ids = scans.flatMap(({ id, undoes = id }) => [id, undoes]);
  const passed = scans.flatMap(({ id, mode }) => (mode === 'undo' ? [] : id));
  // Another device may have the same id, which is random.
  const devices = sql.join([...new Set(requests.map(({ counter }) => counter.device.id))]);
  const list = sql.join([...new Set(ids)]);
  // A stored scan knows that it was taken back, so a device gains nothing by many undos of it.
  const undos = sql`UNION SELECT u.* FROM door_scans AS u
    WHERE u.device_id IN (${devices}) AND undoes <> '' AND undoes IN (${sql.join(passed)}) AND NOT EXISTS (
      SELECT 1 FROM door_scans AS s WHERE s.device_id = u.device_id AND s.scan_id = u.undoes)`;
  const { rows } = await sql<Selectable<DoorScansTable>>`SELECT * FROM door_scans
    WHERE device_id IN (${devices}) AND scan_id IN (${list}) ${passed.length > 0 ? undos : sql``}`.execute(db.query);
  return rows;
}

/** Attendee of a scan; for a pass, the attendee in the event for which it is scanned. */
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
  // Corrected times have milliseconds.
  const now = at.slice(0, 19) as LocalTime;
  return visits.get((named ?? attendeeAt(candidates, { now, buffer: buffer * 60 }))?.id ?? 0) ?? scanned;
}
