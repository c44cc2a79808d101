import { request as httpRequest } from 'node:http';
import { type Connection, connectTo } from './connection.ts';
import { percentile } from './statistics.ts';

/** A GET request, or a POST of JSON. */
export interface Request {
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** JSON, which makes it a POST. */
  body?: string;
}

/** A request as it is sent. */
export function encodeRequest({ url, headers, body }: Request): string {
  const { host, pathname, search } = new URL(url);
  const lines = [`${body === undefined ? 'GET' : 'POST'} ${pathname}${search} HTTP/1.1`, `Host: ${host}`];
  for (const [name, value] of Object.entries(headers ?? {})) lines.push(`${name}: ${value}`);
  if (body !== undefined) {
    lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return [...lines, '', body ?? ''].join('\r\n');
}

export interface WholeResponse {
  status: number;
  /** As they were sent. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Not decompressed. */
  body: Buffer;
}

/** Sends one request on a new connection and reads the whole response. */
export function fetchOnce({ url, headers, body }: Request): Promise<WholeResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<WholeResponse>();
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
  const method = body === undefined ? 'GET' : 'POST';
  const sent = httpRequest(url, { method, agent: false, headers: { ...headers, ...type } }, (response) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', reject);
    response.on('end', () => {
      const { statusCode: status = 0, rawHeaders } = response;
      const names = rawHeaders.filter((_, index) => index % 2 === 0);
      const pairs = names.map((name, index) => [name, rawHeaders[2 * index + 1] ?? ''] as const);
      resolve({ status, headers: pairs, body: Buffer.concat(chunks) });
    });
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

export interface Load {
  /** Sent in turn. */
  requests: readonly Request[];
  /** Requests in progress at any time: each client sends its next one after the response to the last. */
  clients: number;
  seconds: number;
  /** Requests that are sent even if they take longer; none by default. */
  atLeast?: number;
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
  /** Average bytes of a response. */
  bytes: number;
}

/** Measurements of requests before they are summed up: each process adds its own. */
export interface Timed {
  /** Milliseconds of each request. */
  times: number[];
  /** Total seconds. */
  seconds: number;
  /** Bytes of all responses. */
  bytes: number;
}

/** Sends requests for some seconds, one after the other or many at a time, from this process. */
export const measure = async (load: Load): Promise<Measured> => summarize(await timeRequests(load));

/**
 * Like `measure`, with the time of each request.
 * @throws at the first error response
 */
export async function timeRequests({ requests, clients, seconds, atLeast = 0, before }: Load): Promise<Timed> {
  const texts = requests.map(encodeRequest);
  const origin = new URL(requests[0]?.url ?? '');
  const connections: Connection[] = [];
  const times: number[] = [];
  let sentSoFar = 0;
  let bytes = 0;
  const from = performance.now();
  const until = from + seconds * 1000;
  const client = async () => {
    const connection = connectTo(origin);
    connections.push(connection);
    while (performance.now() < until || sentSoFar < atLeast) {
      const turn = sentSoFar++ % texts.length;
      await before?.();
      const sent = performance.now();
      const received = await connection.send(texts[turn] ?? '');
      times.push(performance.now() - sent);
      bytes += received.bytes;
      if (received.status >= 400) throw new Error(`${requests[turn]?.url} answered ${received.status}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } finally {
    for (const connection of connections) connection.close();
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
    bytes: bytes / sorted.length,
  };
}
