import { createHmac, createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { codeOf, makeAttendee, makeRsvp, makeSeat } from '../../../test/attendees.ts';
import { buy } from '../../../test/buyers.ts';
import { makeGate, pairDevice, scanOf, whenSettled } from '../../../test/door.ts';
import { BOTH_DATABASES, type TestServer, useTestServer } from '../../../test/server.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';
import { pruneDoorChanges } from '../../jobs/remove-expired.ts';
import { type DoorRow, digestText, digestWith, EMPTY_DIGEST } from '../../lib/door/door-list.ts';
import { signedText } from '../../lib/door/signed-code.ts';

const MINUTE = 60_000;
const later = (server: TestServer, minutes: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + minutes * MINUTE);
};

/** An event with a gate, and an attendee with the code. */
async function evening(server: TestServer, fields: Record<string, unknown> = {}) {
  const event = await makeEvent(server);
  const ticket = await makeSeat(server, event, 100);
  const gate = await makeGate(server, [event], fields);
  const { id } = await makeAttendee(server, ticket);
  return { event, ticket, gate, id, code: await codeOf(server, id) };
}

const attendeeIs = async (server: TestServer, id: number) =>
  (await server.ask(`GET tickets:/attendees/${id}`, { as: 'administrator' })).body;

describe.each(BOTH_DATABASES)('gates and devices on %s', (kind) => {
  const server = useTestServer(kind);

  it('keep their values, and change only those that are sent', async () => {
    const { event, ticket, gate } = await evening(server());
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
    const [one, other] = [await evening(server()), await evening(server())];
    const ask = async (body: object) =>
      (await server().ask('POST admin:/door/gates', { as: 'editor', body: { name: 'Gate', ...body } })).status;
    expect(await ask({ event_ids: [999_999] })).toBe(400);
    expect(await ask({ event_ids: [one.event], ticket_ids: [other.ticket] })).toBe(400);
    expect(await ask({ event_ids: Array.from({ length: 51 }, (_, index) => index + 1) })).toBe(400);
  });

  it('pair once by a code, within ten minutes', async () => {
    const { gate } = await evening(server());
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
    later(server(), 10);
    const refused = await server().ask('POST admin:/door/pair', { body: { code: late.code } });
    expect([refused.status, refused.body.code]).toEqual([403, 'pairing-code-invalid']);
  });

  it('can do nothing once they are revoked, their gate expires or is deleted', async () => {
    const { gate, id, code } = await evening(server());
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
    later(server(), 61);
    expect(await calls(other)).toEqual([401, 401, 401, undefined]);
    await server().make(`PATCH admin:/door/gates/${gate}`, { expires: null });
    expect((await other.ask('POST admin:/door/hello')).status).toBe(200);
    expect((await server().ask(`DELETE admin:/door/gates/${gate}`, { as: 'administrator' })).status).toBe(200);
    expect(await calls(other)).toEqual([401, 401, 401, undefined]);
    expect((await attendeeIs(server(), id)).checked_in).toBe(true);
  });
});

describe.each(BOTH_DATABASES)('limits on pairing codes on %s', (kind) => {
  const server = useTestServer(kind, { secretGuesses: { perAddress: 5, perAccount: 5 } });

  it('refuse even the right code after too many wrong ones, from that address only', async () => {
    const { gate } = await evening(server());
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
    const { event, ticket, gate, id, code } = await evening(server());
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
    const { gate, id } = await evening(server(), { names: 'short' });
    const device = await pairDevice(server(), gate);
    const short = await device.list();
    expect(short.rows.get(id)?.[6]).toBe('Ada P.');
    await server().make(`PATCH admin:/door/gates/${gate}`, { names: 'none' });
    const { body } = await device.ask('GET admin:/door/attendees', { query: { since: short.token } });
    expect([body.reset, body.attendees[0][6]]).toEqual([true, '']);
  });

  it('continues with what has changed, and is 304 while nothing does', async () => {
    const { event, ticket, gate, id } = await evening(server());
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
    const { event, ticket, gate, id, code } = await evening(server());
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
    const [one, other] = [await evening(server()), await evening(server())];
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
    const { gate, id, code } = await evening(server());
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
    const { event, gate, id } = await evening(server());
    const device = await pairDevice(server(), gate);
    const { token } = await device.list();
    await server().make(`PATCH admin:/door/gates/${gate}`, { event_ids: [await makeEvent(server())] });
    await server().make(`POST tickets:/attendees/${id}`, { full_name: 'Ada Unseen' });
    await server().make(`PATCH admin:/door/gates/${gate}`, { event_ids: [event] });
    const { body } = await device.ask('GET admin:/door/attendees', { query: { since: token } });
    expect([body.reset, body.attendees[0][6]]).toEqual([true, 'Ada Unseen']);
  });

  it('has a digest that a device can compute', async () => {
    const { gate, ticket } = await evening(server());
    await makeAttendee(server(), ticket, { full_name: 'Bo Reed' });
    const device = await pairDevice(server(), gate);
    const { rows, token } = await device.list();
    const { body } = await device.ask('GET admin:/door/attendees', { query: { since: token, digest: true } });
    for (const row of body.attendees) rows.set(row[0], row);
    const digest = [...rows.values()].reduce((sum, row) => digestWith(sum, row as DoorRow), EMPTY_DIGEST);
    expect(body.digest).toBe(digestText(digest));
  });
});

describe.each(BOTH_DATABASES)('scans on %s', (kind) => {
  const server = useTestServer(kind);

  it('let each ticket in once, and answer the same scan alike', async () => {
    const { gate, id, code } = await evening(server());
    const [north, south] = [await pairDevice(server(), gate, 'A'), await pairDevice(server(), gate, 'B')];
    const scan = scanOf(server(), id, code);
    const [first] = await north.scan(scan);
    expect(first).toMatchObject({ verdict: 'welcome', first: null, clash: false, attendee: { id, name: 'Ada Park' } });
    later(server(), 3);
    expect(await north.scan(scan, scan)).toMatchObject([{ verdict: 'welcome' }, { verdict: 'welcome' }]);
    const [again] = await south.scan(scanOf(server(), id, code));
    expect(again).toMatchObject({ verdict: 'already-in', first: { utc: first.attendee.since, place: 'North, A' } });
    // Ids belong to their devices.
    expect((await south.scan(scan))[0].verdict).toBe('already-in');
    const { check_ins } = (await server().ask(`GET admin:/attendees/${id}`, { as: 'administrator' })).body;
    expect(check_ins).toMatchObject([{ action: 'in', source: 'app', device: 'A' }]);
  });

  it('refuse wrong, replaced and invented codes, and those of other events', async () => {
    const [one, other] = [await evening(server()), await evening(server())];
    const device = await pairDevice(server(), one.gate);
    const verdicts = async (...scans: object[]) =>
      (await device.scan(...(scans as Record<string, unknown>[]))).map(({ verdict, attendee }) => [verdict, attendee]);
    expect(
      await verdicts(
        scanOf(server(), one.id, `${one.code.slice(0, -1)}x`),
        scanOf(server(), one.id, other.code),
        scanOf(server(), 999_999, one.code),
        scanOf(server(), other.id, other.code),
      ),
    ).toEqual([
      ['wrong-code', null],
      ['wrong-code', null],
      ['unknown', null],
      ['other-event', null],
    ]);
    await server().make(`POST admin:/attendees/${one.id}/security-code`, {});
    expect(await verdicts(scanOf(server(), one.id, one.code))).toEqual([['wrong-code', null]]);
    expect((await attendeeIs(server(), one.id)).checked_in).toBe(false);
    expect((await attendeeIs(server(), other.id)).checked_in).toBe(false);
  });

  it('agree with check-ins elsewhere, such as by scanners with a check-in key, both ways', async () => {
    const { gate, id, code } = await evening(server());
    const device = await pairDevice(server(), gate);
    const { key: api_key } = await server().make('POST admin:/check-in-keys', { name: 'Old scanner' });
    const { content } = (await server().ask(`GET admin:/attendees/${id}`, { as: 'administrator' })).body;
    // Scanners that know no signatures send the parameters that they know.
    const { ticket_id, event_id, security_code } = Object.fromEntries(new URL(content).searchParams);
    const qr = () => server().ask('POST tickets:/qr', { body: { api_key, ticket_id, event_id, security_code } });
    await device.scan(scanOf(server(), id, code));
    expect((await qr()).body.error).toBe('attendee_already_checked_in');
    later(server(), 1);
    expect((await device.scan(scanOf(server(), id, code, { mode: 'out' })))[0].verdict).toBe('goodbye');
    expect((await attendeeIs(server(), id)).checked_in).toBe(false);
    later(server(), 1);
    expect((await qr()).status).toBe(201);
    expect((await device.scan(scanOf(server(), id, code)))[0].verdict).toBe('already-in');
    await server().ask(`POST tickets:/attendees/${id}`, { as: 'administrator', body: { check_in: false } });
    later(server(), 1);
    expect((await device.scan(scanOf(server(), id, code)))[0].verdict).toBe('welcome');
    const { checkin_details } = await attendeeIs(server(), id);
    expect(checkin_details).toMatchObject({ source: 'app', author: 0 });
  });

  it('follow the rule for re-entry, and rights to override and undo', async () => {
    const { gate, id, code } = await evening(server(), { reentry: 'never' });
    const device = await pairDevice(server(), gate);
    const scan = async (fields: object) => {
      later(server(), 1);
      const sent = scanOf(server(), id, code, fields as Record<string, unknown>);
      return [(await device.scan(sent))[0].verdict, sent.id] as const;
    };
    expect((await scan({ mode: 'look' }))[0]).toBe('welcome');
    const [, entry] = await scan({});
    expect((await scan({ mode: 'out' }))[0]).toBe('goodbye');
    expect((await scan({}))[0]).toBe('already-in');
    expect((await scan({ override: true }))[0]).toBe('already-in');
    await server().make(`PATCH admin:/door/gates/${gate}`, { may_override: true });
    const [verdict, mistaken] = await scan({ override: true });
    expect(verdict).toBe('welcome');
    expect((await scan({ mode: 'undo', undoes: mistaken, attendee: null }))[0]).toBe('undone');
    expect((await attendeeIs(server(), id)).checked_in).toBe(false);
    // Too late for the first one.
    later(server(), 1);
    expect((await scan({ mode: 'undo', undoes: entry, attendee: null }))[0]).toBe('not-undone');
    await server().make(`PATCH admin:/door/gates/${gate}`, { modes: 'look' });
    expect((await scan({}))[0]).toBe('not-allowed');
  });

  it('name the amount owed for unpaid tickets, and refuse them until it is paid', async () => {
    const { gate, ticket } = await evening(server());
    const device = await pairDevice(server(), gate);
    await server().make('PATCH admin:/site', { payment_ways: [{ id: 'door', at_door: true, hold_hours: null }] });
    const { id: order } = await buy(server(), [ticket]);
    const { id } = await server()
      .context.db.query.selectFrom('attendees')
      .select('id')
      .where('order_id', '=', order)
      .executeTakeFirstOrThrow();
    const code = await codeOf(server(), id);
    const scan = async () => (await device.scan(scanOf(server(), id, code)))[0];
    expect(await scan()).toMatchObject({ verdict: 'unpaid', attendee: { id, owed: 1000, since: '' } });
    const { rows, token } = await device.list();
    expect([rows.get(id)?.[3], rows.get(id)?.[8]]).toEqual(['unpaid', 1000]);
    await server().make(`POST admin:/orders/${order}/payments`, { amount: 400 });
    const partly = await device.list(token);
    expect([partly.rows.get(id)?.[3], partly.rows.get(id)?.[8]]).toEqual(['unpaid', 600]);
    await server().make(`POST admin:/orders/${order}/payments`, {});
    const paid = (await device.list(partly.token)).rows.get(id);
    expect([paid?.[3], paid?.[8]]).toEqual(['ok', 0]);
    expect((await scan()).verdict).toBe('welcome');
  });

  it('keep one change of each attendee for the lists', async () => {
    const { event, gate, id, code } = await evening(server());
    const device = await pairDevice(server(), gate);
    const { token } = await device.list();
    for (const mode of ['in', 'out', 'in', 'out']) {
      later(server(), 1);
      await device.scan(scanOf(server(), id, code, { mode }));
    }
    await pruneDoorChanges(server().context);
    const { query } = server().context.db;
    expect(
      await query.selectFrom('door_changes').select('attendee_id').where('event_id', '=', event).execute(),
    ).toEqual([{ attendee_id: id }]);
    expect([...(await device.list(token)).rows.keys()]).toEqual([id]);
  });

  it('know a series pass by its one code on every night, once a night', async () => {
    const event = await makeEvent(server(), { start_date: '2026-11-21 12:30:00', end_date: '2026-11-21 15:00:00' });
    const recurrence = { rrule: 'FREQ=DAILY;COUNT=3' };
    await server().make('POST /series', { event_id: event, recurrence });
    const { id: pass } = await makeTicket(server(), event, { ticket: { mode: 'own', capacity: 9 }, scope: 'series' });
    const { id } = await makeAttendee(server(), pass);
    const nights = await server()
      .context.db.query.selectFrom('attendees')
      .select(['id', 'event_id'])
      .where('pass_id', '=', id)
      .orderBy('event_id')
      .execute();
    expect(nights).toHaveLength(3);
    const gate = await makeGate(
      server(),
      nights.map(({ event_id }) => event_id),
    );
    const device = await pairDevice(server(), gate);
    const code = await codeOf(server(), id);
    const { rows } = await device.list();
    expect(new Set([...rows.values()].map((row) => `${row[9]} ${row[10]}`)).size).toBe(1);
    for (const { id: night, event_id } of nights) {
      const scan = async (fields = {}) => (await device.scan(scanOf(server(), id, code, fields)))[0];
      expect(await scan()).toMatchObject({ verdict: 'welcome', attendee: { id: night, event_id } });
      expect(await scan({ event_id })).toMatchObject({ verdict: 'already-in', attendee: { id: night } });
      later(server(), 24 * 60);
    }
  });

  it('order late arrivals by their times, and report clashes', async () => {
    const { event, gate, id, code } = await evening(server());
    const [one, other] = [await pairDevice(server(), gate, 'A'), await pairDevice(server(), gate, 'B')];
    const early = scanOf(server(), id, code, { let_in: true });
    later(server(), 3);
    const [late] = await other.scan(scanOf(server(), id, code, { let_in: true }));
    expect(late).toMatchObject({ verdict: 'welcome', clash: false });
    later(server(), 30);
    expect(await one.scan(early)).toMatchObject([{ verdict: 'welcome', clash: false }]);
    const { body } = await server().ask('GET admin:/door/clashes', { as: 'door', query: { event_id: event } });
    expect(body).toMatchObject({
      total: 1,
      clashes: [
        {
          ...{ kind: 'twice', attendee: { id, name: 'Ada Park' } },
          first: { place: 'North, A' },
          second: { place: 'North, B', utc: late.attendee.since },
        },
      ],
    });
    expect((await one.ask('POST admin:/door/hello')).body.clashes).toMatchObject([{ attendee_id: id }]);
    const closing = { closed: true, note: 'A copy on paper.' };
    const closed = await server().make(`PATCH admin:/door/clashes/${body.clashes[0].id}`, closing, 'editor');
    expect(closed).toMatchObject({ note: 'A copy on paper.', closed_by: server().userId('editor') });
    expect((await one.ask('POST admin:/door/hello')).body.clashes).toEqual([]);
    const stats = (await server().ask('GET admin:/door/stats', { as: 'door', query: { event_id: event } })).body;
    expect(stats).toMatchObject({
      totals: { expected: 1, inside: 1, left: 0 },
      gates: [{ id: gate, name: 'North', entries: 1, devices: 2 }],
      arrivals: [{ entries: 1 }],
      clashes: { open: 0, closed: 1 },
    });
  });

  it('report holders whom a device let in although the ticket did not admit', async () => {
    const { event, gate } = await evening(server());
    const reply = await makeRsvp(server(), event);
    const { id } = await makeAttendee(server(), reply, { attendee_status: 'no' });
    const device = await pairDevice(server(), gate);
    const code = await codeOf(server(), id);
    expect(await device.scan(scanOf(server(), id, code, { let_in: true }))).toMatchObject([
      { verdict: 'declined', clash: true },
    ]);
    const { body } = await server().ask('GET admin:/door/clashes', { as: 'door', query: { event_id: event } });
    expect(body.clashes).toMatchObject([{ kind: 'late-refusal', reason: 'declined', first: null }]);
    expect((await attendeeIs(server(), id)).checked_in).toBe(false);
  });

  it('of a device that stopped waiting follow what it did then', async () => {
    const { event, gate, id, code } = await evening(server());
    const [one, other] = [await pairDevice(server(), gate, 'A'), await pairDevice(server(), gate, 'B')];
    await one.scan(scanOf(server(), id, code));
    later(server(), 1);
    const asked = scanOf(server(), id, code);
    expect((await other.scan(asked))[0]).toMatchObject({ verdict: 'already-in', clash: false });
    expect((await other.scan({ ...asked, let_in: true }))[0]).toMatchObject({ verdict: 'already-in', clash: true });
    const clashes = async () =>
      (await server().ask('GET admin:/door/clashes', { as: 'door', query: { event_id: event } })).body.total;
    expect(await clashes()).toBe(1);
    const second = await makeAttendee(server(), (await attendeeIs(server(), id)).ticket.id);
    const refused = scanOf(server(), second.id, await codeOf(server(), second.id));
    await other.scan(refused);
    await other.scan({ ...refused, let_in: false });
    expect((await attendeeIs(server(), second.id)).checked_in).toBe(false);
  });

  it('have times between the pairing and their arrival, whatever the clock says', async () => {
    const { gate, ticket } = await evening(server());
    const device = await pairDevice(server(), gate);
    const paired = server().clock.now.toISOString();
    later(server(), 60);
    const arrived = server().clock.now.toISOString();
    const year = 365 * 86_400_000;
    const since = async (time: string, offset: number) => {
      const { id } = await makeAttendee(server(), ticket);
      const [answer] = await device.scan(
        scanOf(server(), id, await codeOf(server(), id), { time, offset, let_in: true }),
      );
      return answer.attendee.since;
    };
    const text = (iso: string) => iso.slice(0, 19).replace('T', ' ');
    expect(await since('2036-11-21T17:00:00.000Z', 0)).toBe(text(arrived));
    expect(await since('1970-01-01T00:00:00Z', 0)).toBe(text(paired));
    const wrong = new Date(server().clock.now.getTime() - 3 * year - 20 * MINUTE).toISOString();
    expect(await since(wrong, 3 * year)).toBe(text(new Date(server().clock.now.getTime() - 20 * MINUTE).toISOString()));
  });

  it('refuse what is malformed, as a whole', async () => {
    const { gate, id, code } = await evening(server());
    const device = await pairDevice(server(), gate);
    const good = scanOf(server(), id, code);
    const bad: unknown[] = [
      [],
      'x',
      [{ ...good, id: 'short' }],
      [{ ...good, mode: 'through' }],
      [{ ...good, time: 'now' }],
      [{ ...good, time: '2026-13-41T99:00:00Z' }],
      [{ ...good, attendee: '1' }],
      [{ ...good, code: 'x'.repeat(201) }],
      [{ ...good, code: 'é' }],
      [{ ...good, offset: 1e300 }],
      [{ ...good, mode: 'undo' }],
      [good, null],
      Array.from({ length: 101 }, () => good),
    ];
    for (const scans of bad) {
      expect([scans, (await device.ask('POST admin:/door/scans', { body: { scans } })).status]).toEqual([scans, 400]);
    }
    expect((await attendeeIs(server(), id)).checked_in).toBe(false);
  });
});

describe.each(BOTH_DATABASES)('signed codes on %s', (kind) => {
  const server = useTestServer(kind);

  it('are verified by the public keys of the list, also after a rotation', async () => {
    const { event, ticket, gate, id, code } = await evening(server());
    const device = await pairDevice(server(), gate);
    const contentOf = async () =>
      new URL((await server().ask(`GET admin:/attendees/${id}`, { as: 'administrator' })).body.content).searchParams;
    const isValid = async (content: URLSearchParams, changes: object = {}) => {
      const [key = '', signature = ''] = content.get('sig')?.split('.') ?? [];
      const { keys } = (await device.ask('GET admin:/door/attendees')).body;
      const { public_key } = keys.find((one: { id: number }) => one.id === Number(key));
      const spki = Buffer.concat([
        Buffer.from('302a300506032b6570032100', 'hex'),
        Buffer.from(public_key, 'base64url'),
      ]);
      const text = signedText({
        id: Number(content.get('ticket_id')),
        event_id: Number(content.get('event_id')),
        ticket_id: Number(content.get('kind')),
        security_code: content.get('security_code') ?? '',
        ...changes,
      });
      const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
      return verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64url'));
    };
    const content = await contentOf();
    expect(Object.fromEntries(content)).toMatchObject({
      ticket_id: String(id),
      event_id: String(event),
      kind: String(ticket),
    });
    expect([code.length, await isValid(content), await isValid(content, { event_id: event + 1 })]).toEqual([
      20,
      true,
      false,
    ]);
    const rotated = await server().make('POST admin:/door/keys', {});
    const fresh = await contentOf();
    expect([fresh.get('sig')?.split('.')[0], await isValid(fresh), await isValid(content)]).toEqual([
      String(rotated.id),
      true,
      true,
    ]);
  });
});
