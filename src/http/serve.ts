import { ANONYMOUS, forbidden, type Viewer } from './auth.ts';
import { discardBody, readBodyInTime } from './body-timeout.ts';
import { cookieOf } from './cookies.ts';
import { describeRoute, siteOf } from './discovery.ts';
import type { AnyEndpoint, Call, Method, Reply } from './endpoint.ts';
import { ApiError, invalidParam } from './errors.ts';
import { jsonpCallback } from './field-selection.ts';
import { idempotencyKeyOf, keyedWrite, type Settled } from './idempotency.ts';
import { listNames, readInput, resolveInput } from './input.ts';
import { acceptLanguage } from './language.ts';
import { joinParams, type ListNames, NO_LISTS, parseOnce } from './params.ts';
import { type Api, type Arrival, errorReply, methodOf, repeatError, respond, type Visit } from './respond.ts';
import { endpointOf, type Match, matchRoute, type Route, routeLabel } from './router.ts';

/** Answers one request of the REST interface. Never throws: whatever goes wrong becomes an error body. */
export async function serve(api: Api, request: Request, arrival: Arrival): Promise<Response> {
  const readQuery = parseOnce(arrival.search);
  const query = readQuery(listsOf(arrival, PRESENTATION_LISTS));
  const language = acceptLanguage(request.headers.get('accept-language'), api.context.config.languages);
  const visit: Visit = { ...arrival, api, request, readQuery, query, language, isLanguageAsked: false };
  try {
    // Before anything is done: a write must not happen and then be answered with a complaint about the callback.
    settleLanguage(visit, query.i18n_language);
    if (jsonpCallback(query._jsonp) === null) throw new ApiError('rest_callback_invalid');
    return await answer(visit);
  } catch (error) {
    return respond(visit, errorReply(visit, error), { viewer: ANONYMOUS });
  }
}

/** Parameters that every endpoint takes and that are lists. */
const PRESENTATION_LISTS: ListNames = new Set(['_fields']);

/** The lists that are sent by repeating a name. The reference takes the last value of these too. */
const listsOf = ({ urls }: Arrival, names: ListNames): ListNames => (urls.isReference ? NO_LISTS : names);

async function answer(visit: Visit): Promise<Response> {
  const { api, request, address, isShared } = visit;
  const viewer = await api.authenticate(api.context, {
    authorization: request.headers.get('authorization') ?? undefined,
    address,
    isShared,
    tellsUnknownNames: visit.urls.isReference,
  });
  const match = matchRoute(api.routes, visit.namespace, visit.path);
  if (match) visit.exchange.route = routeLabel(match.route);
  const method = methodOf(visit);
  if (method === 'OPTIONS') {
    if (!match) return respond(visit, { body: [] }, { viewer });
    const allow = await methodsFor(visit, match, viewer);
    const body = describeRoute(match.route, siteOf(api.context.config, visit.urls, api.context.now()));
    return respond(visit, { body }, { viewer, allow });
  }
  const endpoint = match && endpointFor(match.route, method);
  if (!match || !endpoint) {
    const { maxBodyBytes: maxBytes, timeouts } = api.context.config;
    await discardBody(request, { maxBytes, timeouts });
    return respond(visit, errorReply(visit, new ApiError('rest_no_route')), { viewer });
  }
  const outcome = await run(visit, { endpoint, method, match }, viewer).catch((error: unknown) => ({
    reply: errorReply(visit, error),
    allow: allowedMethods(match.route, viewer, undefined),
    viewer,
  }));
  return respond(visit, outcome.reply, outcome);
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

async function run(visit: Visit, { endpoint, method, match }: Found, caller: Viewer): Promise<Outcome> {
  const { context, answerOnce } = visit.api;
  const key = idempotencyKeyOf(method, visit.request.headers);
  // Nobody sends a large body before saying who they are.
  const mayUpload = endpoint.takesFiles && caller.account !== undefined;
  const limit = mayUpload ? context.config.maxUploadBytes : context.config.maxBodyBytes;
  const lists = listsOf(visit, listNames(endpoint.input));
  const body = await readBodyInTime(visit.request, {
    maxBytes: limit,
    lists,
    timeouts: context.config.timeouts,
    takesRawFile: endpoint.takesRawFile,
  });
  const sent = joinParams(match.params, body.fields, visit.readQuery(lists));
  settleLanguage(visit, sent.get('i18n_language'));
  const viewer = await withCheckInKey(visit, caller, sent);
  const call = callOf(visit, viewer, body.files);
  // Before a key is claimed, so that what is refused costs no row of the database.
  const rate = await countRequest(endpoint, call);
  const work = (on: Call) => perform(visit, { endpoint, match, sent }, on);
  const write = key === undefined ? undefined : await keyedWrite(key, call, { endpoint, method, match, sent });
  const { reply, allow } = await (write ? answerOnce(write, work) : work(call));
  const answered = write && 'isError' in reply ? repeatError(visit, reply) : reply;
  return { reply: { ...answered, headers: { ...answered.headers, ...rate } }, allow, viewer };
}

/**
 * Counts a request under the limit of its endpoint; returns headers that tell how much is left.
 * @throws {ApiError} too-many-requests
 */
async function countRequest({ counted, subjectOf }: AnyEndpoint, call: Call): Promise<Reply['headers']> {
  if (!counted || call.viewer.account) return {};
  return call.limits.countRequest(counted, { client: call.client, cart: subjectOf?.(call) });
}

interface Task {
  endpoint: AnyEndpoint;
  match: Match;
  sent: Map<string, unknown>;
}

/** Looks up, authorises and handles. Never throws: errors become error bodies. */
async function perform(visit: Visit, { endpoint, match, sent }: Task, call: Call): Promise<Settled> {
  let target: unknown;
  const settled = (reply: Settled['reply']) => ({ reply, allow: allowedMethods(match.route, call.viewer, target) });
  try {
    const { input, problems } = readInput(endpoint.input, endpoint.required ?? [], sent);
    // The rights that the `Allow` header states depend on what is found.
    target = await resolveInput({ input, problems }, endpoint.find, call);
    if (endpoint.may && !endpoint.may(call.viewer, target, input)) throw forbidden(call.viewer);
    return settled(await endpoint.handle(call, input, target));
  } catch (error) {
    return settled(errorReply(visit, error));
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
  return visit.api.recogniseKey(visit.api.context, viewer, { key, client: visit });
}

/**
 * Takes the language that the query or the body names. One that the site does not have is refused at once and alone,
 * whatever else is wrong: it belongs to no endpoint, and nothing has been looked up or changed yet.
 */
function settleLanguage(visit: Visit, asked: unknown): void {
  if (asked === undefined) return;
  const { languages } = visit.api.context.config;
  if (typeof asked !== 'string' || !languages.includes(asked)) {
    throw invalidParam('i18n_language', 'param.one_of', { allowed: languages.join(', ') });
  }
  visit.language = asked;
  visit.isLanguageAsked = true;
}

function callOf(visit: Visit, viewer: Viewer, files: Call['files'] = new Map()): Call {
  const { api, urls, request, language, isLanguageAsked } = visit;
  return {
    context: api.context,
    viewer,
    urls,
    language,
    askedLanguage: isLanguageAsked ? language : undefined,
    now: api.context.now(),
    client: { address: visit.address, isShared: visit.isShared },
    limits: api.limits,
    files,
    header: (name) => request.headers.get(name) ?? undefined,
    cookie: (name) => cookieOf(visit, name),
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
  const call = callOf(visit, viewer);
  const sent = new Map(Object.entries(params));
  const allowed = route.endpoints.map(async ({ may, find, input, methods }) => {
    const target = may && (await find?.(readInput(input, [], sent).input, call, () => undefined));
    return may === undefined || mayUse(may, viewer, target) ? [...methods] : [];
  });
  return (await Promise.all(allowed.map((methods) => methods.catch(() => [])))).flat();
}
