import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Database } from '../src/db/database.ts';
import { programOf } from './marquee-process.ts';
import { ADMIN_HEADER, type DatabaseKind, databaseOfProcesses, WITHOUT_LIMITS } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SCRIPT = programOf(new URL('race-server.ts', import.meta.url));

export interface RaceAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies as clients do
  body: any;
  headers: Record<string, string | string[] | undefined>;
}

export interface RaceRequest {
  body?: unknown;
  headers?: Record<string, string>;
  /** Which of the processes; by default they take turns. */
  process?: number;
  /** Leaves out the credentials of the administrator. */
  anonymous?: boolean;
}

/** `POST tickets:/attendees`, as administrator unless the headers say otherwise. */
export type Ask = (call: string, asking?: RaceRequest) => Promise<RaceAnswer>;

export interface Servers {
  ask: Ask;
  /** Folder of the data. */
  data: string;
  /** Scheme, host and port of a process. */
  address(process: number): string;
  /** The processes that are still running. */
  alive(): boolean[];
  /** Direct access to the database, for counting. */
  db: Database;
  /** Kills a process. */
  kill(process: number): Promise<void>;
  /**
   * Makes the next request with an Idempotency-Key hang, after it claimed the key or before its response is stored.
   * The inner promise resolves when one hangs.
   */
  stopAt(process: number, where: 'afterClaim' | 'beforeKeep'): Promise<{ stopped: Promise<unknown> }>;
  /** Removes the guards of stock, check-in, one-time tokens and Idempotency-Keys permanently. */
  unguard(): Promise<void>;
  /** Restarts a process that was killed. */
  restart(process: number): Promise<void>;
  close(): Promise<void>;
}

export interface ServersOptions {
  postgresUrl: string;
  processes?: number;
  /** Settings besides those that turn off the limits per address. */
  settings?: Record<string, string>;
  /** URL that the processes use for the database at a URL, such as a proxy that fails on demand. */
  route?(databaseUrl: string): Promise<string>;
}

/** Several processes of Marquee on one database. */
export async function startServers(
  kind: DatabaseKind,
  { postgresUrl, processes = 2, settings, route = async (url) => url }: ServersOptions,
): Promise<Servers> {
  const data = await temporaryFolder('race');
  const { url, drop, open } = await databaseOfProcesses(kind, data, postgresUrl);
  const databaseUrl = url && (await route(url));
  const start = () => launch({ data, databaseUrl, settings });
  const running = await Promise.all(Array.from({ length: processes }, start));
  const db = open();
  const client = createClient(() => running.map(({ address }) => address));
  return {
    db,
    ask: client.ask,
    data,
    address: (index) => running[index]?.address ?? '',
    alive: () => running.map(({ child }) => child.exitCode === null && child.signalCode === null),
    async kill(index) {
      await end(running[index], 'SIGKILL');
    },
    async stopAt(index, where) {
      const child = running[index]?.child;
      if (!child) throw new Error('there is no such process');
      await tell(child, where);
      return { stopped: once(child, 'message') };
    },
    async unguard() {
      await Promise.all(running.map(({ child }) => tell(child, 'unguard')));
    },
    async restart(index) {
      running[index] = await start();
    },
    async close() {
      client.close();
      await Promise.all(running.map((server) => end(server, 'SIGTERM')));
      await db.close();
      await drop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

/**
 * A client that keeps its connections and uses the servers at some addresses in turn. It uses all connections alike and
 * leaves none idle for long: a request on one that its server is about to close would be lost.
 */
export function createClient(addresses: () => readonly string[]): { ask: Ask; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 128, scheduling: 'fifo', timeout: 2000 });
  let turn = 0;
  return {
    ask(call, asking = {}) {
      turn += 1;
      const known = addresses();
      const address = known[asking.process ?? turn % known.length];
      if (address === undefined) throw new Error('there is no such process');
      return send(address, call, { ...asking, agent });
    },
    close: () => agent.destroy(),
  };
}

interface RunningServer {
  address: string;
  child: ChildProcess;
}

interface Launch {
  data: string;
  databaseUrl?: string;
  settings?: Record<string, string>;
}

async function launch({ data, databaseUrl, settings }: Launch): Promise<RunningServer> {
  const child = spawn(process.execPath, [SCRIPT], {
    env: {
      ...process.env,
      MARQUEE_PORT: '0',
      MARQUEE_DATA: data,
      MARQUEE_LOG_LEVEL: 'fatal',
      MARQUEE_DATABASE_POOL: '6',
      // Halves the start-up time; a crash test has twenty starts.
      NODE_COMPILE_CACHE: join(tmpdir(), 'marquee-compile-cache'),
      ...WITHOUT_LIMITS,
      // Requests may wait long on a machine that is busy with other tests.
      MARQUEE_MAX_DELAY: '0',
      ...(databaseUrl && { MARQUEE_DATABASE_URL: databaseUrl }),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const said = child.stdout as Readable; // a pipe, as said above
  for await (const line of createInterface({ input: said })) return { address: line, child };
  throw new Error('the server ended before it listened');
}

async function tell(child: ChildProcess, message: string): Promise<void> {
  const done = once(child, 'message');
  child.send(message);
  await done;
}

async function end(server: RunningServer | undefined, signal: NodeJS.Signals): Promise<void> {
  if (!server || server.child.exitCode !== null || server.child.signalCode !== null) return;
  const ended = once(server.child, 'exit');
  server.child.kill(signal);
  await ended;
}

function send(
  address: string,
  call: string,
  { body, headers, anonymous, agent }: RaceRequest & { agent: Agent },
): Promise<RaceAnswer> {
  const [, method = '', namespace = '', path = ''] = /^(\w+) (\w+):(\S*)$/.exec(call) ?? [];
  const payload = body === undefined ? undefined : JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const sent = request(
      `${address}/calendar/${namespace}/v1${path}`,
      {
        method,
        agent,
        headers: {
          ...(!anonymous && { authorization: ADMIN_HEADER }),
          ...(payload !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(payload),
          }),
          ...headers,
        },
      },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers,
            body: text === '' ? undefined : JSON.parse(text),
          });
        });
      },
    );
    sent.on('error', reject);
    sent.end(payload);
  });
}

/** Runs `attempts` calls, `callers` of them at a time, and returns the results. */
export async function crowd<T>(
  attempts: number,
  callers: number,
  attempt: (index: number) => Promise<T>,
): Promise<T[]> {
  const answers: T[] = [];
  let next = 0;
  const caller = async () => {
    while (next < attempts) {
      const index = next;
      next += 1;
      answers.push(await attempt(index));
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return answers;
}
