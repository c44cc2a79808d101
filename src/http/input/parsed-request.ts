import { hasSession } from '../core/cookies.ts';
import type { AnyEndpoint, Fields } from '../core/endpoint.ts';
import { type HttpRequest, isReading, single } from '../core/request.ts';
import { endpointOf, type Match, matchRoute, type Route } from '../core/router.ts';
import { type NamespaceName, Urls } from '../core/urls.ts';
import { type IsList, isNoList, joinParams, type ParsedQuery, parseOnce } from './params.ts';
import { mayBeList, type ReadParams, readInput } from './validate.ts';

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
  /** Parameters of path and query as sent, joined at the first call; undefined for an unknown route or method. */
  sentParams: () => ReadonlyMap<string, unknown> | undefined;
  /** Parameters of path and query as the schemas of the endpoint return them, validated at the first call. */
  readParams: () => ReadParams<Fields> | undefined;
}

type Sent = Pick<HttpRequest, 'method' | 'headers'>;

/** Parses a request. The client chooses the host of `url`; URLs in responses begin with `origin`. */
export function parseRequest(sent: Sent, { url, origin }: Address, routes: readonly Route[]): ParsedRequest {
  const target = requestTargetOf(url, origin);
  return { url, origin, call: target && callAt(sent, target, routes) };
}

/** Address and origin of a request. */
export type Address = Pick<ParsedRequest, 'url' | 'origin'>;

/** Call for a path of neither the interface nor a page, handled like an unknown route. */
export const callNowhere = (sent: Sent, { url, origin }: Address): Call =>
  callAt(sent, { namespace: 'root', path: '/-', search: url.search, urls: new Urls(origin) }, []);

function callAt(sent: Sent, target: RequestTarget, routes: readonly Route[]): Call {
  const readQuery = parseOnce(target.search);
  const query = readQuery(listsOf(target, isPresentationList));
  const method = methodOf(sent, query);
  const match = matchRoute(routes, target.namespace, target.path);
  const endpoint = match && endpointFor(match.route, method);
  let joined: ReadonlyMap<string, unknown> | undefined;
  let validated: ReadParams<Fields> | undefined;
  const sentParams = () => {
    joined ??= match && endpoint && joinParams(match.params, {}, readQuery(listsFor(target, endpoint)));
    return joined;
  };
  const readParams = () => {
    const params = sentParams();
    validated ??= params && endpoint && readInput(endpoint.input, [], params);
    return validated;
  };
  return { ...target, method, match, endpoint, readQuery, query, sentParams, readParams };
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

/** Tests for the only list among the parameters of every endpoint. */
const isPresentationList: IsList = (name) => name === '_fields';

/** Tests for lists that may be sent by repeating a name. In the reference, the last value counts for lists too. */
const listsOf = ({ urls }: Pick<RequestTarget, 'urls'>, isList: IsList): IsList =>
  urls.isReference ? isNoList : isList;

/** Tests for lists among the parameters of an endpoint. */
export const listsFor = (call: Pick<RequestTarget, 'urls'>, { input }: AnyEndpoint): IsList =>
  listsOf(call, (name) => mayBeList(input, name));

/** Tests if a request only reads, even after a method override. */
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

/** Parameters that keep responses out of shared caches. */
export const SECRETS = ['password', 'security_code', 'api_key', 'promotion', 'code'];

/** Tests if the headers of a request carry neither credentials nor a session. */
export const hasNoCredentials = (headers: Readonly<Record<string, string | string[] | undefined>>): boolean =>
  PERSONAL_HEADERS.every((name) => headers[name] === undefined) && !hasSession(single(headers.cookie));

const NAMESPACE = /^(\/wp-json)?\/(calendar|tribe)\/(events|tickets|admin)\/v1(\/.*)?$/i;
/** The core namespace has no product word; its links and names follow the reference. */
const CORE_NAMESPACE = /^\/wp-json\/wp\/v2(\/.*)?$/i;

/** Namespace and path addressed by a request of the REST interface. */
export interface RequestTarget {
  namespace: NamespaceName;
  /** Path below the namespace, beginning with a slash, or empty. */
  path: string;
  /** The query, with its question mark, or empty. */
  search: string;
  urls: Urls;
}

const REFERENCE_ROOT = /^\/wp-json(\/.*)?$/i;

/** The target of a request to a namespace or below `/wp-json`; undefined for any other. */
function requestTargetOf(url: URL, origin: string): RequestTarget | undefined {
  const { path, search } = restPath(url);
  const found = namespaceOf(path, origin);
  if (found) return { ...found, search };
  const below = REFERENCE_ROOT.exec(path);
  return below ? { namespace: 'root', path: below[1] ?? '', search, urls: new Urls(origin, '/wp-json') } : undefined;
}

/** Splits a path into namespace and rest; undefined outside the namespaces. */
export function namespaceOf(
  pathname: string,
  origin: string,
): { namespace: NamespaceName; path: string; urls: Urls } | undefined {
  const core = CORE_NAMESPACE.exec(pathname);
  if (core) return { namespace: 'wp', path: core[1] ?? '', urls: new Urls(origin, '/wp-json', 'tribe') };
  const [, prefix, word = '', name = '', path = ''] = NAMESPACE.exec(pathname) ?? [];
  const spoken = word.toLowerCase();
  if (spoken === '' || (spoken === 'tribe' && !prefix)) return undefined;
  const urls = new Urls(origin, prefix ? '/wp-json' : '', spoken);
  // The pattern matches these three names only.
  return { namespace: name.toLowerCase() as NamespaceName, path, urls };
}

const INDEX_PATHS: ReadonlySet<string> = new Set(['/', '/index.php']);
const ROUTE = 'rest_route';

/** A path without repeated and trailing slashes. */
export function singleSlashes(pathname: string): string {
  const path = pathname.replace(/\/+/g, '/');
  return path === '/' ? path : path.replace(/\/$/, '');
}

/**
 * The path and query after normalisation. Extra slashes are ignored, and `?rest_route=PATH` at `/` and
 * `/index.php` is read as `/wp-json` + PATH, with the rest of the query.
 */
export function restPath({ pathname, search }: URL): { path: string; search: string } {
  const path = singleSlashes(pathname);
  if (!INDEX_PATHS.has(path) || search === '') return { path, search };
  const pairs = search.slice(1).split('&');
  const route = routeOf(pairs);
  if (route === '') return { path, search };
  const others = pairs.filter((pair) => nameOf(pair) !== ROUTE);
  return { path: singleSlashes(`/wp-json/${encodeSegments(route)}`), search: `?${others.join('&')}` };
}

/** The value of `rest_route`, the last one if repeated; empty if absent. */
function routeOf(pairs: readonly string[]): string {
  const pair = pairs.findLast((item) => nameOf(item) === ROUTE) ?? '';
  return pair.includes('=') ? decode(pair.slice(pair.indexOf('=') + 1)) : '';
}

const nameOf = (pair: string): string => decode(pair.split('=', 1)[0] ?? '');

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** Encodes the segments of a decoded route, since the router decodes them. */
const encodeSegments = (route: string): string => route.split('/').map(encodeURIComponent).join('/');
