import { createCachedData } from '../src/db/data-cache.ts';
import type { Database } from '../src/db/database.ts';

/** A database from which the application reads everything each time. */
export const withoutCache = (db: Database): Database => ({
  ...db,
  memory: { isOn: false, begin: () => createCachedData(0), at: () => createCachedData(0) },
});
