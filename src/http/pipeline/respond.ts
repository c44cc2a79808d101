import { concatenated } from '../../lib/copy-bytes.ts';
import { translate } from '../../lib/i18n.ts';
import { RenderedJson } from '../../lib/rendered-json.ts';
import { scriptJson } from '../../lib/text/script-json.ts';
import { ANONYMOUS, isAnonymous, type Viewer } from '../core/auth.ts';
import { acceptLanguage } from '../core/content-negotiation.ts';
import { corsHeaders, isRefusedForCookies } from '../core/cors.ts';
import type { EndpointResponse, Method } from '../core/endpoint.ts';
import { ApiError, type ErrorResponse, InvalidParams } from '../core/errors.ts';
import { jsonpCallback, selectFields } from '../core/field-selection.ts';
import { type BodyPieces, type HttpResponse, ResponseHeaders } from '../core/response.ts';
import { tagOf } from '../core/revisions.ts';
import { isWithoutSecret } from '../core/shown-once.ts';
import { onlyReads, SECRETS } from '../input/parsed-request.ts';
import { digestOf } from '../output/etag.ts';
import { sendBody } from '../output/send-body.ts';
import type { Exchange, IncomingCall } from './exchange.ts';

/** Converts any thrown value to an error response. */
export function errorResponse(exchange: Exchange, error: unknown): ErrorResponse {
  if (error instanceof InvalidParams) return invalidParamsResponse(exchange, error);
  const known = error instanceof ApiError ? error : reportFault(exchange, error);
  exchange.summary.code = known.code;
  const message = translate(exchange.messageLanguage, known.messageKey, known.values);
  const data = { status: known.status, ...known.data, request_id: exchange.summary.id };
  const body = { code: known.code, message, data };
  return { status: known.status, body, headers: known.headers, isError: true };
}

const reportFault = ({ deps, request, call }: Exchange, error: unknown): ApiError =>
  deps.reportFault(error, { method: request.method, path: call.path });

/** Refuses a request before routing. Its query (`_jsonp`, `_envelope`) is ignored, to keep refusals cheap. */
export async function refuse(
  error: ApiError,
  { call, ...sent }: IncomingCall & Pick<Exchange, 'deps'>,
): Promise<HttpResponse> {
  const language = acceptLanguage(sent.request.headers.get('accept-language'), sent.context.config.languages);
  const plain = { ...sent, call: { ...call, readQuery: () => ({}), query: {} } };
  const exchange = { ...plain, language, messageLanguage: language, isLanguageAsked: false, hasSession: false };
  return respond(exchange, errorResponse(exchange, error), { viewer: ANONYMOUS });
}

function invalidParamsResponse(exchange: Exchange, { problems }: InvalidParams): ErrorResponse {
  exchange.summary.code = 'rest_invalid_param';
  const params: Record<string, string> = {};
  const details: Record<string, unknown> = {};
  for (const [name, { key, values, code }] of problems) {
    const message = translate(exchange.messageLanguage, key, { name, ...values });
    params[name] = message;
    details[name] = { code: code ?? 'rest_invalid_param', message, data: { param: name } };
  }
  const names = Object.keys(params);
  const listed = { count: names.length, params: names.join(', ') };
  const message = translate(exchange.messageLanguage, 'error.rest_invalid_param', listed);
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

/**
 * Completes a stored response for this request: a refusal gets its id, a response without its secret gets a message
 * that says so.
 */
export function repeatResponse(
  { summary, messageLanguage }: Exchange,
  response: EndpointResponse | ErrorResponse,
): EndpointResponse | ErrorResponse {
  if (!('isError' in response)) {
    if (!isWithoutSecret(response)) return response;
    return { ...response, body: { ...Object(response.body), message: translate(messageLanguage, 'secret_shown') } };
  }
  const { body } = response;
  summary.code = body.code;
  return { ...response, body: { ...body, data: { ...body.data, request_id: summary.id } } };
}

interface RespondOptions {
  viewer: Viewer;
  allow?: readonly Method[];
}

const JSON_TYPE = 'application/json; charset=UTF-8';
/** Seconds for which shared caches may serve a response without revalidation. */
const SHARED_MAX_AGE = 10;

/**
 * Builds the response to a call from the result of its endpoint, with the common headers; applies `_fields`,
 * `_envelope`, `_pretty` and `_jsonp`.
 */
export async function respond(
  exchange: Exchange,
  response: EndpointResponse | ErrorResponse,
  { viewer, allow }: RespondOptions,
): Promise<HttpResponse> {
  const { request, call, context } = exchange;
  const { query, urls } = call;
  const page = {
    origin: request.headers.get('origin'),
    hasCookies: request.headers.has('cookie'),
    ownOrigin: urls.origin,
  };
  const headers = commonHeaders(exchange, corsHeaders(context.config, page));
  const own: Record<string, string | number> = { ...response.headers };
  if (allow) own.Allow = allow.join(', ');
  const isError = 'isError' in response;
  if (!isError && response.stream) return sendStream(exchange, { stream: response.stream, headers, own });
  const callback = jsonpCallback(query._jsonp);
  const body = isError ? response.body : bodyOf(response, query);
  const status = response.status ?? 200;
  const revision = isError ? undefined : response.revision;
  const isRead = onlyReads(request, call);
  const isPublic =
    isAnonymous(viewer) && !SECRETS.some((name) => name in query) && !isRefusedForCookies(context.config, page);
  const isShared = isRead && status < 400 && isPublic;
  if ('_envelope' in query) {
    const [outer, inner] = dividedHeaders(own);
    for (const [name, value] of outer) headers.set(name, String(value));
    const text = JSON.stringify({ body, status, headers: Object.fromEntries(inner) });
    return send(exchange, { status: 200, headers, text, callback, isRead, isShared, revision });
  }
  for (const [name, value] of Object.entries(own)) {
    // Pagination links are appended to the common link.
    if (name.toLowerCase() === 'link') headers.append(name, String(value));
    else headers.set(name, String(value));
  }
  const raw = isError ? undefined : response.raw;
  if (raw) headers.set('content-type', raw.type);
  const kept = !isError && isShared && !callback ? response : {};
  const text = raw?.content ?? textOf(body, query);
  return send(exchange, {
    ...{ status, headers, text, isRead, isShared, kept, revision },
    callback: raw ? undefined : callback,
  });
}

/** Headers of every response of the interface. */
function commonHeaders(
  { call, language, isLanguageAsked, hasSession }: Exchange,
  cors: ReturnType<typeof corsHeaders>,
): ResponseHeaders {
  const headers = new ResponseHeaders(cors);
  headers.set('content-type', JSON_TYPE);
  headers.set('x-robots-tag', 'noindex');
  headers.set('x-content-type-options', 'nosniff');
  headers.set('link', `<${call.urls.root}>; rel="https://api.w.org/"`);
  headers.set('content-language', language);
  const credentials = 'Authorization, X-API-Key';
  headers.append('vary', isLanguageAsked && !hasSession ? credentials : `${credentials}, Accept-Language`);
  return headers;
}

interface StreamOptions {
  stream: NonNullable<EndpointResponse['stream']>;
  headers: ResponseHeaders;
  own: OwnHeaders;
}

/** Sends a stream unchanged, whatever format the query requests. */
function sendStream(exchange: Exchange, { stream, headers, own }: StreamOptions): HttpResponse {
  for (const [name, value] of Object.entries(own)) headers.set(name, String(value));
  headers.set('content-type', stream.type);
  if (!headers.has('cache-control')) headers.set('cache-control', 'private, no-store');
  const body = exchange.request.method === 'HEAD' ? null : encoded(exchange, stream.chunks());
  return { status: 200, headers, body };
}

/** A failure after the first chunk breaks the connection, so that the client notices it. */
async function* encoded(exchange: Exchange, chunks: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of chunks) yield Buffer.from(chunk);
  } catch (error) {
    reportFault(exchange, error);
    throw error;
  }
}

const textOf = (body: unknown, query: Exchange['call']['query']): string | RenderedJson =>
  body instanceof RenderedJson ? body : jsonOf(body, '_pretty' in query ? 2 : undefined);

/** Parameters that change the format of a body. */
const RESHAPED = ['_fields', '_envelope', '_pretty'];

/** Body in the requested format. Rendered JSON is passed on if no change is requested. */
function bodyOf({ body }: EndpointResponse, query: Exchange['call']['query']): unknown {
  if (!(body instanceof RenderedJson)) return selectFields(body, query._fields);
  return RESHAPED.some((name) => name in query) ? selectFields(body.parse(), query._fields) : body;
}

const jsonOf = (body: unknown, indent?: number): string =>
  body === undefined ? '' : JSON.stringify(body, undefined, indent);

/** Headers that stay outside an envelope, since browsers and caches read them. */
const TRANSPORT: ReadonlySet<string> = new Set(['cache-control', 'connection', 'set-cookie', 'retry-after']);

type OwnHeaders = Readonly<Record<string, string | number>>;

/** Headers of an endpoint outside an envelope, and headers inside it. */
function dividedHeaders(own: OwnHeaders): [outer: [string, string | number][], inner: [string, string | number][]] {
  const { outer = [], inner = [] } = Object.groupBy(Object.entries(own), ([name]) =>
    TRANSPORT.has(name.toLowerCase()) ? 'outer' : 'inner',
  );
  return [outer, inner];
}

type Text = string | Uint8Array<ArrayBuffer> | RenderedJson;

function piecesOf(text: Text): BodyPieces {
  if (text instanceof RenderedJson) return text.pieces;
  return [typeof text === 'string' ? Buffer.from(text) : text];
}

const jsonpScript = (callback: string, text: Text): string =>
  `/**/${callback}(${scriptJson(Buffer.concat(piecesOf(text)).toString())})`;

interface SendOptions {
  status: number;
  headers: ResponseHeaders;
  text: Text;
  callback: string | null | undefined;
  isRead: boolean;
  /** True if shared caches may store the response. */
  isShared: boolean;
  /** As in `EndpointResponse`, for responses that visitors may share. */
  kept?: Pick<EndpointResponse, 'freshUntil' | 'showsSeats' | 'maxAge'>;
  /** As in `EndpointResponse`. */
  revision?: number;
}

async function send(
  exchange: Exchange,
  { status, headers, text, callback, isRead, isShared, kept = {}, revision }: SendOptions,
): Promise<HttpResponse> {
  const { freshUntil, showsSeats = false, maxAge = 0 } = kept;
  // The length of a compressed response may reveal a secret in it, so responses to a single viewer stay uncompressed.
  const isPublic = isShared && !headers.has('cache-control');
  if (!headers.has('cache-control')) {
    headers.set(
      'cache-control',
      isShared ? `public, max-age=${maxAge}, s-maxage=${SHARED_MAX_AGE}` : 'private, no-cache',
    );
  }
  if (callback) headers.set('content-type', 'application/javascript; charset=UTF-8');
  // Only JSON gets a JSONP callback: all other content is sent without one.
  const payload = callback ? jsonpScript(callback, text) : text;
  // Encoded once, for the entity tag, the length and the socket.
  const body = piecesOf(payload);
  const digest = () => (payload instanceof RenderedJson ? payload.digest : digestOf(concatenated(body)));
  const tag = isRead && status === 200 ? tagOf(digest(), revision) : undefined;
  const mayCompress = isPublic && !(text instanceof Uint8Array);
  return sendBody({ status, headers, body, tag, mayCompress, freshUntil, showsSeats }, exchange.request);
}
