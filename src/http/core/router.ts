import type { AnyEndpoint, Method } from './endpoint.ts';
import { NAMESPACE_VERSIONS, type NamespaceName } from './urls.ts';

/** A word of a path, or the name of a parameter. */
type Segment = { word: string } | { parameter: string };

/** One path and the endpoints that serve its methods, in order of listing. */
export interface Route {
  namespace: NamespaceName;
  path: string;
  /** The path, split at slashes. */
  segments: readonly Segment[];
  endpoints: readonly AnyEndpoint[];
}

export interface Match {
  route: Route;
  params: Record<string, string>;
}

const PARAMETER = /^\{(\w+)\}$/;

/** Groups endpoints by path, keeping their order. */
export function routesOf(endpoints: readonly AnyEndpoint[]): Route[] {
  const groups = Map.groupBy(endpoints, ({ namespace, path }) => `${namespace} ${path}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first
      ? [{ namespace: first.namespace, path: first.path, segments: segmentsOf(first.path), endpoints: group }]
      : [];
  });
}

const segmentsOf = (path: string): Segment[] =>
  path.split('/').map((word) => {
    const parameter = PARAMETER.exec(word)?.[1];
    return parameter === undefined ? { word } : { parameter };
  });

/**
 * Finds the route of a path below a namespace. Letter case and one trailing slash are ignored. `{id}` matches digits
 * only; other parameters match one segment that is not empty.
 */
export function matchRoute(routes: readonly Route[], namespace: NamespaceName, path: string): Match | undefined {
  const segments = path.replace(/\/$/, '').split('/');
  for (const route of routes) {
    const params = route.namespace === namespace ? matchSegments(route.segments, segments) : undefined;
    if (params) return { route, params };
  }
  return undefined;
}

function matchSegments(pattern: readonly Segment[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if ('word' in part) {
      if (part.word !== segment.toLowerCase()) return undefined;
      continue;
    }
    const name = part.parameter;
    const value = decode(segment);
    if (value === '' || (isNumeric(name) && !/^\d+$/.test(value))) return undefined;
    params[name] = value;
  }
  return params;
}

const isNumeric = (name: string): boolean => name === 'id' || name.endsWith('_id');

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The endpoint of a route that serves a method; undefined if none does. */
export const endpointOf = (route: Route, method: string): AnyEndpoint | undefined =>
  route.endpoints.find(({ methods }) => methods.some((item) => item === method));

/** The methods of a route, endpoint by endpoint. */
export const methodsOf = (route: Route): Method[] => route.endpoints.flatMap(({ methods }) => [...methods]);

/** Name of a route in the log and the metrics. */
export const routeLabel = ({ namespace, path }: Route): string =>
  namespace === 'root' ? '/wp-json' : `/${namespace}/${NAMESPACE_VERSIONS[namespace]}${path}`;

/** A path pattern in the notation of the reference's index: `/events/(?P<id>\d+)`. */
export const pathPattern = (path: string): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => (isNumeric(name) ? `(?P<${name}>\\d+)` : `(?P<${name}>[^/]+)`));
