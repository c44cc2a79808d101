import { hash } from 'node:crypto';
import type { Context } from '../context.ts';
import { translate } from '../lib/i18n.ts';
import { scriptJson } from '../lib/script-json.ts';
import { ANONYMOUS, type Authenticate, type RecogniseKey, type Viewer } from './auth.ts';
import { corsHeaders } from './cors.ts';
import type { Method, Reply } from './endpoint.ts';
import { ApiError, type ErrorReply, InvalidParams } from './errors.ts';
import { jsonpCallback, selectFields } from './field-selection.ts';
import type { AnswerOnce } from './idempotency.ts';
import { acceptLanguage } from './language.ts';
import type { Limits } from './limits.ts';
import type { ParsedQuery } from './params.ts';
import type { ClientAddress, RequestTarget } from './request-target.ts';
import type { Route } from './router.ts';

/** The way out: replies and errors become responses. */

export interface ServerDeps {
  context: Context;
  routes: readonly Route[];
  authenticate: Authenticate;
  recogniseKey: RecogniseKey;
  answerOnce: AnswerOnce;
  limits: Limits;
}

/** What `app.ts` found out about the connection and the address of a request. */
export interface IncomingRequest extends ClientAddress, RequestTarget {
  summary: RequestSummary;
}

/** Facts about a request for the log and the metrics. */
export interface RequestSummary {
  /** Id of the request. */
  id: string;
  /** Pattern that matched; never the path itself, which is unbounded. */
  route?: string;
  /** Code of the error that was answered. */
  code?: string;
}

/** A request while it is answered. */
export interface Exchange extends IncomingRequest {
  deps: ServerDeps;
  request: Request;
  readQuery: ParsedQuery;
  /** As the parameters that every endpoint takes are read. */
  query: Record<string, unknown>;
  language: string;
  /** Whether the request named the language; `Accept-Language` decided otherwise. */
  isLanguageAsked: boolean;
}

/** The verb that counts: of the query, of the header, or the real one. A real HEAD only ever asks. */
export function methodOf({ request, query }: Exchange): string {
  if (request.method === 'HEAD') return 'HEAD';
  const override = query._method ?? request.headers.get('x-http-method-override');
  return typeof override === 'string' && override !== '' ? override.toUpperCase() : request.method;
}

/** What is answered to whatever was thrown. */
export function errorReply(exchange: Exchange, error: unknown): ErrorReply {
  if (error instanceof InvalidParams) return invalidParamsReply(exchange, error);
  const known = error instanceof ApiError ? error : faultOf(exchange, error);
  exchange.summary.code = known.code;
  const message = translate(exchange.language, known.messageKey, known.values);
  const data = { status: known.status, ...known.data, request_id: exchange.summary.id };
  const body = { code: known.code, message, data };
  return { status: known.status, body, headers: known.headers, isError: true };
}

/**
 * Answers a request that is refused before routing. Its query (`_jsonp`, `_envelope`) is ignored: refusals must be cheap.
 */
export function refuse(error: ApiError, sent: IncomingRequest & Pick<Exchange, 'deps' | 'request'>): Response {
  const { languages } = sent.deps.context.config;
  const language = acceptLanguage(sent.request.headers.get('accept-language'), languages);
  const exchange: Exchange = { ...sent, readQuery: () => ({}), query: {}, language, isLanguageAsked: false };
  return respond(exchange, errorReply(exchange, error), { viewer: ANONYMOUS });
}

/** A fault of ours or of the database: logged with all there is, answered without detail. */
function faultOf(exchange: Exchange, error: unknown): ApiError {
  const { context } = exchange.deps;
  const { dialect } = context.db;
  const details = { err: error, method: exchange.request.method, path: exchange.path };
  if (dialect.isDamaged(error)) logDamage(context, details);
  else if (dialect.isUnavailable(error)) logOutage(context, details);
  else context.log.error(details, 'fault');
  return dialect.isUnavailable(error)
    ? new ApiError('storage_unavailable', { headers: { 'Retry-After': '5' } })
    : new ApiError('internal');
}

/** Milliseconds between log lines while the database is out of reach: thousands of requests may fail in a second. */
const OUTAGE_LOG_INTERVAL = 10_000;

const outages = new WeakMap<Context['db'], { loggedAt: number; unlogged: number }>();

/** The first failure is logged at once, then one in ten seconds with the number of those in between. */
function logOutage({ db, log, now }: Context, details: object): void {
  const time = now().getTime();
  const outage = outages.get(db);
  const elapsed = outage ? time - outage.loggedAt : Infinity;
  // A clock that was put back does not silence the log.
  if (outage && elapsed >= 0 && elapsed < OUTAGE_LOG_INTERVAL) {
    outage.unlogged += 1;
    return;
  }
  const unlogged = outage?.unlogged ?? 0;
  log.error({ ...details, ...(unlogged > 0 && { unlogged }) }, 'storage unavailable');
  outages.set(db, { loggedAt: time, unlogged: 0 });
}

const knownDamaged = new WeakSet<Context['db']>();

/** Logged once; otherwise every request would repeat it until a backup is restored. */
function logDamage({ db, log }: Context, details: object): void {
  if (knownDamaged.has(db)) return;
  knownDamaged.add(db);
  log.fatal(details, 'the database is damaged: restore the backup, or save what can be read with sqlite3 .recover');
}

function invalidParamsReply(exchange: Exchange, { problems }: InvalidParams): ErrorReply {
  exchange.summary.code = 'rest_invalid_param';
  const params: Record<string, string> = {};
  const details: Record<string, unknown> = {};
  for (const [name, { key, values, code }] of problems) {
    const message = translate(exchange.language, key, { name, ...values });
    params[name] = message;
    details[name] = { code: code ?? 'rest_invalid_param', message, data: { param: name } };
  }
  const names = Object.keys(params);
  const listed = { count: names.length, params: names.join(', ') };
  const message = translate(exchange.language, 'error.rest_invalid_param', listed);
  return {
    status: 400,
    body: {
      code: 'rest_invalid_param',
      message,
      data: { status: 400, params, details, request_id: exchange.summary.id },
    },
    isError: true,
  };
}

/** A refusal that was kept of an earlier request, as the answer to this one: with its own id. */
export function repeatError({ summary }: Exchange, reply: ErrorReply): ErrorReply {
  const { body } = reply;
  summary.code = body.code;
  return { ...reply, body: { ...body, data: { ...body.data, request_id: summary.id } } };
}

interface Sender {
  viewer: Viewer;
  allow?: readonly Method[];
}

const JSON_TYPE = 'application/json; charset=UTF-8';
/** Seconds a shared cache may answer for us before it asks again. */
const SHARED_MAX_AGE = 10;

/**
 * The response to a request: the headers that all answers have, and the presentation that the query asks for
 * (`_fields`, `_envelope`, `_pretty`, `_jsonp`).
 */
export function respond(exchange: Exchange, reply: Reply | ErrorReply, { viewer, allow }: Sender): Response {
  const { request, query } = exchange;
  const headers = new Headers(corsHeaders(exchange.deps.context.config, request, exchange.urls.origin));
  headers.set('Content-Type', JSON_TYPE);
  headers.set('X-Robots-Tag', 'noindex');
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Link', `<${exchange.urls.root}>; rel="https://api.w.org/"`);
  headers.set('Content-Language', exchange.language);
  headers.append(
    'Vary',
    exchange.isLanguageAsked ? 'Authorization, X-API-Key' : 'Authorization, X-API-Key, Accept-Language',
  );
  const own: Record<string, string | number> = { ...reply.headers };
  if (allow) own.Allow = allow.join(', ');
  const isError = 'isError' in reply;
  const callback = jsonpCallback(query._jsonp);
  const body = isError ? reply.body : selectFields(reply.body, query._fields);
  const status = reply.status ?? 200;
  const isRead = isReading(exchange.request.method) && isReading(methodOf(exchange));
  const isAnonymous = viewer.account === undefined && viewer.key === undefined;
  const isShared = isRead && status < 400 && isAnonymous && !SECRETS.some((name) => name in query);
  if ('_envelope' in query) {
    const inside = Object.entries(own).filter(([name, value]) => {
      const isForTransport = TRANSPORT.has(name.toLowerCase());
      if (isForTransport) headers.set(name, String(value));
      return !isForTransport;
    });
    const text = JSON.stringify({ body, status, headers: Object.fromEntries(inside) });
    return send(exchange, { status: 200, headers, text, callback, isRead, isShared });
  }
  for (const [name, value] of Object.entries(own)) {
    // Links to other pages stand beside the one that every answer has.
    if (name === 'Link') headers.append(name, String(value));
    else headers.set(name, String(value));
  }
  if (!isError && reply.raw) {
    headers.set('Content-Type', reply.raw.type);
    return send(exchange, { status, headers, text: reply.raw.bytes, callback: undefined, isRead, isShared });
  }
  const text = body === undefined ? '' : JSON.stringify(body, undefined, '_pretty' in query ? 2 : undefined);
  return send(exchange, { status, headers, text, callback, isRead, isShared });
}

/** What an envelope must not take from the browser and the caches that the headers are for. */
const TRANSPORT: ReadonlySet<string> = new Set(['cache-control', 'connection', 'set-cookie', 'retry-after']);

/** An answer to a request with one of these is for whoever knows it. */
const SECRETS = ['password', 'security_code', 'api_key'];

/** Whether a method only reads. */
export const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

interface Sending {
  status: number;
  headers: Headers;
  text: string | Uint8Array<ArrayBuffer>;
  callback: string | null | undefined;
  isRead: boolean;
  /** Whether caches that serve several people may keep the answer for a moment. */
  isShared: boolean;
}

function send(exchange: Exchange, { status, headers, text, callback, isRead, isShared }: Sending): Response {
  if (!headers.has('Cache-Control')) {
    headers.set('Cache-Control', isShared ? `public, max-age=0, s-maxage=${SHARED_MAX_AGE}` : 'private, no-cache');
  }
  if (callback) headers.set('Content-Type', 'application/javascript; charset=UTF-8');
  // Only JSON gets a JSONP callback: `respond` sends everything else without one.
  const payload = callback ? `/**/${callback}(${scriptJson(String(text))})` : text;
  if (isRead && status === 200) {
    const tag = `"${hash('sha1', payload, 'base64url')}"`;
    headers.set('ETag', tag);
    if (matchesTag(exchange.request.headers.get('if-none-match'), tag))
      return new Response(null, { status: 304, headers });
  }
  const isEmpty = exchange.request.method === 'HEAD' || status === 204;
  return new Response(isEmpty ? null : payload, { status, headers });
}

/** `If-None-Match` compares weakly: a proxy that compressed the answer has marked our tag `W/`. */
const matchesTag = (given: string | null, tag: string): boolean =>
  given !== null && (given.trim() === '*' || given.split(',').some((item) => item.trim().replace(/^W\//, '') === tag));
