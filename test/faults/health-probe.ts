import { Agent, get } from 'node:http';
import { workerData } from 'node:worker_threads';

/**
 * Asks a server for its health without a pause, in a thread of its own, so that only the server can hold an answer up.
 * `state`: the slowest answer since the main thread last set it to 0, in ms; how many came; 1 to stop.
 */
const { address, state } = workerData as { address: string; state: Float64Array };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const ask = () =>
  new Promise<void>((resolve, reject) => {
    get(`${address}/healthz`, { agent }, (response) => response.resume().once('end', resolve)).once('error', reject);
  });

while (state[2] === 0) {
  const start = performance.now();
  await ask();
  state[0] = Math.max(state[0] ?? 0, performance.now() - start);
  state[1] = (state[1] ?? 0) + 1;
}
agent.destroy();
