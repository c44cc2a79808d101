import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../base/context.ts';
import { foreignId, withRequestId } from '../../base/request-id.ts';
import type { PresentSite } from '../../base/site-config.ts';
import { createResponseCache, pageOf, type ResponseCache, type SharedRead } from '../cache/response-cache.ts';
import type { OverloadGuard } from '../connection/overload.ts';
import { createRequestQueue } from '../connection/request-queue.ts';
import { send } from '../connection/send.ts';
import { SocketRequest, urlOf } from '../connection/socket-request.ts';
import { type Answered, loadOf, logAccess, type Traffic } from '../connection/traffic.ts';
import { addressOf, type ClientAddress, clientInfoOf, proxyTrust } from '../core/client-address.ts';
import { originHeaders } from '../core/cors.ts';
import { ApiError } from '../core/errors.ts';
import { type HttpRequest, isReading, type RequestSummary, single } from '../core/request.ts';
import { emptyResponse, type HttpResponse, isBytes } from '../core/response.ts';
import type { UndeclaredProxies } from '../core/undeclared-proxies.ts';
import { callNowhere, type ParsedRequest, parseRequest } from '../input/parsed-request.ts';
import { matchesTag } from '../output/etag.ts';
import { headWith, linesWithId } from '../output/head.ts';
import type { PageHandler, ServerDeps } from './exchange.ts';
import { refuse } from './respond.ts';
import { serve } from './serve.ts';

interface Options {
  deps: ServerDeps;
  /** Tried in order after the REST interface. */
  pages: readonly PageHandler[];
  traffic: Traffic;
  guard: OverloadGuard;
  undeclared: UndeclaredProxies;
  newId: () => string;
  observe: (answered: Answered) => void;
}

/** Parsed request with its client. */
interface Arrival extends ParsedRequest {
  request: HttpRequest;
  client: ClientAddress;
}

export interface Pipeline {
  /** Responds to a request from a socket. */
  receive(incoming: IncomingMessage, outgoing: ServerResponse): void;
  /**
   * Responds to a request without socket, queue and cache.
   * @param from address of the other end of its connection
   */
  request(input: string, init?: RequestInit, from?: string): Promise<Response>;
  cache: Pick<ResponseCache, 'size'>;
}

/** Served even under overload, so that monitoring does not mistake a busy process for a dead one. */
const ALWAYS_ANSWERED: ReadonlySet<string> = new Set(['/healthz', '/metrics']);

/** `Retry-After` in seconds; a short overload has ended by then. */
const RETRY_AFTER = '2';

/** Maximum number of times a read waits for an equal one. After that, it is computed on its own. */
const MAX_WAITS = 3;

/**
 * Pipeline of every request: parse it, look into the response cache, wait in the queue and for equal requests, run the
 * endpoint or render the page, cache the response, send it. `receive` at the end shows these steps in order.
 */
export function createPipeline({ deps, pages, traffic, guard, undeclared, newId, observe }: Options): Pipeline {
  const { context, routes, site } = deps;
  const { config } = context;
  const isTrusted = proxyTrust(config.trustProxy);
  const cache = createResponseCache({ context, isTrusted });
  const enqueue = createRequestQueue(traffic);

  /** Parses a request: client, origin, target, route and parameters. */
  function parse(request: HttpRequest, url: URL, socketAddress: string): Arrival {
    const sent = { url, headers: request.headers };
    const { origin, ...client } = clientInfoOf(sent, {
      ...{ socketAddress, config, isTrusted },
      isUndeclared: undeclared.isOne,
    });
    return { request, client, ...parseRequest(request, { url, origin }, routes) };
  }

  function parseIncoming(incoming: IncomingMessage): Arrival | undefined {
    const url = urlOf(incoming);
    return url && parse(new SocketRequest(incoming), url, addressOf(incoming));
  }

  /** Id of a request, which a trusted proxy may choose. */
  const idOf = (sent: string | undefined, socketAddress: () => string): string =>
    (sent !== undefined && isTrusted(socketAddress()) ? foreignId(sent) : undefined) ?? newId();

  const presentSite = (): Promise<PresentSite> =>
    new Promise((resolve) => {
      traffic.inFlight += 1;
      site.now((present) => {
        traffic.inFlight -= 1;
        resolve(present);
      });
    });

  /** Sends the response in the cache; false if there is none. */
  function sendCached(read: SharedRead, outgoing: ServerResponse): boolean {
    const found = cache.find(read);
    if (!found) return false;
    const start = performance.now();
    const { incoming, origin } = read;
    const { headers } = incoming;
    const id = idOf(single(headers['x-request-id']), () => addressOf(incoming));
    const isUnchanged = matchesTag(headers['if-none-match'], found.tag);
    const status = isUnchanged ? 304 : 200;
    const plain = isUnchanged ? found.unchangedHead : found.head;
    const head = headers.origin ? headWith(plain, originHeaders(config, pageOf(incoming, origin))) : plain;
    outgoing.writeHead(status, linesWithId(head, id));
    outgoing.end(isUnchanged ? undefined : found.body);
    note({ method: 'GET', route: found.route, status }, { id }, start);
    return true;
  }

  const nextTurn = (): Promise<void> => new Promise((resolve) => enqueue(resolve));

  /**
   * Waits for an equal read in progress and sends its response.
   * @returns the read with the current version of the data; undefined if it was served or its client has hung up
   */
  async function joinEqual(first: SharedRead, outgoing: ServerResponse): Promise<SharedRead | undefined> {
    let read = first;
    for (let waits = 0; ; waits += 1) {
      // A request that waited must look up the version again; an older response is stale.
      if (waits > 0 || cache.has(read)) {
        read = cache.inPresent(read, await presentSite());
        if (read.incoming.socket.destroyed || sendCached(read, outgoing)) return undefined;
      }
      const isCached = waits < MAX_WAITS ? await equalEnded(read) : undefined;
      if (read.incoming.socket.destroyed) return undefined;
      if (isCached === false) return read;
      if (isCached === undefined) break;
    }
    cache.begin(read);
    outgoing.once('close', () => cache.giveUp(read));
    return read;
  }

  /**
   * Waits while an equal read is in progress. Resolves with whether its response was cached; undefined if there is
   * none.
   */
  function equalEnded(read: SharedRead): Promise<boolean> | undefined {
    const { promise, resolve } = Promise.withResolvers<boolean>();
    if (!cache.waitFor(read, resolve)) return undefined;
    traffic.inFlight += 1;
    return promise.finally(() => {
      traffic.inFlight -= 1;
    });
  }

  /** Runs the endpoint or renders the page, unless the server is overloaded. */
  async function respondTo(arrival: Arrival, summary: RequestSummary, known?: PresentSite): Promise<HttpResponse> {
    const start = performance.now();
    const { request, url, origin } = arrival;
    const bodyBytes = announcedBytes(request, config);
    const refuseWith = (error: ApiError) => {
      const { call = callNowhere(request, arrival), client } = arrival;
      return refuse(error, { deps, request, call, client, summary, context: site.last().context });
    };
    let response: HttpResponse;
    if (guard.refuses(loadOf(traffic, bodyBytes)) && !ALWAYS_ANSWERED.has(url.pathname)) {
      response = await refuseWith(new ApiError('overloaded', { headers: { 'Retry-After': RETRY_AFTER } }));
    } else {
      traffic.inFlight += 1;
      traffic.bodyBytes += bodyBytes;
      try {
        response = await withRequestId(summary.id, () => answer(arrival, summary, known));
      } catch (error) {
        response = await refuseWith(deps.reportFault(error, { method: request.method, path: url.pathname }));
      } finally {
        traffic.inFlight -= 1;
        traffic.bodyBytes -= bodyBytes;
      }
    }
    addCommonHeaders(response, summary, origin);
    note({ method: request.method, route: summary.route ?? 'none', status: response.status }, summary, start);
    return request.method === 'HEAD' ? { ...response, body: null } : response;
  }

  async function answer(arrival: Arrival, summary: RequestSummary, known?: PresentSite): Promise<HttpResponse> {
    const { request, url, origin, call, client } = arrival;
    const resolveContext = async (): Promise<Context> => (known ?? (await site.resolve())).context;
    const sent = { request, client, summary };
    if (call) return serve(deps, { ...sent, call, context: await resolveContext() });
    const answerNowhere = async () =>
      serve(deps, { ...sent, call: callNowhere(request, arrival), context: await resolveContext() });
    for (const page of pages) {
      const response = await page({ ...sent, url, origin, resolveContext, answerNowhere });
      if (response) return response;
    }
    return answerNowhere();
  }

  /** Counts and logs a request. */
  function note(answered: Omit<Answered, 'seconds' | 'code'>, summary: RequestSummary, start: number): void {
    const noted = { ...answered, code: summary.code, seconds: (performance.now() - start) / 1000 };
    observe(noted);
    logAccess(context, noted, summary);
  }

  async function receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let arrival: Arrival | undefined;
    const parsed = () => {
      arrival ??= parseIncoming(incoming);
      return arrival;
    };
    let read = cache.recognise(incoming, site.last(), parsed);
    if (read && cache.isAskedAgain(read) && !site.isHeldUp()) {
      read = cache.inPresent(read, await presentSite());
      if (incoming.socket.destroyed || sendCached(read, outgoing)) return;
    }
    await nextTurn();
    // Skip clients that have hung up.
    if (incoming.socket.destroyed) return;
    if (read?.version) {
      read = await joinEqual(read, outgoing);
      if (!read) return;
    }
    const sentId = single(incoming.headers['x-request-id']);
    const summary: RequestSummary = { id: idOf(sentId, () => addressOf(incoming)) };
    const request = parsed();
    if (!request) return send(outgoing, brokenRequest(summary));
    const response = await respondTo(request, summary, read?.version && read.site);
    if (read) await cache.keep(read, response, summary);
    await send(outgoing, response);
    // The unread rest of a body would block the connection.
    if (request.request.bodyUsed && !incoming.readableEnded) incoming.resume();
  }

  return {
    receive: (incoming, outgoing) => void receive(incoming, outgoing).catch(() => outgoing.destroy()),
    async request(input, init, from = '127.0.0.1') {
      const url = URL.canParse(input) ? input : `http://localhost${input}`;
      const request = new Request(url, init);
      const id = idOf(request.headers.get('x-request-id') ?? undefined, () => from);
      return platformResponse(await respondTo(parse(request, new URL(request.url), from), { id }));
    },
    cache,
  };
}

/** Upper bound of the body in bytes; without `Content-Length`, the maximum size of an upload. */
function announcedBytes({ method, headers }: HttpRequest, { maxBodyBytes, maxUploadBytes }: Context['config']): number {
  if (isReading(method)) return 0;
  const length = headers.get('content-length');
  if (length === null) return headers.has('transfer-encoding') ? maxBodyBytes : 0;
  // Larger bodies are refused unread.
  return Math.min(Number(length) || 0, maxUploadBytes);
}

function addCommonHeaders({ headers }: HttpResponse, { id }: RequestSummary, origin: string): void {
  headers.set('x-request-id', id);
  headers.set('x-content-type-options', 'nosniff');
  // Two years, as the preload list requires; browsers ignore the header over plain HTTP.
  if (origin.startsWith('https:')) headers.set('strict-transport-security', 'max-age=63072000');
}

/** Response to a request with a malformed address or host. */
const brokenRequest = ({ id }: RequestSummary): HttpResponse =>
  emptyResponse(400, { 'x-content-type-options': 'nosniff', 'x-request-id': id });

function platformResponse({ status, headers, body }: HttpResponse): Response {
  const sent = body === null || isBytes(body) ? body : ReadableStream.from(body);
  return new Response(sent, { status, headers: headers.pairs() });
}
