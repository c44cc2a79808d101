import { type RawBuilder, type Selectable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/database.ts';
import type { AuditAction, AuditKind, AuditTable } from '../../db/tables/platform.ts';
import type { Tables } from '../../db/tables.ts';
import type { LocalTime } from '../../lib/dates/dates.ts';

/** A row of the audit log. */
export type AuditRow = Selectable<AuditTable>;

/** Omits the values, which may be long. */
const LISTED_COLUMNS = [
  'id',
  'date_utc',
  'user_id',
  'user_name',
  'means',
  'credential_id',
  'credential_name',
  'network',
  'request_id',
  'action',
  'kind',
  'record_id',
  'title',
  'revision',
  'fields',
] as const satisfies readonly (keyof AuditRow)[];
export type ListedRow = Pick<AuditRow, (typeof LISTED_COLUMNS)[number]>;

export interface AuditFilter {
  kind?: AuditKind;
  recordId?: number;
  userId?: number;
  action?: AuditAction;
  /** Each is part of the name of the record or of the author. */
  words: readonly string[];
  /** UTC, both included. */
  from?: LocalTime;
  to?: LocalTime;
}

/** Whether a text contains a word, in any letter case; SQLite knows the case of ASCII letters only. */
const hasWord = ({ dialect }: Database, text: RawBuilder<string>, word: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${dialect.contains(text, word)} OR ${dialect.contains(sql<string>`lower(${text})`, word.toLowerCase())})`;

/** The log stores no names of accounts as records. */
const isNamed = (db: Database, word: string): RawBuilder<SqlBool> =>
  sql<SqlBool>`(${hasWord(db, sql`title`, word)} OR ${hasWord(db, sql`user_name`, word)} OR (kind = 'user'
    AND record_id IN (SELECT users.id FROM users WHERE ${hasWord(db, sql`users.username`, word)})))`;

const matching =
  (db: Database, { kind, recordId, userId, action, words, from, to }: AuditFilter) =>
  <T>(query: SelectQueryBuilder<Tables, 'audit', T>): SelectQueryBuilder<Tables, 'audit', T> =>
    words
      .reduce((some, word) => some.where(isNamed(db, word)), query)
      .$if(kind !== undefined, (matching) => matching.where('kind', '=', kind ?? 'event'))
      .$if(recordId !== undefined, (matching) => matching.where('record_id', '=', recordId ?? 0))
      .$if(userId !== undefined, (matching) => matching.where('user_id', '=', userId ?? 0))
      .$if(action !== undefined, (matching) => matching.where('action', '=', action ?? 'changed'))
      .$if(from !== undefined, (matching) => matching.where('date_utc', '>=', from ?? ''))
      .$if(to !== undefined, (matching) => matching.where('date_utc', '<=', to ?? ''));

/** Maximum of the total: clients use `to` to read further. */
const MAX_TOTAL = 10_000;

/** A page of the matching rows, latest first, and their total, at most 10,000. */
export async function listRows(
  db: Database,
  filter: AuditFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ rows: ListedRow[]; total: number }> {
  const rows = await matching(
    db,
    filter,
  )(db.query.selectFrom('audit').select(LISTED_COLUMNS))
    .orderBy('date_utc', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
  const counted = matching(db, filter)(db.query.selectFrom('audit').select('id')).limit(MAX_TOTAL).as('counted');
  const { total } = await db.query
    .selectFrom(counted)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return { rows, total: Number(total) };
}

export const findRow = (db: Database, id: number): Promise<AuditRow | undefined> =>
  db.query.selectFrom('audit').selectAll().where('id', '=', id).executeTakeFirst();

/** Deletes the oldest rows before a moment, at most `limit`; returns the number deleted. */
export async function removeRowsBefore(db: Database, date: LocalTime, limit: number): Promise<number> {
  const oldest = db.query.selectFrom('audit').select('id').where('date_utc', '<', date).orderBy('date_utc');
  const { numDeletedRows } = await db.query
    .deleteFrom('audit')
    .where('id', 'in', oldest.orderBy('id').limit(limit))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
