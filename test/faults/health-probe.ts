import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/**
 * Asks a server for its health without a pause, in a thread of its own, so that only the server can hold an answer up.
 * Any message is answered with the slowest answer since the message before, in ms, once a question that was asked
 * after the message has been answered.
 */
const { address } = workerData as { address: string };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let slowest = 0;
/** Answers until the one to report; the first of them may belong to a question that was asked before the message. */
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
