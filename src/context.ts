import type { Logger } from 'pino';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';

/** What a process works with. Built once in `main.ts` (or by a test) and passed by hand. */
export interface Context {
  config: Config;
  db: Database;
  log: Logger;
  /** The clock. Rules never read another. */
  now(): Date;
  /** Random bytes from a cryptographic source. */
  random(bytes: number): Buffer;
}
