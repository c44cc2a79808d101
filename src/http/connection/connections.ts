import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Timeouts } from '../input/body-timeout.ts';
import { countClosed, type Traffic } from './traffic.ts';

/** Milliseconds to keep reading after our last byte: a close with unread data would reset the connection. */
const LINGER = 1000;

/**
 * Maximum number of pipelined requests per connection. Node dispatches all requests it has read before responding, and
 * reads up to 2 MiB at once: thousands of requests would delay all other clients.
 */
const MAX_AHEAD = 32;

/** Milliseconds between checks for clients that do not read their responses. */
const SWEEP_INTERVAL = 1000;

/** Connection and its pending requests, in order. */
export interface Connection {
  socket: Socket;
  responses: ServerResponse[];
  /** Start of the idle time, by `performance.now()`. */
  quietSince: number;
  /** Bytes read by the end of the last request. */
  bytesAtRest: number;
  /**
   * Output that is written but not fully sent: start time, remaining bytes at that time, and total bytes written until
   * then.
   */
  unsent?: { since: number; bytes: number; end: number };
}

export interface Connections {
  readonly all: Iterable<Connection>;
  /** Connections accepted so far. */
  readonly accepted: number;
  /**
   * Registers a request. Returns false if its connection has announced that it closes: the request must not be
   * executed, since no response can be sent.
   */
  admit(request: IncomingMessage, response: ServerResponse): boolean;
  /** Makes each connection close after its last pending response. */
  announceClose(): void;
}

/** True while a request is being received or awaits its response. */
export const isBusy = ({ responses, socket, bytesAtRest }: Connection): boolean =>
  responses.length > 0 || socket.bytesRead > bytesAtRest;

/** Tracks the connections of a server. */
export function trackConnections(server: Server, traffic: Traffic): Connections {
  const all = new Map<Socket, Connection>();
  let accepted = 0;
  let isClosing = false;
  server.on('connection', (socket) => {
    accepted += 1;
    // Node reads the address once and gets none for a reset connection. Rules that depend on the address need one.
    if (socket.remoteAddress === undefined) return void socket.destroy();
    traffic.connections += 1;
    all.set(socket, { socket, responses: [], quietSince: performance.now(), bytesAtRest: 0 });
    socket.destroySoon = () => closeGently(socket);
    socket.once('close', () => {
      traffic.connections -= 1;
      all.delete(socket);
    });
  });
  return {
    get all() {
      return all.values();
    },
    get accepted() {
      return accepted;
    },
    admit(request, response) {
      const connection = all.get(request.socket);
      if (!connection) return false;
      if (isOver(connection)) {
        stopReading(connection);
        return false;
      }
      const before = connection.responses.at(-1);
      connection.responses.push(response);
      response.once('close', () => rest(connection, request, response));
      // Only the last response closes the connection. A client that requested a close sends no further requests.
      if (isClosing && before) before.shouldKeepAlive = true;
      if (isClosing || connection.responses.length >= MAX_AHEAD) response.shouldKeepAlive = false;
      return true;
    },
    announceClose() {
      isClosing = true;
      for (const { responses } of all.values()) {
        const last = responses.at(-1);
        if (last && !last.headersSent) last.shouldKeepAlive = false;
      }
    },
  };
}

/** True if the connection closes after its pending responses. */
function isOver({ socket, responses }: Connection): boolean {
  const last = responses.at(-1);
  if (socket.writableEnded || responses.length >= MAX_AHEAD) return true;
  return last?.headersSent === true && !last.shouldKeepAlive;
}

/**
 * Stops reading from a connection for good. Otherwise Node would parse hundreds of thousands of requests, and take
 * seconds to drop them when the connection closes. `pause` alone does not suffice, since Node resumes the socket with
 * each response.
 */
function stopReading({ socket }: Connection): void {
  socket.pause();
  socket.resume = () => socket;
}

function rest(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
  const { responses, socket } = connection;
  responses.splice(responses.indexOf(response), 1);
  connection.quietSince = performance.now();
  connection.bytesAtRest = socket.bytesRead;
  // Do not wait for the rest of an unread body.
  if (!request.complete && !socket.destroyed) setTimeout(() => request.complete || closeGently(socket), LINGER).unref();
}

/** Flushes pending output, then keeps reading for a moment. */
export function closeGently(socket: Socket): void {
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end();
}

/**
 * Periodically counts unsent responses and closes the connections of clients that read too slowly. Clients that read
 * nothing at all are closed by the socket timeout.
 */
export function sweepReaders(connections: Connections, traffic: Traffic, timeouts: Timeouts): { stop(): void } {
  const timer = setInterval(() => {
    const now = performance.now();
    let unsentBytes = 0;
    for (const connection of connections.all) {
      const { socket } = connection;
      const bytes = socket.writableLength;
      unsentBytes += bytes;
      // While a response is being written, each chunk is timed separately.
      const isSent = connection.unsent !== undefined && socket.bytesWritten - bytes >= connection.unsent.end;
      if (bytes === 0) connection.unsent = undefined;
      else if (!connection.unsent || isSent) connection.unsent = { since: now, bytes, end: socket.bytesWritten };
      else if (now - connection.unsent.since > timeToRead(connection.unsent.bytes, timeouts)) {
        countClosed(traffic, 'slow_reader');
        socket.destroy();
      }
    }
    traffic.unsentBytes = unsentBytes;
  }, SWEEP_INTERVAL);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

const timeToRead = (bytes: number, { stalled, bytesPerSecond }: Timeouts): number =>
  stalled + (bytes / bytesPerSecond) * 1000;
