import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';

/**
 * One step from one shape of the database to the next. Its file is frozen once released: it imports nothing of ours but
 * types, so values and rules that it needs are written out in it. `migrations/frozen.test.ts` holds this.
 */
export interface Migration {
  /** `NNNN-title`. */
  name: string;
  /** SQL that runs first. */
  statements(dialect: Dialect): string[];
  /**
   * Runs after the statements, in the same transaction, for values that SQL cannot compute. Uses `sql` of Kysely rather
   * than its query builder, whose types describe the newest tables.
   */
  up?(db: Database): Promise<void>;
}
