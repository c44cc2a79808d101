import type { Context } from '../../base/context.ts';
import type { RequestSummary } from '../core/request.ts';
import type { Load, OverloadGuard } from './overload.ts';

/** A completed request, for the metrics. */
export interface HandledRequest {
  method: string;
  route: string;
  status: number;
  /** Error code of the interface. */
  code?: string;
  /** Time until the response was ready to be sent. */
  seconds: number;
}

/** Current load of the process, read by the overload guard and `/metrics`. */
export interface Traffic {
  /** Requests in the queue. */
  waiting: number;
  /** Longest wait in the queue since the last measurement, in milliseconds. */
  longestWait: number;
  /** Requests in progress. */
  inFlight: number;
  /** Announced bytes of their bodies. */
  bodyBytes: number;
  /** Bytes of unsent responses. */
  unsentBytes: number;
  connections: number;
  /** Recent delays of the event loop. */
  delays: Delays;
  /** Connections closed without a response of the application, by reason. */
  closed: Map<string, number>;
}

export const createTraffic = (): Traffic => ({
  waiting: 0,
  longestWait: 0,
  inFlight: 0,
  bodyBytes: 0,
  unsentBytes: 0,
  connections: 0,
  delays: createDelays(),
  closed: new Map(),
});

/** Counts a connection closed without a response of the application. */
export function countClosed({ closed }: Traffic, reason: string): void {
  closed.set(reason, (closed.get(reason) ?? 0) + 1);
}

/** Latest measurements of the event loop. */
export interface Delays {
  add(milliseconds: number): void;
  /** In milliseconds; all 0 before the first measurement. */
  summary(): { p50: number; p99: number; max: number };
}

/** Milliseconds between two measurements. */
const SAMPLE_INTERVAL = 100;
/** Number of measurements in one minute. */
const KEPT = 600;

function createDelays(): Delays {
  const ring = new Float64Array(KEPT);
  let count = 0;
  return {
    add(milliseconds) {
      ring[count % KEPT] = milliseconds;
      count += 1;
    },
    summary() {
      const sorted = ring.slice(0, Math.min(count, KEPT)).sort();
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
      return { p50: at(0.5), p99: at(0.99), max: at(1) };
    },
  };
}

/**
 * Measures the delay for the guard and the metrics, until stopped: the delay of the event loop or the longest wait in
 * the queue, whichever is longer.
 */
export function watchDelay(traffic: Traffic, guard: OverloadGuard): { stop(): void } {
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const delay = Math.max(traffic.longestWait, now - last - SAMPLE_INTERVAL);
    last = now;
    traffic.longestWait = 0;
    traffic.delays.add(delay);
    guard.sample(delay, now);
  }, SAMPLE_INTERVAL);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Current load plus a body of the given size. */
export const loadOf = ({ waiting, inFlight, bodyBytes, unsentBytes }: Traffic, announced: number): Load => ({
  inFlight: waiting + inFlight,
  heldBytes: bodyBytes + unsentBytes,
  bodyBytes: announced,
});

/**
 * Writes one line per request, without query, credentials or tokens. The path is logged as its pattern, since ids may
 * be secret too.
 */
export function logAccess(
  { log }: Context,
  { method, route, status, seconds }: HandledRequest,
  { id }: RequestSummary,
): void {
  if (!log.isLevelEnabled('debug')) return;
  log.debug({ request_id: id, method, route, status, ms: Math.round(seconds * 1e6) / 1e3 }, 'request');
}
