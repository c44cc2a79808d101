import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../base/context.ts';
import { foreignId, withRequestId } from '../../base/request-id.ts';
import type { PresentSite } from '../../base/site-config.ts';
import { concatenated } from '../../lib/copy-bytes.ts';
import { createResponseCache, pageOf, type ResponseCache, type SharedRead } from '../cache/response-cache.ts';
import type { CacheSize } from '../cache/response-store.ts';
import type { OverloadGuard } from '../connection/overload.ts';
import { createRequestQueue } from '../connection/request-queue.ts';
import { SocketRequest, send, urlOf } from '../connection/socket.ts';
import { type HandledRequest, loadOf, logAccess, type Traffic } from '../connection/traffic.ts';
import {
  addressOf,
  type ClientAddress,
  clientInfoOf,
  proxyTrust,
  type UndeclaredProxies,
} from '../core/client-address.ts';
import { originHeaders } from '../core/cors.ts';
import { ApiError } from '../core/errors.ts';
import { type HttpRequest, isReading, type RequestSummary, single } from '../core/request.ts';
import { emptyResponse, type HttpResponse, isWhole } from '../core/response.ts';
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
  observe: (handled: HandledRequest) => void;
}

/** Parsed request with its client. */
interface Arrival extends ParsedRequest {
  request: HttpRequest;
  client: ClientAddress;
}

/** Paths that get a response even under overload, so that monitoring does not mistake a busy process for a dead one. */
const ALWAYS_SERVED: ReadonlySet<string> = new Set(['/healthz', '/metrics']);

/** `Retry-After` in seconds; a short overload has ended by then. */
const RETRY_AFTER = '2';

/** Maximum number of times a read waits for an equal one. After that, it is computed on its own. */
const MAX_WAITS = 3;

/** Path of every request from its socket to its response; `#receive` follows it step by step. */
export class Pipeline {
  readonly #deps: ServerDeps;
  readonly #options: Options;
  readonly #isTrusted: (address: string) => boolean;
  readonly #enqueue: (handle: () => void) => void;
  readonly #cache: ResponseCache;

  constructor(options: Options) {
    const { deps, traffic } = options;
    this.#options = options;
    this.#deps = deps;
    this.#isTrusted = proxyTrust(deps.context.config.trustProxy);
    this.#enqueue = createRequestQueue(traffic);
    this.#cache = createResponseCache({ context: deps.context, isTrusted: this.#isTrusted });
  }

  /** Responds to a request from a socket. */
  readonly receive = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    this.#receive(incoming, outgoing).catch(() => outgoing.destroy());
  };

  /**
   * Responds to a request that comes from no socket, without queue and cache.
   * @param from address of the peer of its connection
   */
  async request(input: string, init?: RequestInit, from = '127.0.0.1'): Promise<Response> {
    const url = URL.canParse(input) ? input : `http://localhost${input}`;
    const request = new Request(url, init);
    const id = this.#idOf(request.headers.get('x-request-id') ?? undefined, () => from);
    const arrival = this.#parse(request, new URL(request.url), from);
    return platformResponse(await this.#respondTo(arrival, { id }));
  }

  cacheSize(): CacheSize {
    return this.#cache.size();
  }

  async #receive(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    let known: Arrival | undefined;
    const parsed = () => {
      known ??= this.#parseIncoming(incoming);
      return known;
    };
    const { site } = this.#deps;
    let read = this.#cache.recognise(incoming, site.last(), parsed);
    if (read && this.#cache.isAskedAgain(read) && !site.isHeldUp()) {
      read = this.#cache.inPresent(read, await this.#presentSite());
      if (incoming.socket.destroyed || this.#sendCached(read, outgoing)) return;
    }
    await this.#nextTurn();
    // A client that has hung up needs no response.
    if (incoming.socket.destroyed) return;
    if (read?.version) {
      read = await this.#joinEqual(read, outgoing);
      if (!read) return;
    }
    const summary = { id: this.#idOf(single(incoming.headers['x-request-id']), () => addressOf(incoming)) };
    const arrival = parsed();
    if (!arrival) return send(outgoing, brokenRequest(summary));
    const response = await this.#respondTo(arrival, summary, read?.version && read.site);
    if (read) await this.#cache.keep(read, response, summary);
    await send(outgoing, response);
    // An unread rest of the body would block the connection.
    if (arrival.request.bodyUsed && !incoming.readableEnded) incoming.resume();
  }

  #parseIncoming(incoming: IncomingMessage): Arrival | undefined {
    const url = urlOf(incoming);
    return url && this.#parse(new SocketRequest(incoming), url, addressOf(incoming));
  }

  /** Reads a request: its client, the origin under which it reached the server, target, route and parameters. */
  #parse(request: HttpRequest, url: URL, socketAddress: string): Arrival {
    const { context, routes } = this.#deps;
    const { origin, ...client } = clientInfoOf(
      { url, headers: request.headers },
      {
        ...{ socketAddress, config: context.config, isTrusted: this.#isTrusted },
        isUndeclared: this.#options.undeclared.isOne,
      },
    );
    return { request, client, ...parseRequest(request, { url, origin }, routes) };
  }

  /** Id of a request, which a trusted proxy may choose. */
  #idOf(sent: string | undefined, socketAddress: () => string): string {
    const foreign = sent !== undefined && this.#isTrusted(socketAddress()) ? foreignId(sent) : undefined;
    return foreign ?? this.#options.newId();
  }

  #presentSite(): Promise<PresentSite> {
    const { traffic } = this.#options;
    return new Promise((resolve) => {
      traffic.inFlight += 1;
      this.#deps.site.now((present) => {
        traffic.inFlight -= 1;
        resolve(present);
      });
    });
  }

  /** Sends the cached response; returns false if there is none. */
  #sendCached(read: SharedRead, outgoing: ServerResponse): boolean {
    const found = this.#cache.find(read);
    if (!found) return false;
    const start = performance.now();
    const { incoming, origin } = read;
    const { headers } = incoming;
    const id = this.#idOf(single(headers['x-request-id']), () => addressOf(incoming));
    const isUnchanged = matchesTag(headers['if-none-match'], found.tag);
    const status = isUnchanged ? 304 : 200;
    const plain = isUnchanged ? found.unchangedHead : found.head;
    const { config } = this.#deps.context;
    const head = headers.origin ? headWith(plain, originHeaders(config, pageOf(incoming, origin))) : plain;
    outgoing.writeHead(status, linesWithId(head, id));
    outgoing.end(isUnchanged ? undefined : found.body);
    this.#note({ method: 'GET', route: found.route, status }, { id }, start);
    return true;
  }

  #nextTurn(): Promise<void> {
    return new Promise((resolve) => this.#enqueue(resolve));
  }

  /**
   * Waits for an equal read in progress and sends its response.
   * @returns the read with the current version of the data; undefined if it was served or its client has hung up
   */
  async #joinEqual(first: SharedRead, outgoing: ServerResponse): Promise<SharedRead | undefined> {
    let read = first;
    for (let waits = 0; ; waits += 1) {
      // A request that waited must look up the version again; an older response is stale.
      if (waits > 0 || this.#cache.has(read)) {
        read = this.#cache.inPresent(read, await this.#presentSite());
        if (read.incoming.socket.destroyed || this.#sendCached(read, outgoing)) return undefined;
      }
      const isCached = waits < MAX_WAITS ? await this.#equalEnded(read) : undefined;
      if (read.incoming.socket.destroyed) return undefined;
      if (isCached === false) return read;
      if (isCached === undefined) break;
    }
    this.#cache.begin(read);
    outgoing.once('close', () => this.#cache.giveUp(read));
    return read;
  }

  /**
   * Waits while an equal read is in progress. Resolves with whether its response was cached; undefined if there is
   * none.
   */
  #equalEnded(read: SharedRead): Promise<boolean> | undefined {
    const { traffic } = this.#options;
    const { promise, resolve } = Promise.withResolvers<boolean>();
    if (!this.#cache.waitFor(read, resolve)) return undefined;
    traffic.inFlight += 1;
    return promise.finally(() => {
      traffic.inFlight -= 1;
    });
  }

  /** Runs the endpoint or renders the page, unless the server is overloaded. */
  async #respondTo(arrival: Arrival, summary: RequestSummary, known?: PresentSite): Promise<HttpResponse> {
    const start = performance.now();
    const { request, origin } = arrival;
    const response = await this.#handleOrRefuse(arrival, summary, known);
    addCommonHeaders(response, summary, origin);
    this.#note({ method: request.method, route: summary.route ?? 'none', status: response.status }, summary, start);
    return request.method === 'HEAD' ? { ...response, body: null } : response;
  }

  async #handleOrRefuse(arrival: Arrival, summary: RequestSummary, known?: PresentSite): Promise<HttpResponse> {
    const { guard, traffic } = this.#options;
    const { request, url } = arrival;
    const bodyBytes = announcedBytes(request, this.#deps.context.config);
    if (guard.refuses(loadOf(traffic, bodyBytes)) && !ALWAYS_SERVED.has(url.pathname)) {
      const error = new ApiError('overloaded', { headers: { 'Retry-After': RETRY_AFTER } });
      return this.#refuse(error, arrival, summary);
    }
    traffic.inFlight += 1;
    traffic.bodyBytes += bodyBytes;
    try {
      return await withRequestId(summary.id, () => this.#handle(arrival, summary, known));
    } catch (error) {
      const fault = this.#deps.reportFault(error, { method: request.method, path: url.pathname });
      return this.#refuse(fault, arrival, summary);
    } finally {
      traffic.inFlight -= 1;
      traffic.bodyBytes -= bodyBytes;
    }
  }

  #refuse(error: ApiError, arrival: Arrival, summary: RequestSummary): Promise<HttpResponse> {
    const { request, client, call = callNowhere(request, arrival) } = arrival;
    const { context } = this.#deps.site.last();
    return refuse(error, { deps: this.#deps, request, call, client, summary, context });
  }

  async #handle(arrival: Arrival, summary: RequestSummary, known?: PresentSite): Promise<HttpResponse> {
    const deps = this.#deps;
    const { request, url, origin, call, client } = arrival;
    const isRead = isReading(call?.method ?? request.method) && !call?.endpoint?.hasEffect;
    let resolved: Promise<Context> | undefined;
    const resolveContext = (): Promise<Context> => {
      resolved ??= this.#contextOf(known, isRead);
      return resolved;
    };
    const sent = { request, client, summary };
    if (call) return serve(deps, { ...sent, call, context: await resolveContext() });
    const respondNoRoute = async () =>
      serve(deps, { ...sent, call: callNowhere(request, arrival), context: await resolveContext() });
    for (const page of this.#options.pages) {
      const response = await page({ ...sent, url, origin, resolveContext, respondNoRoute });
      if (response) return response;
    }
    return respondNoRoute();
  }

  /** Context with the choices of the site; for a read, with the version of the data that its caches use. */
  async #contextOf(known: PresentSite | undefined, isRead: boolean): Promise<Context> {
    const { context, version } = known ?? (await this.#deps.site.resolve());
    return isRead && version ? { ...context, version: version.calendar } : context;
  }

  /** Counts and logs a request. */
  #note(handled: Omit<HandledRequest, 'seconds' | 'code'>, summary: RequestSummary, start: number): void {
    const noted = { ...handled, code: summary.code, seconds: (performance.now() - start) / 1000 };
    this.#options.observe(noted);
    logAccess(this.#deps.context, noted, summary);
  }
}

/**
 * Announced size of the body in bytes, up to the maximum of an upload; without `Content-Length`, the maximum of other
 * bodies.
 */
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
  const sent = body && (isWhole(body) ? concatenated(body) : ReadableStream.from(body));
  return new Response(sent, { status, headers: headers.pairs() });
}
