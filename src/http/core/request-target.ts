import { type NamespaceName, Urls } from './urls.ts';

const NAMESPACE = /^(\/wp-json)?\/(calendar|tribe)\/(events|tickets|admin)\/v1(\/.*)?$/i;
/** The core namespace has no product word; its links and names are those of the reference. */
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
export function requestTargetOf(url: URL, origin: string): RequestTarget | undefined {
  const { path, search } = restPath(url);
  const found = namespaceOf(path, origin);
  if (found) return { ...found, search };
  const below = REFERENCE_ROOT.exec(path);
  return below ? { namespace: 'root', path: below[1] ?? '', search, urls: new Urls(origin, '/wp-json') } : undefined;
}

/** Splits a path; undefined if it is in none of the namespaces. */
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

/** A parameter value is decoded; path segments are not. */
const encodeSegments = (route: string): string => route.split('/').map(encodeURIComponent).join('/');
