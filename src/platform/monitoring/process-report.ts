import type { DatabaseLoad } from '../../db/database.ts';

/** Reports of processes for `/metrics`: plain values that can be sent as messages. */

export interface ProcessReport {
  /** `primary`, or the number of a worker; absent in a server of one process. */
  process?: string;
  counts: Counts;
  /** Absent for processes that have ended or do not respond: only their counts are known. */
  state?: ProcessState;
}

/** Counters; they never decrease. */
export interface Counts {
  /** Counts by labels: method and route. */
  routes: Record<string, RouteCounts>;
  /** Counts by error code. */
  refusals: Record<string, number>;
  /** Counts by reason. */
  closed: Record<string, number>;
  droppedLogLines: number;
}

/** Counts of one route and method. */
export interface RouteCounts {
  /** Counts by status. */
  statuses: Record<string, number>;
  /** Counts by duration class, each without the lower classes. */
  classes: number[];
  seconds: number;
}

interface ProcessState {
  /** Absent if the process serves no requests. */
  load?: ServingLoad;
  memory: { rss: number; heapUsed: number };
  /** In seconds. */
  uptime: number;
}

export interface ServingLoad {
  waiting: number;
  inFlight: number;
  bodyBytes: number;
  unsentBytes: number;
  connections: number;
  /** In milliseconds. */
  delay: { p50: number; p99: number; max: number };
  database: DatabaseLoad;
}

/** Reports of all processes of a server. */
export interface ServerReport {
  reports: ProcessReport[];
  /** Expected number of workers; absent in a server of one process. */
  workers?: number;
}

export type Collect = () => Promise<ServerReport>;

export const stateOf = (): ProcessState => {
  const { rss, heapUsed } = process.memoryUsage();
  return { memory: { rss, heapUsed }, uptime: process.uptime() };
};

export const noCounts = (): Counts => ({ routes: {}, refusals: {}, closed: {}, droppedLogLines: 0 });

/** Adds up the counts of several processes. */
export function sumCounts(all: readonly Counts[]): Counts {
  const sum = noCounts();
  for (const { routes, refusals, closed, droppedLogLines } of all) {
    for (const [labels, counts] of Object.entries(routes)) sum.routes[labels] = sumRoute(sum.routes[labels], counts);
    addTo(sum.refusals, refusals);
    addTo(sum.closed, closed);
    sum.droppedLogLines += droppedLogLines;
  }
  return sum;
}

function sumRoute(one: RouteCounts | undefined, other: RouteCounts): RouteCounts {
  const statuses = { ...one?.statuses };
  addTo(statuses, other.statuses);
  const classes = other.classes.map((count, index) => count + (one?.classes[index] ?? 0));
  return { statuses, classes, seconds: other.seconds + (one?.seconds ?? 0) };
}

function addTo(sum: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [key, count] of Object.entries(counts)) sum[key] = (sum[key] ?? 0) + count;
}
