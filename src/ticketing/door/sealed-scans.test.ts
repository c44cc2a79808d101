import { describe, expect, it } from 'vitest';
import { codeOf, makeAttendee, makeSeat } from '../../../test/attendees.ts';
import { makeGate, pairDevice, scanOf } from '../../../test/door.ts';
import { sealFor } from '../../../test/seal.ts';
import { BOTH_DATABASES, type TestServer, useTestServer } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';

/** A device with a ticket, and the key of the seal. */
async function evening(server: TestServer) {
  const event = await makeEvent(server);
  const { id } = await makeAttendee(server, await makeSeat(server, event, 10));
  const gate = await makeGate(server, [event]);
  const device = await pairDevice(server, gate);
  const { seal_key } = (await device.ask('POST admin:/door/hello')).body;
  return { event, gate, device, id, code: await codeOf(server, id), seal_key };
}

const send = async (server: TestServer, ...sealed: string[]) =>
  (await server.ask('POST admin:/door/sealed', { body: { sealed } })).body.accepted;

const clashesOf = async (server: TestServer, event_id: number) =>
  (await server.ask('GET admin:/door/clashes', { as: 'administrator', query: { event_id } })).body.clashes;

const isIn = async (server: TestServer, id: number) =>
  (await server.ask(`GET tickets:/attendees/${id}`, { as: 'administrator' })).body.checked_in;

describe.each(BOTH_DATABASES)('sealed scans on %s', (kind) => {
  const server = useTestServer(kind, { secretGuesses: { perAddress: 10, perAccount: 10 } }, { isFreshEachTime: true });

  it('arrive once, however often they are sent, also after the end of the gate', async () => {
    const { event, gate, device, id, code, seal_key } = await evening(server());
    const scans = [scanOf(server(), id, code, { let_in: true })];
    const envelope = await sealFor(seal_key, { token: device.token, scans });
    expect(envelope).not.toContain(code);
    await server().make(`PATCH admin:/door/gates/${gate}`, { expires: '2026-11-21 16:30:00' });
    expect(await send(server(), envelope, envelope)).toEqual([true, true]);
    expect(await isIn(server(), id)).toBe(true);
    expect(await clashesOf(server(), event)).toEqual([]);
  });

  it('of a revoked device admit no holder, and are reported', async () => {
    const { event, device, id, code, seal_key } = await evening(server());
    await server().ask(`DELETE admin:/door/devices/${device.id}`, { as: 'administrator' });
    const scans = [scanOf(server(), id, code, { let_in: true }), scanOf(server(), id, code)];
    expect(await send(server(), await sealFor(seal_key, { token: device.token, scans }))).toEqual([true]);
    expect(await isIn(server(), id)).toBe(false);
    expect(await clashesOf(server(), event)).toMatchObject([
      { kind: 'late-refusal', reason: 'not-allowed', closed_utc: null },
    ]);
    const kept = server()
      .context.db.query.selectFrom('door_scans')
      .select('verdict')
      .where('device_id', '=', device.id);
    expect((await kept.execute()).map(({ verdict }) => verdict)).toEqual(['not-allowed', 'not-allowed']);
  });

  it('take a scan back as others do, but not once their device is revoked', async () => {
    const { gate, device, id, code, seal_key } = await evening(server());
    await server().make(`PATCH admin:/door/gates/${gate}`, { may_undo: true });
    const undone = async () => {
      const scan = scanOf(server(), id, code);
      await device.scan(scan);
      expect(await isIn(server(), id)).toBe(true);
      return sealFor(seal_key, {
        token: device.token,
        scans: [scanOf(server(), id, undefined, { mode: 'undo', undoes: scan.id })],
      });
    };
    expect(await send(server(), await undone())).toEqual([true]);
    expect(await isIn(server(), id)).toBe(false);
    const late = await undone();
    await server().ask(`DELETE admin:/door/devices/${device.id}`, { as: 'administrator' });
    expect(await send(server(), late)).toEqual([true]);
    expect(await isIn(server(), id)).toBe(true);
  });

  it('are refused if they are changed, invented or of no device, and guesses are limited', async () => {
    const { device, id, code, seal_key } = await evening(server());
    const other = (await evening(server())).seal_key;
    expect(other).toBe(seal_key);
    const scans = [scanOf(server(), id, code)];
    const right = await sealFor(seal_key, { token: device.token, scans });
    const changed = `${right.slice(0, -2)}AA`;
    const unknown = await sealFor(seal_key, { token: `door-${'0'.repeat(64)}`, scans });
    const bad = await sealFor(seal_key, { token: device.token, scans: [{ id: 'x' }] });
    expect(await send(server(), changed, unknown, bad, 'x', right)).toEqual([false, false, false, false, true]);
    const statuses = [];
    for (let index = 0; index < 8; index += 1) {
      statuses.push((await server().ask('POST admin:/door/sealed', { body: { sealed: ['x'] } })).status);
    }
    expect(statuses.at(-1)).toBe(429);
    expect((await server().ask('POST admin:/door/sealed', { body: { sealed: Array(21).fill('x') } })).status).toBe(400);
  });
});
