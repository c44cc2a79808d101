import { ANONYMOUS, forbidden, type Viewer } from './auth.ts';
import { discardBody, readBodyInTime } from './body-timeout.ts';
import { cookieOf } from './cookies.ts';
import { describeRoute, siteOf } from './discovery.ts';
import type { AnyEndpoint, HandlerContext, Method, Reply } from './endpoint.ts';
import { ApiError, invalidParam } from './errors.ts';
import { jsonpCallback } from './field-selection.ts';
import { idempotencyKeyOf, keyedWrite, type Settled } from './idempotency.ts';
import { listNames, readInput, resolveInput } from './input.ts';
import { acceptLanguage } from './language.ts';
import { joinParams, type ListNames, NO_LISTS, parseOnce } from './params.ts';
import {
  type Exchange,
  errorReply,
  type IncomingRequest,
  methodOf,
  repeatError,
  respond,
  type ServerDeps,
} from './respond.ts';
import { endpointOf, type Match, matchRoute, type Route, routeLabel } from './router.ts';

/** Answers one request of the REST interface. Never throws: whatever goes wrong becomes an error body. */
export async function serve(deps: ServerDeps, request: Request, incoming: IncomingRequest): Promise<Response> {
  const readQuery = parseOnce(incoming.search);
  const query = readQuery(listsOf(incoming, PRESENTATION_LISTS));
  const language = acceptLanguage(request.headers.get('accept-language'), deps.context.config.languages);
  const exchange: Exchange = { ...incoming, deps, request, readQuery, query, language, isLanguageAsked: false };
  try {
    // Before anything is done: a write must not happen and then be answered with a complaint about the callback.
    settleLanguage(exchange, query.i18n_language);
    if (jsonpCallback(query._jsonp) === null) throw new ApiError('rest_callback_invalid');
    return await answer(exchange);
  } catch (error) {
    return respond(exchange, errorReply(exchange, error), { viewer: ANONYMOUS });
  }
}

/** Parameters that every endpoint takes and that are lists. */
const PRESENTATION_LISTS: ListNames = new Set(['_fields']);

/** The lists that are sent by repeating a name. The reference takes the last value of these too. */
const listsOf = ({ urls }: IncomingRequest, names: ListNames): ListNames => (urls.isReference ? NO_LISTS : names);

async function answer(exchange: Exchange): Promise<Response> {
  const { deps, request, address, isShared } = exchange;
  const viewer = await deps.authenticate(deps.context, {
    authorization: request.headers.get('authorization') ?? undefined,
    address,
    isShared,
    tellsUnknownNames: exchange.urls.isReference,
  });
  const match = matchRoute(deps.routes, exchange.namespace, exchange.path);
  if (match) exchange.summary.route = routeLabel(match.route);
  const method = methodOf(exchange);
  if (method === 'OPTIONS') {
    if (!match) return respond(exchange, { body: [] }, { viewer });
    const allow = await methodsFor(exchange, match, viewer);
    const body = describeRoute(match.route, siteOf(deps.context.config, exchange.urls, deps.context.now()));
    return respond(exchange, { body }, { viewer, allow });
  }
  const endpoint = match && endpointFor(match.route, method);
  if (!match || !endpoint) {
    const { maxBodyBytes: maxBytes, timeouts } = deps.context.config;
    await discardBody(request, { maxBytes, timeouts });
    return respond(exchange, errorReply(exchange, new ApiError('rest_no_route')), { viewer });
  }
  const outcome = await run(exchange, { endpoint, method, match }, viewer).catch((error: unknown) => ({
    reply: errorReply(exchange, error),
    allow: allowedMethods(match.route, viewer, undefined),
    viewer,
  }));
  return respond(exchange, outcome.reply, outcome);
}

/** HEAD is answered as GET would be, unless that GET changes something: asking about an answer must not cause it. */
function endpointFor(route: Route, method: string): AnyEndpoint | undefined {
  const endpoint = endpointOf(route, method === 'HEAD' ? 'GET' : method);
  return method === 'HEAD' && endpoint?.hasEffect ? undefined : endpoint;
}

interface Outcome extends Settled {
  /** The caller, with what a check-in key adds. */
  viewer: Viewer;
}

/** The endpoint and input of a request. */
interface Found {
  endpoint: AnyEndpoint;
  method: string;
  match: Match;
}

async function run(exchange: Exchange, { endpoint, method, match }: Found, caller: Viewer): Promise<Outcome> {
  const { context, answerOnce } = exchange.deps;
  const key = idempotencyKeyOf(method, exchange.request.headers);
  // Nobody sends a large body before saying who they are.
  const mayUpload = endpoint.takesFiles && caller.account !== undefined;
  const limit = mayUpload ? context.config.maxUploadBytes : context.config.maxBodyBytes;
  const lists = listsOf(exchange, listNames(endpoint.input));
  const body = await readBodyInTime(exchange.request, {
    maxBytes: limit,
    lists,
    timeouts: context.config.timeouts,
    takesRawFile: endpoint.takesRawFile,
  });
  const sent = joinParams(match.params, body.fields, exchange.readQuery(lists));
  settleLanguage(exchange, sent.get('i18n_language'));
  const viewer = await withCheckInKey(exchange, caller, sent);
  const ctx = contextOf(exchange, viewer, body.files);
  // Before a key is claimed, so that what is refused costs no row of the database.
  const rate = await countRequest(endpoint, ctx);
  const work = (on: HandlerContext) => perform(exchange, { endpoint, match, sent }, on);
  const write = key === undefined ? undefined : await keyedWrite(key, ctx, { endpoint, method, match, sent });
  const { reply, allow } = await (write ? answerOnce(write, work) : work(ctx));
  const answered = write && 'isError' in reply ? repeatError(exchange, reply) : reply;
  return { reply: { ...answered, headers: { ...answered.headers, ...rate } }, allow, viewer };
}

/**
 * Counts a request under the limit of its endpoint; returns headers that tell how much is left.
 * @throws {ApiError} too-many-requests
 */
async function countRequest({ counted, subjectOf }: AnyEndpoint, ctx: HandlerContext): Promise<Reply['headers']> {
  if (!counted || ctx.viewer.account) return {};
  return ctx.limits.countRequest(counted, { client: ctx.client, cart: subjectOf?.(ctx) });
}

interface Task {
  endpoint: AnyEndpoint;
  match: Match;
  sent: Map<string, unknown>;
}

/** Looks up, authorises and handles. Never throws: errors become error bodies. */
async function perform(exchange: Exchange, { endpoint, match, sent }: Task, ctx: HandlerContext): Promise<Settled> {
  let target: unknown;
  const settled = (reply: Settled['reply']) => ({ reply, allow: allowedMethods(match.route, ctx.viewer, target) });
  try {
    const { input, problems } = readInput(endpoint.input, endpoint.required ?? [], sent);
    // The rights that the `Allow` header states depend on what is found.
    target = await resolveInput({ input, problems }, endpoint.find, ctx);
    if (endpoint.may && !endpoint.may(ctx.viewer, target, input)) throw forbidden(ctx.viewer);
    return settled(await endpoint.handle(ctx, input, target));
  } catch (error) {
    return settled(errorReply(exchange, error));
  }
}

/**
 * The key comes as `api_key`, wherever parameters come from, or in the header `X-API-Key`, which then counts as the
 * parameter.
 */
async function withCheckInKey(exchange: Exchange, viewer: Viewer, sent: Map<string, unknown>): Promise<Viewer> {
  const key = sent.get('api_key') ?? exchange.request.headers.get('x-api-key');
  if (typeof key !== 'string' || key === '') return viewer;
  sent.set('api_key', key);
  return exchange.deps.recogniseKey(exchange.deps.context, viewer, { key, client: exchange });
}

/**
 * Takes the language that the query or the body names. One that the site does not have is refused at once and alone,
 * whatever else is wrong: it belongs to no endpoint, and nothing has been looked up or changed yet.
 */
function settleLanguage(exchange: Exchange, asked: unknown): void {
  if (asked === undefined) return;
  const { languages } = exchange.deps.context.config;
  if (typeof asked !== 'string' || !languages.includes(asked)) {
    throw invalidParam('i18n_language', 'param.one_of', { allowed: languages.join(', ') });
  }
  exchange.language = asked;
  exchange.isLanguageAsked = true;
}

function contextOf(exchange: Exchange, viewer: Viewer, files: HandlerContext['files'] = new Map()): HandlerContext {
  const { deps, urls, request, language, isLanguageAsked } = exchange;
  return {
    context: deps.context,
    viewer,
    urls,
    language,
    askedLanguage: isLanguageAsked ? language : undefined,
    now: deps.context.now(),
    client: { address: exchange.address, isShared: exchange.isShared },
    limits: deps.limits,
    files,
    header: (name) => request.headers.get(name) ?? undefined,
    cookie: (name) => cookieOf(exchange, name),
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
async function methodsFor(exchange: Exchange, { route, params }: Match, viewer: Viewer): Promise<Method[]> {
  const ctx = contextOf(exchange, viewer);
  const sent = new Map(Object.entries(params));
  const allowed = route.endpoints.map(async ({ may, find, input, methods }) => {
    const target = may && (await find?.(readInput(input, [], sent).input, ctx, () => undefined));
    return may === undefined || mayUse(may, viewer, target) ? [...methods] : [];
  });
  return (await Promise.all(allowed.map((methods) => methods.catch(() => [])))).flat();
}
