import type { Insertable, Selectable } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { DoorScansTable } from '../../db/door-tables.ts';
import type { DoorDevice } from '../../http/core/auth.ts';
import { addSeconds, fromMs, fromUtc, toUtc } from '../../lib/dates/dates.ts';
import {
  admissionOf,
  correctedTime,
  type DoorMode,
  type Question,
  type Verdict,
  verdictOn,
} from '../../lib/door/door-verdict.ts';
import { comparePassages, timelineOf } from '../../lib/door/timeline.ts';
import { isSameSecret } from '../../lib/hash.ts';
import { attendeeAt, findPassAttendees } from '../attendees/pass-attendees.ts';
import { reportLateRefusal } from './clash-store.ts';
import { rulesOf } from './gate-store.ts';
import type { OpenGate } from './greeting.ts';
import { findListedById, type ListedAttendee } from './list-rows.ts';
import { type DoorPassage, findPassages, NEW_SCAN, passageOf, settle } from './passages.ts';

/** Takes the scans of devices: each is answered once and kept, whatever became of it. */

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
  /** Whether the device has admitted or refused by itself; absent if it waits for the answer. */
  letIn?: boolean;
  overrides: boolean;
  /** Scan of the same device to take back. */
  undoes?: string;
}

type Row = Selectable<DoorScansTable>;

export interface ScanAnswer {
  id: string;
  verdict: Verdict;
  /** Entry with the same ticket before this scan. */
  first: { utc: string; place: string } | undefined;
  attendee: ListedAttendee | undefined;
}

export interface Counter extends OpenGate {
  device: DoorDevice;
  now: Date;
  /** Minutes after the end of an event in which a pass may still be scanned for it. */
  buffer: number;
}

const UNDO_SECONDS = 5 * 60;
const PAST_THE_DOOR: ReadonlySet<Verdict> = new Set(['welcome', 'already-in']);

/** Takes a scan in a transaction of its own. The same id again gets the first answer. */
export const takeScan = (db: Database, counter: Counter, scan: DeviceScan): Promise<ScanAnswer> =>
  db.transaction(async (trx) => {
    const known = await findScan(trx, counter.device, scan.id);
    if (known) return repeat(trx, counter, known, scan);
    return scan.mode === 'undo' ? undo(trx, counter, scan) : decide(trx, counter, { ...scan, mode: scan.mode });
  });

const findScan = (db: Database, { id }: DoorDevice, scanId: string): Promise<Row | undefined> =>
  db.query
    .selectFrom('door_scans')
    .selectAll()
    .where('device_id', '=', id)
    .where('scan_id', '=', scanId)
    .executeTakeFirst();

/** Corrected time with milliseconds, as it is stored and compared. */
function timeOf({ device, now }: Counter, { time, offset }: Pick<DeviceScan, 'time' | 'offset'>): string {
  const paired = fromUtc(device.pairedUtc).getTime();
  const ms = Math.round(correctedTime({ scanned: time, offset, received: now.getTime(), paired }));
  return `${fromMs(ms - (ms % 1000))}.${String(ms % 1000).padStart(3, '0')}`;
}

/** The attendee of a scan, locked: of a pass, the one of the event that it is scanned for. */
async function findScanned(
  db: Database,
  { events, now, buffer }: Counter,
  { attendee: id, code, event }: DeviceScan,
): Promise<ListedAttendee | undefined> {
  const [scanned] = await findListedById(db, [id ?? 0]);
  if (!scanned) return undefined;
  let chosen = scanned.id;
  if (scanned.pass_id !== null && code !== undefined) {
    const atGate = new Set(events.map((one) => one.id));
    const all = (await findPassAttendees(db, [scanned.pass_id])).get(scanned.pass_id) ?? [];
    const candidates = all.filter(({ event_id }) => atGate.has(event_id));
    const named = candidates.find(({ event_id }) => event_id === event);
    chosen = (named ?? attendeeAt(candidates, { now: toUtc(now), buffer: buffer * 60 }))?.id ?? scanned.id;
  }
  // Scans and check-ins elsewhere of the same attendee wait for each other.
  await db.dialect.lockRow(db, { table: 'attendees', id: chosen });
  return (await findListedById(db, [chosen]))[0];
}

function codeOf(attendee: ListedAttendee | undefined, code: string | undefined): Question['code'] {
  if (code === undefined) return 'none';
  return attendee && isSameSecret(code, attendee.security_code) ? 'right' : 'wrong';
}

async function decide(db: Database, counter: Counter, scan: DeviceScan & { mode: DoorMode }): Promise<ScanAnswer> {
  const { gate, device, events } = counter;
  const at = timeOf(counter, scan);
  const attendee = await findScanned(db, counter, scan);
  const passages = attendee ? await findPassages(db, attendee) : [];
  const rules = rulesOf(gate);
  // A device that has decided offline is judged by what had happened before, and any other by everything.
  const own: DoorPassage = passageOf({ id: NEW_SCAN, ...scanned(scan, at), reentry: rules.reentry }, { gate, device });
  const before = scan.letIn === true ? passages.filter((one) => comparePassages(one, own) < 0) : passages;
  const timeline = timelineOf(before);
  const mayFind = scan.code !== undefined || gate.may_search === 1;
  const verdict = mayFind
    ? verdictOn({
        mode: scan.mode,
        ticket: attendee && { ...attendee, admission: admissionOf(attendee, attendee) },
        code: codeOf(attendee, scan.code),
        rules,
        events,
        at,
        timeline,
        overrides: scan.overrides,
      })
    : 'not-allowed';
  const entry = timeline.entry ?? (verdict === 'already-in' ? timeline.effective.at(-2) : undefined);
  const first = entry && { utc: entry.at.slice(0, 19), place: entry.place };
  const isUndone = await isTakenBack(db, counter, { id: scan.id, at });
  const row = await insertScan(db, {
    ...scanColumns(counter, scan, at),
    event_id: attendee?.event_id ?? null,
    attendee_id: attendee?.id ?? null,
    verdict,
    first_utc: first?.utc ?? '',
    first_place: first?.place ?? '',
    counts: counts({ mode: scan.mode, verdict, letIn: scan.letIn }) ? 1 : 0,
    is_undone: isUndone ? 1 : 0,
  });
  await follow(db, counter, { row, attendee, passages });
  return { id: scan.id, verdict, first, attendee: attendee && (await current(db, attendee, row)) };
}

const scanned = (scan: DeviceScan, at: string) => ({
  mode: scan.mode,
  scanned_utc: at,
  overrides: scan.overrides ? (1 as const) : (0 as const),
});

/** Whether a holder has passed: as the device says, otherwise as the server answers. */
function counts({ mode, verdict, letIn }: { mode: string; verdict: Verdict; letIn?: boolean }): boolean {
  if (mode === 'in') return letIn ? PAST_THE_DOOR.has(verdict) : verdict === 'welcome' && letIn === undefined;
  // The entry of a holder who leaves may arrive later, from another device.
  if (mode === 'out') return letIn ? verdict === 'goodbye' || verdict === 'not-in' : verdict === 'goodbye';
  return false;
}

const scanColumns = (
  { gate, device, now }: Counter,
  scan: DeviceScan,
  at: string,
): Omit<Insertable<DoorScansTable>, 'verdict' | 'counts' | 'event_id' | 'attendee_id'> => ({
  device_id: device.id,
  scan_id: scan.id,
  gate_id: gate.id,
  mode: scan.mode,
  undoes: scan.undoes ?? '',
  reentry: gate.reentry,
  overrides: scan.overrides && gate.may_override === 1 ? 1 : 0,
  let_in: flagOf(scan.letIn),
  scanned_utc: at,
  received_utc: toUtc(now),
});

function flagOf(letIn: boolean | undefined): 0 | 1 | null {
  if (letIn === undefined) return null;
  return letIn ? 1 : 0;
}

const insertScan = (db: Database, row: Insertable<DoorScansTable>): Promise<Row> =>
  db.query.insertInto('door_scans').values(row).returningAll().executeTakeFirstOrThrow();

interface Followed {
  row: Row;
  attendee: ListedAttendee | undefined;
  /** Passages of the attendee without this one. */
  passages: readonly DoorPassage[];
}

/** Books the consequences of a scan. */
async function follow(db: Database, { gate, device, now }: Counter, { row, attendee, passages }: Followed) {
  const isLate =
    row.mode === 'in' && row.let_in === 1 && row.is_undone === 0 && !PAST_THE_DOOR.has(row.verdict as Verdict);
  if (isLate) await reportLateRefusal(db, row, { gate, device, now });
  if (!attendee || row.counts === 0 || row.is_undone === 1) return;
  await settle(db, attendee, { passages: [...passages, passageOf(row, { gate, device })], now });
}

/** The attendee after a scan that has changed it. */
const current = async (db: Database, attendee: ListedAttendee, row: Row): Promise<ListedAttendee> =>
  row.counts === 1 ? ((await findListedById(db, [attendee.id]))[0] ?? attendee) : attendee;

const firstOf = ({ first_utc, first_place }: Row): ScanAnswer['first'] =>
  first_utc === '' ? undefined : { utc: first_utc, place: first_place };

/**
 * The first answer to a scan again. A device that did not wait for it, and has decided by itself since, tells so with the
 * same id.
 */
async function repeat(db: Database, counter: Counter, known: Row, scan: DeviceScan): Promise<ScanAnswer> {
  let row = known;
  const { attendee_id: id } = known;
  if (id !== null) await db.dialect.lockRow(db, { table: 'attendees', id });
  const [attendee] = await findListedById(db, id === null ? [] : [id]);
  if (known.let_in === null && scan.letIn !== undefined && known.mode !== 'undo') {
    const verdict = known.verdict as Verdict;
    const isCounted = counts({ mode: known.mode, verdict, letIn: scan.letIn });
    row = await db.query
      .updateTable('door_scans')
      .set({ let_in: flagOf(scan.letIn), counts: isCounted ? 1 : 0 })
      .where('id', '=', known.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (scan.letIn && row.mode === 'in' && !isCounted && row.is_undone === 0) {
      await reportLateRefusal(db, row, counter);
    }
    if (attendee) await settle(db, attendee, { passages: await findPassages(db, attendee), now: counter.now });
  }
  return { id: row.scan_id, verdict: row.verdict as Verdict, first: firstOf(row), attendee };
}

/** Whether an undo of a scan has arrived before the scan. */
async function isTakenBack(
  db: Database,
  { device }: Counter,
  { id, at }: { id: string; at: string },
): Promise<boolean> {
  const row = await db.query
    .selectFrom('door_scans')
    .select('scanned_utc')
    .where('device_id', '=', device.id)
    .where('undoes', '=', id)
    .where('verdict', '=', 'undone')
    .executeTakeFirst();
  return row !== undefined && isInTime(at, row.scanned_utc);
}

const isInTime = (scan: string, undone: string): boolean =>
  undone.slice(0, 19) <= addSeconds(scan.slice(0, 19), UNDO_SECONDS);

/** Takes back a scan of the same device, for five minutes. */
async function undo(db: Database, counter: Counter, scan: DeviceScan): Promise<ScanAnswer> {
  const { gate, device, now } = counter;
  const at = timeOf(counter, scan);
  const target = await findScan(db, device, scan.undoes ?? '');
  const id = target?.attendee_id ?? null;
  if (id !== null) await db.dialect.lockRow(db, { table: 'attendees', id });
  const isDone = gate.may_undo === 1 && target?.mode !== 'undo' && (!target || isInTime(target.scanned_utc, at));
  const verdict = isDone ? 'undone' : 'not-undone';
  await insertScan(db, {
    ...scanColumns(counter, scan, at),
    event_id: target?.event_id ?? null,
    attendee_id: id,
    verdict,
    counts: 0,
  });
  const [attendee] = await findListedById(db, id === null ? [] : [id]);
  if (!isDone || !target) return { id: scan.id, verdict, first: undefined, attendee };
  await db.query.updateTable('door_scans').set({ is_undone: 1 }).where('id', '=', target.id).execute();
  if (!attendee) return { id: scan.id, verdict, first: undefined, attendee };
  await settle(db, attendee, { passages: await findPassages(db, attendee), now });
  return { id: scan.id, verdict, first: undefined, attendee: (await findListedById(db, [attendee.id]))[0] };
}
