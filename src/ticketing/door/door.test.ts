import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { makeAttendee, makeSeat } from '../../../test/attendees.ts';
import {
  makeGate,
  openEvening,
  pairDevice,
  passMinutes,
  readAttendee,
  scanOf,
  whenSettled,
} from '../../../test/door.ts';
import { BOTH_DATABASES, useTestServer } from '../../../test/server.ts';
import { makeEvent } from '../../../test/tickets.ts';
import { type DoorRow, digestText, digestWith, EMPTY_DIGEST } from '../../lib/door/door-list.ts';

describe.each(BOTH_DATABASES)('gates and devices on %s', (kind) => {
  const server = useTestServer(kind);

  it('keep their values, and change only those that are sent', async () => {
    const { event, ticket, gate } = await openEvening(server());
    const body = { reentry: 'never', modes: 'in,look', ticket_ids: [ticket], strict_minutes: 15, needs_pin: true };
    const changed = await server().make(`PATCH admin:/door/gates/${gate}`, body);
    expect(changed).toMatchObject({
      ...{ name: 'North', event_ids: [event], reentry: 'never', modes: ['in', 'look'], ticket_ids: [ticket] },
      ...{ strict_minutes: 15, needs_pin: true, may_sell: false, expires_utc: null, devices: 0 },
    });
    const again = await server().make(`PATCH admin:/door/gates/${gate}`, { ticket_ids: null, strict_minutes: null });
    expect(again).toMatchObject({ reentry: 'never', ticket_ids: [], strict_minutes: null });
    const { body: list } = await server().ask('GET admin:/door/gates', { as: 'editor', query: { event_id: event } });
    expect(list).toMatchObject({ total: 1, gates: [{ id: gate }] });
  });

  it('refuse events and tickets that do not exist or belong elsewhere', async () => {
    const [one, other] = [await openEvening(server()), await openEvening(server())];
    const ask = async (body: object) =>
      (await server().ask('POST admin:/door/gates', { as: 'editor', body: { name: 'Gate', ...body } })).status;
    expect(await ask({ event_ids: [999_999] })).toBe(400);
    expect(await ask({ event_ids: [one.event], ticket_ids: [other.ticket] })).toBe(400);
    expect(await ask({ event_ids: Array.from({ length: 51 }, (_, index) => index + 1) })).toBe(400);
  });

  it('pair once by a code, within ten minutes', async () => {
    const { gate } = await openEvening(server());
    const made = await server().make(`POST admin:/door/gates/${gate}/pairings`, { name: 'Ada’s phone' });
    expect(made).toMatchObject({ state: 'waiting', paired_utc: null, last_seen_utc: null });
    const code = `${made.code.slice(0, 5).toLowerCase()}-${made.code.slice(5)} `;
    const answers = await Promise.all(
      [1, 2, 3].map(() => server().ask('POST admin:/door/pair', { body: { code, name: 'Bo’s phone' } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
    const { body } = answers.find(({ status }) => status === 201) ?? { body: {} };
    expect(body).toMatchObject({ token: expect.stringMatching(/^door-[0-9a-f]{64}$/), device: { name: 'Bo’s phone' } });
    const late = await server().make(`POST admin:/door/gates/${gate}/pairings`, {});
    passMinutes(server(), 10);
    const refused = await server().ask('POST admin:/door/pair', { body: { code: late.code } });
    expect([refused.status, refused.body.code]).toEqual([403, 'pairing-code-invalid']);
  });

  it('can do nothing once they are revoked, their gate expires or is deleted', async () => {
    const { gate, id, code } = await openEvening(server());
    const [one, other] = [await pairDevice(server(), gate), await pairDevice(server(), gate, 'Other')];
    expect((await one.ask('POST admin:/door/hello', { body: { queue: 3, battery: 80 } })).body).toMatchObject({
      gate: { id: gate, name: 'North' },
      server_time: server().clock.now.toISOString(),
    });
    await server().make(`PATCH admin:/door/gates/${gate}`, { expires: '+1 hour' });
    expect((await server().ask(`DELETE admin:/door/devices/${one.id}`, { as: 'administrator' })).body.state).toBe(
      'revoked',
    );
    const calls = async (device: typeof one) => [
      (await device.ask('POST admin:/door/hello')).status,
      (await device.ask('GET admin:/door/attendees')).status,
      (await device.ask('POST admin:/door/scans', { body: { scans: [scanOf(server(), id, code)] } })).status,
      (await device.ask('GET tickets:/attendees')).body.attendees?.[0]?.email,
    ];
    expect(await calls(one)).toEqual([401, 401, 401, undefined]);
    expect((await calls(other)).slice(0, 3)).toEqual([200, 200, 200]);
    passMinutes(server(), 61);
    expect(await calls(other)).toEqual([401, 401, 401, undefined]);
    await server().make(`PATCH admin:/door/gates/${gate}`, { expires: null });
    expect((await other.ask('POST admin:/door/hello')).status).toBe(200);
    expect((await server().ask(`DELETE admin:/door/gates/${gate}`, { as: 'administrator' })).status).toBe(200);
    expect(await calls(other)).toEqual([401, 401, 401, undefined]);
    expect((await readAttendee(server(), id)).checked_in).toBe(true);
  });
});

describe.each(BOTH_DATABASES)('limits on pairing codes on %s', (kind) => {
  const server = useTestServer(kind, { secretGuesses: { perAddress: 5, perAccount: 5 } });

  it('refuse even the right code after too many wrong ones, from that address only', async () => {
    const { gate } = await openEvening(server());
    const { code } = await server().make(`POST admin:/door/gates/${gate}/pairings`, {});
    const guess = (body: object, from: string) => server().ask('POST admin:/door/pair', { body: { ...body }, from });
    const guesses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => guess({ code: `000000000${index}` }, '192.0.2.7')),
    );
    expect(guesses.map(({ status }) => status).sort()).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
    expect((await guess({ code }, '192.0.2.7')).status).toBe(429);
    expect((await guess({ code }, '198.51.100.7')).status).toBe(201);
  });
});

describe.each(BOTH_DATABASES)('the list at the door on %s', (kind) => {
  const server = useTestServer(kind);

  it('has the data that devices need, and no other', async () => {
    const { event, ticket, gate, id, code } = await openEvening(server());
    const device = await pairDevice(server(), gate);
    const { text, body } = await device.ask('GET admin:/door/attendees');
    const { list_secret } = (await device.ask('POST admin:/door/hello')).body;
    const proof = createHmac('sha256', Buffer.from(list_secret, 'base64url')).update(`${id}:${code}`).digest();
    const purchase = expect.any(Number);
    expect(body.attendees).toEqual([
      [id, event, ticket, 'ok', '', 0, 'Ada Park', purchase, 0, id, proof.subarray(0, 12).toString('base64url'), ''],
    ]);
    expect(body).toMatchObject({
      more: false,
      reset: true,
      gone: [],
      events: [{ id: event }],
      tickets: [{ id: ticket }],
    });
    for (const secret of [code, 'ada@party.test', '@']) expect(text).not.toContain(secret);
  });

  it('shows names as the gate says', async () => {
    const { gate, id } = await openEvening(server(), { names: 'short' });
    const device = await pairDevice(server(), gate);
    const short = await device.list();
    expect(short.rows.get(id)?.[6]).toBe('Ada P.');
    await server().make(`PATCH admin:/door/gates/${gate}`, { names: 'none' });
    const { body } = await device.ask('GET admin:/door/attendees', { query: { since: short.token } });
    expect([body.reset, body.attendees[0][6]]).toEqual([true, '']);
  });

  it('continues with what has changed, and is 304 while nothing does', async () => {
    const { event, ticket, gate, id } = await openEvening(server());
    const device = await pairDevice(server(), gate);
    const { token } = await device.list();
    await whenSettled(server(), gate);
    const settled = await device.list(token);
    const unchanged = await device.ask('GET admin:/door/attendees', { query: { since: settled.token } });
    expect(unchanged.body.attendees).toEqual([]);
    const headers = { 'if-none-match': unchanged.headers.get('etag') ?? '' };
    expect((await device.ask('GET admin:/door/attendees', { query: { since: settled.token }, headers })).status).toBe(
      304,
    );
    const second = await makeAttendee(server(), ticket, { full_name: 'Bo Reed' });
    await server().ask(`POST tickets:/attendees/${id}`, { as: 'administrator', body: { check_in: true } });
    const changed = await device.list(settled.token);
    expect([...changed.rows.keys()].sort()).toEqual([id, second.id].sort());
    expect(changed.rows.get(id)?.[4]).toBe('2026-11-21 17:00:00');
    const elsewhere = await makeSeat(server(), await makeEvent(server()), 10);
    await server().make(`POST admin:/attendees/${id}/move`, { ticket_id: elsewhere });
    const moved = (await device.list(changed.token)).rows.get(id) ?? [];
    expect([moved[1] === event, moved[3], moved[6], moved[11]]).toEqual([false, 'cancelled', '', '']);
  });

  it('keeps tickets that were moved elsewhere, so that their signatures admit no holder', async () => {
    const { event, ticket, gate, id, code } = await openEvening(server());
    const last = await makeAttendee(server(), ticket);
    const [here, elsewhere] = [await makeEvent(server()), await makeEvent(server())];
    const move = async (event_id: number) =>
      server().make(`POST admin:/attendees/${id}/move`, { ticket_id: await makeSeat(server(), event_id, 10) });
    const device = await pairDevice(server(), gate);
    const { token } = await device.list();
    await move(here);
    await move(elsewhere);
    const { rows } = await device.list();
    const row = rows.get(id) ?? [];
    expect([...rows.keys()].sort((a, b) => a - b)).toEqual([id, last.id]);
    expect(row.slice(0, 9)).toEqual([id, elsewhere, expect.any(Number), 'cancelled', '', 0, '', 0, 0]);
    const changed = await device.list(token);
    expect(changed.rows.get(id)).toEqual(row);
    expect((await device.scan(scanOf(server(), id, code)))[0]).toMatchObject({
      ...{ verdict: 'other-event', attendee: null },
    });
    // Another code changes its proof, also at an event without a gate.
    await server().make(`POST admin:/attendees/${id}/security-code`, {});
    const renewed = await device.list(changed.token);
    expect([...renewed.rows.keys()]).toContain(id);
    expect(renewed.rows.get(id)?.[10]).not.toBe(row[10]);
    const { body } = await device.ask('GET admin:/door/attendees', { query: { since: renewed.token, digest: true } });
    const whole = (await device.list()).rows;
    const digest = [...whole.values()].reduce((sum, one) => digestWith(sum, one as DoorRow), EMPTY_DIGEST);
    expect(body.digest).toBe(digestText(digest));
    await move(event);
    expect((await device.list()).rows.get(id)?.[3]).toBe('ok');
  });

  it('knows tickets that were moved before the first gate of their event', async () => {
    const event = await makeEvent(server());
    const { id } = await makeAttendee(server(), await makeSeat(server(), event, 10));
    await server().make(`POST admin:/attendees/${id}/move`, {
      ticket_id: await makeSeat(server(), await makeEvent(server()), 10),
    });
    const device = await pairDevice(server(), await makeGate(server(), [event]));
    expect((await device.list()).rows.get(id)?.[3]).toBe('cancelled');
  });

  it('begins anew with a token of another gate, an invented one, and one from the future', async () => {
    const [one, other] = [await openEvening(server()), await openEvening(server())];
    const device = await pairDevice(server(), one.gate);
    const foreign = (await (await pairDevice(server(), other.gate)).list()).token;
    const own = (await device.list()).token;
    const future = own.replace(/changes\.\d+/, 'changes.999999999999999');
    for (const since of [foreign, 'x', future, `${own}.1`]) {
      const { body } = await device.ask('GET admin:/door/attendees', { query: { since } });
      expect([since, body.reset, body.attendees.map(([id]: number[]) => id)]).toEqual([since, true, [one.id]]);
    }
  });

  it('has notes for the door, which staff write', async () => {
    const { gate, id, code } = await openEvening(server());
    const device = await pairDevice(server(), gate);
    const { token } = await device.list();
    await server().make(`POST tickets:/attendees/${id}`, { door_note: 'Wheelchair, row 3' });
    expect((await device.list(token)).rows.get(id)?.[11]).toBe('Wheelchair, row 3');
    expect((await device.scan(scanOf(server(), id, code)))[0].attendee.note).toBe('Wheelchair, row 3');
    await server().make(`POST tickets:/attendees/${id}`, { door_note: null });
    const { door_note } = (await server().ask(`GET admin:/attendees/${id}`, { as: 'administrator' })).body;
    expect(door_note).toBe('');
  });

  it('begins anew once the events of the gate change, also if they change back', async () => {
    const { event, gate, id } = await openEvening(server());
    const device = await pairDevice(server(), gate);
    const { token } = await device.list();
    await server().make(`PATCH admin:/door/gates/${gate}`, { event_ids: [await makeEvent(server())] });
    await server().make(`POST tickets:/attendees/${id}`, { full_name: 'Ada Unseen' });
    await server().make(`PATCH admin:/door/gates/${gate}`, { event_ids: [event] });
    const { body } = await device.ask('GET admin:/door/attendees', { query: { since: token } });
    expect([body.reset, body.attendees[0][6]]).toEqual([true, 'Ada Unseen']);
  });

  it('has a digest that a device can compute', async () => {
    const { gate, ticket } = await openEvening(server());
    await makeAttendee(server(), ticket, { full_name: 'Bo Reed' });
    const device = await pairDevice(server(), gate);
    const { rows, token } = await device.list();
    const { body } = await device.ask('GET admin:/door/attendees', { query: { since: token, digest: true } });
    for (const row of body.attendees) rows.set(row[0], row);
    const digest = [...rows.values()].reduce((sum, row) => digestWith(sum, row as DoorRow), EMPTY_DIGEST);
    expect(body.digest).toBe(digestText(digest));
  });
});
