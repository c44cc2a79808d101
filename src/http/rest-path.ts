/** The address of a request for the REST interface, whichever way a client writes it. */

const INDEX_PATHS: ReadonlySet<string> = new Set(['/', '/index.php']);
const ROUTE = 'rest_route';

/** A path without repeated slashes and without one at its end. */
export function singleSlashes(pathname: string): string {
  const path = pathname.replace(/\/+/g, '/');
  return path === '/' ? path : path.replace(/\/$/, '');
}

/**
 * The path and the query that a request is served by. Extra slashes do not count, and `?rest_route=PATH` at `/` and
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

/** The value of `rest_route`, the last one if it is repeated; empty without any. */
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

/** The value of a parameter is decoded; the segments of a path are not. */
const encodeSegments = (route: string): string => route.split('/').map(encodeURIComponent).join('/');
