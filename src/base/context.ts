import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { SiteKey } from '../lib/site-keys.ts';
import type { Config } from './config.ts';

/** Dependencies of the whole process. Built once in `open-context.ts` (or by a test) and passed explicitly. */
export interface Context {
  /** Environment settings. In a request, job or command, the site's own choices fill the gaps (`site-config.ts`). */
  readonly config: Readonly<Config>;
  /** Version of the calendar at which a read began; absent for anything that may write. See `currentCache`. */
  readonly version?: string;
  db: Database;
  log: Logger;
  /** The only clock; rules must not call `Date.now()`. */
  now(): Date;
  /** Random bytes from a cryptographic source. */
  random(bytes: number): Buffer;
  /** Keys of the site, the same in all of its processes. */
  siteKey: SiteKey;
}
