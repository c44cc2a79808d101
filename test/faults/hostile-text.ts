import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { Worker } from 'node:worker_threads';
import { hostileRequests, type Sent, type Sizes, type World } from './hostile-requests.ts';

export interface Target {
  /** Scheme, host and port of a server that may be filled with junk. */
  address: string;
  /** An administrator of it. */
  user: string;
  password: string;
}

interface Slow {
  /** Milliseconds in which the server responded to no request. */
  ms: number;
  /** The request that caused it. */
  what: string;
}

export interface HostileReport {
  requests: number;
  slowest: Slow;
  /** Everything over 200 ms, the slowest first. */
  slow: Slow[];
  /** Responses that report a server error. */
  faults: string[];
}

/** Bytes of the headers of a response, which may repeat the host of the request several times. */
const MAX_HEADER_SIZE = 128 * 1024;

/** Milliseconds for which one request may delay others on a quiet machine. */
export const MAX_BLOCKED = 200;

const SIZES: Sizes = { query: 14_000, body: 1024 * 1024 - 1024 };

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies as clients do
  body: any;
}

type Send = (request: Sent) => Promise<Answer>;

/**
 * Sends hostile text to every parameter of every endpoint of a running server, in headers, paths and credentials, and
 * measures with `GET /healthz` how long the server is blocked. The server is full of junk afterwards.
 * @param only leaves out the requests whose description it refuses
 */
export async function hostileText(
  target: Target,
  { sizes = SIZES, only = () => true }: { sizes?: Sizes; only?: (what: string) => boolean } = {},
): Promise<HostileReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = sender(target, agent);
  const world = await makeWorld(send);
  const probe = startProbe(target.address);
  const report: HostileReport = { requests: 0, slowest: { ms: 0, what: '' }, slow: [], faults: [] };
  try {
    await probe.slowest();
    for (const { what, make } of hostileRequests(sizes, world)) {
      if (!only(what)) continue;
      const request = make();
      const ready = request.nonce ? await withNonce(send, request, world) : request;
      const answer = await send(ready);
      note(report, { ms: await probe.slowest(), what }, answer);
    }
  } finally {
    await probe.stop();
    agent.destroy();
  }
  report.slow.sort((a, b) => b.ms - a.ms);
  return report;
}

function note(report: HostileReport, one: Slow, { status, body }: Answer): void {
  report.requests += 1;
  if (one.ms > report.slowest.ms) report.slowest = one;
  if (one.ms > MAX_BLOCKED) report.slow.push(one);
  if (status >= 500) report.faults.push(`${one.what}: ${status} ${body?.code ?? ''}`);
}

function sender({ address, user, password }: Target, agent: Agent): Send {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const { hostname, port } = new URL(address);
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const all = { authorization, ...headers };
      const options = { agent, hostname, port, method, path, headers: all, maxHeaderSize: MAX_HEADER_SIZE };
      const sent = httpRequest(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body: parsed(Buffer.concat(chunks)) }));
      });
      // Node closes the connection after an invalid request line, sometimes before it is written completely.
      sent.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ECONNRESET' || error.code === 'EPIPE'
          ? resolve({ status: 400, body: undefined })
          : reject(error),
      );
      sent.end(body);
    });
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

function startProbe(address: string) {
  const worker = new Worker(new URL('./health-probe.ts', import.meta.url), { workerData: { address } });
  const failed = new AbortController();
  worker.once('error', (error) => failed.abort(error));
  /** The slowest response since the last call, in ms. */
  const slowest = async (): Promise<number> => {
    worker.postMessage('slowest');
    // Not a race with one promise, which would accumulate a reaction per wait.
    const [ms] = await once(worker, 'message', { signal: failed.signal });
    return ms;
  };
  return { slowest, stop: () => worker.terminate() };
}

async function withNonce(send: Send, request: Sent, world: World): Promise<Sent> {
  const { nonce: action = '', body = '' } = request;
  const made = await send({
    method: 'POST',
    path: '/calendar/tickets/v1/nonces',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ action, post_id: world.events }),
  });
  return { ...request, body: `${body.slice(0, -1)},${JSON.stringify(action)}:${JSON.stringify(made.body?.nonce)}}` };
}

/** Records of every kind to read and to change. */
async function makeWorld(send: Send): Promise<World> {
  const make = async (path: string, fields: object) => {
    const headers = { 'content-type': 'application/json' };
    const { status, body } = await send({
      method: 'POST',
      path: `/calendar/${path}`,
      headers,
      body: JSON.stringify(fields),
    });
    if (status >= 300) throw new Error(`${path} answered ${status} ${JSON.stringify(body)}`);
    return body;
  };
  const event = await make('events/v1/events', {
    title: 'Hostile',
    start_date: '2027-05-01 10:00',
    end_date: '2027-05-01 11:00',
  });
  const venue = await make('events/v1/venues', { venue: 'Hostile hall' });
  const organizer = await make('events/v1/organizers', { organizer: 'Hostile club' });
  const category = await make('events/v1/categories', { name: `Hostile ${Date.now()}` });
  const tag = await make('events/v1/tags', { name: `hostile ${Date.now()}` });
  const user = await make('admin/v1/users', {
    username: `victim${Date.now()}`,
    email: `victim${Date.now()}@party.test`,
    password: 'long enough',
    role: 'editor',
  });
  const nonce = await make('tickets/v1/nonces', { action: 'add_ticket_nonce', post_id: event.id });
  const ticket = await make('tickets/v1/tickets', {
    post_id: event.id,
    provider: 'tc',
    name: 'Seat',
    price: '5',
    ticket: { mode: 'own', capacity: 100_000 },
    add_ticket_nonce: nonce.nonce,
  });
  const attendee = await make('tickets/v1/attendees', {
    ticket_id: ticket.id,
    full_name: 'Ada Park',
    email: 'ada@party.test',
  });
  return {
    events: event.id,
    'events.slug': event.slug,
    venues: venue.id,
    'venues.slug': venue.slug,
    organizers: organizer.id,
    'organizers.slug': organizer.slug,
    categories: category.id,
    tags: tag.id,
    users: user.id,
    application_passwords: user.id,
    tickets: ticket.id,
    attendees: attendee.id,
    qr: attendee.id,
  };
}
