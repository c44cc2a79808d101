import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type ClientRequest, get, request } from 'node:http';
import { type AddressInfo, BoundSocket, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type MarqueeProcess, serveProcess } from './marquee-process.ts';
import { ADMIN_HEADER, DATABASES, type DatabaseKind, databaseOfProcesses } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A server of two workers. */

const TAGS = '/calendar/events/v1/tags';
const LIST = `${TAGS}?hide_empty=false`;

let data: string;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  data = await temporaryFolder('workers');
});
afterAll(() => rm(data, { recursive: true, force: true }));

/** Ends the servers and removes the databases that tests have made. */
async function cleanUp(): Promise<void> {
  for (const clean of cleanups.splice(0).toReversed()) await clean();
}

/** Settings, and a database with accounts. */
async function prepare(kind: DatabaseKind) {
  const folder = join(data, crypto.randomUUID());
  const { url, open, drop } = await databaseOfProcesses(kind, folder);
  cleanups.push(drop);
  return { settings: { ...settingsIn(folder), ...(url && { MARQUEE_DATABASE_URL: url }) }, open };
}

const settingsIn = (folder: string): Record<string, string> => ({
  MARQUEE_DATA: folder,
  MARQUEE_WORKERS: '2',
  MARQUEE_LOG_LEVEL: 'info',
});

function serve(settings: Record<string, string>): MarqueeProcess {
  const server = serveProcess(settings, { isGroup: true });
  cleanups.push(async () => {
    server.signal('SIGKILL');
    await server.ended;
  });
  return server;
}

async function start(kind: DatabaseKind, settings: Record<string, string> = {}): Promise<MarqueeProcess> {
  const server = serve({ ...(await prepare(kind)).settings, ...settings });
  await server.address;
  return server;
}

type LogEntry = Record<string, unknown> & { pid: number; msg: string };

const logOf = (server: MarqueeProcess): LogEntry[] =>
  server
    .output()
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as LogEntry);

/** The ids of the two workers' processes, once they listen that have replaced `others`. */
async function workersOf(server: MarqueeProcess, others: readonly number[] = []): Promise<[number, number]> {
  for (;;) {
    const pids = logOf(server).flatMap(({ msg, worker, worker_pid }) =>
      msg === 'worker listens' ? [[Number(worker), Number(worker_pid)] as const] : [],
    );
    const latest = new Map(pids);
    const [first, second] = [latest.get(1), latest.get(2)];
    if (first && second && !others.includes(first) && !others.includes(second)) return [first, second];
    await delay(20);
  }
}

async function untilEnded(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(pid, 0);
    } catch {
      return;
    }
    await delay(20);
  }
}

/** Reads over a connection of its own. */
async function read(server: MarqueeProcess, path: string): Promise<{ status: number; body: string }> {
  const [answer] = await once(get(`${await server.address}${path}`, { agent: false }), 'response');
  return { status: answer.statusCode, body: await text(answer) };
}

const isListening = (server: MarqueeProcess): Promise<boolean> =>
  read(server, '/healthz').then(
    () => true,
    () => false,
  );

async function metric(server: MarqueeProcess, name: string): Promise<number> {
  const { body } = await read(server, '/metrics');
  const line = body.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1) ?? Number.NaN);
}

const READS = 'marquee_http_requests_total{method="GET",route="/events/v1/tags",status="200"}';
const ANSWERING = 'marquee_workers{state="answering"}';
const SILENT = 'marquee_workers{state="silent"}';

/** Does something while a worker cannot accept connections, so that the other one does. */
async function whileHeld<T>(held: number, work: () => Promise<T>): Promise<T> {
  process.kill(held, 'SIGSTOP');
  try {
    return await work();
  } finally {
    process.kill(held, 'SIGCONT');
  }
}

const readFrom = (server: MarqueeProcess, held: number, times: number): Promise<void> =>
  whileHeld(held, async () => {
    for (let index = 0; index < times; index += 1) expect((await read(server, LIST)).status).toBe(200);
  });

/** Begins a write, whose body a worker waits for. */
async function beginWrite(
  server: MarqueeProcess,
  { body, authorization = ADMIN_HEADER }: { body: string; authorization?: string },
): Promise<ClientRequest> {
  const headers = { authorization, 'content-type': 'application/json', 'content-length': body.length };
  const sent = request(`${await server.address}${TAGS}`, {
    method: 'POST',
    agent: false,
    headers: { ...headers, expect: '100-continue' },
  });
  sent.on('error', () => undefined).flushHeaders();
  await once(sent, 'continue');
  return sent;
}

async function statusOf(sent: ClientRequest): Promise<number> {
  const [answer] = await once(sent, 'response');
  answer.resume();
  return answer.statusCode;
}

describe.each(DATABASES)('a server of two workers on %s', (kind) => {
  let server: MarqueeProcess;
  beforeAll(async () => {
    server = await start(kind, { MARQUEE_LOG_LEVEL: 'debug', MARQUEE_CART_RATE: '5,1' });
  });
  afterAll(cleanUp);

  it('serves from both, and adds up their counts', async () => {
    const [first, second] = await workersOf(server);
    await readFrom(server, first, 3);
    await readFrom(server, second, 4);
    for (let time = 0; time < 4; time += 1) expect(await metric(server, READS)).toBe(7);
    expect(await metric(server, ANSWERING)).toBe(2);
    const reads = logOf(server).filter(({ route }) => route === '/events/v1/tags');
    const pids = Map.groupBy(reads, ({ pid }) => pid);
    expect([pids.get(first)?.length, pids.get(second)?.length]).toEqual([4, 3]);
  });

  it('shows at each what was written at another, and does a write once that was sent to both', async () => {
    const [first, second] = await workersOf(server);
    // So often that the response is cached.
    await readFrom(server, second, 3);
    const headers = { authorization: ADMIN_HEADER, connection: 'close', 'idempotency-key': crypto.randomUUID() };
    const write = async () => {
      const body = new URLSearchParams({ name: 'Walks' });
      const answer = await fetch(`${await server.address}${TAGS}`, { method: 'POST', headers, body });
      return { status: answer.status, tag: (await answer.json()) as { id: number } };
    };
    const written = await whileHeld(first, write);
    expect(written.status).toBe(201);
    expect(await whileHeld(second, write)).toEqual(written);
    for (const held of [first, second]) {
      const { body } = await whileHeld(held, () => read(server, LIST));
      expect(JSON.parse(body).tags).toEqual([expect.objectContaining({ id: written.tag.id, name: 'Walks' })]);
    }
  });

  it('limits the requests of an address at all workers together', async () => {
    const statuses: number[] = [];
    const change = async () => {
      const body = new URLSearchParams({ provider: 'tc' });
      const headers = { connection: 'close' };
      const answer = await fetch(`${await server.address}/calendar/tickets/v1/cart`, { method: 'POST', headers, body });
      statuses.push(answer.status);
    };
    for (const held of await workersOf(server)) {
      await whileHeld(held, () => Promise.all([change(), change(), change()]));
    }
    expect(statuses.toSorted()).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('two workers', () => {
  let server: MarqueeProcess;
  beforeAll(async () => {
    server = serve(settingsIn(join(data, 'empty')));
    await server.address;
  });
  afterAll(cleanUp);

  it('respond to /metrics without one that hangs, and forget nothing that it has counted', async () => {
    const [first, second] = await workersOf(server);
    await readFrom(server, first, 1);
    const before = await metric(server, READS);
    process.kill(second, 'SIGSTOP');
    expect(await metric(server, SILENT)).toBe(1);
    expect(await metric(server, READS)).toBe(before);
    process.kill(second, 'SIGKILL');
    await workersOf(server, [second]);
    expect(await metric(server, SILENT)).toBe(0);
    expect(await metric(server, READS)).toBe(before);
  });

  it('are replaced when they are killed, and the other one responds meanwhile', async () => {
    const [first, second] = await workersOf(server);
    process.kill(first, 'SIGKILL');
    await untilEnded(first);
    for (let time = 0; time < 10; time += 1) expect((await read(server, TAGS)).status).toBe(200);
    expect(await workersOf(server, [first])).toContain(second);
    await readFrom(server, second, 1);
    expect(await metric(server, ANSWERING)).toBe(2);
  });

  it('make new requests wait while all are replaced', async () => {
    const pids = await workersOf(server);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await Promise.all(pids.map(untilEnded));
    expect((await read(server, TAGS)).status).toBe(200);
    await workersOf(server, pids);
  });

  it('are replaced at a signal after the requests that are under way', async () => {
    const [first, second] = await workersOf(server);
    const body = JSON.stringify({ name: 'Walks' });
    const password = / with the password (\S+)$/m.exec(server.output().join('\n'))?.[1];
    const authorization = `Basic ${btoa(`admin:${password}`)}`;
    const sent = await whileHeld(second, () => beginWrite(server, { body, authorization }));
    process.kill(first, 'SIGTERM');
    expect((await read(server, TAGS)).status).toBe(200);
    sent.end(body);
    expect(await statusOf(sent)).toBe(201);
    await workersOf(server, [first]);
  });

  it('say once where they listen and who the first administrator is, and end with 0', async () => {
    server.signal('SIGTERM');
    const { code, out, err } = await server.ended;
    expect({ code, err }).toEqual({ code: 0, err: [] });
    for (const said of [/^The first administrator/, /^Marquee listens/, /^API documentation/])
      expect(out.filter((line) => said.test(line))).toHaveLength(1);
  });
});

describe('two workers of their own', () => {
  afterEach(cleanUp);

  it('end after their primary, once the requests under way have responses', async () => {
    const server = await start('sqlite');
    const body = JSON.stringify({ name: 'Walks' });
    const [sent, pids] = await Promise.all([beginWrite(server, { body }), workersOf(server)]);
    process.kill(server.pid, 'SIGKILL');
    while (await isListening(server)) await delay(20);
    sent.end(body);
    expect(await statusOf(sent)).toBe(201);
    await Promise.all(pids.map(untilEnded));
  });

  it('run the periodic jobs in one of them, and in its replacement', async () => {
    const { settings, open } = await prepare('sqlite');
    const db = open();
    await sql`ALTER TABLE carts RENAME TO elsewhere`.execute(db.query);
    await db.close();
    const server = serve(settings);
    await server.address;
    /** The processes that have tried to sweep carts, once there are so many attempts. */
    const sweepers = async (attempts: number): Promise<number[]> => {
      for (;;) {
        const failures = logOf(server).filter(({ msg }) => msg === 'sweeping carts failed');
        if (failures.length >= attempts) return [...new Set(failures.map(({ pid }) => pid))];
        await delay(20);
      }
    };
    const [first, second] = await workersOf(server);
    // The first one is at its start, the second one five seconds later.
    expect(await sweepers(2)).toEqual([first]);
    process.kill(first, 'SIGKILL');
    const [replacement] = await workersOf(server, [first]);
    expect(await sweepers(3)).toEqual([first, replacement]);
    expect(replacement).not.toBe(second);
  });
});

describe('a start of several workers that cannot succeed', () => {
  afterEach(cleanUp);

  it('says once that the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    cleanups.push(() => void other.close());
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, out, err } = await serve({ ...settingsIn(join(data, 'in-use')), MARQUEE_PORT: String(port) }).ended;
    expect({ code, out }).toEqual({ code: 1, out: [] });
    expect(err).toEqual([`MARQUEE_PORT ${port} is already in use on 127.0.0.1; choose another one.`]);
  });

  it('says once that the port is in use when only workers notice', async () => {
    // The system lets two processes bind an address before one of them listens.
    const socket = new BoundSocket({ host: '127.0.0.1', port: 0 });
    const { port } = socket.address();
    const settings = { ...settingsIn(join(data, 'in-use-later')), MARQUEE_LOG_LEVEL: 'silent' };
    const server = serve({ ...settings, MARQUEE_PORT: String(port) });
    // Printed between the binding of the socket and the start of the workers.
    while (server.output().length === 0) await delay(1);
    const other = createServer().listen(socket);
    cleanups.push(() => void other.close());
    const { code, err } = await server.ended;
    expect(code).toBe(1);
    expect(err).toEqual([`MARQUEE_PORT ${port} is already in use on 127.0.0.1; choose another one.`]);
  });
});
