import { clock } from './clock.ts';
import { kill } from './kill.ts';
import { lock } from './lock.ts';
import { oneOfTwo } from './one-of-two.ts';
import { openapi } from './openapi.ts';
import type { Part } from './part.ts';
import { sigterm } from './sigterm.ts';
import { slow } from './slow.ts';

/** Every part, in the order of the table. */
export const PARTS: readonly Part[] = [kill, lock, clock, sigterm, oneOfTwo, slow, openapi];
