import { createState } from '../src/db/data-memory.ts';
import type { Database } from '../src/db/database.ts';

/** A database from which the application reads everything each time. */
export const forgetful = (db: Database): Database => ({ ...db, memory: { isOn: false, at: () => createState(0) } });
