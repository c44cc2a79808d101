import { createState, type DataState } from './data-memory.ts';
import type { Database } from './database.ts';

/** The current state, for results shared by all viewers; undefined if rendered records are not cached. */
export const sharedState = async (db: Database, isShared: boolean): Promise<DataState | undefined> =>
  isShared && db.memory.isOn ? stateOf(db) : undefined;

/**
 * The cache of the current version. Inside a transaction it is empty, because a transaction sees its own uncommitted
 * writes.
 */
export async function stateOf(db: Database): Promise<DataState> {
  if (db.query.isTransaction) return createState(0);
  const { calendar } = await db.dialect.dataVersion(db);
  return db.memory.at(calendar);
}
