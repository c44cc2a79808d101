import type { DatabaseLoad } from '../../db/database.ts';
import type { HandledRequest, Traffic } from '../../http/connection/traffic.ts';
import {
  type Labels,
  type Metric,
  type MetricValue,
  metric,
  type ProcessReport,
  processMetrics,
} from './process-report.ts';

/** Counts and state of this process. */
export interface Metrics {
  observe(handled: HandledRequest): void;
  report(database: DatabaseLoad): ProcessReport;
}

/** Upper bounds of the duration classes, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Statuses of requests refused to protect the server. */
const REFUSALS: ReadonlySet<number> = new Set([408, 413, 429, 503]);

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** By method, then by route, so that counting a request builds no labels. */
type Routes = Map<string, Map<string, RouteCounts>>;

interface RouteCounts {
  statuses: Record<string, number>;
  /** By bucket, each without the buckets below. */
  buckets: number[];
  seconds: number;
}

/**
 * Metrics of this process. Clients may send any path and method, so labels are bounded: `route` is a pattern of ours,
 * and `method` a known one or `other`. Requests are counted here, not by prom-client, which takes five times as long.
 */
export function createMetrics(traffic: Traffic): Metrics {
  const routes: Routes = new Map();
  const refusals: Record<string, number> = {};
  return {
    observe({ method, route, status, code, seconds }) {
      const counts = countsOf(routes, METHODS.has(method) ? method : 'other', route);
      add(counts.statuses, status);
      counts.seconds += seconds;
      const index = BOUNDS.findIndex((bound) => seconds <= bound);
      if (index >= 0) counts.buckets[index] = (counts.buckets[index] ?? 0) + 1;
      if (REFUSALS.has(status)) add(refusals, code ?? status);
    },
    report: (database) => [
      ...requestMetrics(routes),
      metric(
        'counter',
        'marquee_http_refusals_total',
        'Responses 408, 413, 429 and 503 by code.',
        by('code', Object.entries(refusals)),
      ),
      metric(
        'counter',
        'marquee_http_connections_closed_total',
        'Connections closed by the server, by reason.',
        by('reason', traffic.closed),
      ),
      ...trafficMetrics(traffic),
      ...databaseMetrics(database),
      ...processMetrics(),
    ],
  };
}

function countsOf(routes: Routes, method: string, route: string): RouteCounts {
  const ofMethod = routes.get(method) ?? new Map<string, RouteCounts>();
  const counts = ofMethod.get(route) ?? { statuses: {}, buckets: BOUNDS.map(() => 0), seconds: 0 };
  routes.set(method, ofMethod.set(route, counts));
  return counts;
}

function add(counts: Record<string, number>, key: string | number): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

const by = (label: string, counts: Iterable<readonly [string, number]>): MetricValue[] =>
  [...counts].sort().map(([key, value]) => ({ labels: { [label]: key }, value }));

function requestMetrics(routes: Routes): Metric[] {
  const counted = [...routes].flatMap(([method, ofMethod]) =>
    [...ofMethod].map(([route, counts]) => ({ labels: { method, route }, counts })),
  );
  const totals = counted.flatMap(({ labels, counts }) =>
    Object.entries(counts.statuses).map(([status, value]) => ({ labels: { ...labels, status }, value })),
  );
  const durations = counted.flatMap(({ labels, counts }) => histogram(DURATION, labels, counts));
  return [
    metric('counter', 'marquee_http_requests_total', 'Requests with a response.', totals),
    metric('histogram', DURATION, 'Time to the response.', durations),
  ];
}

const DURATION = 'marquee_http_request_duration_seconds';

function histogram(name: string, labels: Labels, { statuses, buckets, seconds }: RouteCounts): MetricValue[] {
  let below = 0;
  const values = BOUNDS.map((le, index) => {
    below += buckets[index] ?? 0;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: below };
  });
  const count = Object.values(statuses).reduce((sum, number) => sum + number, 0);
  return [
    ...values,
    { metricName: `${name}_bucket`, labels: { ...labels, le: '+Inf' }, value: count },
    { metricName: `${name}_sum`, labels, value: seconds },
    { metricName: `${name}_count`, labels, value: count },
  ];
}

const DELAY = 'marquee_event_loop_delay_seconds';

function trafficMetrics({ waiting, inFlight, bodyBytes, unsentBytes, connections, delays }: Traffic): Metric[] {
  const { p50, p99, max } = delays.summary();
  const quantile = (name: number, milliseconds: number) => ({ labels: { quantile: name }, value: milliseconds / 1000 });
  return [
    metric('gauge', 'marquee_http_requests_waiting', 'Requests that wait for their turn.', waiting),
    metric('gauge', 'marquee_http_requests_in_flight', 'Requests that are being handled.', inFlight),
    metric('gauge', 'marquee_http_body_bytes', 'Bytes of the bodies of requests in flight.', bodyBytes),
    metric('gauge', 'marquee_http_unsent_bytes', 'Bytes of responses that clients have not taken yet.', unsentBytes),
    metric('gauge', 'marquee_http_connections', 'Open connections.', connections),
    {
      ...metric('gauge', DELAY, 'How late the event loop was, or a request handled, in the last minute.', [
        quantile(0.5, p50),
        quantile(0.99, p99),
        quantile(1, max),
      ]),
      aggregator: 'first',
    },
  ];
}

function databaseMetrics({ waitingWrites, pool }: DatabaseLoad): Metric[] {
  if (!pool)
    return [metric('gauge', 'marquee_database_waiting_writes', 'Writes that wait for the next commit.', waitingWrites)];
  return [
    metric('gauge', 'marquee_database_connections', 'Connections to PostgreSQL.', [
      { labels: { state: 'busy' }, value: pool.size - pool.idle },
      { labels: { state: 'idle' }, value: pool.idle },
    ]),
    metric('gauge', 'marquee_database_waiting', 'Requests that wait for a connection to PostgreSQL.', pool.waiting),
  ];
}
