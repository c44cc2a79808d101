import { hash } from 'node:crypto';
import type { Context } from '../context.ts';
import { type MessageKey, translate } from '../lib/i18n.ts';
import { ANONYMOUS, type Authenticate, type RecogniseKey, type Viewer } from './auth.ts';
import { corsHeaders } from './cors.ts';
import { describeRoute } from './discovery.ts';
import type { AnyEndpoint, Call, Method, Reply } from './endpoint.ts';
import { ApiError, InvalidParams } from './errors.ts';
import { readInput, resolveInput } from './input.ts';
import { pick as acceptLanguage } from './language.ts';
import { type Body, joinParams, parseQuery, readBody } from './params.ts';
import { jsonpCallback, selectFields } from './presentation.ts';
import { endpointOf, type Match, matchRoute, type Route } from './router.ts';
import type { NamespaceName, Urls } from './urls.ts';

export interface Api {
  context: Context;
  routes: readonly Route[];
  authenticate: Authenticate;
  recogniseKey: RecogniseKey;
}

/** What `app.ts` found out about the connection and the address of a request. */
export interface Arrival {
  namespace: NamespaceName;
  /** Below the namespace, beginning with a slash or empty. */
  path: string;
  urls: Urls;
  /** Address of the client. */
  address: string;
}

interface Visit extends Arrival {
  api: Api;
  request: Request;
  query: Record<string, unknown>;
  language: string;
  languageGiven: boolean;
}

/** Answers one request of the REST interface. Never throws: whatever goes wrong becomes an error body. */
export async function serve(api: Api, request: Request, arrival: Arrival): Promise<Response> {
  const query = parseQuery(new URL(request.url).search);
  const { languages } = api.context.config;
  const wanted = typeof query.i18n_language === 'string' && languages.includes(query.i18n_language);
  const language = wanted
    ? String(query.i18n_language)
    : acceptLanguage(request.headers.get('accept-language'), languages);
  const visit: Visit = { ...arrival, api, request, query, language, languageGiven: wanted };
  try {
    // Before anything is done: a write must not happen and then be answered with a complaint about the callback.
    if (jsonpCallback(query._jsonp) === null) throw new ApiError('rest_callback_invalid');
    return await answer(visit);
  } catch (error) {
    return respond(visit, errorReply(visit, error), { viewer: ANONYMOUS });
  }
}

async function answer(visit: Visit): Promise<Response> {
  const { api, request, address } = visit;
  const viewer = await api.authenticate(api.context, {
    authorization: request.headers.get('authorization') ?? undefined,
    address,
  });
  const match = matchRoute(api.routes, visit.namespace, visit.path);
  const method = methodOf(visit);
  if (method === 'OPTIONS') {
    if (!match) return respond(visit, { body: [] }, { viewer });
    const allow = await methodsFor(visit, match, viewer);
    return respond(visit, { body: describeRoute(match.route, visit.urls) }, { viewer, allow });
  }
  const endpoint = match && endpointFor(match.route, method);
  if (!match || !endpoint) return respond(visit, errorReply(visit, new ApiError('rest_no_route')), { viewer });
  const outcome = await run(visit, endpoint, { viewer, params: match.params }).catch((error: unknown) => ({
    reply: errorReply(visit, error),
    target: undefined,
    viewer,
  }));
  const allow = allowedMethods(match.route, outcome.viewer, outcome.target);
  return respond(visit, outcome.reply, { viewer: outcome.viewer, allow });
}

/** HEAD is answered as GET would be, unless that GET changes something: asking about an answer must not cause it. */
function endpointFor(route: Route, method: string): AnyEndpoint | undefined {
  const endpoint = endpointOf(route, method === 'HEAD' ? 'GET' : (method as Method));
  return method === 'HEAD' && endpoint?.hasEffect ? undefined : endpoint;
}

/** The verb that counts: of the query, of the header, or the real one. */
function methodOf({ request, query }: Visit): string {
  const override = query._method ?? request.headers.get('x-http-method-override');
  return typeof override === 'string' && override !== '' ? override.toUpperCase() : request.method;
}

interface Outcome {
  reply: ErrorReply | Reply;
  target: unknown;
  /** The caller, with what a check-in key adds. */
  viewer: Viewer;
}

async function run(
  visit: Visit,
  endpoint: AnyEndpoint,
  who: { viewer: Viewer; params: Record<string, string> },
): Promise<Outcome> {
  const { context } = visit.api;
  const limit = endpoint.takesFiles ? context.config.maxUploadBytes : context.config.maxBodyBytes;
  const body = await readBody(visit.request, limit);
  const sent = joinParams(who.params, body.fields, visit.query);
  const viewer = await withCheckInKey(visit, who.viewer, sent);
  const call = callOf(visit, { viewer, body, sent });
  const { input, problems } = readInput(endpoint.input, endpoint.required ?? [], sent);
  checkLanguage(sent, context.config.languages, problems);
  const target = await resolveInput({ input, problems }, endpoint.find, call);
  try {
    if (endpoint.may && !endpoint.may(viewer, target, input)) throw forbidden(viewer);
    return { reply: await endpoint.handle(call, input, target), target, viewer };
  } catch (error) {
    // The rights that the `Allow` header states depend on what was found.
    return { reply: errorReply(visit, error), target, viewer };
  }
}

/**
 * The key comes as `api_key`, wherever parameters come from, or in the header `X-API-Key`, which then counts as the
 * parameter.
 */
async function withCheckInKey(visit: Visit, viewer: Viewer, sent: Map<string, unknown>): Promise<Viewer> {
  const key = sent.get('api_key') ?? visit.request.headers.get('x-api-key');
  if (typeof key !== 'string' || key === '') return viewer;
  sent.set('api_key', key);
  return visit.api.recogniseKey(visit.api.context, viewer, { key, address: visit.address });
}

export const forbidden = (viewer: Viewer): ApiError =>
  new ApiError('rest_forbidden', { status: viewer.account ? 403 : 401 });

function checkLanguage(
  sent: ReadonlyMap<string, unknown>,
  languages: readonly string[],
  problems: InvalidParams['problems'],
): void {
  const given = sent.get('i18n_language');
  if (given === undefined || (typeof given === 'string' && languages.includes(given))) return;
  (problems as Map<string, unknown>).set('i18n_language', {
    key: 'param.one_of',
    values: { allowed: languages.join(', ') },
  });
}

function callOf(
  visit: Visit,
  { viewer, body, sent }: { viewer: Viewer; body: Body; sent: ReadonlyMap<string, unknown> },
): Call {
  const given = sent.get('i18n_language');
  const { context } = visit.api;
  if (typeof given === 'string' && context.config.languages.includes(given)) {
    visit.language = given;
    visit.languageGiven = true;
  }
  const askedLanguage = visit.languageGiven ? visit.language : undefined;
  return {
    context,
    viewer,
    urls: visit.urls,
    language: visit.language,
    askedLanguage,
    now: context.now(),
    files: body.files,
    header: (name) => visit.request.headers.get(name) ?? undefined,
  };
}

/** The methods that the caller may use on what the path names. */
function allowedMethods(route: Route, viewer: Viewer, target: unknown): Method[] {
  const allowed = route.endpoints.filter(({ may }) => may === undefined || mayUse(may, viewer, target));
  return allowed.flatMap(({ methods }) => [...methods]);
}

/** Without a target (a request that failed before it was looked up) a rule may have nothing to judge. */
function mayUse(may: NonNullable<AnyEndpoint['may']>, viewer: Viewer, target: unknown): boolean {
  try {
    return may(viewer, target, {});
  } catch {
    return false;
  }
}

/** As `allowedMethods`, for a request that only asks for them: what the path names is looked up, and nothing is refused. */
async function methodsFor(visit: Visit, { route, params }: Match, viewer: Viewer): Promise<Method[]> {
  const call = callOf(visit, { viewer, body: { fields: {}, files: new Map() }, sent: new Map() });
  const sent = new Map(Object.entries(params));
  const allowed = route.endpoints.map(async ({ may, find, input, methods }) => {
    const target = may && (await find?.(readInput(input, [], sent).input, call, () => undefined));
    return may === undefined || mayUse(may, viewer, target) ? [...methods] : [];
  });
  return (await Promise.all(allowed.map((methods) => methods.catch(() => [])))).flat();
}

interface ErrorReply {
  status: number;
  body: unknown;
  headers?: Record<string, string | number>;
  isError: true;
}

function errorReply(visit: Visit, error: unknown): ErrorReply {
  if (error instanceof InvalidParams) return invalidParamsReply(visit, error);
  const known = error instanceof ApiError ? error : faultOf(visit, error);
  const message = translate(visit.language, `error.${known.code}`, known.values);
  const body = { code: known.code, message, data: { status: known.status, ...known.data } };
  return { status: known.status, body, headers: known.headers, isError: true };
}

/** A fault of ours or of the database: logged with all there is, answered without detail. */
function faultOf(visit: Visit, error: unknown): ApiError {
  const { log, db } = visit.api.context;
  const unavailable = db.dialect.isUnavailable(error);
  log.error(
    { err: error, method: visit.request.method, path: visit.path },
    unavailable ? 'storage unavailable' : 'fault',
  );
  return unavailable
    ? new ApiError('storage_unavailable', { headers: { 'Retry-After': '5' } })
    : new ApiError('internal');
}

function invalidParamsReply(visit: Visit, { problems }: InvalidParams): ErrorReply {
  const params: Record<string, string> = {};
  const details: Record<string, unknown> = {};
  for (const [name, { key, values, code }] of problems) {
    const message = translate(visit.language, key as MessageKey, { name, ...values });
    params[name] = message;
    details[name] = { code: code ?? 'rest_invalid_param', message, data: { param: name } };
  }
  const message = translate(visit.language, 'error.rest_invalid_param', { params: Object.keys(params).join(', ') });
  return {
    status: 400,
    body: { code: 'rest_invalid_param', message, data: { status: 400, params, details } },
    isError: true,
  };
}

interface Sender {
  viewer: Viewer;
  allow?: readonly Method[];
}

const JSON_TYPE = 'application/json; charset=UTF-8';
/** Seconds a shared cache may answer for us before it asks again. */
const SHARED_MAX_AGE = 10;

function respond(visit: Visit, reply: Reply | ErrorReply, { viewer, allow }: Sender): Response {
  const { request, query } = visit;
  const headers = new Headers(corsHeaders(visit.api.context.config, request, visit.urls.origin));
  headers.set('Content-Type', JSON_TYPE);
  headers.set('X-Robots-Tag', 'noindex');
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('Link', `<${visit.urls.root}>; rel="https://api.w.org/"`);
  headers.set('Content-Language', visit.language);
  headers.append('Vary', visit.languageGiven ? 'Authorization' : 'Authorization, Accept-Language');
  const own: Record<string, string | number> = { ...reply.headers };
  if (allow) own.Allow = allow.join(', ');
  const isError = 'isError' in reply;
  const callback = jsonpCallback(query._jsonp);
  const body = isError ? reply.body : selectFields(reply.body, query._fields);
  const status = reply.status ?? 200;
  const isRead = isReading(visit.request.method) && isReading(methodOf(visit));
  const isShared = isRead && status < 400 && viewer.account === undefined && viewer.key === undefined;
  if ('_envelope' in query) {
    const text = JSON.stringify({ body, status, headers: own });
    return send(visit, { status: 200, headers, text, callback, isRead, isShared });
  }
  for (const [name, value] of Object.entries(own)) headers.set(name, String(value));
  if (!isError && reply.raw) {
    headers.set('Content-Type', reply.raw.type);
    return send(visit, { status, headers, text: reply.raw.bytes, callback: undefined, isRead, isShared });
  }
  const text = body === undefined ? '' : JSON.stringify(body, undefined, '_pretty' in query ? 2 : undefined);
  return send(visit, { status, headers, text, callback, isRead, isShared });
}

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

interface Sending {
  status: number;
  headers: Headers;
  text: string | Uint8Array<ArrayBuffer>;
  callback: string | null | undefined;
  isRead: boolean;
  /** Whether caches that serve several people may keep the answer for a moment. */
  isShared: boolean;
}

function send(visit: Visit, { status, headers, text, callback, isRead, isShared }: Sending): Response {
  if (!headers.has('Cache-Control')) {
    headers.set('Cache-Control', isShared ? `public, max-age=0, s-maxage=${SHARED_MAX_AGE}` : 'private, no-cache');
  }
  if (callback) headers.set('Content-Type', 'application/javascript; charset=UTF-8');
  const payload = callback ? `/**/${callback}(${text})` : text;
  if (isRead && status === 200) {
    const tag = `"${hash('sha1', payload, 'base64url')}"`;
    headers.set('ETag', tag);
    if (matchesTag(visit.request.headers.get('if-none-match'), tag))
      return new Response(null, { status: 304, headers });
  }
  const isEmpty = visit.request.method === 'HEAD' || status === 204;
  return new Response(isEmpty ? null : payload, { status, headers });
}

/** `If-None-Match` compares weakly: a proxy that compressed the answer has marked our tag `W/`. */
const matchesTag = (given: string | null, tag: string): boolean =>
  given !== null && (given.trim() === '*' || given.split(',').some((item) => item.trim().replace(/^W\//, '') === tag));
