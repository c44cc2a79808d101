import type { Insertable } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { DoorScansTable } from '../../db/tables/door.ts';
import { addSeconds, fromMs, fromUtc, toUtc } from '../../lib/dates/dates.ts';
import { correctedTime, type DoorMode, type Question, type Verdict, verdictOn } from '../../lib/door/door-verdict.ts';
import { comparePassages, timelineOf } from '../../lib/door/timeline.ts';
import { isSameSecret } from '../../lib/hash.ts';
import { reportLateRefusals, scanKey } from './clash-store.ts';
import { rulesOf } from './gate-store.ts';
import { admissionOf, type ListedAttendee } from './list-rows.ts';
import { passageOf, settleAll, type Visit } from './passages.ts';
import {
  type Counter,
  chooseAttendee,
  type DeviceScan,
  type KeptScan,
  loadBatch,
  type ScanBatch,
  type ScanRequest,
} from './scan-batch.ts';

/** Takes the scans of devices: each is stored with one response, whatever its outcome. */

export interface ScanResult {
  id: string;
  verdict: Verdict;
  /** Entry with the same ticket before this scan. */
  first: { utc: string; place: string } | undefined;
  attendee: ListedAttendee | undefined;
  /** Whether the device let in a holder whom the server would have refused. */
  isClash: boolean;
}

const UNDO_SECONDS = 5 * 60;
/** Limit of the passages of a ticket, since each scan compares all of them: more than a season needs. */
const MAX_PASSAGES = 1000;
const PAST_THE_DOOR: ReadonlySet<string> = new Set<Verdict>(['welcome', 'already-in']);

/**
 * Takes the scans of requests in one transaction, in their order, under the locks of their attendees. The same id again
 * gets the first response.
 */
export const takeScans = (db: Database, requests: readonly ScanRequest[]): Promise<ScanResult[][]> =>
  db.transaction(async (trx) => {
    const batch = await loadBatch(trx, requests);
    const taken = requests.map(({ counter, scans }) => scans.map((scan) => take(batch, counter, scan)));
    await store(trx, batch);
    return taken.map((one) => one.map(resultOf));
  });

function take(batch: ScanBatch, counter: Counter, scan: DeviceScan): Taken {
  const known = batch.find(counter.device, scan.id);
  if (known) return repeat(batch, counter, known, scan);
  return scan.mode === 'undo' ? undo(batch, counter, scan) : decide(batch, counter, { ...scan, mode: scan.mode });
}

const resultOf = ({ row, visit, since }: Taken): ScanResult => ({
  id: row.scan_id,
  // Only this file writes verdicts.
  verdict: row.verdict as Verdict,
  first: row.first_utc === '' ? undefined : { utc: row.first_utc, place: row.first_place },
  attendee: visit && { ...visit.attendee, checkin_utc: since },
  isClash: isLate(row) || isSecond(row, visit),
});

interface Taken {
  row: KeptScan;
  visit: Visit | undefined;
  /** Time of the entry after the scan; empty unless the holder is in. */
  since: string;
}

function taken(row: KeptScan, visit: Visit | undefined): Taken {
  return { row, visit, since: visit ? (timelineOf(visit.passages).entry?.at.slice(0, 19) ?? '') : '' };
}

/** Corrected time with milliseconds, as it is stored and compared. */
function timeOf({ device, now }: Counter, { time, offset }: Pick<DeviceScan, 'time' | 'offset'>): string {
  const paired = fromUtc(device.pairedUtc).getTime();
  const ms = Math.round(correctedTime({ scanned: time, offset, received: now.getTime(), paired }));
  return `${fromMs(ms - (ms % 1000))}.${String(ms % 1000).padStart(3, '0')}`;
}

function codeOf(attendee: ListedAttendee | undefined, code: string | undefined): Question['code'] {
  if (code === undefined) return 'none';
  return attendee && isSameSecret(code, attendee.security_code) ? 'right' : 'wrong';
}

function decide(batch: ScanBatch, counter: Counter, scan: DeviceScan & { mode: DoorMode }): Taken {
  const { gate, device, events } = counter;
  const at = timeOf(counter, scan);
  const visit = chooseAttendee(batch, counter, { ...scan, at });
  const attendee = visit?.attendee;
  const columns = scanColumns(counter, scan, at);
  // A device that has decided offline is judged by what had happened before, and any other by everything.
  const own = passageOf({ ...columns, id: batch.nextId() }, { gate, device });
  const passages = visit?.passages ?? [];
  const timeline = timelineOf(scan.letIn === true ? passages.filter((one) => comparePassages(one, own) < 0) : passages);
  const mayFind = !counter.isRevoked && (scan.code !== undefined || gate.may_search === 1) && mayPass(visit);
  const verdict = mayFind
    ? verdictOn({
        mode: scan.mode,
        ticket: attendee && { ...attendee, admission: admissionOf(attendee) },
        code: codeOf(attendee, scan.code),
        rules: rulesOf(gate),
        events,
        at,
        timeline,
        overrides: scan.overrides,
      })
    : 'not-allowed';
  const entry = timeline.entry ?? (verdict === 'already-in' ? timeline.effective.at(-2) : undefined);
  const row: KeptScan = {
    ...columns,
    event_id: attendee?.event_id ?? null,
    attendee_id: attendee?.id ?? null,
    verdict,
    first_utc: entry?.at.slice(0, 19) ?? '',
    first_place: entry?.place ?? '',
    counts: counts({ mode: scan.mode, verdict, letIn: scan.letIn }) ? 1 : 0,
    is_undone: batch.undone(device, scan.id).some((undone) => isInTime(at, undone)) ? 1 : 0,
    ...NEW,
  };
  batch.add(row);
  if (isLate(row)) row.reported = counter;
  if (visit && row.counts === 1 && row.is_undone === 0) {
    row.passage = own;
    visit.passages.push(own);
    visit.isChanged = true;
  }
  return taken(row, visit);
}

/** Whether a ticket may pass once more. */
const mayPass = (visit: Visit | undefined): boolean => (visit?.passages.length ?? 0) < MAX_PASSAGES;

/** Whether a holder has passed: as the device says, otherwise as the server decides. */
function counts({ mode, verdict, letIn }: { mode: string; verdict: string; letIn?: boolean }): boolean {
  if (mode === 'in') return letIn ? PAST_THE_DOOR.has(verdict) : verdict === 'welcome' && letIn === undefined;
  // The entry of a holder who leaves may arrive later, from another device.
  if (mode === 'out') return letIn ? verdict === 'goodbye' || verdict === 'not-in' : verdict === 'goodbye';
  return false;
}

/** Whether a device let a holder in although the ticket was refused. */
const isLate = ({ mode, let_in, is_undone, verdict }: KeptScan): boolean =>
  mode === 'in' && let_in === 1 && is_undone === 0 && !PAST_THE_DOOR.has(verdict);

/** Whether a scan is the second entry of a clash. */
const isSecond = ({ id, let_in }: KeptScan, visit: Visit | undefined): boolean =>
  let_in === 1 &&
  visit !== undefined &&
  timelineOf(visit.passages).clashes.some(({ second }) => second.key === scanKey(id));

const NEW = { id: 0, isChanged: false, reported: undefined, passage: undefined };

const scanColumns = ({ gate, device, now }: Counter, scan: DeviceScan, at: string) => ({
  device_id: device.id,
  scan_id: scan.id,
  gate_id: gate.id,
  mode: scan.mode,
  undoes: scan.undoes ?? '',
  reentry: gate.reentry,
  overrides: scan.overrides && gate.may_override === 1 ? (1 as const) : (0 as const),
  let_in: flagOf(scan.letIn),
  scanned_utc: at,
  received_utc: toUtc(now),
});

function flagOf(letIn: boolean | undefined): 0 | 1 | null {
  if (letIn === undefined) return null;
  return letIn ? 1 : 0;
}

/**
 * Repeats the first response to a scan. A device that stopped waiting and decided by itself says so with the same id.
 */
function repeat(batch: ScanBatch, counter: Counter, row: KeptScan, scan: DeviceScan): Taken {
  const visit = batch.visits.get(row.attendee_id ?? 0);
  if (row.let_in === null && scan.letIn !== undefined && row.mode !== 'undo' && !counter.isRevoked) {
    const wasCounted = row.counts === 1;
    const isCounted =
      counts({ mode: row.mode, verdict: row.verdict, letIn: scan.letIn }) && (wasCounted || mayPass(visit));
    Object.assign(row, { let_in: flagOf(scan.letIn), counts: isCounted ? 1 : 0, isChanged: true });
    if (isLate(row)) row.reported = counter;
    if (visit && row.is_undone === 0 && isCounted !== wasCounted) {
      if (isCounted) {
        row.passage = passageOf({ ...row, id: row.id || batch.nextId() }, counter);
        visit.passages.push(row.passage);
      } else removePassage(visit, row);
      visit.isChanged = true;
    }
  }
  return taken(row, visit);
}

function removePassage(visit: Visit, { id, passage }: KeptScan): void {
  const key = passage?.key ?? scanKey(id);
  visit.passages = visit.passages.filter((one) => one.key !== key);
}

const isInTime = (scan: string, undone: string): boolean =>
  undone.slice(0, 19) <= addSeconds(scan.slice(0, 19), UNDO_SECONDS);

/** Takes back a scan of the same device, for five minutes. */
function undo(batch: ScanBatch, counter: Counter, scan: DeviceScan): Taken {
  const at = timeOf(counter, scan);
  const target = batch.find(counter.device, scan.undoes ?? '');
  const visit = batch.visits.get(target?.attendee_id ?? 0);
  const isDone =
    !counter.isRevoked &&
    counter.gate.may_undo === 1 &&
    target?.mode !== 'undo' &&
    (!target || isInTime(target.scanned_utc, at));
  const row: KeptScan = {
    ...scanColumns(counter, scan, at),
    event_id: target?.event_id ?? null,
    attendee_id: target?.attendee_id ?? null,
    verdict: isDone ? 'undone' : 'not-undone',
    first_utc: '',
    first_place: '',
    counts: 0,
    is_undone: 0,
    ...NEW,
  };
  batch.add(row);
  if (isDone && target && target.is_undone === 0) {
    Object.assign(target, { is_undone: 1, isChanged: true, reported: undefined });
    if (visit) {
      removePassage(visit, target);
      visit.isChanged = true;
    }
  }
  return taken(row, visit);
}

/** Writes the scans of a batch, and what follows from them. */
async function store(db: Database, { scans, visits, now }: ScanBatch): Promise<void> {
  for (const { id, let_in, counts: counted, is_undone, isChanged } of scans) {
    if (id === 0 || !isChanged) continue;
    const change = { let_in, counts: counted, is_undone };
    await db.query.updateTable('door_scans').set(change).where('id', '=', id).execute();
  }
  await insertScans(
    db,
    scans.filter(({ id }) => id === 0),
  );
  await reportLateRefusals(
    db,
    scans.flatMap((scan) => (scan.reported ? { scan, ...scan.reported } : [])),
  );
  await settleAll(
    db,
    [...visits.values()].filter(({ isChanged }) => isChanged),
    now,
  );
}

async function insertScans(db: Database, fresh: readonly KeptScan[]): Promise<void> {
  if (fresh.length === 0) return;
  const rows = await db.query
    .insertInto('door_scans')
    .values(fresh.map(storedColumns))
    .returning(['id', 'device_id', 'scan_id'])
    .execute();
  const ids = new Map(rows.map(({ id, device_id, scan_id }) => [`${device_id} ${scan_id}`, id]));
  for (const row of fresh) {
    row.id = ids.get(`${row.device_id} ${row.scan_id}`) ?? 0;
    if (row.passage) Object.assign(row.passage, { key: scanKey(row.id), scanId: row.id });
  }
}

const storedColumns = ({
  id: _id,
  isChanged: _changed,
  reported: _reported,
  passage: _passage,
  ...columns
}: KeptScan): Insertable<DoorScansTable> => columns;
