import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type MarqueeProcess, nodeProcess, serveProcess } from './marquee-process.ts';
import { ADMIN_HEADER, DATABASES, type DatabaseKind, databaseOfProcesses } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const VENUES = '/calendar/events/v1/venues';
const ABRUPT = fileURLToPath(new URL('abrupt-server.ts', import.meta.url));

let data: string;
const running: MarqueeProcess[] = [];
const drops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  data = await temporaryFolder('shutdown');
});
afterEach(async () => {
  const left = running.splice(0);
  for (const one of left) one.signal('SIGKILL');
  await Promise.all(left.map(({ ended }) => ended));
  for (const drop of drops.splice(0)) await drop();
});
afterAll(() => rm(data, { recursive: true, force: true }));

async function start(kind: DatabaseKind, { workers = 1, isGroup = false } = {}): Promise<MarqueeProcess> {
  const folder = join(data, crypto.randomUUID());
  const { url, drop } = await databaseOfProcesses(kind, folder);
  drops.push(drop);
  return keep(
    serveProcess(
      {
        MARQUEE_DATA: folder,
        MARQUEE_WORKERS: String(workers),
        // A busy machine would refuse requests, which is another behaviour.
        MARQUEE_MAX_DELAY: '0',
        ...(url && { MARQUEE_DATABASE_URL: url }),
      },
      { isGroup },
    ),
  );
}

function keep(one: MarqueeProcess): MarqueeProcess {
  running.push(one);
  return one;
}

interface Outcome {
  /** 0 for none. */
  status: number;
  /** Whether the response announced that the connection closes. */
  isLast: boolean;
  /** Error code of the connection. */
  error?: string;
}

/** One request over a persistent connection: a read, or a write. */
function send(address: string, agent: Agent, name?: string): Promise<Outcome> {
  const method = name === undefined ? 'GET' : 'POST';
  const headers = { authorization: ADMIN_HEADER, 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const sent = request(`${address}${VENUES}`, { method, agent, headers }, async (answer) => {
      const isLast = answer.headers.connection === 'close';
      const isWhole = await text(answer).then(
        () => true,
        () => false,
      );
      resolve({ status: isWhole ? (answer.statusCode ?? 0) : 0, isLast });
    });
    sent.on('error', (error: NodeJS.ErrnoException) => resolve({ status: 0, isLast: false, error: error.code }));
    sent.end(name === undefined ? undefined : JSON.stringify({ venue: name }));
  });
}

const CALLERS = 48;
/** Number of responses after which a server is told to end. */
const ANSWERS = 200;

/**
 * Ends a server while clients, each on a connection of its own, send requests one after the other. Returns all outcomes
 * once every client knows that its connection closes, or has lost it.
 */
async function endUnderLoad(server: MarqueeProcess): Promise<Outcome[]> {
  const address = await server.address;
  const outcomes: Outcome[] = [];
  const call = async (caller: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let index = 0; ; index += 1) {
      const outcome = await send(address, agent, index % 4 === 0 ? `Hall ${caller}-${index}` : undefined);
      outcomes.push(outcome);
      if (outcomes.length === ANSWERS) server.signal('SIGTERM');
      if (outcome.isLast || outcome.status === 0) break;
    }
    agent.destroy();
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  return outcomes;
}

const isLost = ({ status, error }: Outcome): boolean => status === 0 && error !== 'ECONNREFUSED';

/** A connection to a server, to which something is written at once. */
function say(address: string, text: string): Socket {
  const { port, hostname } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(text);
  return socket;
}

const getOf = (address: string): string => `GET ${VENUES} HTTP/1.1\r\nHost: ${new URL(address).host}\r\n\r\n`;

const answerOf = (socket: Socket) => text(socket).catch((error: NodeJS.ErrnoException) => String(error.code));

/**
 * Sends requests over new connections, which the system accepts, to a stopped server, and ends it before it
 * continues. Returns the errors instead of responses.
 */
async function lostWhileStill(server: MarqueeProcess): Promise<string[]> {
  const address = await server.address;
  server.signal('SIGSTOP');
  const sockets = Array.from({ length: 100 }, () => say(address, getOf(address)));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  server.signal('SIGTERM');
  server.signal('SIGCONT');
  const answers = await Promise.all(sockets.map(answerOf));
  return answers.filter((answer) => !answer.startsWith('HTTP/1.1 200 '));
}

/** Sends the headers of a write, and waits until the server has started to read its body. */
async function beginPost(address: string, length: number): Promise<Socket> {
  const socket = say(
    address,
    `POST ${VENUES} HTTP/1.1\r\nHost: ${new URL(address).host}\r\nAuthorization: ${ADMIN_HEADER}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`,
  );
  await once(socket, 'data');
  return socket;
}

/** Sends requests until nothing listens any more. */
async function refusesConnections(address: string): Promise<void> {
  for (;;) {
    const { error } = await send(address, new Agent());
    if (error === 'ECONNREFUSED') return;
  }
}

async function expectCleanEnd({ ended }: MarqueeProcess): Promise<void> {
  expect(await ended).toMatchObject({ code: 0, signal: null, err: [] });
}

describe('SIGTERM under load', () => {
  it.each([
    ...DATABASES.map((kind) => ({ to: 'a single process', kind, workers: 1 })),
    { to: 'the first of several processes', kind: 'sqlite' as const, workers: 2 },
    { to: 'several processes at the same time', kind: 'sqlite' as const, workers: 2, isGroup: true },
  ])('to $to on $kind responds to every request of every connection, and says that they close', async (options) => {
    const server = await start(options.kind, options);
    const outcomes = await endUnderLoad(server);
    expect(outcomes.filter(isLost)).toEqual([]);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([200, 201]));
    expect(outcomes.filter(({ isLast }) => isLast)).toHaveLength(CALLERS);
    await expectCleanEnd(server);
  });
});

const COUNTS = [
  { processes: 'one process', workers: 1 },
  { processes: 'two workers', workers: 2 },
];

describe('SIGTERM', () => {
  it.each(COUNTS)(
    'responds on connections that the system has accepted for $processes, but that it has not seen yet',
    async ({ workers }) => {
      const server = await start('sqlite', { workers, isGroup: true });
      expect(await lostWhileStill(server)).toEqual([]);
      await expectCleanEnd(server);
    },
  );

  /** Stops the process of a server that shuts down with idle connections; a busy machine takes several tries. */
  async function standStill() {
    for (;;) {
      const server = await start('sqlite');
      const address = await server.address;
      const sockets = Array.from({ length: 10 }, () => say(address, getOf(address)));
      await Promise.all(sockets.map((socket) => once(socket, 'data')));
      const begun = performance.now();
      server.signal('SIGTERM');
      await refusesConnections(address);
      server.signal('SIGSTOP');
      // Idle connections end after a second.
      if (performance.now() - begun < 800) return { server, address, sockets };
      server.signal('SIGCONT');
      await server.ended;
    }
  }

  it('responds to a request that came on an idle connection while the process stood still', async () => {
    const { server, address, sockets } = await standStill();
    for (const socket of sockets) socket.write(getOf(address));
    // Longer than a connection may be idle.
    await delay(1500);
    server.signal('SIGCONT');
    const answers = await Promise.all(sockets.map(answerOf));
    expect(answers.filter((answer) => !/^HTTP\/1.1 200 .*\r\nconnection: close\r\n/is.test(answer))).toEqual([]);
    await expectCleanEnd(server);
  });

  it('responds to pipelined requests, the last one with the close', async () => {
    const server = await start('sqlite');
    const address = await server.address;
    const body = JSON.stringify({ venue: 'Hall' });
    const socket = await beginPost(address, body.length);
    server.signal('SIGTERM');
    await refusesConnections(address);
    socket.write(body + getOf(address).repeat(19));
    const answer = await answerOf(socket);
    expect(answer.match(/HTTP\/1\.1 20[01] /g)).toHaveLength(20);
    expect(answer.match(/\r\nconnection: close\r\n/gi)).toHaveLength(1);
    await expectCleanEnd(server);
  });

  it.each(COUNTS)(
    'ends $processes with 0 when it comes twice, and in the middle of a request that never ends',
    async ({ workers }) => {
      const server = await start('sqlite', { workers });
      await beginPost(await server.address, 100);
      server.signal('SIGTERM');
      await refusesConnections(await server.address);
      server.signal('SIGTERM');
      expect(await server.ended).toMatchObject({ code: 0, signal: null });
    },
  );
});

/** Control: these tests must be able to fail. */
describe('a server that closes idle connections immediately', () => {
  it('loses requests under the same load', async () => {
    expect((await endUnderLoad(keep(nodeProcess([ABRUPT])))).filter(isLost)).not.toEqual([]);
  });

  it('loses connections that the system has accepted for it', async () => {
    expect(await lostWhileStill(keep(nodeProcess([ABRUPT])))).not.toEqual([]);
  });
});
