import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Config } from '../../base/config.ts';
import { MAX_HOST } from '../core/client-address.ts';
import { bodyTime } from '../input/body-timeout.ts';
import { type Connections, closeGently, sweepReaders, trackConnections } from './connections.ts';
import { countClosed, type Traffic } from './traffic.ts';

// An import would also load what `node:http` exports for clients of WebSockets: undici, 800 KB of source.
const { createServer } = process.getBuiltinModule('node:http');

/** Maximum bytes of the headers of a request, with the request line. */
const MAX_HEADER_SIZE = 16 * 1024;
/** Milliseconds between checks for slow requests. */
const CHECK_INTERVAL = 1000;

/**
 * Host of HTTP 1.0 requests without one, as some load balancers send for their checks. The name must not be local,
 * since `/metrics` trusts local names.
 */
const NO_HOST = 'host.invalid';

interface Options {
  config: Pick<Config, 'timeouts' | 'maxConnections' | 'maxBodyBytes' | 'maxUploadBytes'>;
  traffic: Traffic;
  newId: () => string;
  /** Responds to a request. */
  receive: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
}

export interface HttpServer {
  server: Server;
  connections: Connections;
  /** Stops the periodic check for slow readers. */
  stop(): void;
}

/** Creates a server with timeouts and a limit on connections. */
export function createHttpServer({ config, traffic, newId, receive }: Options): HttpServer {
  const { timeouts, maxConnections, maxBodyBytes, maxUploadBytes } = config;
  const server = createServer({
    headersTimeout: timeouts.headers,
    // Upper bound. Bodies read by an endpoint time out earlier, depending on their length, with a better response.
    requestTimeout: timeouts.headers + timeouts.stalled + bodyTime(Math.max(maxBodyBytes, maxUploadBytes), timeouts),
    keepAliveTimeout: timeouts.idle,
    connectionsCheckingInterval: Math.min(CHECK_INTERVAL, timeouts.headers),
    maxHeaderSize: MAX_HEADER_SIZE,
    // Node's own response would lack a request id; see `hasOneHost`.
    requireHostHeader: false,
  });
  respondToHalfOpen(server);
  const connections = trackConnections(server, traffic);
  server.maxConnections = maxConnections;
  server.setTimeout(timeouts.stalled, (socket: Socket) => {
    if (socket.writableLength > 0) countClosed(traffic, 'slow_reader');
    socket.destroy();
  });
  server.on('drop', () => countClosed(traffic, 'connection_limit'));
  server.on('clientError', (error: ClientError, socket) => refuseClient(error, socket as Socket, { traffic, newId }));
  const handle: RequestListener = (request, response) => {
    if (!connections.admit(request, response)) return;
    if (!hasOneHost(request)) {
      countClosed(traffic, BAD_REQUEST.reason);
      response.writeHead(400, { Connection: 'close', ...brokenHeaders(newId()) }).end();
      return;
    }
    request.headers.host ??= NO_HOST;
    receive(request, response);
  };
  server.on('request', handle);
  const readers = sweepReaders(connections, traffic, timeouts);
  return { server, connections, stop: () => readers.stop() };
}

/**
 * Responds to clients that half-close the connection after the request, such as `nc -N` and some proxies. By default,
 * Node would close the connection at once and lose the response to a completed write.
 */
function respondToHalfOpen(server: Server): void {
  // An undocumented option of Node.
  Object.assign(server, { httpAllowHalfOpen: true });
}

/** Absolute URL in place of a path, with a host that is too long. Its host takes precedence over the header. */
const LONG_HOST = new RegExp(`^https?:/+[^/?#]{${MAX_HOST + 1}}`);

/**
 * Tests if a request names its host once, as RFC 9112 demands, and in at most `MAX_HOST` characters; HTTP 1.0 may omit
 * it. Of several hosts, Node would use the first and a proxy perhaps another.
 */
function hasOneHost({ rawHeaders, httpVersion, url = '' }: IncomingMessage): boolean {
  const hosts: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts.push(rawHeaders[index + 1] ?? '');
  }
  if (LONG_HOST.test(url) || hosts.some((host) => host.length > MAX_HOST)) return false;
  return hosts.length === 1 || (hosts.length === 0 && httpVersion === '1.0');
}

type ClientError = Error & { code?: string };

/** Responses to requests that Node cannot parse, by error code. Such requests never reach the application. */
const CLIENT_ERRORS: Readonly<Record<string, { line: string; reason: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: { line: '408 Request Timeout', reason: 'request_timeout' },
  HPE_HEADER_OVERFLOW: { line: '431 Request Header Fields Too Large', reason: 'headers_too_large' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { line: '413 Payload Too Large', reason: 'body_too_large' },
};
const BAD_REQUEST = { line: '400 Bad Request', reason: 'bad_request' };

function refuseClient(
  error: ClientError,
  socket: Socket,
  { traffic, newId }: Pick<Options, 'traffic' | 'newId'>,
): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const { line, reason } = CLIENT_ERRORS[error.code ?? ''] ?? BAD_REQUEST;
  countClosed(traffic, reason);
  // The client would mistake this response for part of an earlier one, or for the response to an earlier request.
  const { _httpMessage: response } = socket as Socket & { _httpMessage?: ServerResponse | null };
  if (response?.headersSent || response?.req.complete) return void socket.destroy();
  socket.write(
    `HTTP/1.1 ${line}\r\nConnection: close\r\nContent-Length: 0\r\nX-Content-Type-Options: nosniff\r\n` +
      `X-Request-Id: ${newId()}\r\n\r\n`,
  );
  closeGently(socket);
}

const brokenHeaders = (id: string) => ({ 'X-Content-Type-Options': 'nosniff', 'X-Request-Id': id });
