import type { Config } from '../../base/config.ts';
import { type CountInMemory, createMemoryCounter, type RequestCount } from '../../platform/limits/limits.ts';
import type { FromPrimary, FromWorker, WantedCount } from './messages.ts';

/** Milliseconds that the primary has to count a request, before its worker counts it by itself. */
const PATIENCE = 1000;

/**
 * The part of a worker in limits on requests: the primary counts for all workers. What is to be counted in one turn of
 * the event loop goes in one message, so that a rush costs little more than counting here.
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
