/**
 * Sends requests at a fixed rate, whether or not earlier ones have a response, and reports the outcomes: one process of
 * overload.ts, which sends it an `OpenLoop`.
 */
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { OpenLoop, OpenLoopFigures } from './overload.ts';
import { percentileOf } from './part.ts';

/** Milliseconds between two batches. */
const VOLLEY = 10;
/** Maximum number of requests in flight. */
const MOST = 4000;
/** Time-out in milliseconds. */
const PATIENCE = 10_000;

const [{ url, rate, seconds }] = (await once(process, 'message')) as [OpenLoop]; // what overload.ts sends
const agent = new Agent({ keepAlive: true });
const answers: Record<string, number> = {};
const times: Record<string, number[]> = {};
let underWay = 0;

function send(): void {
  const sent = performance.now();
  underWay += 1;
  const end = (what: string) => {
    underWay -= 1;
    answers[what] = (answers[what] ?? 0) + 1;
    times[what] ??= [];
    times[what].push(performance.now() - sent);
  };
  const request = get(url, { agent, timeout: PATIENCE }, (response) => {
    response.resume();
    response.on('end', () => end(String(response.statusCode)));
    response.on('error', () => end('none'));
  });
  let isDone = false;
  request.on('timeout', () => request.destroy());
  request.on('response', () => {
    isDone = true;
  });
  request.on('error', () => isDone || end('none'));
}

const began = performance.now();
let due = 0;
while (performance.now() - began < seconds * 1000) {
  const until = ((performance.now() - began) / 1000) * rate;
  for (; due < until; due += 1) {
    if (underWay < MOST) send();
    else answers['not sent'] = (answers['not sent'] ?? 0) + 1;
  }
  await new Promise((resolve) => setTimeout(resolve, VOLLEY));
}
const waited = performance.now() + PATIENCE;
while (underWay > 0 && performance.now() < waited) await new Promise((resolve) => setTimeout(resolve, VOLLEY));
agent.destroy();
const p99 = Object.fromEntries(Object.entries(times).map(([what, all]) => [what, percentileOf(all, 0.99)]));
const figures: OpenLoopFigures = { answers, p99 };
process.send?.(figures);
process.disconnect?.();
