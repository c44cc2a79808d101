import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { type Load, type Measured, summarize, type Timed } from './client.ts';

const SCRIPT = join(import.meta.dirname, 'worker.ts');
/** One core is the server's. */
const WORKERS = Math.max(1, Math.min(4, availableParallelism() - 1));

/** Sends requests by processes of our own client: what throughput is measured with where there is no wrk. */
export async function measureByWorkers(load: Load): Promise<Measured> {
  const clients = Math.ceil(load.clients / WORKERS);
  const parts = await Promise.all(
    Array.from({ length: WORKERS }, (_, worker) => {
      const requests = load.requests.filter((_, index) => index % WORKERS === worker % load.requests.length);
      return measureInWorker({ ...load, requests, clients });
    }),
  );
  return summarize({
    times: parts.flatMap(({ times }) => times),
    seconds: Math.max(...parts.map(({ seconds }) => seconds)),
    bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
  });
}

async function measureInWorker(load: Load): Promise<Timed> {
  const child = fork(SCRIPT);
  const answered = once(child, 'message').then(([timed]) => timed as Timed); // what worker.ts sends
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('a process of the client ended early')));
  child.send(load);
  try {
    return await Promise.race([answered, failed]);
  } finally {
    // Ends it: a process that ended by itself might do so before its message is read.
    if (child.connected) child.disconnect();
  }
}
