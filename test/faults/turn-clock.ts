import { subscribe } from 'node:diagnostics_channel';
import { openSync, writeSync } from 'node:fs';

/**
 * Loaded into a server before its program (`--import`), it writes to the file TURN_CLOCK for how many microseconds of
 * CPU one turn of the event loop has blocked all others at most, since the last request has come.
 */
const file = openSync(process.env.TURN_CLOCK ?? '', 'w');
let longest = 0;
let running = 0;
let last = process.threadCpuUsage();

function measure(): void {
  const { user, system } = process.threadCpuUsage(last);
  last = process.threadCpuUsage();
  if (user + system > longest) {
    longest = user + system;
    writeSync(file, String(longest).padEnd(20), 0);
  }
  if (running > 0) setImmediate(measure);
}

subscribe('http.server.request.start', () => {
  longest = 0;
  running += 1;
  if (running > 1) return;
  last = process.threadCpuUsage();
  setImmediate(measure);
});
subscribe('http.server.response.finish', () => {
  running -= 1;
});
