import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { chanceOf, type RandomSource } from '../bench/random.ts';
import type { Database } from '../src/db/database.ts';
import { attend, openEvent, openTicket } from './race-actions.ts';
import { DATABASES } from './server.ts';
import { effort } from './thoroughness.ts';
import { crowd, type RaceAnswer, type Servers, startServers } from './two-servers.ts';

/**
 * Devices at the door, over HTTP, at two processes on one database: random scans, clocks, losses, repetitions and gates.
 * Whatever happens, each scan is answered once, each ticket has one entry, the earliest, each other one is a clash, and no
 * change is missing from a list. Without the guards this must fail.
 */

const HOUR = 3_600_000;
const ROUNDS = effort(30, 2);
const TICKETS = 6;
const DEVICES = 4;
const SCANS = 40;

interface Device {
  token: string;
  /** Clock of the server minus its clock, in milliseconds. */
  offset: number;
}

interface Ticket {
  id: number;
  code: string;
}

interface Door {
  event: number;
  devices: Device[];
  tickets: Ticket[];
}

const need = async (answer: Promise<RaceAnswer>, status: number) => {
  const { status: got, body } = await answer;
  if (got !== status) throw new Error(`answered ${got} ${JSON.stringify(body)}`);
  return body;
};

/** An event with two gates, devices that were paired three hours ago, and tickets. */
async function openDoor(servers: Servers, chance: RandomSource): Promise<Door> {
  const event = await openEvent(servers);
  const seat = await openTicket(servers, event, { mode: 'own', capacity: 1000 });
  const gates: number[] = [];
  for (const name of ['North', 'South']) {
    const body = { name, event_ids: [event] };
    gates.push((await need(servers.ask('POST admin:/door/gates', { body }), 201)).id);
  }
  const devices: Device[] = [];
  for (let index = 0; index < DEVICES; index += 1) {
    const { code } = await need(servers.ask(`POST admin:/door/gates/${gates[index % 2]}/pairings`, { body: {} }), 201);
    const paired = await need(servers.ask('POST admin:/door/pair', { body: { code }, anonymous: true }), 201);
    devices.push({ token: paired.token, offset: Math.round((chance.next() - 0.5) * 10 * 365 * 24) * HOUR });
  }
  const paired_utc = new Date(Date.now() - 3 * HOUR).toISOString().slice(0, 19).replace('T', ' ');
  await servers.db.query.updateTable('door_devices').set({ paired_utc }).where('gate_id', 'in', gates).execute();
  const tickets = await crowd(TICKETS, 4, async (index) => {
    const { id } = await need(attend(servers, seat, index), 201);
    const row = await servers.db.query.selectFrom('attendees').select('security_code').where('id', '=', id).execute();
    return { id: Number(id), code: row[0]?.security_code ?? '' };
  });
  return { event, devices, tickets };
}

interface Scan {
  device: Device;
  ticket: Ticket;
  /** True time, in milliseconds. */
  at: number;
  body: { id: string; let_in?: boolean };
}

let serial = 0;

/** Scans of an evening: offline, where a device admits each ticket once, or online, where it waits for the answer. */
function scansOf({ devices, tickets }: Door, chance: RandomSource): Scan[] {
  const from = Date.now() - 2 * HOUR;
  const scans = Array.from({ length: SCANS }, () => {
    const isOnline = chance.next() < 0.4;
    return {
      ...{ device: chance.pick(devices), ticket: chance.pick(tickets), isOnline },
      at: isOnline ? Date.now() : from + Math.floor(chance.next() * HOUR),
    };
  });
  const admitted = new Set<string>();
  return scans
    .toSorted((one, other) => one.at - other.at)
    .map(({ device, ticket, at, isOnline }) => {
      const own = `${device.token} ${ticket.id}`;
      const let_in = isOnline ? undefined : !admitted.has(own);
      if (let_in) admitted.add(own);
      const time = new Date(at - device.offset).toISOString();
      const id = `race-${String(++serial).padStart(8, '0')}`;
      const body = { id, mode: 'in', attendee: ticket.id, code: ticket.code, time, offset: device.offset, let_in };
      return { device, ticket, at, body };
    });
}

interface ScanAnswer {
  id: string;
  verdict: string;
  attendee: { since: string } | null;
}

/** Sends queues in parts and in any order; some requests are sent to both processes, and some again later. */
async function sendAll(servers: Servers, door: Door, scans: readonly Scan[], chance: RandomSource) {
  const answers = new Map<string, Set<string>>();
  const send = async (device: Device, part: readonly Scan[], process?: number) => {
    const headers = { 'x-api-key': device.token };
    const body = { scans: part.map((scan) => scan.body) };
    const answer = await need(servers.ask('POST admin:/door/scans', { body, headers, process, anonymous: true }), 200);
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
      // The device was restarted before it noted some answers.
      for (const { part, isRepeated } of parts) if (isRepeated) await send(device, part);
    }),
  );
  return answers;
}

const seconds = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

/** Faults after an evening. */
async function faultsOf(servers: Servers, chance: RandomSource): Promise<string[]> {
  const door = await openDoor(servers, chance);
  const scans = scansOf(door, chance);
  const answers = await sendAll(servers, door, scans, chance);
  const faults: string[] = [];
  const { query } = servers.db;
  const kept = await query.selectFrom('door_scans').select('scan_id').where('event_id', '=', door.event).execute();
  if (kept.length !== scans.length) faults.push(`${kept.length} of ${scans.length} scans are kept`);
  for (const { body } of scans) {
    if (answers.get(body.id)?.size !== 1) faults.push(`${body.id}: ${[...(answers.get(body.id) ?? [])]}`);
  }
  for (const { id } of door.tickets) {
    const let_in = scans.filter(({ ticket, body }) => {
      const isWelcome = body.let_in === undefined && answers.get(body.id)?.has('welcome');
      return ticket.id === id && (body.let_in || isWelcome);
    });
    const entries = await query.selectFrom('check_ins').selectAll().where('attendee_id', '=', id).execute();
    const clashes = await query.selectFrom('door_clashes').select('id').where('attendee_id', '=', id).execute();
    const row = await query.selectFrom('attendees').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const first = let_in.toSorted((one, other) => one.at - other.at)[0];
    const wanted = first ? [1, 1, let_in.length - 1] : [0, 0, 0];
    const found = [row.checked_in, entries.length, clashes.length];
    if (String(found) !== String(wanted)) faults.push(`ticket ${id} has ${found}, not ${wanted}`);
    if (first?.body.let_in && row.checkin_utc !== seconds(first.at)) {
      faults.push(`ticket ${id} entered at ${row.checkin_utc}, not ${seconds(first.at)}`);
    }
  }
  return faults;
}

type Row = [id: number, ...rest: unknown[]];

/** Rows of a list after `since`, and the token to continue with. */
async function readList(servers: Servers, { token: key }: Device, rows: Map<number, Row>, since?: string) {
  let token = since;
  for (let more = true; more; ) {
    const query = token === undefined ? '' : `?since=${token}`;
    const headers = { 'x-api-key': key };
    const body = await need(servers.ask(`GET admin:/door/attendees${query}`, { headers, anonymous: true }), 200);
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
  const chance = chanceOf(Number(process.env.TEST_SEED ?? 20_261_122));
  beforeAll(async () => {
    servers = await startServers(kind, { postgresUrl: inject('postgresUrl') });
  });
  afterAll(() => servers?.close());

  it('have every scan answered once, one entry for each ticket, and every clash reported', async () => {
    for (let round = 0; round < ROUNDS; round += 1) expect(await faultsOf(servers, chance)).toEqual([]);
  });

  it('miss no change of their list', async () => {
    for (let round = 0; round < ROUNDS; round += 1) expect(await missedChanges(servers, chance)).toBe(0);
  });

  // SQLite has one writer at a time.
  it.each(concurrent)('learn of changes by transactions that began before their gate', async () => {
    const { event, devices, tickets } = await openDoor(servers, chance);
    const [device, ticket] = [devices[0], tickets[0]];
    if (!device || !ticket) throw new Error('there is no device');
    const gates = await servers.db.query
      .selectFrom('gate_events')
      .select('gate_id')
      .where('event_id', '=', event)
      .execute();
    const link = (event_ids: number[]) =>
      need(servers.ask(`PATCH admin:/door/gates/${gates[0]?.gate_id}`, { body: { event_ids } }), 200);
    for (const { gate_id } of gates)
      await need(
        servers.ask(`PATCH admin:/door/gates/${gate_id}`, { body: { event_ids: [await openEvent(servers)] } }),
        200,
      );
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const late = servers.db.transaction(async (db) => {
      await rename(db, ticket, 'Unrecorded');
      begun.resolve();
      await ended.promise;
    });
    await begun.promise;
    await link([event]);
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

  // SQLite has one writer at a time, which no statement undoes.
  describe.each(concurrent)('without the guards', () => {
    const goesWrong = async (round: () => Promise<number>) => {
      await servers.unguard();
      for (let rounds = 0; rounds < 10; rounds += 1) if ((await round()) > 0) return true;
      return false;
    };

    it('let a holder in twice unseen', async () => {
      expect(await goesWrong(async () => (await faultsOf(servers, chance)).length)).toBe(true);
    });

    it('miss changes', async () => {
      expect(await goesWrong(() => missedChanges(servers, chance))).toBe(true);
    });
  });
});
