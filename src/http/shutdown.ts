import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Connections, closeGently, isBusy } from './connections.ts';

/** Milliseconds that requests have to finish. */
const GRACE = 10_000;
/**
 * Milliseconds after which a connection on which nothing is asked is closed: a request that was on its way when the end
 * was announced is there by then.
 */
const IDLE_GRACE = 1000;
/** Milliseconds between two looks for connections that are done. */
const SWEEP_INTERVAL = 25;
/** Turns of the event loop without a new connection that show that the system holds none for us. */
const QUIET_TURNS = 2;
/** Milliseconds that are spent on connections that the system holds. */
const BACKLOG_TIME = 1000;

/**
 * Stops a server so that every request which it was sent is answered: says `Connection: close` with each answer, takes
 * in the connections that the system has accepted for us, listens no more, and closes a connection when it owes no
 * answer and nothing more has come. After the grace period what is left is cut off.
 */
export async function shutDown(server: Server, connections: Connections): Promise<void> {
  const started = performance.now();
  connections.announceClose();
  const force = setTimeout(() => server.closeAllConnections(), GRACE);
  await acceptBacklog(connections);
  await new Promise<void>((resolve) => {
    const sweep = setInterval(() => closeQuiet(connections, started), SWEEP_INTERVAL);
    // The one of node:http would close connections whose next request is already here but not yet read.
    NetServer.prototype.close.call(server, () => {
      clearInterval(sweep);
      resolve();
    });
  });
  clearTimeout(force);
}

/** Waits until the system holds no connection for us. A listener that closes resets those it holds. */
async function acceptBacklog(connections: Connections): Promise<void> {
  const until = performance.now() + BACKLOG_TIME;
  let quiet = 0;
  while (quiet < QUIET_TURNS && performance.now() < until) {
    const { accepted } = connections;
    await nextTurn();
    quiet = connections.accepted === accepted ? quiet + 1 : 0;
  }
}

function closeQuiet(connections: Connections, started: number): void {
  const now = performance.now();
  for (const connection of connections.all) {
    const { socket, quietSince } = connection;
    if (socket.writableEnded || isBusy(connection)) continue;
    if (now - Math.max(quietSince, started) >= IDLE_GRACE) closeGently(socket);
  }
}
