import { type CachedData, createCachedData } from './data-cache.ts';
import type { Database } from './database.ts';

interface Reader {
  db: Database;
  /** Version of the calendar at which a read began; absent for anything that may write. */
  version?: string;
}

/** The current cache, for results that all viewers share; undefined if rendered records are not cached. */
export const sharedCache = async (reader: Reader, isShared: boolean): Promise<CachedData | undefined> =>
  isShared && reader.db.memory.isOn ? currentCache(reader) : undefined;

/**
 * The cache of the version at which a read began, or of the current one. Inside a transaction, the cache is empty,
 * because the transaction sees its own uncommitted writes.
 */
export async function currentCache({ db, version }: Reader): Promise<CachedData> {
  if (db.query.isTransaction) return createCachedData(0);
  if (version !== undefined) return db.memory.at(version);
  return db.memory.begin((await db.dialect.dataVersion(db)).calendar);
}
