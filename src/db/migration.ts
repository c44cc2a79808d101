import type { Database } from './database.ts';
import type { Dialect } from './dialect.ts';

/**
 * One step of the database schema. Its file is frozen once released: from our own code it imports types only, so it
 * spells out the values and rules that it needs. `migrations/frozen.test.ts` enforces this.
 */
export interface Migration {
  /** `NNNN-title`. */
  name: string;
  /** SQL that runs first. */
  statements(dialect: Dialect): string[];
  /**
   * Runs after the statements in the same transaction, for values that SQL cannot compute. Uses Kysely's `sql` rather
   * than the query builder, whose types describe the newest tables.
   */
  up?(db: Database): Promise<void>;
}
