import { setTimeout as delay } from 'node:timers/promises';
import { codeOf, makeAttendee, makeSeat } from './attendees.ts';
import type { Answer, TestServer } from './server.ts';
import { makeEvent } from './tickets.ts';

/** Gates, devices and scans, as the console and the app at the door make them. */

type Fields = Record<string, unknown>;

export const MINUTE = 60_000;

export interface TestDevice {
  id: number;
  gate: number;
  token: string;
  /** Sends a request as this device. */
  ask(call: string, fields?: { body?: Fields; query?: Fields; headers?: Record<string, string> }): Promise<Answer>;
  /** Sends scans; returns their responses. */
  scan(...scans: Fields[]): Promise<Answer['body'][]>;
  /** The whole list, in pages. */
  list(since?: string): Promise<DeviceList>;
}

interface DeviceList {
  token: string;
  rows: Map<number, unknown[]>;
  gone: number[];
  pages: number;
}

export const makeGate = async (server: TestServer, event_ids: number[], fields: Fields = {}): Promise<number> =>
  (await server.make('POST admin:/door/gates', { name: 'North', event_ids, ...fields })).id;

/** Pairs a device; `other` is another process on the same data. */
export async function pairDevice(
  server: TestServer,
  gate: number,
  name = 'Phone',
  other = server,
): Promise<TestDevice> {
  const { code } = await server.make(`POST admin:/door/gates/${gate}/pairings`, { name });
  const { token, device } = (await server.ask('POST admin:/door/pair', { body: { code } })).body;
  return deviceOf(other, { id: device.id, gate, token });
}

/** A device with a token. */
function deviceOf(server: TestServer, { id, gate, token }: Pick<TestDevice, 'id' | 'gate' | 'token'>): TestDevice {
  const ask: TestDevice['ask'] = (call, { headers, ...fields } = {}) =>
    server.ask(call, { ...fields, headers: { ...headers, 'x-api-key': token } } as Parameters<TestServer['ask']>[1]);
  return {
    ...{ id, gate, token, ask },
    async scan(...scans) {
      const { status, body, text } = await ask('POST admin:/door/scans', { body: { scans } });
      if (status !== 200) throw new Error(`POST /door/scans answered ${status} ${text}`);
      return body.scans;
    },
    async list(since) {
      const list: DeviceList = { token: since ?? '', rows: new Map(), gone: [], pages: 0 };
      for (let more = true; more; ) {
        const query = list.token === '' ? {} : { since: list.token };
        const { body } = await ask('GET admin:/door/attendees', { query });
        for (const row of body.attendees) list.rows.set(row[0], row);
        list.gone.push(...body.gone);
        list.pages += 1;
        ({ token: list.token, more } = body);
      }
      return list;
    },
  };
}

let serial = 0;

/** A scan of a code, which waits for the response. */
export const scanOf = (
  server: TestServer,
  attendee: number,
  code: string | undefined,
  fields: Fields = {},
): Fields => ({
  ...{ id: `scan-${String(++serial).padStart(6, '0')}`, mode: 'in', attendee, code },
  ...{ time: server.clock.now.toISOString(), offset: 0 },
  ...fields,
});

/**
 * Waits until the list of a gate, which was read before, no longer begins anew: until all transactions have ended that
 * are older than the gate, also those on other databases of the server.
 */
export async function whenSettled({ context: { db } }: TestServer, gate: number): Promise<void> {
  const { settled_version } = await db.query
    .selectFrom('gates')
    .select('settled_version')
    .where('id', '=', gate)
    .executeTakeFirstOrThrow();
  while ((await db.dialect.changeMark(db)) < (settled_version ?? 0)) await delay(10);
}

/** Lets minutes pass by the clock of the server. */
export function passMinutes(server: TestServer, minutes: number): void {
  server.clock.now = new Date(server.clock.now.getTime() + minutes * MINUTE);
}

/** An event with a gate, and an attendee with the code. */
export async function openEvening(server: TestServer, fields: Fields = {}) {
  const event = await makeEvent(server);
  const ticket = await makeSeat(server, event, 100);
  const gate = await makeGate(server, [event], fields);
  const { id } = await makeAttendee(server, ticket);
  return { event, ticket, gate, id, code: await codeOf(server, id) };
}

/** An attendee as staff read it. */
export const readAttendee = async (server: TestServer, id: number) =>
  (await server.ask(`GET tickets:/attendees/${id}`, { as: 'administrator' })).body;
