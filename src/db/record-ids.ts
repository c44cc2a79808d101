import type { Database } from './database.ts';
import type { RecordKind } from './tables.ts';

/** A new id of the one sequence that all records share. */
export async function newRecordId(db: Database, kind: RecordKind): Promise<number> {
  const { id } = await db.query.insertInto('records').values({ kind }).returning('id').executeTakeFirstOrThrow();
  return id;
}

/** What an id belongs to; undefined for an id that was never given out, or whose record was removed for good. */
export async function findRecordKind(db: Database, id: number): Promise<RecordKind | undefined> {
  const record = await db.query.selectFrom('records').select('kind').where('id', '=', id).executeTakeFirst();
  return record?.kind;
}
