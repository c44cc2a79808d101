import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { codeOf, makeAttendee, makeRsvp } from '../../../test/attendees.ts';
import { buy } from '../../../test/buyers.ts';
import { MINUTE, makeGate, openEvening, pairDevice, passMinutes, readAttendee, scanOf } from '../../../test/door.ts';
import { BOTH_DATABASES, useTestServer } from '../../../test/server.ts';
import { makeEvent, makeTicket } from '../../../test/tickets.ts';
import { pruneDoorChanges } from '../../jobs/remove-expired.ts';
import { signedText } from '../../lib/door/signed-code.ts';

/** Scans of devices, and the codes that they read. */

describe.each(BOTH_DATABASES)('scans on %s', (kind) => {
  const server = useTestServer(kind);

  it('let each ticket in once, and give the same scan the same response', async () => {
    const { gate, id, code } = await openEvening(server());
    const [north, south] = [await pairDevice(server(), gate, 'A'), await pairDevice(server(), gate, 'B')];
    const scan = scanOf(server(), id, code);
    const [first] = await north.scan(scan);
    expect(first).toMatchObject({ verdict: 'welcome', first: null, clash: false, attendee: { id, name: 'Ada Park' } });
    passMinutes(server(), 3);
    expect(await north.scan(scan, scan)).toMatchObject([{ verdict: 'welcome' }, { verdict: 'welcome' }]);
    const [again] = await south.scan(scanOf(server(), id, code));
    expect(again).toMatchObject({ verdict: 'already-in', first: { utc: first.attendee.since, place: 'North, A' } });
    // Ids belong to their devices.
    expect((await south.scan(scan))[0].verdict).toBe('already-in');
    const { check_ins } = (await server().ask(`GET admin:/attendees/${id}`, { as: 'administrator' })).body;
    expect(check_ins).toMatchObject([{ action: 'in', source: 'app', device: 'A' }]);
  });

  it('refuse wrong, replaced and invented codes, and those of other events', async () => {
    const [one, other] = [await openEvening(server()), await openEvening(server())];
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
    expect((await readAttendee(server(), one.id)).checked_in).toBe(false);
    expect((await readAttendee(server(), other.id)).checked_in).toBe(false);
  });

  it('agree with check-ins elsewhere, such as by scanners with a check-in key, both ways', async () => {
    const { gate, id, code } = await openEvening(server());
    const device = await pairDevice(server(), gate);
    const { key: api_key } = await server().make('POST admin:/check-in-keys', { name: 'Old scanner' });
    const { content } = (await server().ask(`GET admin:/attendees/${id}`, { as: 'administrator' })).body;
    // Scanners that know no signatures send the parameters that they know.
    const { ticket_id, event_id, security_code } = Object.fromEntries(new URL(content).searchParams);
    const qr = () => server().ask('POST tickets:/qr', { body: { api_key, ticket_id, event_id, security_code } });
    await device.scan(scanOf(server(), id, code));
    expect((await qr()).body.error).toBe('attendee_already_checked_in');
    passMinutes(server(), 1);
    expect((await device.scan(scanOf(server(), id, code, { mode: 'out' })))[0].verdict).toBe('goodbye');
    expect((await readAttendee(server(), id)).checked_in).toBe(false);
    passMinutes(server(), 1);
    expect((await qr()).status).toBe(201);
    expect((await device.scan(scanOf(server(), id, code)))[0].verdict).toBe('already-in');
    await server().ask(`POST tickets:/attendees/${id}`, { as: 'administrator', body: { check_in: false } });
    passMinutes(server(), 1);
    expect((await device.scan(scanOf(server(), id, code)))[0].verdict).toBe('welcome');
    const { checkin_details } = await readAttendee(server(), id);
    expect(checkin_details).toMatchObject({ source: 'app', author: 0 });
  });

  it('follow the rule for re-entry, and rights to override and undo', async () => {
    const { gate, id, code } = await openEvening(server(), { reentry: 'never' });
    const device = await pairDevice(server(), gate);
    const scan = async (fields: object) => {
      passMinutes(server(), 1);
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
    expect((await readAttendee(server(), id)).checked_in).toBe(false);
    // Too late for the first one.
    passMinutes(server(), 1);
    expect((await scan({ mode: 'undo', undoes: entry, attendee: null }))[0]).toBe('not-undone');
    await server().make(`PATCH admin:/door/gates/${gate}`, { modes: 'look' });
    expect((await scan({}))[0]).toBe('not-allowed');
  });

  it('name the amount owed for unpaid tickets, and refuse them until it is paid', async () => {
    const { gate, ticket } = await openEvening(server());
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
    const { event, gate, id, code } = await openEvening(server());
    const device = await pairDevice(server(), gate);
    const { token } = await device.list();
    for (const mode of ['in', 'out', 'in', 'out']) {
      passMinutes(server(), 1);
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
      passMinutes(server(), 24 * 60);
    }
  });

  it('order late arrivals by their times, and report clashes', async () => {
    const { event, gate, id, code } = await openEvening(server());
    const [one, other] = [await pairDevice(server(), gate, 'A'), await pairDevice(server(), gate, 'B')];
    const early = scanOf(server(), id, code, { let_in: true });
    passMinutes(server(), 3);
    const [late] = await other.scan(scanOf(server(), id, code, { let_in: true }));
    expect(late).toMatchObject({ verdict: 'welcome', clash: false });
    passMinutes(server(), 30);
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
    const { event, gate } = await openEvening(server());
    const reply = await makeRsvp(server(), event);
    const { id } = await makeAttendee(server(), reply, { attendee_status: 'no' });
    const device = await pairDevice(server(), gate);
    const code = await codeOf(server(), id);
    expect(await device.scan(scanOf(server(), id, code, { let_in: true }))).toMatchObject([
      { verdict: 'declined', clash: true },
    ]);
    const { body } = await server().ask('GET admin:/door/clashes', { as: 'door', query: { event_id: event } });
    expect(body.clashes).toMatchObject([{ kind: 'late-refusal', reason: 'declined', first: null }]);
    expect((await readAttendee(server(), id)).checked_in).toBe(false);
  });

  it('of a device that stopped waiting follow what it did then', async () => {
    const { event, gate, id, code } = await openEvening(server());
    const [one, other] = [await pairDevice(server(), gate, 'A'), await pairDevice(server(), gate, 'B')];
    await one.scan(scanOf(server(), id, code));
    passMinutes(server(), 1);
    const asked = scanOf(server(), id, code);
    expect((await other.scan(asked))[0]).toMatchObject({ verdict: 'already-in', clash: false });
    expect((await other.scan({ ...asked, let_in: true }))[0]).toMatchObject({ verdict: 'already-in', clash: true });
    const clashes = async () =>
      (await server().ask('GET admin:/door/clashes', { as: 'door', query: { event_id: event } })).body.total;
    expect(await clashes()).toBe(1);
    const second = await makeAttendee(server(), (await readAttendee(server(), id)).ticket.id);
    const refused = scanOf(server(), second.id, await codeOf(server(), second.id));
    await other.scan(refused);
    await other.scan({ ...refused, let_in: false });
    expect((await readAttendee(server(), second.id)).checked_in).toBe(false);
  });

  it('have times between the pairing and their arrival, whatever the clock says', async () => {
    const { gate, ticket } = await openEvening(server());
    const device = await pairDevice(server(), gate);
    const paired = server().clock.now.toISOString();
    passMinutes(server(), 60);
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
    const { gate, id, code } = await openEvening(server());
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
    expect((await readAttendee(server(), id)).checked_in).toBe(false);
  });
});

describe.each(BOTH_DATABASES)('signed codes on %s', (kind) => {
  const server = useTestServer(kind);

  it('are verified by the public keys of the list, also after a rotation', async () => {
    const { event, ticket, gate, id, code } = await openEvening(server());
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
