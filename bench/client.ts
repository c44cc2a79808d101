import { Agent, get } from 'node:http';
import { percentile } from './statistics.ts';

export interface Answer {
  status: number;
  body: Buffer;
}

/** One request on a connection of the agent, its answer read to the end. */
export function fetchOnce(url: string, agent: Agent, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) }));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

export interface Load {
  /** Asked in turn. */
  urls: readonly string[];
  headers?: Record<string, string>;
  /** Requests under way at any time: each client sends its next one when it has read the answer to the last. */
  clients: number;
  seconds: number;
  /** Done before each request, outside of the time it takes. */
  before?: () => Promise<unknown>;
}

export interface Measured {
  requests: number;
  /** Requests a second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p95: number;
  p99: number;
  /** Of the last answer. */
  bytes: number;
}

/** What requests took, before it is summed up: several processes add theirs. */
export interface Timed {
  /** Milliseconds of each request. */
  times: number[];
  /** Of the whole. */
  seconds: number;
  /** Of the last answer. */
  bytes: number;
}

/** Sends requests for some seconds, one after the other or many at a time, from this process. */
export const measure = async (load: Load): Promise<Measured> => summarize(await timeRequests(load));

/**
 * As `measure`, each time by itself.
 * @throws at the first answer that is not 200
 */
export async function timeRequests({ urls, headers, clients, seconds, before }: Load): Promise<Timed> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const times: number[] = [];
  let sentSoFar = 0;
  let bytes = 0;
  const from = performance.now();
  const until = from + seconds * 1000;
  const client = async () => {
    while (performance.now() < until) {
      const url = urls[sentSoFar++ % urls.length] ?? '';
      await before?.();
      const sent = performance.now();
      const { status, body } = await fetchOnce(url, agent, headers);
      times.push(performance.now() - sent);
      bytes = body.length;
      if (status !== 200) throw new Error(`${url} answered ${status} ${body.toString('utf8', 0, 300)}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } finally {
    agent.destroy();
  }
  return { times, seconds: (performance.now() - from) / 1000, bytes };
}

export function summarize({ times, seconds, bytes }: Timed): Measured {
  const sorted = times.toSorted((a, b) => a - b);
  return {
    requests: sorted.length,
    rate: sorted.length / seconds,
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    bytes,
  };
}
