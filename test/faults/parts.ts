import { announcements } from './announcements.ts';
import { clock } from './clock.ts';
import { full } from './full.ts';
import { fuzz } from './fuzz.ts';
import { hostile } from './hostile.ts';
import { jobs } from './jobs.ts';
import { kill } from './kill.ts';
import { killActs } from './kill-acts.ts';
import { killExamples } from './kill-examples.ts';
import { limits } from './limits.ts';
import { lock } from './lock.ts';
import { oneOfTwo } from './one-of-two.ts';
import { openapi } from './openapi.ts';
import { overload } from './overload.ts';
import type { Part } from './part.ts';
import { payments } from './payments.ts';
import { restart } from './restart.ts';
import { series } from './series.ts';
import { sigterm } from './sigterm.ts';
import { slow } from './slow.ts';

/** Every part, in the order of the table. */
export const PARTS: readonly Part[] = [
  ...[kill, killExamples, killActs, oneOfTwo, jobs, series, payments, announcements, sigterm, restart],
  ...[full, lock, clock, slow, limits, openapi, fuzz, hostile, overload],
];
