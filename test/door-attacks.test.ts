import { beforeAll, describe, expect, it } from 'vitest';
import { endpoints } from '../src/app.ts';
import { type Counter, type DeviceScan, loadBatch } from '../src/ticketing/door/scan-batch.ts';
import { codeOf, makeAttendee, makeSeat } from './attendees.ts';
import { makeGate, pairDevice, scanOf, type TestDevice } from './door.ts';
import { type Everything, makeEverything } from './fixtures.ts';
import { SAMPLES } from './samples.ts';
import { BOTH_DATABASES, type TestServer, useTestServer } from './server.ts';
import { effort, usualDatabases } from './thoroughness.ts';
import { makeEvent } from './tickets.ts';

/** Lost and copied devices, photographed pairing codes, and scans that claim what is not so. */

async function evening(server: TestServer, fields: Record<string, unknown> = {}) {
  const event = await makeEvent(server);
  const ticket = await makeSeat(server, event, 100);
  return { event, ticket, gate: await makeGate(server, [event], fields) };
}

async function guest(server: TestServer, ticket: number) {
  const { id } = await makeAttendee(server, ticket);
  return { id, code: await codeOf(server, id) };
}

const isIn = async (server: TestServer, id: number): Promise<boolean> =>
  (await server.ask(`GET tickets:/attendees/${id}`, { as: 'administrator' })).body.checked_in;

describe.each(BOTH_DATABASES)('a photographed pairing code on %s', (kind) => {
  const server = useTestServer(kind);

  const pair = async (code: string) => {
    const { status, body } = await server().ask('POST admin:/door/pair', { body: { code } });
    return [status, body.code];
  };
  const REFUSED = [403, 'pairing-code-invalid'];

  it.each([
    ['its device is revoked', (_gate: number, id: number) => `DELETE admin:/door/devices/${id}`, {}],
    ['its gate is deleted', (gate: number) => `DELETE admin:/door/gates/${gate}`, {}],
    ['its gate has expired', (gate: number) => `PATCH admin:/door/gates/${gate}`, { expires: '2026-11-21 16:00:00' }],
  ])('pairs no device once %s', async (_case, call, body) => {
    const { gate } = await evening(server());
    const made = await server().make(`POST admin:/door/gates/${gate}/pairings`, {});
    await server().make(call(gate, made.id), body);
    expect(await pair(made.code)).toEqual(REFUSED);
  });

  it('is in no list and no log', async () => {
    const { gate } = await evening(server());
    const { code } = await server().make(`POST admin:/door/gates/${gate}/pairings`, {});
    for (const call of [`GET admin:/door/gates/${gate}/devices`, 'GET admin:/audit', 'GET admin:/door/gates'])
      expect((await server().ask(call, { as: 'administrator' })).text).not.toContain(code);
    const stored = await server().context.db.query.selectFrom('door_devices').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(code);
  });
});

describe.each(usualDatabases)('the token of a lost phone on %s', (kind) => {
  const server = useTestServer(kind);
  let world: Everything;
  let headers: Record<string, string>;
  beforeAll(async () => {
    world = await makeEverything(server());
    const { gate } = await evening(server(), { may_sell: true, may_search: true, may_undo: true, may_override: true });
    headers = { 'x-api-key': (await pairDevice(server(), gate)).token };
  });

  it('opens the requests for devices, and no others', async () => {
    const opened: string[] = [];
    let closed = 0;
    for (const { name, namespace, methods, path } of endpoints) {
      const { path: values = [], session, device: _device, ...sample } = (await SAMPLES[name]?.(world, server())) ?? {};
      if (session !== undefined) continue;
      const rest = values.map(String);
      const call = `${methods[0]} ${namespace}:${path.replace(/\{\w+\}/g, () => rest.shift() ?? '')}`;
      const asStranger = await server().ask(call, { ...sample });
      if (asStranger.status !== 401 && asStranger.status !== 403) continue;
      closed += 1;
      const { status } = await server().ask(call, { ...sample, headers: { ...sample.headers, ...headers } });
      if (status !== 401 && status !== 403) opened.push(name);
    }
    expect(opened.sort()).toEqual([
      ...['door.attendees', 'door.hello', 'door.offers', 'door.sales', 'door.scans', 'door.sell', 'door.take_payment'],
    ]);
    expect(closed).toBeGreaterThan(150);
  });
});

describe.each(BOTH_DATABASES)('scans of a changed app on %s', (kind) => {
  const server = useTestServer(kind);

  it('get one response for an id, and let in no other ticket by it', async () => {
    const { ticket, gate } = await evening(server());
    const [first, second] = [await guest(server(), ticket), await guest(server(), ticket)];
    const device = await pairDevice(server(), gate);
    const scan = scanOf(server(), first.id, first.code);
    await device.scan(scan);
    const reused = { ...scan, attendee: second.id, code: second.code, let_in: true };
    expect((await device.scan(reused))[0]).toMatchObject({ verdict: 'welcome', attendee: { id: first.id } });
    expect(await isIn(server(), second.id)).toBe(false);
  });

  it('find no ticket without its code, unless the gate may search', async () => {
    const { ticket, gate } = await evening(server(), { may_search: false });
    const { id } = await guest(server(), ticket);
    const device = await pairDevice(server(), gate);
    const scan = async () => (await device.scan(scanOf(server(), id, undefined, { let_in: true })))[0].verdict;
    expect(await scan()).toBe('not-allowed');
    expect(await isIn(server(), id)).toBe(false);
    await server().make(`PATCH admin:/door/gates/${gate}`, { may_search: true });
    expect(await scan()).toBe('welcome');
  });

  it('undo scans of their own device only, and only where the gate allows it', async () => {
    const { ticket, gate } = await evening(server(), { may_undo: false });
    const { id, code } = await guest(server(), ticket);
    const [device, other] = [await pairDevice(server(), gate), await pairDevice(server(), gate)];
    const scan = scanOf(server(), id, code);
    await device.scan(scan);
    const undo = () => scanOf(server(), id, undefined, { mode: 'undo', undoes: scan.id });
    expect((await device.scan(undo()))[0].verdict).toBe('not-undone');
    await server().make(`PATCH admin:/door/gates/${gate}`, { may_undo: true });
    await other.scan(undo());
    expect(await isIn(server(), id)).toBe(true);
    expect((await device.scan(undo()))[0].verdict).toBe('undone');
    expect(await isIn(server(), id)).toBe(false);
  });

  it('take one scan back any number of times, of which later batches read none', async () => {
    const { ticket, gate } = await evening(server(), { may_undo: true });
    const { id, code } = await guest(server(), ticket);
    const device = await pairDevice(server(), gate);
    const scan = scanOf(server(), id, code);
    await device.scan(scan);
    const undos = () =>
      Array.from({ length: 100 }, () => scanOf(server(), id, undefined, { mode: 'undo', undoes: scan.id }));
    expect(new Set((await device.scan(...undos())).map(({ verdict }) => verdict))).toEqual(new Set(['undone']));
    const counter = { device, events: [], now: server().clock.now } as unknown as Counter;
    const again = [{ ...scan, overrides: false }, ...undos()] as unknown as DeviceScan[];
    const read = (await loadBatch(server().context.db, [{ counter, scans: again }])).scans;
    expect(read.map(({ scan_id }) => scan_id)).toEqual([scan.id]);
    expect(await isIn(server(), id)).toBe(false);
  });

  /** Sends a queue, each part twice at once; returns the verdicts of the responses and of the stored scans. */
  async function sendQueue(device: TestDevice, scans: Record<string, unknown>[]) {
    const verdicts: string[] = [];
    for (let from = 0; from < scans.length; from += 100) {
      const part = scans.slice(from, from + 100);
      const answers = await Promise.all([device.scan(...part), device.scan(...part)]);
      const [first = [], again] = answers.map((one) => one.map(({ verdict }) => verdict as string));
      expect(again).toEqual(first);
      verdicts.push(...first);
    }
    const kept = server().context.db.query.selectFrom('door_scans').selectAll().where('device_id', '=', device.id);
    return { verdicts, kept: (await kept.orderBy('id').execute()).map(({ verdict }) => verdict) };
  }

  const passageOf = (guest: { id: number; code: string | undefined }, index: number) =>
    scanOf(server(), guest.id, guest.code, { mode: index % 2 === 0 ? 'in' : 'out', let_in: true });

  it('in a queue of 5,000 are each kept once, in their order', async () => {
    const { ticket, gate } = await evening(server());
    const guests = await Promise.all(Array.from({ length: 20 }, () => guest(server(), ticket)));
    const device = await pairDevice(server(), gate);
    const scans = Array.from({ length: effort(5000, 1000) }, (_, index) =>
      passageOf(guests[(index >> 1) % 20] as (typeof guests)[0], index),
    );
    const { verdicts, kept } = await sendQueue(device, scans);
    expect(kept).toEqual(verdicts);
    expect(new Set(verdicts)).toEqual(new Set(['welcome', 'goodbye']));
  });

  it('pass with one ticket a thousand times, and no more, so that its next scan takes no longer', async () => {
    const { ticket, gate } = await evening(server());
    const one = await guest(server(), ticket);
    const device = await pairDevice(server(), gate);
    const scans = Array.from({ length: 1200 }, (_, index) => passageOf(one, index));
    const { verdicts, kept } = await sendQueue(device, scans);
    expect(kept).toEqual(verdicts);
    expect([verdicts.indexOf('not-allowed'), new Set(verdicts.slice(1000)).size]).toEqual([1000, 1]);
  });

  it('pass no more often with one ticket by deciding after their responses', async () => {
    const { ticket, gate } = await evening(server());
    const { id, code } = await guest(server(), ticket);
    const device = await pairDevice(server(), gate);
    const scans = Array.from({ length: 1100 }, () => scanOf(server(), id, code));
    expect(new Set((await sendQueue(device, scans)).verdicts)).toEqual(new Set(['welcome', 'already-in']));
    await sendQueue(
      device,
      scans.map((scan) => ({ ...scan, let_in: true })),
    );
    const { query } = server().context.db;
    const counted = query.selectFrom('door_scans').select('id').where('attendee_id', '=', id).where('counts', '=', 1);
    expect(await counted.execute()).toHaveLength(1000);
  });
});

describe.each(BOTH_DATABASES)('a code of another day on %s', (kind) => {
  const server = useTestServer(kind, { checkInWindow: { isOn: true, buffer: 30 } });

  it.each([
    ['2026-11-21T16:59:59Z', 'too-early'],
    ['2026-11-21T17:00:00Z', 'welcome'],
    ['2026-11-21T20:29:59Z', 'welcome'],
    ['2026-11-21T20:30:01Z', 'too-late'],
  ])('at %s is %s', async (moment, verdict) => {
    const { clock } = server();
    const before = clock.now;
    // A scan is never before the pairing.
    clock.now = new Date('2026-11-21T12:00:00Z');
    const times = { start_date: '2026-11-21 18:30:00', end_date: '2026-11-21 21:00:00', timezone: 'Europe/Paris' };
    const event = await makeEvent(server(), times);
    const device = await pairDevice(server(), await makeGate(server(), [event]));
    const { id, code } = await guest(server(), await makeSeat(server(), event));
    clock.now = new Date(moment);
    const [answer] = await device.scan(scanOf(server(), id, code));
    clock.now = before;
    expect(answer.verdict).toBe(verdict);
    expect(await isIn(server(), id)).toBe(verdict === 'welcome');
  });
});
