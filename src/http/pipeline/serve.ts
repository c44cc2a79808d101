import type { Actor } from '../../lib/actor.ts';
import { shortenedNetwork } from '../../lib/addresses.ts';
import { MESSAGE_LANGUAGES } from '../../lib/i18n.ts';
import { ANONYMOUS, forbidden, type Viewer } from '../core/auth.ts';
import { acceptLanguage } from '../core/content-negotiation.ts';
import { cookieOf, sessionOf } from '../core/cookies.ts';
import type { AnyEndpoint, EndpointResponse, HandlerContext, Method } from '../core/endpoint.ts';
import { ApiError, invalidParam } from '../core/errors.ts';
import { jsonpCallback } from '../core/field-selection.ts';
import { type HttpRequest, isReading } from '../core/request.ts';
import type { HttpResponse } from '../core/response.ts';
import { acceptedRevisions, OutdatedRevision } from '../core/revisions.ts';
import { type Match, type Route, routeLabel } from '../core/router.ts';
import { discardBody, readBodyInTime } from '../input/body-timeout.ts';
import { BODY_ONLY, type Body, joinParams } from '../input/params.ts';
import { callNowhere, listsFor, parseRequest } from '../input/parsed-request.ts';
import { KEY_PARAM, readInput, requireParams, resolveInput } from '../input/validate.ts';
import { describeRoute, siteOf } from '../openapi/discovery.ts';
import { guardCredentialWrite } from './credential-writes.ts';
import type { Exchange, IncomingCall, ServerDeps } from './exchange.ts';
import { type CompletedResponse, idempotencyKeyOf, keyedWrite } from './idempotency.ts';
import { errorResponse, repeatResponse, respond } from './respond.ts';

/** Handles a call of the REST interface. Never throws: errors become error bodies. */
export async function serve(deps: ServerDeps, incoming: IncomingCall): Promise<HttpResponse> {
  const { request, context, call } = incoming;
  const language = acceptLanguage(request.headers.get('accept-language'), context.config.languages);
  const unsettled = { language, messageLanguage: language, isLanguageAsked: false, hasSession: false };
  const exchange: Exchange = { ...incoming, ...unsettled, deps };
  try {
    // Checked first: a write must not be executed and then get an error about the callback.
    settleLanguage(exchange, call.query.i18n_language);
    if (jsonpCallback(call.query._jsonp) === null) throw new ApiError('rest_callback_invalid');
    return await handle(exchange);
  } catch (error) {
    return respond(exchange, errorResponse(exchange, error), { viewer: ANONYMOUS });
  }
}

async function handle(exchange: Exchange): Promise<HttpResponse> {
  const { deps, request, client, context, call } = exchange;
  const { match, method, endpoint } = call;
  const authenticated = await deps.authenticate(context, {
    authorization: request.headers.get('authorization') ?? undefined,
    session: sessionFor(exchange),
    ...client,
    tellsUnknownNames: call.urls.isReference,
  });
  if (authenticated.credential?.means === 'session') settleMessageLanguage(exchange);
  const viewer = authenticated.needsSetUp && !endpoint?.isForSetUp ? ANONYMOUS : authenticated;
  if (match) exchange.summary.route = routeLabel(match.route);
  if (method === 'OPTIONS') {
    if (!match) return respond(exchange, { body: [] }, { viewer });
    const allow = await methodsFor(exchange, match, viewer);
    const body = describeRoute(match.route, siteOf(context.config, call.urls, context.now()));
    return respond(exchange, { body }, { viewer, allow });
  }
  if (!match || !endpoint) {
    const { maxBodyBytes: maxBytes, timeouts } = context.config;
    await discardBody(request, { maxBytes, timeouts });
    return respond(exchange, errorResponse(exchange, new ApiError('rest_no_route')), { viewer });
  }
  const outcome = await run(exchange, { endpoint, method, match }, viewer).catch((error: unknown) => ({
    response: errorResponse(exchange, error),
    allow: allowedMethods(match.route, viewer, undefined),
    viewer,
  }));
  return respond(exchange, outcome.response, outcome);
}

/**
 * Token of the session that authenticates a request. A GET that changes data has no session, whatever its origin, since
 * descriptions of events may contain links and images. JSONP has none either, since scripts of any site can read it.
 */
function sessionFor({ request, call: { method, endpoint, query, urls } }: Exchange): string | undefined {
  const isGet = isReading(request.method);
  if (isGet && (!isReading(method) || endpoint?.hasEffect)) return undefined;
  if (query._jsonp !== undefined) return undefined;
  return sessionOf({ header: (name) => request.headers.get(name) ?? undefined, urls }, { isSafe: isGet });
}

interface Outcome extends CompletedResponse {
  /** Includes the rights of a check-in key. */
  viewer: Viewer;
}

/** The endpoint and input of a request. */
interface MatchedRequest {
  endpoint: AnyEndpoint;
  method: string;
  match: Match;
}

async function run(
  exchange: Exchange,
  { endpoint, method, match }: MatchedRequest,
  authenticated: Viewer,
): Promise<Outcome> {
  const { context, call, deps, request } = exchange;
  const key = endpoint.takesBytes ? undefined : idempotencyKeyOf(method, request.headers);
  // The upload limit applies to users only; visitors get the limit of other bodies.
  const mayUpload = endpoint.takesFiles && authenticated.account !== undefined;
  const usual = mayUpload ? context.config.maxUploadBytes : context.config.maxBodyBytes;
  const isList = listsFor(call, endpoint);
  const body = await readBodyInTime(request, {
    maxBytes: endpoint.takesBytes ?? usual,
    isList,
    timeouts: context.config.timeouts,
    takesRawFile: endpoint.takesRawFile,
    takesBytes: endpoint.takesBytes !== undefined,
  });
  const query = call.readQuery(isList);
  if (endpoint.isCredentialWrite) guardCredentialWrite(exchange, endpoint, query);
  const inAddress = Object.keys(body.fields).length === 0 ? call.sentParams() : undefined;
  const sent = withKeyOfHeader(inAddress ?? joinParams(match.params, body.fields, query), request);
  settleLanguage(exchange, sent.get('i18n_language'));
  const viewer = await withCheckInKey(exchange, authenticated, sent);
  const ctx = contextOf(exchange, viewer, body);
  // Counted before the key is claimed, so that refused requests cost no database row.
  const rate = await countRequest(endpoint, ctx);
  const work = (on: HandlerContext) => perform(exchange, { endpoint, match, sent }, on);
  const write = key === undefined ? undefined : await keyedWrite(key, ctx, { endpoint, method, match, sent });
  const { response, allow } = await (write ? deps.handleOnce(write, work) : work(ctx));
  const completed = write ? repeatResponse(exchange, response) : response;
  return { response: { ...completed, headers: { ...completed.headers, ...rate } }, allow, viewer };
}

/**
 * Counts a request under the limit of its endpoint; returns the `RateLimit` headers.
 * @throws {ApiError} too-many-requests
 */
export async function countRequest(
  { counted, subjectOf }: AnyEndpoint,
  ctx: HandlerContext,
): Promise<EndpointResponse['headers']> {
  if (!counted || ctx.viewer.account) return {};
  return ctx.limits.countRequest(counted, { client: ctx.client, cart: subjectOf?.(ctx) });
}

interface Task {
  endpoint: AnyEndpoint;
  match: Match;
  sent: ReadonlyMap<string, unknown>;
}

/** Runs look-ups, rights and handler. Never throws: errors become error bodies. */
async function perform(
  exchange: Exchange,
  { endpoint, match, sent }: Task,
  ctx: HandlerContext,
): Promise<CompletedResponse> {
  let target: unknown;
  const settled = (response: CompletedResponse['response']) => ({
    response,
    allow: allowedMethods(match.route, ctx.viewer, target),
  });
  try {
    const required = [...(endpoint.needsKey?.(ctx.viewer) ? [KEY_PARAM] : []), ...(endpoint.required ?? [])];
    const changes = await changesOf({ endpoint, match, sent }, ctx);
    requireParams(required, changes);
    const read = changes === exchange.call.sentParams() ? exchange.call.readParams() : undefined;
    const { input, problems } = read ?? readInput(endpoint.input, [], changes);
    // The `Allow` header depends on the rights on the target.
    target = await resolveInput({ input, problems }, endpoint.find, ctx);
    if (endpoint.may && !endpoint.may(ctx.viewer, target, input)) throw forbidden(ctx.viewer);
    if (exchange.isInner) refuseInBatch(endpoint);
    const { handle, showCurrent } = endpoint;
    return settled(
      await handle(ctx, input, target).catch(async (error: unknown) => {
        if (!(error instanceof OutdatedRevision)) throw error;
        // A new event may contain an outdated venue; it has no record of its own yet.
        const data = showCurrent && { record: await showCurrent(ctx, input, target) };
        const { kind } = error;
        throw new ApiError('edit-conflict', {
          data,
          ...(kind && { message: 'linked.outdated', values: { kind } }),
        });
      }),
    );
  } catch (error) {
    return settled(errorResponse(exchange, error));
  }
}

/** @throws {ApiError} batch-call-refused */
function refuseInBatch({ isStreamed, isRefusedInBatch, shownOnce }: AnyEndpoint): void {
  if (isStreamed) throw new ApiError('batch-call-refused', { message: 'batch.stream' });
  if (isRefusedInBatch || shownOnce) throw new ApiError('batch-call-refused', { message: 'batch.credential' });
}

/** Parameters of a request, without members that repeat the stored record. */
async function changesOf({ endpoint, match, sent }: Task, ctx: HandlerContext): Promise<Task['sent']> {
  const { params } = match;
  const inBody = [...sent].filter(([name]) => !Object.hasOwn(params, name));
  const copy = Object.fromEntries(inBody.map(([name, value]) => [name.replace(BODY_ONLY, ''), value]));
  if (!endpoint.changesIn || (copy.id ?? copy.url) === undefined) return sent;
  const { input } = readInput(endpoint.input, [], new Map(Object.entries(params)));
  const changed = await endpoint.changesIn(copy, input, ctx);
  const isSent = (name: string): boolean =>
    Object.hasOwn(params, name) || Object.hasOwn(changed, name.replace(BODY_ONLY, ''));
  return new Map([...sent].filter(([name]) => isSent(name)));
}

/** Reads the header `X-API-Key` as the parameter `api_key`, which comes first. */
function withKeyOfHeader(sent: ReadonlyMap<string, unknown>, { headers }: HttpRequest): ReadonlyMap<string, unknown> {
  const key = headers.get('x-api-key') ?? '';
  return key === '' || (sent.get(KEY_PARAM) ?? null) !== null ? sent : new Map(sent).set(KEY_PARAM, key);
}

/** Adds the rights of a check-in key. */
async function withCheckInKey(exchange: Exchange, viewer: Viewer, sent: Task['sent']): Promise<Viewer> {
  const key = sent.get(KEY_PARAM);
  if (typeof key !== 'string' || key === '') return viewer;
  return exchange.deps.recogniseKey(exchange.context, viewer, { key, client: exchange.client });
}

/**
 * Applies the language named in the query or the body. An unknown language is refused before any other problem: it
 * belongs to no endpoint, and nothing has been looked up yet.
 */
function settleLanguage(exchange: Exchange, asked: unknown): void {
  if (asked === undefined) return;
  const { languages } = exchange.context.config;
  if (typeof asked !== 'string' || !languages.includes(asked)) {
    throw invalidParam('i18n_language', 'param.one_of', { allowed: languages.join(', ') });
  }
  exchange.language = asked;
  exchange.isLanguageAsked = true;
  if (!exchange.hasSession) exchange.messageLanguage = asked;
}

/**
 * Takes the language of messages from the browser: users who edit French texts in a German console get messages in
 * German.
 */
function settleMessageLanguage(exchange: Exchange): void {
  exchange.hasSession = true;
  exchange.messageLanguage =
    exchange.messagesIn ?? acceptLanguage(exchange.request.headers.get('accept-language'), MESSAGE_LANGUAGES);
}

function contextOf(exchange: Exchange, viewer: Viewer, body?: Pick<Body, 'files' | 'bytes'>): HandlerContext {
  const { deps, context, request, call, client, language, isLanguageAsked } = exchange;
  return {
    context,
    viewer,
    actor: actorOf(exchange, viewer),
    urls: call.urls,
    language,
    askedLanguage: isLanguageAsked ? language : undefined,
    now: context.now(),
    expectedRevisions: acceptedRevisions(request.headers.get('if-match') ?? undefined),
    client,
    limits: deps.limits,
    files: body?.files ?? new Map(),
    bytes: body?.bytes,
    header: (name) => request.headers.get(name) ?? undefined,
    cookie: (name) => cookieOf({ request, ...call }, name),
    serve: exchange.isInner ? undefined : (inner) => serveInside(exchange, inner),
  };
}

/** Viewer as recorded in the audit log: an account, a check-in key or a device at the door. */
function actorOf(
  { context, client, summary }: Exchange,
  { account, credential, key, device }: Viewer,
): Actor | undefined {
  const keyed = key && { means: 'check-in-key' as const, id: key.id, name: key.name ?? '' };
  const paired = device && { means: 'door-device' as const, id: device.id, name: device.name };
  const used = account ? credential : (paired ?? keyed);
  if (!used) return undefined;
  return {
    account: account ? { id: account.id, name: account.username } : null,
    credential: used,
    network: shortenedNetwork(client.address),
    requestId: summary.id,
    now: context.now(),
  };
}

/** Handles a request made by another one, as if its client had sent it. */
async function serveInside(exchange: Exchange, request: Request): Promise<HttpResponse> {
  const { deps, call, client, context, summary, hasSession, messageLanguage } = exchange;
  const address = { url: new URL(request.url), origin: call.urls.origin };
  const inner = parseRequest(request, address, deps.routes).call ?? callNowhere(request, address);
  const messagesIn = hasSession ? messageLanguage : undefined;
  return serve(deps, { request, call: inner, client, context, summary: { id: summary.id }, isInner: true, messagesIn });
}

/** Methods that the viewer may use on the target. */
function allowedMethods(route: Route, viewer: Viewer, target: unknown): Method[] {
  const allowed = route.endpoints.filter(({ may }) => may?.(viewer, target, {}) ?? true);
  return allowed.flatMap(({ methods }) => [...methods]);
}

/** Like `allowedMethods`, for OPTIONS: looks up the target but refuses nothing. */
async function methodsFor(exchange: Exchange, { route, params }: Match, viewer: Viewer): Promise<Method[]> {
  const ctx = contextOf(exchange, viewer);
  const sent = new Map(Object.entries(params));
  const allowed = route.endpoints.map(async ({ may, find, input, methods }) => {
    const target = may && (await find?.(readInput(input, [], sent).input, ctx, () => undefined));
    return (may?.(viewer, target, {}) ?? true) ? [...methods] : [];
  });
  return (await Promise.all(allowed.map((methods) => methods.catch(() => [])))).flat();
}
