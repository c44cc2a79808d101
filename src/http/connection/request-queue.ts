import type { Traffic } from './traffic.ts';

/**
 * Handles one request per turn of the event loop, in the order of arrival, because libuv accepts one connection per
 * turn. Reads of SQLite are synchronous. Without a queue, one turn would handle the requests of all busy connections,
 * take up to half a second, and admit only a few new connections a second.
 */
export function createRequestQueue(traffic: Traffic): (handle: () => void) => void {
  const waiting: { handle: () => void; since: number }[] = [];
  const handleNext = () => {
    const next = waiting.shift();
    traffic.waiting = waiting.length;
    if (!next) return;
    if (waiting.length > 0) setImmediate(handleNext);
    traffic.longestWait = Math.max(traffic.longestWait, performance.now() - next.since);
    next.handle();
  };
  return (handle) => {
    waiting.push({ handle, since: performance.now() });
    traffic.waiting = waiting.length;
    if (waiting.length === 1) setImmediate(handleNext);
  };
}
