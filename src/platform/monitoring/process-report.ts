import type { DatabaseLoad } from '../../db/database.ts';

/** What the processes of a server tell of themselves for `/metrics`: plain values, which messages can hold. */

export interface ProcessReport {
  /** `primary`, or the number of a worker; absent in a server of one process. */
  process?: string;
  counts: Counts;
  /** Absent for processes that have ended or do not answer: only what they have counted is known. */
  state?: ProcessState;
}

/** Numbers that only grow. */
export interface Counts {
  /** By their labels, method and route. */
  routes: Record<string, RouteCounts>;
  /** By code. */
  refusals: Record<string, number>;
  /** By reason. */
  closed: Record<string, number>;
  droppedLogLines: number;
}

/** Counts of one route and method. */
export interface RouteCounts {
  /** By status. */
  statuses: Record<string, number>;
  /** By class of duration, each without those of the classes below. */
  classes: number[];
  seconds: number;
}

interface ProcessState {
  /** Absent for a process that serves no requests. */
  load?: ServingLoad;
  memory: { rss: number; heapUsed: number };
  /** Seconds. */
  uptime: number;
}

export interface ServingLoad {
  waiting: number;
  inFlight: number;
  bodyBytes: number;
  unsentBytes: number;
  connections: number;
  /** Milliseconds. */
  delay: { p50: number; p99: number; max: number };
  database: DatabaseLoad;
}

/** The reports of all processes of a server. */
export interface ServerReport {
  reports: ProcessReport[];
  /** How many workers there should be; absent in a server of one process. */
  workers?: number;
}

export type Collect = () => Promise<ServerReport>;

export const stateOf = (): ProcessState => {
  const { rss, heapUsed } = process.memoryUsage();
  return { memory: { rss, heapUsed }, uptime: process.uptime() };
};

export const noCounts = (): Counts => ({ routes: {}, refusals: {}, closed: {}, droppedLogLines: 0 });

/** Adds up what several processes have counted. */
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
