import type { Database } from '../../db/database.ts';
import type { AuditAction, AuditKind } from '../../db/tables.ts';
import type { Actor } from '../../lib/actor.ts';
import { toUtc } from '../../lib/dates.ts';
import { actionOf, type Change, changesBetween } from './changes.ts';
import type { AuditedRecord, Snapshot } from './kind.ts';

/**
 * Writes to the audit log what `work` changes in a record, in the transaction of the caller: one row, or none if nothing
 * is different afterwards. Without an actor, as for visitors and jobs, it only does the work.
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

/** As `logChange`, for each of some records. */
export async function logChanges<T>(
  db: Database,
  actor: Actor | undefined,
  [record, ...others]: readonly AuditedRecord[],
  work: () => Promise<T>,
): Promise<T> {
  if (!record) return work();
  return logChange(db, actor, record, () => logChanges(db, actor, others, work));
}

/** Writes to the audit log that a record is new, in the transaction that has created it. */
export async function logCreation(db: Database, actor: Actor | undefined, record: AuditedRecord): Promise<void> {
  if (!actor) return;
  await writeRow(db, actor, { record, before: undefined, after: await record.kind.snapshot(db, record.id) });
}

interface Difference {
  record: AuditedRecord;
  before: Snapshot | undefined;
  after: Snapshot | undefined;
}

async function writeRow(db: Database, actor: Actor, { record, before, after }: Difference): Promise<void> {
  const changes = changesBetween(before, after);
  if (changes.length === 0) return;
  await insertRow(db, actor, {
    action: actionOf(before, after),
    kind: record.kind.name,
    record_id: record.id,
    title: after?.title ?? before?.title ?? '',
    revision: after?.revision ?? null,
    changes,
  });
}

/**
 * Writes one row about a command that changes the whole calendar. The records that it writes have no rows of their own.
 */
export const logCommand = (db: Database, actor: Actor, changes: readonly Change[]): Promise<void> =>
  insertRow(db, actor, { action: 'changed', kind: 'site', record_id: 1, title: '', revision: null, changes });

interface NewRow {
  action: AuditAction;
  kind: AuditKind;
  record_id: number;
  title: string;
  revision: number | null;
  changes: readonly Change[];
}

async function insertRow(db: Database, actor: Actor, { changes, ...row }: NewRow): Promise<void> {
  const { account, credential, network, requestId, now } = actor;
  const fields = [...new Set(changes.map(({ field }) => field))];
  await db.query
    .insertInto('audit')
    .values({
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
    })
    .execute();
}

/** Removes the names of an account that is deleted; its id stays. */
export async function forgetNames(db: Database, userId: number): Promise<void> {
  await db.query
    .updateTable('audit')
    .set({ user_name: '', credential_name: '' })
    .where('user_id', '=', userId)
    .execute();
}
