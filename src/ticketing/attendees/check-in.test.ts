import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, makeAttendee, makeRsvp, makeSeat } from '../../../test/attendees.ts';
import { DATABASES, useTestServer } from '../../../test/server.ts';
import { type StatementHooks, unguarded } from '../../../test/statements.ts';
import { makeEvent } from '../../../test/tickets.ts';

describe.each(DATABASES)('check-in on %s', (kind) => {
  const hooks: StatementHooks = {};
  const server = useTestServer(kind, { qrApiKey: 'door-key' }, { hooks });
  let event: number;
  let rsvp: number;
  let seat: number;
  beforeAll(async () => {
    event = await makeEvent(server());
    rsvp = await makeRsvp(server(), event);
    seat = await makeSeat(server(), event, 100);
  });
  afterEach(() => {
    hooks.rewrite = undefined;
    hooks.committed = undefined;
  });

  const put = (id: number, check_in: unknown) =>
    server().ask(`PUT tickets:/attendees/${id}`, { as: 'administrator', body: { check_in } });
  const logOf = async (id: number) =>
    (await server().ask(`GET admin:/attendees/${id}`, { as: 'editor' })).body.check_ins as Record<string, unknown>[];

  it('happens once, can be undone, and is logged', async () => {
    const { clock } = server();
    const { id } = await makeAttendee(server(), seat);
    const before = clock.now;
    expect((await put(id, true)).body.checked_in).toBe(true);
    clock.now = new Date(before.getTime() + 60_000);
    expect(await put(id, '1')).toMatchObject({
      status: 400,
      body: { code: 'tec-et-attendee-already-checked-in' },
    });
    expect((await put(id, 'false')).body).toMatchObject({ checked_in: false, checkin_details: false });
    expect((await put(id, 0)).status).toBe(201);
    expect((await put(id, 'yes')).body.checkin_details.date).toBe('2026-11-21 12:01:00');
    clock.now = before;
    const user_id = server().userId('administrator');
    const entry = { source: 'site', user_id, key_id: null, device: '' };
    expect(await logOf(id)).toEqual([
      { ...entry, action: 'in', date_utc: '2026-11-21 17:00:00' },
      { ...entry, action: 'out', date_utc: '2026-11-21 17:01:00' },
      { ...entry, action: 'in', date_utc: '2026-11-21 17:01:00' },
    ]);
  });

  it('is refused for attendees who are not going', async () => {
    const { id } = await makeAttendee(server(), rsvp, { attendee_status: 'no' });
    expect(await put(id, true)).toMatchObject({ status: 400, body: { code: 'tec-et-attendee-invalid-check-in' } });
    expect((await put(id, false)).status).toBe(201);
    expect(await logOf(id)).toEqual([]);
  });

  it.each(['pending', 'refunded', 'not-completed'])('is refused when the order is %s', async (status) => {
    const made = await makeAttendee(server(), seat);
    await server().make(`PATCH admin:/orders/${made.order}`, { status });
    expect(await put(made.id, true)).toMatchObject({
      status: 400,
      body: { code: 'tec-et-attendee-invalid-check-in' },
    });
  });

  /** Two scanners, and a person with a list, at the same moment. */
  async function race(): Promise<{ wins: number; logged: number; errors: string[] }> {
    const { id } = await makeAttendee(server(), seat);
    const security_code = await codeOf(server(), id);
    const scan = () =>
      server().ask('POST tickets:/qr', { body: { api_key: 'door-key', ticket_id: id, security_code } });
    const answers = await Promise.all([scan(), scan(), put(id, true)]);
    return {
      wins: answers.filter(({ status }) => status === 201).length,
      logged: (await logOf(id)).length,
      errors: answers.flatMap(({ body }) => body.error ?? body.code ?? []).sort(),
    };
  }

  it('succeeds for one of three concurrent requests', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { wins, logged, errors } = await race();
      expect([wins, logged]).toEqual([1, 1]);
      expect(errors).toHaveLength(2);
      for (const error of errors) {
        expect(['attendee_already_checked_in', 'tec-et-attendee-already-checked-in']).toContain(error);
      }
    }
  });

  it('is refused for a code that is replaced while it is scanned', async () => {
    const { ask } = server();
    const { id } = await makeAttendee(server(), seat);
    const scan = (security_code: string) =>
      ask('POST tickets:/qr', { body: { api_key: 'door-key', ticket_id: id, security_code } });
    const code = await codeOf(server(), id);
    let renewed = '';
    hooks.committed = async (sql) => {
      if (!/^select .* from "attendees"/.test(sql)) return;
      hooks.committed = undefined;
      renewed = (await ask(`POST admin:/attendees/${id}/security-code`, { as: 'editor', body: {} })).body.security_code;
    };
    const former = await scan(code);
    expect(former).toMatchObject({ status: 403, body: { error: 'security_code_not_valid' } });
    expect(former.body).not.toHaveProperty('attendee');
    expect(await logOf(id)).toEqual([]);
    expect((await scan(renewed)).status).toBe(201);
  });

  it('would succeed several times without its guard', async () => {
    hooks.rewrite = unguarded.rewrite;
    let wins = 0;
    for (let round = 0; round < 5; round += 1) wins = Math.max(wins, (await race()).wins);
    expect(wins).toBeGreaterThan(1);
  });
});
