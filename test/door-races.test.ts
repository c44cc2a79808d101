import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { chanceOf, type RandomSource } from '../bench/random.ts';
import type { Database } from '../src/db/database.ts';
import { type FaultyProxy, startProxy } from './faults/proxy.ts';
import { attend, need, openEvent, openGate, openTicket, pairDevice } from './race-actions.ts';
import { DATABASES } from './server.ts';
import { effort } from './thoroughness.ts';
import { crowd, type Servers, startServers } from './two-servers.ts';

/**
 * Devices at the door, over HTTP, at two processes on one database: random scans in and out, undone scans, clocks,
 * losses, repetitions, gates and faults of the servers. Whatever happens, each scan gets one response, entries and
 * exits of each ticket follow the order of their times, each entry with a used ticket is a clash, and no change is
 * missing from a list. Without the guards this must fail.
 */

const HOUR = 3_600_000;
const ROUNDS = effort(30, 2);
const TICKETS = 6;
const DEVICES = 4;
const SCANS = 40;
const MINUTE = 60_000;
const REENTRIES = ['after_out', 'never'] as const;

interface Device {
  token: string;
  /** Rule of its gate. */
  reentry: 'after_out' | 'never';
  /** Clock of the server minus its clock, in milliseconds. */
  offset: number;
}

interface Ticket {
  id: number;
  code: string;
}

interface Door {
  event: number;
  gates: number[];
  devices: Device[];
  tickets: Ticket[];
}

/** An event with two gates, devices that were paired three hours ago, and tickets. */
async function openDoor(servers: Servers, chance: RandomSource): Promise<Door> {
  const event = await openEvent(servers);
  const seat = await openTicket(servers, event, { mode: 'own', capacity: 1000 });
  const gates: number[] = [];
  for (const reentry of REENTRIES) gates.push(await openGate(servers, [event], { reentry }));
  const devices: Device[] = [];
  for (let index = 0; index < DEVICES; index += 1) {
    const offset = Math.round((chance.next() - 0.5) * 10 * 365 * 24) * HOUR;
    const token = await pairDevice(servers, gates[index % 2] ?? 0);
    devices.push({ token, reentry: REENTRIES[index % 2] ?? 'after_out', offset });
  }
  const paired_utc = new Date(Date.now() - 3 * HOUR).toISOString().slice(0, 19).replace('T', ' ');
  await servers.db.query.updateTable('door_devices').set({ paired_utc }).where('gate_id', 'in', gates).execute();
  const tickets = await crowd(TICKETS, 4, async (index) => {
    const { id } = await need(201, attend(servers, seat, index));
    const row = await servers.db.query.selectFrom('attendees').select('security_code').where('id', '=', id).execute();
    return { id: Number(id), code: row[0]?.security_code ?? '' };
  });
  return { event, gates, devices, tickets };
}

interface Scan {
  device: Device;
  ticket: Ticket;
  /** True time, in milliseconds. */
  at: number;
  body: { id: string; mode: 'in' | 'out' | 'undo'; let_in?: boolean; undoes?: string };
  isUndone: boolean;
}

let serial = 0;
const newId = (): string => `race-${String(++serial).padStart(8, '0')}`;

/**
 * Scans of an evening: offline, where a device admits each ticket once until its holder leaves, or online, where it
 * waits for the response. Some are undone, some of these too late.
 */
function scansOf({ devices, tickets }: Door, chance: RandomSource): Scan[] {
  // One reading of the clock for all scans, since scans of the same millisecond are ordered by arrival.
  const now = Date.now();
  const from = now - 2 * HOUR;
  const scans = Array.from({ length: SCANS }, (_, at) => {
    const isOnline = chance.next() < 0.4;
    return {
      ...{ device: chance.pick(devices), ticket: chance.pick(tickets), isOnline },
      mode: chance.next() < 0.25 ? ('out' as const) : ('in' as const),
      at: isOnline ? now - 1 - at : from + Math.floor(chance.next() * HOUR),
    };
  });
  const admitted = new Set<string>();
  return scans
    .toSorted((one, other) => one.at - other.at)
    .flatMap(({ device, ticket, at, isOnline, mode }) => {
      const own = `${device.token} ${ticket.id}`;
      const let_in = isOnline ? undefined : mode === 'out' || !admitted.has(own);
      if (let_in && mode === 'in') admitted.add(own);
      if (let_in && mode === 'out') admitted.delete(own);
      const by = (time: number) => ({ time: new Date(time - device.offset).toISOString(), offset: device.offset });
      const id = newId();
      const of = { attendee: ticket.id, code: ticket.code };
      const scan: Scan = { device, ticket, at, body: { id, mode, ...of, ...by(at), let_in }, isUndone: false };
      if (chance.next() > 0.2) return [scan];
      const isLate = !isOnline && chance.next() < 0.3;
      const later = at + (isLate ? 7 : 3) * MINUTE;
      const undo: Scan['body'] = { id: newId(), mode: 'undo', undoes: id, ...by(later) };
      return [
        { ...scan, isUndone: !isLate },
        { device, ticket, at: later, body: undo, isUndone: false },
      ];
    });
}

interface ScanAnswer {
  id: string;
  verdict: string;
  attendee: { since: string } | null;
}

/** Faults by the number of the request that they interrupt, with the process that it was sent to. */
type Faults = Readonly<Record<number, (process: number) => Promise<void> | void>>;

/**
 * Sends queues in parts and in any order; some requests are sent to both processes, and some again later. Devices send
 * again what a fault has interrupted.
 */
async function sendAll(servers: Servers, door: Door, scans: readonly Scan[], chance: RandomSource, faults?: Faults) {
  const answers = new Map<string, Set<string>>();
  let sent = 0;
  const happening: (Promise<void> | void)[] = [];
  const post = async (body: object, headers: Record<string, string>, wanted?: number) => {
    for (;;) {
      sent += 1;
      const process = wanted ?? sent % 2;
      const asked = servers.ask('POST admin:/door/scans', { body, headers, process, anonymous: true });
      if (!faults) return need(200, asked);
      happening.push(faults[sent]?.(process));
      const { status = 0, body: got } = (await asked.catch(() => undefined)) ?? {};
      if (status === 200) return got;
      if (status > 0 && status !== 503) throw new Error(`answered ${status} ${JSON.stringify(got)}`);
      await delay(20);
    }
  };
  const send = async (device: Device, part: readonly Scan[], process?: number) => {
    const answer = await post({ scans: part.map((scan) => scan.body) }, { 'x-api-key': device.token }, process);
    for (const { id, verdict } of answer.scans as ScanAnswer[])
      answers.set(id, (answers.get(id) ?? new Set()).add(verdict));
  };
  const queues = door.devices.map((device) => {
    const queue = scans.filter((scan) => scan.device === device).toSorted(() => chance.next() - 0.5);
    const parts: Scan[][] = [];
    while (queue.length > 0) parts.push(queue.splice(0, 1 + Math.floor(chance.next() * 8)));
    return {
      device,
      parts: parts.map((part) => ({ part, isTwice: chance.next() < 0.3, isRepeated: chance.next() < 0.2 })),
    };
  });
  await Promise.all(
    queues.map(async ({ device, parts }) => {
      for (const { part, isTwice } of parts) {
        await Promise.all(isTwice ? [send(device, part, 0), send(device, part, 1)] : [send(device, part)]);
      }
      // The device was restarted before it noted some responses.
      for (const { part, isRepeated } of parts) if (isRepeated) await send(device, part);
    }),
  );
  await Promise.all(happening);
  if (faults && !Object.keys(faults).every((number) => Number(number) <= sent))
    throw new Error('a fault did not happen');
  return answers;
}

const seconds = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** State after the passages of a ticket, in the order of their times. */
function visitOf(passages: readonly Scan[]) {
  const visit = { isIn: false, hasLeft: false, changes: 0, clashes: 0, entry: undefined as Scan | undefined };
  for (const passage of passages.toSorted((one, other) => one.at - other.at)) {
    const isEntry = passage.body.mode === 'in';
    if (isEntry && (visit.isIn || (visit.hasLeft && passage.device.reentry === 'never'))) visit.clashes += 1;
    if (isEntry === visit.isIn) continue;
    Object.assign(visit, { isIn: isEntry, hasLeft: !isEntry, entry: isEntry ? passage : undefined });
    visit.changes += 1;
  }
  return visit;
}

/** Mistakes after an evening. */
async function mistakesOf(servers: Servers, chance: RandomSource, faults?: Faults): Promise<string[]> {
  const door = await openDoor(servers, chance);
  const scans = scansOf(door, chance);
  const answers = await sendAll(servers, door, scans, chance, faults);
  const mistakes: string[] = [];
  const { query } = servers.db;
  const devices = query
    .selectFrom('door_devices')
    .select('door_devices.id')
    .innerJoin('gate_events', 'gate_events.gate_id', 'door_devices.gate_id')
    .where('event_id', '=', door.event);
  const kept = await query.selectFrom('door_scans').select('scan_id').where('device_id', 'in', devices).execute();
  if (kept.length !== scans.length) mistakes.push(`${kept.length} of ${scans.length} scans are kept`);
  for (const { body } of scans) {
    if (answers.get(body.id)?.size !== 1) mistakes.push(`${body.id}: ${[...(answers.get(body.id) ?? [])]}`);
  }
  for (const { id } of door.tickets) {
    const passed = scans.filter(({ ticket, body, isUndone }) => {
      const isLetIn = body.let_in ?? ['welcome', 'goodbye'].some((verdict) => answers.get(body.id)?.has(verdict));
      return ticket.id === id && body.mode !== 'undo' && isLetIn && !isUndone;
    });
    const { isIn, changes, clashes: expected, entry } = visitOf(passed);
    const log = await query.selectFrom('check_ins').selectAll().where('attendee_id', '=', id).execute();
    const clashes = await query.selectFrom('door_clashes').select('id').where('attendee_id', '=', id).execute();
    const row = await query.selectFrom('attendees').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const wanted = [isIn ? 1 : 0, changes, expected];
    const found = [row.checked_in, log.length, clashes.length];
    if (String(found) !== String(wanted)) mistakes.push(`ticket ${id} has ${found}, not ${wanted}`);
    if (entry && row.checkin_utc !== seconds(entry.at)) {
      mistakes.push(`ticket ${id} entered at ${row.checkin_utc}, not ${seconds(entry.at)}`);
    }
  }
  return mistakes;
}

type Row = [id: number, ...rest: unknown[]];

/** Rows of a list after `since`, and the token to continue with. */
async function readList(servers: Servers, { token: key }: Device, rows: Map<number, Row>, since?: string) {
  let token = since;
  for (let more = true; more; ) {
    const query = token === undefined ? '' : `?since=${token}`;
    const headers = { 'x-api-key': key };
    const body = await need(200, servers.ask(`GET admin:/door/attendees${query}`, { headers, anonymous: true }));
    for (const row of body.attendees as Row[]) rows.set(row[0], row);
    token = body.token;
    more = body.more;
  }
  return token;
}

const rename = (db: Database, ticket: Ticket | undefined, full_name: string) =>
  db.query
    .updateTable('attendees')
    .set({ full_name })
    .where('id', '=', ticket?.id ?? 0)
    .execute();

/** Number of changes that a device has missed while many writers were at work. */
async function missedChanges(servers: Servers, chance: RandomSource): Promise<number> {
  const { devices, tickets } = await openDoor(servers, chance);
  const [device] = devices;
  if (!device) throw new Error('there is no device');
  const rows = new Map<number, Row>();
  let token = await readList(servers, device, rows);
  let isDone = false;
  const writing = crowd(30, TICKETS, async (index) => {
    const ticket = tickets[index % TICKETS];
    const ticks = Math.floor(chance.next() * 20);
    await servers.db.transaction(async (db) => {
      await rename(db, ticket, `Guest ${index}`);
      // Transactions end in another order than they begin.
      for (let tick = 0; tick < ticks; tick += 1) await db.query.selectFrom('site').select('name').execute();
    });
  }).finally(() => {
    isDone = true;
  });
  while (!isDone) token = await readList(servers, device, rows, token);
  await writing;
  // One transaction ends after a reading that began later.
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const late = servers.db.transaction(async (db) => {
    await rename(db, tickets[0], 'Late');
    begun.resolve();
    await ended.promise;
  });
  await begun.promise;
  if (servers.db.dialect.kind === 'postgres') await rename(servers.db, tickets[1], 'Early');
  token = await readList(servers, device, rows, token);
  ended.resolve();
  await late;
  await readList(servers, device, rows, token);
  const whole = new Map<number, Row>();
  await readList(servers, device, whole);
  return [...whole.values()].filter((row) => JSON.stringify(rows.get(row[0])) !== JSON.stringify(row)).length;
}

describe.each(DATABASES)('devices at two processes on %s', (kind) => {
  // SQLite has one writer, so that no transaction overtakes another.
  const concurrent = DATABASES.filter((one) => one === kind && one === 'postgres');
  let servers: Servers;
  let proxy: FaultyProxy | undefined;
  const chance = chanceOf(Number(process.env.TEST_SEED ?? 20_261_122));
  beforeAll(async () => {
    const route = async (url: string) => {
      proxy = await startProxy(url);
      return proxy.through(url);
    };
    servers = await startServers(kind, { postgresUrl: inject('postgresUrl'), route });
  });
  afterAll(async () => {
    await servers?.close();
    await proxy?.close();
  });

  it('get one response for every scan, entries in the order of their times, and every clash reported', async () => {
    for (let round = 0; round < ROUNDS; round += 1) expect(await mistakesOf(servers, chance)).toEqual([]);
  });

  it('lose no scan when processes are killed and connections to the database are cut', async () => {
    // Before, while or after the process takes the scans of the request.
    const soon = () => delay(chance.next() * 20);
    let restarted: Promise<unknown> = Promise.resolve();
    const kill = async (process: number) => {
      // One after the other, so that no process is restarted twice.
      restarted = restarted.then(async () => {
        await soon();
        await servers.kill(process);
        await servers.restart(process);
      });
      await restarted;
    };
    const cut = async () => {
      await soon();
      proxy?.cut();
      await delay(100);
      proxy?.mend();
    };
    const terminate = async () => {
      await soon();
      if (kind === 'postgres')
        await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND query NOT LIKE '%pg_terminate_backend%'`.execute(servers.db.query);
    };
    for (let round = 0; round < effort(15, 1); round += 1) {
      const faults = { 2: kill, 5: cut, 8: terminate, 11: kill, 14: terminate };
      expect(await mistakesOf(servers, chance, faults)).toEqual([]);
    }
  });

  it('miss no change of their list', async () => {
    for (let round = 0; round < ROUNDS; round += 1) expect(await missedChanges(servers, chance)).toBe(0);
  });

  // SQLite has one writer at a time.
  it.each(concurrent)('learn of changes by transactions that began before their gate', async () => {
    const { event, gates, devices, tickets } = await openDoor(servers, chance);
    const [gate, device, ticket] = [gates[0], devices[0], tickets[0]];
    if (!gate || !device || !ticket) throw new Error('there is no device');
    const link = (one: number, event_ids: number[]) =>
      need(200, servers.ask(`PATCH admin:/door/gates/${one}`, { body: { event_ids } }));
    for (const one of gates) await link(one, [await openEvent(servers)]);
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = servers.db.transaction(async (db) => {
      await rename(db, ticket, 'Unrecorded');
      begun.resolve();
      await ended.promise;
    });
    await begun.promise;
    await link(gate, [event]);
    const rows = new Map<number, Row>();
    let token = await readList(servers, device, rows);
    ended.resolve();
    await late;
    // Transactions on other databases of the server may be older than the gate, too: the list begins anew after them.
    for (let tries = 0; tries < 500 && rows.get(ticket.id)?.[6] !== 'Unrecorded'; tries += 1) {
      token = await readList(servers, device, rows, token);
      await delay(20);
    }
    expect(rows.get(ticket.id)?.[6]).toBe('Unrecorded');
  });

  describe('without the guards', () => {
    const goesWrong = async (round: () => Promise<number>) => {
      await servers.unguard();
      for (let rounds = 0; rounds < 10; rounds += 1) if ((await round()) > 0) return true;
      return false;
    };

    it('let a holder in twice unseen', async () => {
      expect(await goesWrong(async () => (await mistakesOf(servers, chance)).length)).toBe(true);
    });

    it.each(concurrent)('miss changes', async () => {
      expect(await goesWrong(() => missedChanges(servers, chance))).toBe(true);
    });
  });
});
