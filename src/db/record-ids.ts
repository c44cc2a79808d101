import type { RecordKind } from './columns.ts';
import type { Database } from './database.ts';

/**
 * Takes a new id from the sequence that all records share.
 * @param kept id that an import wants; used unless a record has it
 */
export async function newRecordId(db: Database, kind: RecordKind, kept?: number): Promise<number> {
  if (kept !== undefined && (await isKept(db, kind, kept))) return kept;
  const [id] = await newRecordIds(db, [kind]);
  return id;
}

/** Registers an id unless a record has it; returns whether it did. */
async function isKept(db: Database, kind: RecordKind, id: number): Promise<boolean> {
  const { query, dialect } = db;
  const added = await query
    .insertInto('records')
    .values({ id, kind })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) await dialect.skipIds(db, 'records', id);
  return added !== undefined;
}

/** Takes new ids for several records, in one statement; ids of one kind ascend in the order of the records. */
export async function newRecordIds(
  db: Database,
  kinds: readonly [RecordKind, ...RecordKind[]],
): Promise<[number, ...number[]]> {
  const rows = await db.query
    .insertInto('records')
    .values(kinds.map((kind) => ({ kind })))
    .returning(['id', 'kind'])
    .execute();
  // The database may return the rows in any order.
  const byKind = Map.groupBy(
    rows.toSorted((a, b) => a.id - b.id),
    ({ kind }) => kind,
  );
  const ids = kinds.flatMap((kind) => byKind.get(kind)?.shift()?.id ?? []);
  if (ids.length < kinds.length) throw new Error('the database returned fewer ids than records');
  // Has as many ids as `kinds`, which is not empty.
  return ids as [number, ...number[]];
}

/**
 * The kind of record that an id belongs to; undefined if the id was never assigned or its record was deleted
 * permanently.
 */
export async function findRecordKind(db: Database, id: number): Promise<RecordKind | undefined> {
  const record = await db.query.selectFrom('records').select('kind').where('id', '=', id).executeTakeFirst();
  return record?.kind;
}
