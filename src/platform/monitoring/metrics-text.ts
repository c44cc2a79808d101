import { BOUNDS } from './metrics.ts';
import {
  type Counts,
  type ProcessReport,
  type RouteCounts,
  type ServerReport,
  type ServingLoad,
  sumCounts,
} from './process-report.ts';

/**
 * Formats the metrics of a server for Prometheus. Counters are summed over all processes; other metrics get the label
 * `process` if there are several.
 */
export function metricsText({ reports, workers }: ServerReport): string {
  const counts = sumCounts(reports.map((report) => report.counts));
  const loads = reports.flatMap(({ process, state }) => (state?.load ? [{ process, load: state.load }] : []));
  return [
    ...requests(counts.routes),
    ...refused(counts),
    ...totals(loads.map(({ load }) => load)),
    ...delays(loads),
    ...databaseLoad(loads.map(({ load }) => load)),
    ...log(counts),
    ...processes(reports),
    ...(workers === undefined ? [] : workerStates(workers, loads.length)),
    '',
  ].join('\n');
}

const described = (name: string, type: string, help: string): string[] => [
  `# HELP ${name} ${help}`,
  `# TYPE ${name} ${type}`,
];

/** A metric with one value. */
const single = (name: string, help: string, value: number): string[] => [
  ...described(name, 'gauge', help),
  `${name} ${value}`,
];

/** Labels in braces; empty without labels. */
function labelled(labels: Readonly<Record<string, string | undefined>>): string {
  const known = Object.entries(labels).filter(([, value]) => value !== undefined);
  return known.length === 0 ? '' : `{${known.map(([name, value]) => `${name}="${value}"`).join(',')}}`;
}

function requests(routes: Counts['routes']): string[] {
  const sorted = Object.entries(routes).sort(([a], [b]) => (a < b ? -1 : 1));
  const name = 'marquee_http_request_duration_seconds';
  return [
    ...described('marquee_http_requests_total', 'counter', 'Answered requests.'),
    ...sorted.flatMap(([labels, { statuses }]) =>
      Object.entries(statuses).map(
        ([status, count]) => `marquee_http_requests_total{${labels},status="${status}"} ${count}`,
      ),
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
  const count = Object.values(statuses).reduce((sum, number) => sum + number, 0);
  return [
    ...buckets,
    `${name}_bucket{${labels},le="+Inf"} ${count}`,
    `${name}_sum{${labels}} ${seconds}`,
    `${name}_count{${labels}} ${count}`,
  ];
}

function refused({ refusals, closed }: Counts): string[] {
  const rows = (name: string, label: string, counts: Readonly<Record<string, number>>) =>
    Object.entries(counts)
      .sort()
      .map(([key, count]) => `${name}{${label}="${key}"} ${count}`);
  return [
    ...described('marquee_http_refusals_total', 'counter', 'Answers 408, 413, 429 and 503 by code.'),
    ...rows('marquee_http_refusals_total', 'code', refusals),
    ...described('marquee_http_connections_closed_total', 'counter', 'Connections closed by the server, by reason.'),
    ...rows('marquee_http_connections_closed_total', 'reason', closed),
  ];
}

function sum<T>(items: readonly T[], pick: (item: T) => number): number {
  return items.reduce((total, item) => total + pick(item), 0);
}

function totals(loads: readonly ServingLoad[]): string[] {
  const total = (name: string, help: string, pick: (load: ServingLoad) => number) =>
    single(name, help, sum(loads, pick));
  return [
    ...total('marquee_http_requests_waiting', 'Requests that wait for their turn.', ({ waiting }) => waiting),
    ...total('marquee_http_requests_in_flight', 'Requests that are being handled.', ({ inFlight }) => inFlight),
    ...total('marquee_http_body_bytes', 'Bytes of the bodies of requests in flight.', ({ bodyBytes }) => bodyBytes),
    ...total(
      'marquee_http_unsent_bytes',
      'Bytes of answers that clients have not taken yet.',
      ({ unsentBytes }) => unsentBytes,
    ),
    ...total('marquee_http_connections', 'Open connections.', ({ connections }) => connections),
  ];
}

const QUANTILES = [
  ['0.5', 'p50'],
  ['0.99', 'p99'],
  ['1', 'max'],
] as const;

function delays(loads: readonly { process?: string; load: ServingLoad }[]): string[] {
  const name = 'marquee_event_loop_delay_seconds';
  const rows = loads.flatMap(({ process, load: { delay } }) =>
    QUANTILES.map(([quantile, member]) => `${name}${labelled({ process, quantile })} ${delay[member] / 1000}`),
  );
  return [
    ...described(name, 'gauge', 'How late the event loop was, or a request handled, in the last minute.'),
    ...rows,
  ];
}

function databaseLoad(loads: readonly ServingLoad[]): string[] {
  const pools = loads.flatMap(({ database }) => database.pool ?? []);
  if (pools.length === 0) {
    const writes = sum(loads, ({ database }) => database.waitingWrites);
    return single('marquee_database_waiting_writes', 'Writes that wait for the next commit.', writes);
  }
  const name = 'marquee_database_connections';
  return [
    ...described(name, 'gauge', 'Connections to PostgreSQL.'),
    `${name}{state="busy"} ${sum(pools, ({ size, idle }) => size - idle)}`,
    `${name}{state="idle"} ${sum(pools, ({ idle }) => idle)}`,
    ...single(
      'marquee_database_waiting',
      'Requests that wait for a connection to PostgreSQL.',
      sum(pools, ({ waiting }) => waiting),
    ),
  ];
}

function log({ droppedLogLines }: Counts): string[] {
  const name = 'marquee_log_lines_dropped_total';
  return [
    ...described(name, 'counter', 'Log lines lost because the log could not be written.'),
    `${name} ${droppedLogLines}`,
  ];
}

function processes(reports: readonly ProcessReport[]): string[] {
  const states = reports.flatMap(({ process, state }) => (state ? [{ labels: labelled({ process }), ...state }] : []));
  const rows = (name: string, help: string, pick: (state: (typeof states)[number]) => number) => [
    ...described(name, 'gauge', help),
    ...states.map((state) => `${name}${state.labels} ${pick(state)}`),
  ];
  return [
    ...rows('process_resident_memory_bytes', 'Memory of the process.', ({ memory }) => memory.rss),
    ...rows('nodejs_heap_size_used_bytes', 'Heap in use.', ({ memory }) => memory.heapUsed),
    ...rows('process_uptime_seconds', 'Seconds since the start.', ({ uptime }) => uptime),
  ];
}

function workerStates(workers: number, answering: number): string[] {
  const name = 'marquee_workers';
  return [
    ...described(name, 'gauge', 'Workers whose numbers are in this answer, and those that did not answer.'),
    `${name}{state="answering"} ${answering}`,
    `${name}{state="silent"} ${workers - answering}`,
  ];
}
