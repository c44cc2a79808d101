/**
 * The benchmark of the door: lists and scans of devices at two processes on one database. What it does and how to read
 * it: README.md beside it.
 */
import { parseArgs } from 'node:util';
import type { Insertable } from 'kysely';
import { newRecordIds } from '../src/db/record-ids.ts';
import type { AttendeesTable } from '../src/db/tables/ticketing.ts';
import { attend, need, openEvent, openGate, openTicket, pairDevice } from '../test/race-actions.ts';
import type { DatabaseKind } from '../test/server.ts';
import { crowd, type Servers, startServers } from '../test/two-servers.ts';
import { insertRows } from './bulk.ts';
import { type CallerFigures, measureCallers, onDatabases } from './callers.ts';
import { chanceOf } from './random.ts';
import { verdict } from './verdicts.ts';

const { values: options } = parseArgs({
  options: {
    database: { type: 'string' },
    people: { type: 'string', default: '50000' },
    scans: { type: 'string', default: '3000' },
    devices: { type: 'string', default: '12' },
    seed: { type: 'string', default: '20261127' },
  },
});
const PEOPLE = Number(options.people);
const SCANS = Number(options.scans);
const DEVICES = Number(options.devices);
const BATCH = 100;
const DELTA = 100;
const BULK = 5000;
const WANTED = { list: 2000, delta: 100, rate: 500, p99: 50 };

interface Guest {
  id: number;
  code: string;
}

/** Attendees like one that was made by the interface. */
async function invite(servers: Servers): Promise<{ event: number; guests: Guest[] }> {
  const chance = chanceOf(Number(options.seed));
  const event = await openEvent(servers);
  const ticket = await openTicket(servers, event, { mode: 'own', capacity: PEOPLE + 1 });
  const { id } = await need(201, attend(servers, ticket, 0));
  const row = await servers.db.query.selectFrom('attendees').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const guests: Guest[] = [];
  while (guests.length < PEOPLE) {
    await servers.db.transaction(async (db) => {
      const ids = await newRecordIds(db, [
        'attendee',
        ...Array.from({ length: Math.min(BULK, PEOPLE - guests.length) - 1 }, () => 'attendee' as const),
      ]);
      const rows = ids.map((own): Insertable<AttendeesTable> => {
        const security_code = Array.from({ length: 20 }, () => Math.floor(chance.next() * 16).toString(16)).join('');
        guests.push({ id: own, code: security_code });
        const full_name = `Guest ${own}`;
        return { ...row, id: own, full_name, name_key: full_name.toLowerCase(), security_code, slug: `guest-${own}` };
      });
      await insertRows(db, 'attendees', rows);
    });
  }
  return { event, guests };
}

/** Tokens of the devices of a gate. */
async function pairAll(servers: Servers, event: number): Promise<string[]> {
  const gate = await openGate(servers, [event]);
  return crowd(DEVICES, 1, () => pairDevice(servers, gate));
}

interface List {
  token: string;
  rows: number;
  bytes: number;
  /** Milliseconds of its pages together, and of the slowest. */
  took: number;
  slowest: number;
}

async function readList(servers: Servers, key: string, since?: string): Promise<List> {
  const list: List = { token: since ?? '', rows: 0, bytes: 0, took: 0, slowest: 0 };
  for (let more = true; more; ) {
    const query = list.token === '' ? '' : `?since=${list.token}`;
    const began = performance.now();
    const headers = { 'x-api-key': key };
    const body = await need(200, servers.ask(`GET admin:/door/attendees${query}`, { headers, anonymous: true }));
    const took = performance.now() - began;
    list.rows += body.attendees.length;
    list.bytes += JSON.stringify(body).length;
    list.took += took;
    list.slowest = Math.max(list.slowest, took);
    ({ token: list.token, more } = body);
  }
  return list;
}

let serial = 0;

/** Sends scans of guests, `size` in a request, by all devices at once; the rate is that of scans. */
async function scanAll(
  servers: Servers,
  tokens: readonly string[],
  { guests, size, letIn }: { guests: readonly Guest[]; size: number; letIn?: true },
): Promise<CallerFigures> {
  const requests = Array.from({ length: Math.ceil(guests.length / size) }, (_, index) =>
    guests.slice(index * size, (index + 1) * size).map(({ id, code }) => ({
      id: `bench-${String(++serial).padStart(10, '0')}`,
      ...{ mode: 'in', attendee: id, code, time: new Date().toISOString(), offset: 0, let_in: letIn },
    })),
  );
  const { answers, rate, p50, p99 } = await measureCallers(requests.length, tokens.length, async (index) => {
    const headers = { 'x-api-key': tokens[index % tokens.length] ?? '' };
    const body = { scans: requests[index] };
    const answer = await need(200, servers.ask('POST admin:/door/scans', { body, headers, anonymous: true }));
    return answer.scans as { verdict: string }[];
  });
  const refused = answers.flat().filter((one) => one.verdict !== 'welcome').length;
  if (refused > 0) throw new Error(`${refused} scans were refused`);
  return { rate: (rate * guests.length) / requests.length, p50, p99 };
}

const line = (name: string, figures: string, isMet: boolean | undefined): void =>
  console.log(`${name.padEnd(34)} ${figures} ${verdict(isMet)}`);

const ms = (value: number): string => `${value.toFixed(1)} ms`;

async function run(kind: DatabaseKind, postgresUrl: string): Promise<void> {
  console.log(`\n${kind}, two processes: ${PEOPLE} attendees, ${DEVICES} devices\n`);
  const servers = await startServers(kind, { postgresUrl });
  try {
    const { event, guests } = await invite(servers);
    const tokens = await pairAll(servers, event);
    const [token = ''] = tokens;
    await readList(servers, token);
    const list = await readList(servers, token);
    const size = `${(list.bytes / 1024).toFixed(0)} KiB, slowest page ${ms(list.slowest)}`;
    line(
      'first list',
      `${ms(list.took)} of at most ${WANTED.list} (${list.rows} rows, ${size})`,
      list.took < WANTED.list,
    );
    await scanAll(servers, tokens, { guests: guests.splice(0, SCANS), size: 1 });
    const single = await scanAll(servers, tokens, { guests: guests.splice(0, SCANS), size: 1 });
    const isFast = single.rate >= WANTED.rate && single.p99 < WANTED.p99;
    line('scans that wait for the response', scanText(single), isFast);
    const queued = await scanAll(servers, tokens, { guests: guests.splice(0, SCANS), size: BATCH, letIn: true });
    line(`scans of queues, ${BATCH} a request`, scanText(queued), queued.rate >= WANTED.rate);
    const { token: before } = await readList(servers, token);
    await scanAll(servers, tokens, { guests: guests.splice(0, DELTA), size: 1 });
    const delta = await readList(servers, token, before);
    line('delta', `${ms(delta.took)} of at most ${WANTED.delta} (${delta.rows} rows)`, delta.took < WANTED.delta);
  } finally {
    await servers.close();
  }
}

const scanText = ({ rate, p50, p99 }: CallerFigures): string =>
  `${rate.toFixed(0)} a second of at least ${WANTED.rate}, p50 ${ms(p50)}, p99 ${ms(p99)} of at most ${WANTED.p99}`;

await onDatabases(options.database, run);
