import { compiledInsert } from '../../db/compiled-statement.ts';
import type { Database } from '../../db/database.ts';
import type { AuditAction, AuditKind } from '../../db/tables/platform.ts';
import type { Actor } from '../../lib/actor.ts';
import { toUtc } from '../../lib/dates/dates.ts';
import { actionOf, type Change, changesBetween } from './changes.ts';
import type { AuditedRecord, Snapshot } from './kind.ts';

/**
 * Runs `work` and logs its changes to a record, in the transaction of the caller: one row, or none if the record is
 * unchanged. Without an actor, as for visitors and jobs, nothing is logged.
 */
export async function logChange<T>(
  db: Database,
  actor: Actor | undefined,
  record: AuditedRecord,
  work: () => Promise<T>,
): Promise<T> {
  if (!actor) return work();
  const before = await record.kind.snapshot(db, record.id);
  const result = await work();
  await writeRow(db, actor, { record, before, after: await record.kind.snapshot(db, record.id) });
  return result;
}

/** Like `logChange`, for several records. */
export async function logChanges<T>(
  db: Database,
  actor: Actor | undefined,
  [record, ...others]: readonly AuditedRecord[],
  work: () => Promise<T>,
): Promise<T> {
  if (!record) return work();
  return logChange(db, actor, record, () => logChanges(db, actor, others, work));
}

/** Logs the creation of a record, in the transaction that created it. */
export async function logCreation(db: Database, actor: Actor | undefined, record: AuditedRecord): Promise<void> {
  if (!actor) return;
  await writeRow(db, actor, { record, before: undefined, after: await record.kind.snapshot(db, record.id) });
}

/** A created record, as it was written. */
export interface CreatedRecord extends AuditedRecord {
  snapshot: Snapshot;
}

/** Like `logCreation`, for several records with known snapshots, in one statement. */
export async function logCreations(
  db: Database,
  actor: Actor | undefined,
  created: readonly CreatedRecord[],
): Promise<void> {
  if (!actor) return;
  const rows = created.flatMap(
    ({ snapshot, ...record }) => rowOf({ record, before: undefined, after: snapshot }) ?? [],
  );
  await insertRows(db, actor, rows);
}

interface Difference {
  record: AuditedRecord;
  before: Snapshot | undefined;
  after: Snapshot | undefined;
}

async function writeRow(db: Database, actor: Actor, difference: Difference): Promise<void> {
  const row = rowOf(difference);
  if (row) await insertRows(db, actor, [row]);
}

/** Undefined if the record is unchanged. */
function rowOf({ record, before, after }: Difference): NewRow | undefined {
  const changes = changesBetween(before, after);
  if (changes.length === 0) return undefined;
  return {
    action: actionOf(before, after),
    kind: record.kind.name,
    record_id: record.id,
    title: after?.title ?? before?.title ?? '',
    revision: after?.revision ?? null,
    changes,
  };
}

/**
 * Writes one row about a command that changes the whole calendar. The records that it changes have no rows of their
 * own.
 */
export const logCommand = (db: Database, actor: Actor, changes: readonly Change[]): Promise<void> =>
  insertRows(db, actor, [{ action: 'changed', kind: 'site', record_id: 1, title: '', revision: null, changes }]);

interface NewRow {
  action: AuditAction;
  kind: AuditKind;
  record_id: number;
  title: string;
  revision: number | null;
  changes: readonly Change[];
}

/** Rows per statement: each has some fifteen values, and SQLite allows 32,766 in a statement. */
const ROWS_PER_STATEMENT = 500;

const insert = compiledInsert('audit');

async function insertRows(db: Database, actor: Actor, rows: readonly NewRow[]): Promise<void> {
  const values = rows.map((row) => valuesOf(actor, row));
  for (let from = 0; from < values.length; from += ROWS_PER_STATEMENT) {
    await insert(db, values.slice(from, from + ROWS_PER_STATEMENT));
  }
}

function valuesOf({ account, credential, network, requestId, now }: Actor, { changes, ...row }: NewRow) {
  const fields = [...new Set(changes.map(({ field }) => field))];
  return {
    date_utc: toUtc(now),
    user_id: account?.id ?? null,
    user_name: account?.name ?? '',
    means: credential.means,
    credential_id: credential.id,
    credential_name: credential.name,
    network,
    request_id: requestId,
    ...row,
    fields: JSON.stringify(fields),
    changes: JSON.stringify(changes),
  };
}

/** Removes the names of a deleted account; its id stays. */
export async function removeNames(db: Database, userId: number): Promise<void> {
  await db.query
    .updateTable('audit')
    .set({ user_name: '', credential_name: '' })
    .where('user_id', '=', userId)
    .execute();
}
