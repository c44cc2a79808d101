import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Timeouts } from './body-timeout.ts';
import { countClosed, type Traffic } from './watch.ts';

/** Milliseconds that a connection is still read after our last byte: data in it at a close would tear up our answer. */
const LINGER = 1000;

/**
 * Requests that one connection may send ahead of their answers. Node hands over all that it has read before any of them
 * is answered, and reads up to 2 MiB at once: thousands of requests would hold up everybody else.
 */
const MAX_AHEAD = 32;

/** Milliseconds between two looks at who takes no answers. */
const SWEEP_INTERVAL = 1000;

/** A connection and its requests that are not answered yet, in the order in which they are answered. */
export interface Connection {
  socket: Socket;
  answers: ServerResponse[];
  /** Since when nothing is asked, by `performance.now()`. */
  quietSince: number;
  /** Bytes that had been read when the last request was complete. */
  bytesAtRest: number;
  /** An answer that is written but not taken: since when, and bytes that were left then. */
  unsent?: { since: number; bytes: number };
}

export interface Connections {
  readonly all: Iterable<Connection>;
  /** Connections that there ever were. */
  readonly accepted: number;
  /**
   * Takes note of a request. Gives false for one that cannot be answered, since its connection has said that it closes:
   * it must not be carried out.
   */
  admit(request: IncomingMessage, answer: ServerResponse): boolean;
  /** From now on each connection closes with the last answer that it owes. */
  announceClose(): void;
}

/** Whether somebody is in the middle of a request, or waits for the answer. */
export const isBusy = ({ answers, socket, bytesAtRest }: Connection): boolean =>
  answers.length > 0 || socket.bytesRead > bytesAtRest;

/** Keeps the connections of a server. */
export function trackConnections(server: Server, traffic: Traffic): Connections {
  const all = new Map<Socket, Connection>();
  let accepted = 0;
  let isClosing = false;
  server.on('connection', (socket) => {
    accepted += 1;
    traffic.connections += 1;
    all.set(socket, { socket, answers: [], quietSince: performance.now(), bytesAtRest: 0 });
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
    admit(request, answer) {
      const connection = all.get(request.socket);
      if (!connection || isOver(connection)) return false;
      const before = connection.answers.at(-1);
      connection.answers.push(answer);
      answer.once('close', () => rest(connection, request, answer));
      // What was asked earlier is not the last any more. A client that wanted to close itself sends no more.
      if (isClosing && before) before.shouldKeepAlive = true;
      if (isClosing || connection.answers.length >= MAX_AHEAD) answer.shouldKeepAlive = false;
      return true;
    },
    announceClose() {
      isClosing = true;
      for (const { answers } of all.values()) {
        const last = answers.at(-1);
        if (last && !last.headersSent) last.shouldKeepAlive = false;
      }
    },
  };
}

/** Whether the client has been told that nothing more is answered. */
function isOver({ socket, answers }: Connection): boolean {
  const last = answers.at(-1);
  if (socket.writableEnded || answers.length >= MAX_AHEAD) return true;
  return last?.headersSent === true && !last.shouldKeepAlive;
}

function rest(connection: Connection, request: IncomingMessage, answer: ServerResponse): void {
  const { answers, socket } = connection;
  answers.splice(answers.indexOf(answer), 1);
  connection.quietSince = performance.now();
  connection.bytesAtRest = socket.bytesRead;
  // The rest of a body that nobody wanted is not waited for.
  if (!request.complete && !socket.destroyed) setTimeout(() => request.complete || closeGently(socket), LINGER).unref();
}

/** Sends what is to be sent, and then reads on for a moment. */
export function closeGently(socket: Socket): void {
  if (socket.destroyed) return;
  const timer = setTimeout(() => socket.destroy(), LINGER).unref();
  socket.once('close', () => clearTimeout(timer));
  socket.end();
}

/**
 * Looks at the answers that are written but not taken, from time to time: counts what they hold, and closes the
 * connections of readers that are slower than anybody has to be. Those that take nothing at all are closed by the
 * time-out of their socket.
 */
export function sweepReaders(connections: Connections, traffic: Traffic, timeouts: Timeouts): { stop(): void } {
  const timer = setInterval(() => {
    const now = performance.now();
    let unsentBytes = 0;
    for (const connection of connections.all) {
      const { socket } = connection;
      const bytes = socket.writableLength;
      unsentBytes += bytes;
      if (bytes === 0) connection.unsent = undefined;
      else if (!connection.unsent) connection.unsent = { since: now, bytes };
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
