import type { Config } from '../../base/config.ts';
import { type CountInMemory, createMemoryCounter, type RequestCount } from '../../platform/limits/limits.ts';
import type { FromPrimary, FromWorker, WantedCount } from './messages.ts';

/** Milliseconds after which the worker counts a request itself. */
const PATIENCE = 1000;

/**
 * Counts requests for rate limits in the primary, for all workers. All counts of one turn of the event loop go in one
 * message, so that bursts cost little more than local counting.
 */
export function sharedCounts(config: Config, tell: (message: FromWorker) => void): CountInMemory {
  const countHere = createMemoryCounter(config);
  const waiting = new Map<number, (count: RequestCount | Promise<RequestCount>) => void>();
  let batch: WantedCount[] = [];
  let lastId = 0;
  process.on('message', (message: FromPrimary) => {
    if (message.kind !== 'counted') return;
    for (const { id, ...count } of message.counts) waiting.get(id)?.(count);
  });
  const send = () => {
    const counts = batch;
    batch = [];
    tell({ kind: 'count', counts });
    setTimeout(() => {
      for (const { id, name, key, points } of counts) waiting.get(id)?.(countHere(name, key, points));
    }, PATIENCE).unref();
  };
  return async (name, key, points) => {
    lastId += 1;
    const id = lastId;
    const { promise, resolve } = Promise.withResolvers<RequestCount>();
    waiting.set(id, resolve);
    batch.push({ id, name, key, points });
    if (batch.length === 1) setImmediate(send);
    return promise.finally(() => waiting.delete(id));
  };
}
