import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Polls the health of a server without pauses, in its own thread, so that only the server can delay a response. Replies
 * to each message with the slowest response since the previous message, in ms, once a request that was sent after the
 * message has its response.
 */
const { address } = workerData as { address: string };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let slowest = 0;
/** Responses left until the report; the first one may belong to a request that was sent before the message. */
let left = 0;

const ask = () =>
  new Promise<void>((resolve, reject) => {
    get(`${address}/healthz`, { agent }, (response) => response.resume().once('end', resolve)).once('error', reject);
  });

parentPort?.on('message', () => {
  left = 2;
});

for (;;) {
  const start = performance.now();
  await ask();
  slowest = Math.max(slowest, performance.now() - start);
  if (left === 0) continue;
  left -= 1;
  if (left > 0) continue;
  parentPort?.postMessage(slowest);
  slowest = 0;
}
