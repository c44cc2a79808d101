import { hasSession } from '../core/cookies.ts';
import type { AnyEndpoint } from '../core/endpoint.ts';
import { type HttpRequest, isReading, single } from '../core/request.ts';
import { type RequestTarget, requestTargetOf } from '../core/request-target.ts';
import { endpointOf, type Match, matchRoute, type Route } from '../core/router.ts';
import { Urls } from '../core/urls.ts';
import { type IsList, isNoList, type ParsedQuery, parseOnce } from './params.ts';

/** Request, parsed once for the response cache and for the endpoint or page. */
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
  /** Undefined for an unknown route. */
  match: Match | undefined;
  /** Undefined for an unknown route or method. */
  endpoint: AnyEndpoint | undefined;
  /** Parses the query, given the names of its list parameters. */
  readQuery: ParsedQuery;
  /** The query, for the parameters that every endpoint takes. */
  query: Readonly<Record<string, unknown>>;
}

type Sent = Pick<HttpRequest, 'method' | 'headers'>;

/** Parses a request. The client chose the origin of its address. */
export function parseRequest(sent: Sent, { url, origin }: Address, routes: readonly Route[]): ParsedRequest {
  const target = requestTargetOf(url, origin);
  return { url, origin, call: target && callAt(sent, target, routes) };
}

/** Address and origin of a request. */
export type Address = Pick<ParsedRequest, 'url' | 'origin'>;

/** Call for a path that neither the interface nor a page has: like a call of an unknown route. */
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

/** HEAD is handled like GET, unless GET changes data. */
function endpointFor(route: Route, method: string): AnyEndpoint | undefined {
  const endpoint = endpointOf(route, method === 'HEAD' ? 'GET' : method);
  return method === 'HEAD' && endpoint?.hasEffect ? undefined : endpoint;
}

/** List among the parameters of every endpoint. */
const isPresentationList: IsList = (name) => name === '_fields';

/** Lists that may be sent by repeating a name; the reference takes the last value of these too. */
export const listsOf = ({ urls }: Pick<RequestTarget, 'urls'>, isList: IsList): IsList =>
  urls.isReference ? isNoList : isList;

/** Tests if a request only reads, also after a method override. */
export const onlyReads = (sent: Pick<HttpRequest, 'method'>, { method }: Pick<Call, 'method'>): boolean =>
  isReading(sent.method) && isReading(method);

/** Headers that identify the client or change the meaning of the address. */
export const PERSONAL_HEADERS = [
  'authorization',
  'x-api-key',
  'x-http-method-override',
  'content-length',
  'transfer-encoding',
];

/** Parameters whose responses shared caches must not keep. */
export const SECRETS = ['password', 'security_code', 'api_key', 'promotion', 'code'];

/** Tests if the headers of a request carry neither credentials nor a session. */
export const hasNoCredentials = (headers: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  PERSONAL_HEADERS.every((name) => headers[name] === undefined) && !hasSession(single(headers.cookie));
