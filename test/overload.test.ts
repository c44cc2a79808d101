import { rm } from 'node:fs/promises';
import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type MarqueeProcess, serveProcess } from './marquee-process.ts';
import { ADMIN_HEADER, databaseOfProcesses } from './server.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Expensive for the server and cheap for the clients, which share the machine. */
const LIST = '/calendar/events/v1/venues?per_page=20&_fields=total';
const HALLS = 20;
const CALLERS = 12;
/** Pipelined requests per client, fewer than would close its connection. */
const AHEAD = 30;
/** Number of responses to wait for. */
const REFUSED = 100;
const ANSWERED = 100;

describe('an overloaded server', () => {
  let data: string;
  let server: MarqueeProcess;
  let address: string;
  beforeAll(async () => {
    data = await temporaryFolder('overload');
    const settings = { MARQUEE_MAX_DELAY: '50', MARQUEE_CACHE_MB: '0' };
    await databaseOfProcesses('sqlite', data);
    server = serveProcess({ MARQUEE_DATA: data, ...settings });
    address = await server.address;
    for (let hall = 0; hall < HALLS; hall += 1) {
      const answer = await fetch(`${address}/calendar/events/v1/venues`, {
        method: 'POST',
        headers: { authorization: ADMIN_HEADER, 'content-type': 'application/json' },
        body: JSON.stringify({ venue: `Hall ${hall}`, description: 'A long story. '.repeat(200) }),
      });
      expect(answer.status).toBe(201);
    }
  });
  afterAll(async () => {
    server.signal('SIGTERM');
    await server.ended;
    await rm(data, { recursive: true, force: true });
  });

  const metric = async (name: string) => {
    const text = await (await fetch(`${address}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1] ?? 0,
    );
  };

  /** Keeps the maximum number of requests in flight on a connection, and counts the responses by status. */
  function flood(statuses: Map<number, number>): () => void {
    const { hostname, port, host } = new URL(address);
    const socket = connect(Number(port), hostname).setEncoding('latin1');
    const ask = (count: number) => socket.write(`GET ${LIST} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(count));
    socket
      .on('error', () => undefined)
      .on('connect', () => ask(AHEAD))
      .on('data', (chunk: string) => {
        const answers = [...chunk.matchAll(/HTTP\/1\.1 (\d{3}) /g)];
        for (const [, status] of answers) statuses.set(Number(status), (statuses.get(Number(status)) ?? 0) + 1);
        ask(answers.length);
      });
    return () => void socket.destroy();
  }

  it('refuses some requests immediately, finishes others, reports its health, and recovers by itself', async () => {
    const statuses = new Map<number, number>();
    const memory: number[] = [];
    const floods = Array.from({ length: CALLERS }, () => flood(statuses));
    const isEnough = () => (statuses.get(503) ?? 0) >= REFUSED && (statuses.get(200) ?? 0) >= ANSWERED;
    while (!isEnough() || memory.length < 3) {
      memory.push(await metric('process_resident_memory_bytes'));
    }
    expect((await fetch(`${address}/healthz`)).status).toBe(200);
    for (const end of floods) end();
    // On a machine busy with other tests, a request may wait longer than the time-out of headers.
    expect([...statuses.keys()].filter((status) => ![200, 408, 503].includes(status))).toEqual([]);
    // A thousand requests in flight, each with its response, and no more: without the limit it would be tens of
    // thousands.
    expect(Math.max(...memory)).toBeLessThan(768 * 1024 * 1024);
    expect(await metric('marquee_http_refusals_total{code="overloaded"}')).toBeGreaterThanOrEqual(REFUSED);
    await vi.waitFor(
      async () => {
        const answers = await Promise.all(Array.from({ length: 32 }, () => fetch(`${address}/calendar/events/v1/`)));
        expect(answers.map(({ status }) => status)).toEqual(Array(32).fill(200));
      },
      // A quiet second between two attempts ends the overload.
      { timeout: 60_000, interval: 1500 },
    );
    expect(await metric('marquee_http_requests_in_flight')).toBe(1);
  });
});
