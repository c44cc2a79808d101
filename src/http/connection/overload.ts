/** Milliseconds that the delay has to last before the guard refuses. */
const LATE_TIME = 2000;
/** Minimum number of late samples: a few long tasks in a row are no overload. */
const LATE_SAMPLES = 5;
/** Milliseconds without delay before the guard stops refusing. */
const CALM_TIME = 1000;
/** Requests that may be in flight in spite of the delay, so that useful work goes on. */
const LATE_IN_FLIGHT = 16;
/** Bytes of a body that never count as large. */
const SMALL_BODY = 64 * 1024;

export interface OverloadLimits {
  /** Milliseconds that the event loop may be late or a request wait for its turn; 0 for no limit. */
  maxDelay: number;
  /** Requests in flight or waiting. */
  maxInFlight: number;
  /** Bytes of bodies being received and of unsent answers. */
  maxBytes: number;
}

export interface Load {
  /** Requests that are being handled, or wait for it. */
  inFlight: number;
  /** Bytes of their bodies and of unsent answers. */
  heldBytes: number;
  /** Bytes of the body that the new request announces. */
  bodyBytes: number;
}

export interface OverloadGuard {
  /** Records a delay in milliseconds. `now` is in milliseconds of a monotonic clock. */
  sample(delay: number, now: number): void;
  /** Whether a new request has to be refused. */
  refuses(load: Load): boolean;
}

/**
 * Decides when requests are refused so that those in flight are finished and memory stays bounded. A delay counts once
 * it was too long for two seconds on end: one slow request or a collection of garbage is no overload. It is over once it
 * was below half the limit for a second.
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
