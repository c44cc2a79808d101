/** Milliseconds of delay before the guard refuses requests. */
const LATE_TIME = 2000;
/** Minimum number of late samples: a few long tasks in a row are not an overload. */
const LATE_SAMPLES = 5;
/** Milliseconds without delay before the guard stops refusing. */
const CALM_TIME = 1000;
/** Maximum number of requests in progress or in the queue despite the delay, so that work continues. */
const LATE_IN_FLIGHT = 16;
/** Maximum bytes of a body that never counts as large. */
const SMALL_BODY = 64 * 1024;

export interface OverloadLimits {
  /** Maximum delay of the event loop or wait in the queue, in milliseconds; 0 for no limit. */
  maxDelay: number;
  /** Maximum number of requests in progress or in the queue. */
  maxInFlight: number;
  /** Maximum bytes of bodies being received and of unsent responses. */
  maxBytes: number;
}

export interface Load {
  /** Requests in progress or in the queue. */
  inFlight: number;
  /** Bytes of their bodies and of unsent responses. */
  heldBytes: number;
  /** Announced bytes of the new request's body. */
  bodyBytes: number;
}

export interface OverloadGuard {
  /** Records a delay in milliseconds. `now` is in milliseconds of a monotonic clock. */
  sample(delay: number, now: number): void;
  /** Decides if a new request is refused. */
  refuses(load: Load): boolean;
}

/**
 * Decides when to refuse requests, so that requests in progress finish and memory stays bounded. The guard refuses
 * requests after two consecutive seconds of excessive delay: one slow request or garbage collection is not an overload.
 * It stops after a second below half the limit.
 */
export function createOverloadGuard({ maxDelay, maxInFlight, maxBytes }: OverloadLimits): OverloadGuard {
  let lateSince: number | undefined;
  let lateSamples = 0;
  let calmSince: number | undefined;
  let isLate = false;
  return {
    sample(delay, now) {
      if (maxDelay === 0) return;
      lateSince = delay > maxDelay ? (lateSince ?? now) : undefined;
      lateSamples = delay > maxDelay ? lateSamples + 1 : 0;
      calmSince = delay <= maxDelay / 2 ? (calmSince ?? now) : undefined;
      if (lateSince !== undefined && now - lateSince >= LATE_TIME && lateSamples >= LATE_SAMPLES) isLate = true;
      if (calmSince !== undefined && now - calmSince >= CALM_TIME) isLate = false;
    },
    refuses({ inFlight, heldBytes, bodyBytes }) {
      if (inFlight >= (isLate ? LATE_IN_FLIGHT : maxInFlight)) return true;
      return bodyBytes > SMALL_BODY && heldBytes + bodyBytes > maxBytes;
    },
  };
}
