import { isDeepStrictEqual } from 'node:util';
import type { Kysely, Updateable } from 'kysely';
import type { Database } from './database.ts';
import { EditConflict } from './errors.ts';
import type { Tables } from './tables.ts';

/** Tables with a `revision`, which triggers increment on each edit of a row (migration 0015). */
type RevisedTable = {
  [K in keyof Tables]: 'revision' extends keyof Tables[K] ? K : never;
}[keyof Tables];

interface Revised {
  id: number;
  revision: number;
}

/**
 * Updates a record that was read in this transaction, unless it has been edited since.
 * @throws {EditConflict} if the record has been edited; the transaction then runs again
 */
export async function updateUnlessEdited<T extends RevisedTable>(
  db: Database,
  table: T,
  { id, revision }: Revised,
  change: Updateable<Tables[T]>,
): Promise<void> {
  // Kysely does not type statements over a union of tables; all of these have both columns.
  const query = db.query as Kysely<Record<RevisedTable, Revised>>;
  const { numUpdatedRows } = await query
    .updateTable(table as RevisedTable)
    .set(change as Updateable<Revised>)
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new EditConflict({ table, id });
}

/** Columns that every write of a record sets. */
const TIMESTAMPS: readonly string[] = ['modified', 'modified_utc'];

/**
 * Whether a write leaves a record unchanged. Such a write is skipped, without a statement, a revision or a log entry.
 */
export const isUnchanged = (before: object, change: object): boolean => {
  const known = new Map<string, unknown>(Object.entries(before));
  return Object.entries(change).every(
    ([column, value]) => TIMESTAMPS.includes(column) || isDeepStrictEqual(value, known.get(column)),
  );
};
