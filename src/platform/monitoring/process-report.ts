import type { PrometheusContentType, Registry } from 'prom-client';
import { droppedLogLines } from '../../base/log.ts';

/**
 * A metric with its values in the exchange format of prom-client, which `getMetricsAsJSON` returns: plain values, which
 * messages between processes can hold.
 */
export interface Metric {
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  /** How prom-client joins values with equal labels; `first` for metrics that describe a single process. */
  aggregator: 'sum' | 'first';
  values: MetricValue[];
}

export interface MetricValue {
  value: number;
  labels: Labels;
  /** Absent: the name of the metric. */
  metricName?: string;
}

export type Labels = Readonly<Record<string, string | number>>;

/** The metrics of one process. */
export type ProcessReport = Metric[];

/** Gathers the reports of all processes of a server. */
export type Collect = () => Promise<ProcessReport[]>;

/** @param values a single number, or values with labels */
export function metric(type: Metric['type'], name: string, help: string, values: number | MetricValue[]): Metric {
  const list = typeof values === 'number' ? [{ value: values, labels: {} }] : values;
  return { name, help, type, aggregator: 'sum', values: list };
}

/** Metrics of any process, including processes that serve no requests. */
export function processMetrics(): ProcessReport {
  const { rss, heapUsed } = process.memoryUsage();
  const dropped = droppedLogLines();
  const state = (name: string, help: string, value: number): Metric => ({
    ...metric('gauge', name, help, value),
    aggregator: 'first',
  });
  return [
    metric(
      'counter',
      'marquee_log_lines_dropped_total',
      'Log lines lost because the log could not be written.',
      dropped,
    ),
    state('process_resident_memory_bytes', 'Memory of the process.', rss),
    state('nodejs_heap_size_used_bytes', 'Heap in use.', heapUsed),
    state('process_uptime_seconds', 'Seconds since the start.', process.uptime()),
  ];
}

/** Numbers of workers that respond and that do not; only for servers with several processes. */
export const workerMetrics = (workers: number, responding: number): ProcessReport => [
  metric('gauge', 'marquee_workers', 'Workers whose numbers are in this response, and those that did not respond.', [
    { labels: { state: 'answering' }, value: responding },
    { labels: { state: 'silent' }, value: workers - responding },
  ]),
];

/** Adds the name of the process as a label to metrics that describe a single process: they cannot be added up. */
export const withProcess = (report: ProcessReport, process: string): ProcessReport =>
  report.map((item) => {
    if (item.aggregator === 'sum') return item;
    return { ...item, values: item.values.map((value) => ({ ...value, labels: { process, ...value.labels } })) };
  });

/** The part of a report that stays true after the process has ended. */
export const countersOf = (report: ProcessReport): ProcessReport => report.filter(({ type }) => type !== 'gauge');

/** Joins the reports of several processes. Loads prom-client, 3 MiB, which servers without monitoring never need. */
export async function aggregate(reports: readonly ProcessReport[]): Promise<Registry<PrometheusContentType>> {
  const { AggregatorRegistry } = await import('prom-client');
  return AggregatorRegistry.aggregate<PrometheusContentType>([...reports]);
}
