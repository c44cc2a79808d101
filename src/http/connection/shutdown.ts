import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Connections, closeGently, isBusy } from './connections.ts';

/** Milliseconds for requests in progress to finish. */
const GRACE = 10_000;
/** Milliseconds from the signal to the forced exit. */
export const LONGEST_STOP = GRACE + 2000;
/**
 * Milliseconds after which an idle connection is closed: a request sent before the shutdown has arrived by then.
 */
const IDLE_GRACE = 1000;
/** Milliseconds between checks for idle connections. */
const SWEEP_INTERVAL = 25;
/** Number of turns of the event loop without a new connection after which the accept queue counts as empty. */
const QUIET_TURNS = 2;
/** Maximum milliseconds for draining the accept queue. */
const BACKLOG_TIME = 3000;

/**
 * Stops a server gracefully: sends `Connection: close` with each response, drains the accept queue, stops listening,
 * and closes each connection once it is idle. After the grace period, the remaining connections are cut off.
 */
export async function shutDown(server: Server, connections: Connections): Promise<void> {
  const started = performance.now();
  connections.announceClose();
  const force = setTimeout(() => server.closeAllConnections(), GRACE);
  await acceptBacklog(connections);
  await new Promise<void>((resolve) => {
    // Sockets are read between both callbacks: after a pause of the process before that, requests are already waiting,
    // and a pause after it must not count as idle time.
    const sweep = setInterval(() => setImmediate(closeQuiet, connections, started, performance.now()), SWEEP_INTERVAL);
    // `closeIdleConnections` of node:http would close connections whose next request has arrived but is not yet read.
    NetServer.prototype.close.call(server, () => {
      clearInterval(sweep);
      resolve();
    });
  });
  clearTimeout(force);
}

/** Waits until the accept queue is empty. Closing a listener resets the connections in it. */
async function acceptBacklog(connections: Connections): Promise<void> {
  const until = performance.now() + BACKLOG_TIME;
  let quiet = 0;
  while (quiet < QUIET_TURNS && performance.now() < until) {
    const { accepted } = connections;
    await nextTurn();
    quiet = connections.accepted === accepted ? quiet + 1 : 0;
  }
}

/** @param now time before the sockets were last read */
function closeQuiet(connections: Connections, started: number, now: number): void {
  for (const connection of connections.all) {
    const { socket, quietSince } = connection;
    if (socket.writableEnded || isBusy(connection)) continue;
    if (now - Math.max(quietSince, started) >= IDLE_GRACE) closeGently(socket);
  }
}
