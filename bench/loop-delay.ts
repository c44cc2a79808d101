/**
 * Preloaded into a server: on SIGUSR2 it writes to the file named by LOOP_DELAY_FILE how long its event loop was blocked
 * at most, and begins anew. Processor time says it on a busy machine, too.
 */
import { writeFileSync } from 'node:fs';

const INTERVAL = 5;
let cpu = process.threadCpuUsage();
let at = performance.now();
let longest = { cpu: 0, wall: 0 };

setInterval(() => {
  const { user, system } = process.threadCpuUsage(cpu);
  const now = performance.now();
  longest = {
    cpu: Math.max(longest.cpu, (user + system) / 1000),
    wall: Math.max(longest.wall, now - at - INTERVAL),
  };
  cpu = process.threadCpuUsage();
  at = now;
}, INTERVAL).unref();

process.on('SIGUSR2', () => {
  writeFileSync(process.env.LOOP_DELAY_FILE ?? 'loop-delay.json', JSON.stringify(longest));
  longest = { cpu: 0, wall: 0 };
});
