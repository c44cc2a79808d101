import { hasSession } from '../core/cookies.ts';
import type { AnyEndpoint } from '../core/endpoint.ts';
import { type HttpRequest, isReading, single } from '../core/request.ts';
import { type RequestTarget, requestTargetOf } from '../core/request-target.ts';
import { endpointOf, type Match, matchRoute, type Route } from '../core/router.ts';
import { Urls } from '../core/urls.ts';
import { type IsList, isNoList, type ParsedQuery, parseOnce } from './params.ts';

/** A request, read once: with it the response cache is consulted, and the endpoint or the page runs. */
export interface ParsedRequest {
  url: URL;
  /** Scheme, host and port under which the client reached the server. */
  origin: string;
  /** Call of the REST interface; undefined for pages and files. */
  call: Call | undefined;
}

/** A call of the REST interface. */
export interface Call extends RequestTarget {
  /** Effective method, after `_method` or `X-HTTP-Method-Override`; HEAD is never overridden. */
  method: string;
  /** Undefined where there is no route. */
  match: Match | undefined;
  /** Undefined where there is no route, or none for the method. */
  endpoint: AnyEndpoint | undefined;
  /** Parses the query, given the names of its list parameters. */
  readQuery: ParsedQuery;
  /** The query, for the parameters that every endpoint takes. */
  query: Readonly<Record<string, unknown>>;
}

type Sent = Pick<HttpRequest, 'method' | 'headers'>;

/** Reads a request for an address, of which the client wrote the origin. */
export function parseRequest(sent: Sent, { url, origin }: Address, routes: readonly Route[]): ParsedRequest {
  const target = requestTargetOf(url, origin);
  return { url, origin, call: target && callAt(sent, target, routes) };
}

/** What is requested, and under which origin. */
export type Address = Pick<ParsedRequest, 'url' | 'origin'>;

/** A request for what neither the interface nor a page has is like one for a route that does not exist. */
export const callNowhere = (sent: Sent, { url, origin }: Address): Call =>
  callAt(sent, { namespace: 'root', path: '/-', search: url.search, urls: new Urls(origin) }, []);

function callAt(sent: Sent, target: RequestTarget, routes: readonly Route[]): Call {
  const readQuery = parseOnce(target.search);
  const query = readQuery(listsOf(target, isPresentationList));
  const method = methodOf(sent, query);
  const match = matchRoute(routes, target.namespace, target.path);
  return { ...target, method, match, endpoint: match && endpointFor(match.route, method), readQuery, query };
}

function methodOf({ method, headers }: Sent, query: Call['query']): string {
  if (method === 'HEAD') return 'HEAD';
  const override = query._method ?? headers.get('x-http-method-override');
  return typeof override === 'string' && override !== '' ? override.toUpperCase() : method;
}

/** HEAD is answered like GET, unless GET changes data. */
function endpointFor(route: Route, method: string): AnyEndpoint | undefined {
  const endpoint = endpointOf(route, method === 'HEAD' ? 'GET' : method);
  return method === 'HEAD' && endpoint?.hasEffect ? undefined : endpoint;
}

/** The list among the parameters of every endpoint. */
const isPresentationList: IsList = (name) => name === '_fields';

/** Lists that may be sent by repeating a name; the reference takes the last value of these too. */
export const listsOf = ({ urls }: Pick<RequestTarget, 'urls'>, isList: IsList): IsList =>
  urls.isReference ? isNoList : isList;

/** Whether a request, and its method after an override, only read. */
export const onlyReads = (sent: Pick<HttpRequest, 'method'>, { method }: Pick<Call, 'method'>): boolean =>
  isReading(sent.method) && isReading(method);

/** Headers by which the client is known, or asks for something other than the address says. */
export const PERSONAL_HEADERS = [
  'authorization',
  'x-api-key',
  'x-http-method-override',
  'content-length',
  'transfer-encoding',
];

/** Parameters whose responses shared caches must not keep. */
export const SECRETS = ['password', 'security_code', 'api_key'];

/** Whether the headers of a request tell nothing of its client: neither credentials nor a session. */
export const isAnonymous = (headers: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  PERSONAL_HEADERS.every((name) => headers[name] === undefined) && !hasSession(single(headers.cookie));
