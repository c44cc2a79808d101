import { type CachedData, createCachedData } from './data-cache.ts';
import type { Database } from './database.ts';

/** The current state, for results shared by all viewers; undefined if rendered records are not cached. */
export const sharedCache = async (db: Database, isShared: boolean): Promise<CachedData | undefined> =>
  isShared && db.memory.isOn ? currentCache(db) : undefined;

/**
 * The cache of the current version. Inside a transaction it is empty, because a transaction sees its own uncommitted
 * writes.
 */
export async function currentCache(db: Database): Promise<CachedData> {
  if (db.query.isTransaction) return createCachedData(0);
  const { calendar } = await db.dialect.dataVersion(db);
  return db.memory.at(calendar);
}
