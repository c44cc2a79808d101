import type { DatabaseLoad } from '../db/database.ts';
import type { Answered, Traffic } from '../http/traffic.ts';
import { droppedLogLines } from '../log.ts';

/** Counts of this process, in the text format of Prometheus. */
export interface Metrics {
  observe(answered: Answered): void;
  render(database: DatabaseLoad): string;
}

/** Upper bounds of the classes of duration, in seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Statuses of requests refused to protect the server. */
const REFUSALS: ReadonlySet<number> = new Set([408, 413, 429, 503]);

/** Counts of one route and method. */
interface RouteCounts {
  /** By status. */
  statuses: Map<number, number>;
  /** By class of duration, each without those of the classes below. */
  classes: number[];
  seconds: number;
}

/**
 * Metrics of this process. Clients may send any path and method, so labels are bounded: `route` is a pattern of ours,
 * and `method` a known one or `other`.
 */
export function createMetrics(traffic: Traffic): Metrics {
  const routes = new Map<string, RouteCounts>();
  const refusals = new Map<string, number>();
  return {
    observe({ method, route, status, code, seconds }) {
      const labels = `method="${METHODS.has(method) ? method : 'other'}",route="${route}"`;
      const counts = routes.get(labels) ?? { statuses: new Map(), classes: BOUNDS.map(() => 0), seconds: 0 };
      routes.set(labels, counts);
      counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
      counts.seconds += seconds;
      const index = BOUNDS.findIndex((bound) => seconds <= bound);
      if (index >= 0) counts.classes[index] = (counts.classes[index] ?? 0) + 1;
      if (REFUSALS.has(status)) add(refusals, code ?? String(status));
    },
    render: (database) =>
      [
        ...requests(routes),
        ...refused(refusals, traffic),
        ...load(traffic),
        ...databaseLoad(database),
        ...log(),
        ...memory(),
        '',
      ].join('\n'),
  };
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

const add = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

const described = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

/** A metric with one value. */
const single = (name: string, help: string, value: number): string[] => [
  ...described(name, 'gauge', help),
  `${name} ${value}`,
];

function requests(routes: ReadonlyMap<string, RouteCounts>): string[] {
  const sorted = [...routes].sort(([a], [b]) => (a < b ? -1 : 1));
  const name = 'marquee_http_request_duration_seconds';
  return [
    ...described('marquee_http_requests_total', 'counter', 'Answered requests.'),
    ...sorted.flatMap(([labels, { statuses }]) =>
      [...statuses].map(([status, count]) => `marquee_http_requests_total{${labels},status="${status}"} ${count}`),
    ),
    ...described(name, 'histogram', 'Time to the answer.'),
    ...sorted.flatMap(([labels, counts]) => histogram(name, labels, counts)),
  ];
}

function histogram(name: string, labels: string, { statuses, classes, seconds }: RouteCounts): string[] {
  let below = 0;
  const buckets = BOUNDS.map((bound, index) => {
    below += classes[index] ?? 0;
    return `${name}_bucket{${labels},le="${bound}"} ${below}`;
  });
  const count = [...statuses.values()].reduce((sum, number) => sum + number, 0);
  return [
    ...buckets,
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${seconds}`,
    `${name}_count{${labels}} ${count}`,
  ];
}

function refused(refusals: ReadonlyMap<string, number>, { closed }: Traffic): string[] {
  const rows = (name: string, label: string, counts: ReadonlyMap<string, number>) =>
    [...counts].sort().map(([key, count]) => `${name}{${label}="${key}"} ${count}`);
  return [
    ...described('marquee_http_refusals_total', 'counter', 'Answers 408, 413, 429 and 503 by code.'),
    ...rows('marquee_http_refusals_total', 'code', refusals),
    ...described('marquee_http_connections_closed_total', 'counter', 'Connections closed by the server, by reason.'),
    ...rows('marquee_http_connections_closed_total', 'reason', closed),
  ];
}

function load({ waiting, inFlight, bodyBytes, unsentBytes, connections, delays }: Traffic): string[] {
  const { p50, p99, max } = delays.summary();
  const delay = 'marquee_event_loop_delay_seconds';
  return [
    ...single('marquee_http_requests_waiting', 'Requests that wait for their turn.', waiting),
    ...single('marquee_http_requests_in_flight', 'Requests that are being handled.', inFlight),
    ...single('marquee_http_body_bytes', 'Bytes of the bodies of requests in flight.', bodyBytes),
    ...single('marquee_http_unsent_bytes', 'Bytes of answers that clients have not taken yet.', unsentBytes),
    ...single('marquee_http_connections', 'Open connections.', connections),
    ...described(delay, 'gauge', 'How late the event loop was, or a request handled, in the last minute.'),
    `${delay}{quantile="0.5"} ${p50 / 1000}`,
    `${delay}{quantile="0.99"} ${p99 / 1000}`,
    `${delay}{quantile="1"} ${max / 1000}`,
  ];
}

function databaseLoad({ waitingWrites, pool }: DatabaseLoad): string[] {
  if (!pool) return single('marquee_database_waiting_writes', 'Writes that wait for the next commit.', waitingWrites);
  const name = 'marquee_database_connections';
  return [
    ...described(name, 'gauge', 'Connections to PostgreSQL.'),
    `${name}{state="busy"} ${pool.size - pool.idle}`,
    `${name}{state="idle"} ${pool.idle}`,
    ...single('marquee_database_waiting', 'Requests that wait for a connection to PostgreSQL.', pool.waiting),
  ];
}

function log(): string[] {
  const name = 'marquee_log_lines_dropped_total';
  return [
    ...described(name, 'counter', 'Log lines lost because the log could not be written.'),
    `${name} ${droppedLogLines()}`,
  ];
}

function memory(): string[] {
  const { rss, heapUsed } = process.memoryUsage();
  return [
    ...single('process_resident_memory_bytes', 'Memory of the process.', rss),
    ...single('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    ...single('process_uptime_seconds', 'Seconds since the start.', process.uptime()),
  ];
}
