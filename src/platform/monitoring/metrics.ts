import { droppedLogLines } from '../../base/log.ts';
import type { DatabaseLoad } from '../../db/database.ts';
import type { Answered, Traffic } from '../../http/connection/traffic.ts';
import { type ProcessReport, type RouteCounts, stateOf } from './process-report.ts';

/** Counts and state of this process. */
export interface Metrics {
  observe(answered: Answered): void;
  report(database: DatabaseLoad): ProcessReport;
}

/** Upper bounds of the duration classes, in seconds. */
export const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Statuses of requests refused to protect the server. */
const REFUSALS: ReadonlySet<number> = new Set([408, 413, 429, 503]);

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/**
 * Metrics of this process. Clients may send any path and method, so labels are bounded: `route` is a known pattern, and
 * `method` a known one or `other`.
 */
export function createMetrics(traffic: Traffic): Metrics {
  // Routes by method, so that no labels are built per request.
  const routes: Routes = new Map();
  const refusals: Record<string, number> = {};
  return {
    observe({ method, route, status, code, seconds }) {
      const counts = countsOf(routes, METHODS.has(method) ? method : 'other', route);
      add(counts.statuses, status);
      counts.seconds += seconds;
      const index = BOUNDS.findIndex((bound) => seconds <= bound);
      if (index >= 0) counts.classes[index] = (counts.classes[index] ?? 0) + 1;
      if (REFUSALS.has(status)) add(refusals, code ?? status);
    },
    report(database) {
      const { waiting, inFlight, bodyBytes, unsentBytes, connections, delays, closed } = traffic;
      const load = { waiting, inFlight, bodyBytes, unsentBytes, connections, delay: delays.summary(), database };
      const counts = {
        routes: labelled(routes),
        refusals,
        closed: Object.fromEntries(closed),
        droppedLogLines: droppedLogLines(),
      };
      return { counts, state: { ...stateOf(), load } };
    },
  };
}

type Routes = Map<string, Map<string, RouteCounts>>;

function countsOf(routes: Routes, method: string, route: string): RouteCounts {
  const ofMethod = routes.get(method) ?? new Map<string, RouteCounts>();
  const counts = ofMethod.get(route) ?? { statuses: {}, classes: BOUNDS.map(() => 0), seconds: 0 };
  routes.set(method, ofMethod.set(route, counts));
  return counts;
}

/** Counts by the labels of the metrics. */
const labelled = (routes: Routes): Record<string, RouteCounts> =>
  Object.fromEntries(
    [...routes].flatMap(([method, ofMethod]) =>
      [...ofMethod].map(([route, counts]) => [`method="${method}",route="${route}"`, counts] as const),
    ),
  );

function add(counts: Record<string, number>, key: string | number): void {
  counts[key] = (counts[key] ?? 0) + 1;
}
