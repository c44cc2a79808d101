import { createState, type DataState } from './data-memory.ts';
import type { Database } from './database.ts';

/** The present state, for what is the same for everybody; undefined if nothing rendered is kept. */
export const sharedState = async (db: Database, isShared: boolean): Promise<DataState | undefined> =>
  isShared && db.memory.isOn ? stateOf(db) : undefined;

/** What is kept of the present state. A transaction sees its own writes, so that nothing of it may be shared. */
export async function stateOf(db: Database): Promise<DataState> {
  if (db.query.isTransaction) return createState(0);
  const { calendar } = await db.dialect.dataVersion(db);
  return db.memory.at(calendar);
}
