import { describe, expect, it } from 'vitest';
import { GuestList } from '../apps/door/list/guest-list.ts';
import type { Session } from '../apps/door/list/session.ts';
import { readTicketCode, type TicketCode } from '../apps/door/scan/code.ts';
import { decide, type Known, lookUp } from '../apps/door/scan/decide.ts';
import type { DoorRow } from '../src/lib/door/door-list.ts';
import { codeOf, makeAttendee, makeSeat } from './attendees.ts';
import { makeGate, pairDevice, type TestDevice } from './door.ts';
import { BOTH_DATABASES, type TestServer, useTestServer } from './server.ts';
import { makeEvent, makeTicket } from './tickets.ts';

/** Verdicts of the app without a network, by the list and the keys that the server gave it. */

const HOUR = 3_600_000;
const SITE = 'https://events.example';

/** The app after it has synchronised for the last time. */
async function lastKnown(server: TestServer, device: TestDevice): Promise<Known> {
  const { body: greeting } = await device.ask('POST admin:/door/hello');
  const { body: list } = await device.ask('GET admin:/door/attendees');
  const now = server.clock.now.getTime();
  const session: Session = { token: device.token, greeting, list, since: list.token, synced: now };
  return { session, list: new GuestList(list.attendees as DoorRow[]), scansOf: () => [], now };
}

/** Text of the code, as printed at this moment, with other parameters. */
async function printed(server: TestServer, id: number, changes: Record<string, string> = {}): Promise<string> {
  const { content } = (await server.ask(`GET admin:/attendees/${id}`, { as: 'administrator' })).body;
  const url = new URL(content);
  for (const [name, value] of Object.entries(changes)) url.searchParams.set(name, value);
  return url.href;
}

function parsed(text: string): TicketCode {
  const code = readTicketCode(text, SITE);
  if (!code) throw new Error(`no ticket has the code ${text}`);
  return code;
}

const verdictOf = async (text: string, known: Known) => decide(await lookUp(parsed(text), 'in', known), known).verdict;

describe.each(BOTH_DATABASES)('a device without a network on %s', (kind) => {
  const server = useTestServer(kind);

  it('refuses the signed code of a ticket that was moved to another event before it last synchronised', async () => {
    const event = await makeEvent(server());
    const device = await pairDevice(server(), await makeGate(server(), [event]));
    const { id } = await makeAttendee(server(), await makeSeat(server(), event, 10));
    const text = await printed(server(), id);
    const elsewhere = await makeSeat(server(), await makeEvent(server()), 10);
    await server().make(`POST admin:/attendees/${id}/move`, { ticket_id: elsewhere });
    const known = await lastKnown(server(), device);
    expect(await verdictOf(text, known)).toBe('other-event');
    // By its signature alone it would be welcome.
    expect(await verdictOf(text, { ...known, list: new GuestList() })).toBe('welcome');
    await server().make(`POST admin:/attendees/${id}/security-code`, {});
    expect(await verdictOf(text, await lastKnown(server(), device))).toBe('wrong-code');
  });

  it('admits a ticket that was sold since by its signature, and no altered, invented or foreign one', async () => {
    const [event, foreign] = [await makeEvent(server()), await makeEvent(server())];
    const [ticket, other] = [await makeSeat(server(), event, 10), await makeSeat(server(), foreign, 10)];
    const device = await pairDevice(server(), await makeGate(server(), [event]));
    await makeGate(server(), [foreign]);
    const known = await lastKnown(server(), device);
    const { id } = await makeAttendee(server(), ticket);
    const stranger = await makeAttendee(server(), other);
    expect(await verdictOf(await printed(server(), id), known)).toBe('welcome');
    const altered: Record<string, string>[] = [
      { ticket_id: String(stranger.id) },
      { event_id: String(foreign) },
      { kind: String(other) },
      { security_code: await codeOf(server(), stranger.id) },
      { sig: `1.${'A'.repeat(86)}` },
      { sig: '' },
    ];
    for (const changes of altered)
      expect([changes, await verdictOf(await printed(server(), id, changes), known)]).toEqual([changes, 'unknown']);
    expect(await verdictOf(await printed(server(), stranger.id), known)).toBe('other-event');
    // Another key signs new codes: the device learns of it when it next synchronises.
    await server().make('POST admin:/door/keys', {});
    const later = await printed(server(), (await makeAttendee(server(), ticket)).id);
    expect(await verdictOf(later, known)).toBe('unknown');
    expect(await verdictOf(later, { ...(await lastKnown(server(), device)), list: new GuestList() })).toBe('welcome');
  });

  it('knows a series pass by its one code on every night, once a night', async () => {
    const event = await makeEvent(server(), { start_date: '2026-11-21 12:30:00', end_date: '2026-11-21 15:00:00' });
    await server().make('POST /series', { event_id: event, recurrence: { rrule: 'FREQ=DAILY;COUNT=3' } });
    const { id: pass } = await makeTicket(server(), event, { ticket: { mode: 'own', capacity: 9 }, scope: 'series' });
    const { id } = await makeAttendee(server(), pass);
    const rows = await server()
      .context.db.query.selectFrom('attendees')
      .select(['id', 'event_id'])
      .where('pass_id', '=', id)
      .orderBy('event_id')
      .execute();
    const events = rows.map(({ event_id }) => event_id);
    const device = await pairDevice(server(), await makeGate(server(), events));
    const known = await lastKnown(server(), device);
    const text = await printed(server(), id);
    const nights = [0, 1, 2].map(async (night) => {
      const asked = await lookUp(parsed(text), 'in', { ...known, now: known.now + night * 24 * HOUR });
      return [asked.row?.[0], asked.code, decide(asked, known).verdict];
    });
    expect(await Promise.all(nights)).toEqual(rows.map((row) => [row.id, 'right', 'welcome']));
  });

  it('tells what is wrong with a ticket, as the list says', async () => {
    const event = await makeEvent(server());
    const ticket = await makeSeat(server(), event, 10);
    const device = await pairDevice(server(), await makeGate(server(), [event]));
    const { id, order } = await makeAttendee(server(), ticket);
    const text = await printed(server(), id);
    await server().make(`POST admin:/orders/${order}/cancel-places`, { attendees: [id] });
    expect(await verdictOf(text, await lastKnown(server(), device))).toBe('cancelled');
    const other = await makeAttendee(server(), ticket);
    const code = await printed(server(), other.id, { security_code: 'f'.repeat(20) });
    expect(await verdictOf(code, await lastKnown(server(), device))).toBe('wrong-code');
  });
});
