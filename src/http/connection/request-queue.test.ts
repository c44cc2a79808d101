import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { createRequestQueue } from './request-queue.ts';
import { createTraffic } from './traffic.ts';

describe('the queue of requests', () => {
  it('handles one request per turn, in the order of arrival', async () => {
    const traffic = createTraffic();
    const enqueue = createRequestQueue(traffic);
    const handled: string[] = [];
    for (const name of ['a', 'b', 'c']) enqueue(() => handled.push(name));
    expect(traffic.waiting).toBe(3);
    const seen: string[] = [];
    while (handled.length < 3) {
      await nextTurn();
      seen.push(handled.join(''));
    }
    expect(seen).toEqual(['a', 'ab', 'abc']);
    expect(traffic.waiting).toBe(0);
    expect(traffic.longestWait).toBeGreaterThan(0);
  });
});

/** Connections that a client opens together; each sends its next request as soon as it has a response. */
const CONNECTIONS = 60;
/** Requests that may be handled before all connections are accepted. */
const ENOUGH = 5 * CONNECTIONS;

const CLIENT = `
  const { connect } = require('node:net');
  const { port, connections } = require('node:worker_threads').workerData;
  for (let index = 0; index < connections; index += 1) {
    const socket = connect(port, '127.0.0.1');
    const ask = () => socket.write('GET / HTTP/1.1\\r\\nHost: a.test\\r\\n\\r\\n');
    socket.on('connect', ask).on('data', ask).on('error', () => undefined);
  }
`;

/** Each request takes a millisecond, as a read of SQLite does. */
async function acceptedOf(enqueue: (handle: () => void) => void): Promise<number> {
  let [accepted, handled] = [0, 0];
  const done = Promise.withResolvers<void>();
  const server = createServer((_request, answer) =>
    enqueue(() => {
      const until = performance.now() + 1;
      while (performance.now() < until);
      handled += 1;
      answer.end('.');
      if (handled === ENOUGH) done.resolve();
    }),
  );
  server.on('connection', () => {
    accepted += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // of a TCP server that listens
  const client = new Worker(CLIENT, { eval: true, workerData: { port, connections: CONNECTIONS } });
  await done.promise;
  await client.terminate();
  server.close();
  server.closeAllConnections();
  return accepted;
}

describe('new connections beside busy ones', () => {
  it('are accepted with the queue', async () => {
    expect(await acceptedOf(createRequestQueue(createTraffic()))).toBe(CONNECTIONS);
  });

  // On a busy machine the client may have connected all of them before it sends its first requests.
  it('are delayed without the queue', { retry: 5 }, async () => {
    expect(await acceptedOf((handle) => handle())).toBeLessThan(CONNECTIONS);
  });
});
