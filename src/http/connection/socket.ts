import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpRequest, type RequestHeaders, single } from '../core/request.ts';
import { type BodyPieces, type HttpResponse, isWhole, lengthOf } from '../core/response.ts';
import { linesOf } from '../output/head.ts';

/** Request from a socket. */
export class SocketRequest implements HttpRequest {
  readonly headers: RequestHeaders;
  bodyUsed = false;
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
    this.headers = new SocketHeaders(incoming);
  }

  get method(): string {
    return this.#incoming.method ?? 'GET';
  }

  get body(): AsyncIterable<Uint8Array> | null {
    if (this.method === 'GET' || this.method === 'HEAD') return null;
    return { [Symbol.asyncIterator]: () => this.#pieces() };
  }

  #pieces(): AsyncIterator<Uint8Array> {
    this.bodyUsed = true;
    // Otherwise a partly read body would close the connection before the response.
    return this.#incoming.iterator({ destroyOnReturn: false });
  }
}

class SocketHeaders implements RequestHeaders {
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  get(name: string): string | null {
    return single(this.#incoming.headers[name.toLowerCase()]) ?? null;
  }

  has(name: string): boolean {
    return this.#incoming.headers[name.toLowerCase()] !== undefined;
  }

  keys(): Iterable<string> {
    return Object.keys(this.#incoming.headers);
  }
}

/**
 * URL of a request; undefined if the path is invalid, or if the `Host` header has more than a host and a port, such as
 * a user or a path.
 */
export function urlOf({ url: path = '', headers: { host = '' } }: IncomingMessage): URL | undefined {
  const [beforeQuery = ''] = path.split('?', 1);
  // Browsers treat a backslash as a slash, proxies do not.
  if (beforeQuery.includes('\\')) return undefined;
  if (/^https?:\/\//.test(path)) return URL.parse(path) ?? undefined;
  const url = path.startsWith('/') ? URL.parse(`http://${host}${path}`) : null;
  return url?.hostname === host.replace(/:\d+$/, '').toLowerCase() ? url : undefined;
}

/** Sends a response. A failure while a body is streamed breaks the connection, so that the client notices it. */
export async function send(outgoing: ServerResponse, { status, headers, body }: HttpResponse): Promise<void> {
  const lines = linesOf(headers.pairs());
  const pieces = body === null ? [] : body;
  if (isWhole(pieces) && outgoing.req.method !== 'HEAD' && status !== 204 && status !== 304)
    lines.push('Content-Length', String(lengthOf(pieces)));
  outgoing.writeHead(status, lines);
  if (isWhole(pieces)) return endWith(outgoing, pieces);
  if (outgoing.req.method === 'HEAD') return void outgoing.end();
  outgoing.flushHeaders();
  try {
    for await (const piece of pieces) {
      if (outgoing.destroyed) return;
      if (!outgoing.write(piece)) await drained(outgoing);
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
  }
}

/** Sends all bytes in one write to the socket. */
function endWith(outgoing: ServerResponse, pieces: BodyPieces): void {
  outgoing.cork();
  for (const piece of pieces) outgoing.write(piece);
  outgoing.end();
}

/** Waits until the client has read enough or has hung up. */
async function drained(outgoing: ServerResponse): Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  await Promise.race([once(outgoing, 'drain', { signal }), once(outgoing, 'close', { signal })]).finally(() =>
    ended.abort(),
  );
}
