import type { Database } from '../../db/database.ts';
import type { LinkKind } from '../../db/tables/calendar.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { ApiError } from '../../http/core/errors.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import { logChanges } from '../../platform/audit/log.ts';
import { UNDO_SECONDS, withChildren } from './merge.ts';
import type { Mergeable, MergeKind, Snapshot } from './merge-kind.ts';
import { countEvents, returnLinks } from './merge-links.ts';
import { lockMerges } from './merged-records.ts';

/** A merge that can still be undone. */
export interface StoredMerge<T extends Mergeable = Mergeable> {
  id: number;
  kind: LinkKind;
  survivor_id: number;
  made_utc: string;
  survivor: Snapshot<T> & { revision: number };
  merged: readonly Snapshot<T>[];
}

export async function findMerge({ query }: Database, id: number): Promise<StoredMerge | undefined> {
  const row = await query.selectFrom('merges').selectAll().where('id', '=', id).executeTakeFirst();
  // Both written by `mergeRecords`.
  return row && { ...row, survivor: JSON.parse(row.survivor), merged: JSON.parse(row.merged) };
}

export interface UndoResult {
  kind: LinkKind;
  survivor: number;
  /** Whether the survivor was restored; false if it has been edited since. */
  is_survivor_restored: boolean;
  restored: number[];
  /** Number of events of the restored records. */
  events: number;
}

/**
 * Undoes a merge: restores the merged records, with the events that are still linked to the survivor.
 * @throws {ApiError} merge-not-found, merge-final
 */
export const undoMerge = <T extends Mergeable>(
  kind: MergeKind<T>,
  mergeId: number,
  ctx: RequestContext,
): Promise<UndoResult> =>
  ctx.context.db.transaction(async (db) => {
    await lockMerges(db);
    // The kind is the kind of the merge.
    const merge = (await findMerge(db, mergeId)) as StoredMerge<T> | undefined;
    if (!merge) throw new ApiError('merge-not-found');
    if (isFinal(merge, ctx)) throw new ApiError('merge-final');
    await kind.lock(db, [merge.survivor_id, ...merge.merged.map(({ record }) => record.id)]);
    const survivor = await kind.find(db, merge.survivor_id);
    if (!survivor) throw new ApiError('merge-final');
    const merged = merge.merged.map(({ record }) => record);
    const touched = await withChildren(kind, db, [survivor, ...merged]);
    return logChanges(db, ctx.actor, touched, () => takeBack(kind, { db, merge }, survivor));
  });

/** Runs in the transaction of `undoMerge`, which has locked the records. */
async function takeBack<T extends Mergeable>(
  kind: MergeKind<T>,
  { db, merge }: { db: Database; merge: StoredMerge<T> },
  survivor: T,
): Promise<UndoResult> {
  const isSurvivorRestored = survivor.revision === merge.survivor.revision;
  const restored: number[] = [];
  await kind.announce(db, survivor.id);
  // Revert the survivor first: it may have a slug of the restored records.
  if (isSurvivorRestored) await kind.revert(db, survivor, merge.survivor);
  for (const snapshot of merge.merged.toReversed())
    if (await restoreOne(kind, { db, merge }, snapshot)) restored.push(snapshot.record.id);
  await forgetMerge(db, merge);
  await kind.recount(db, [survivor.id, ...restored]);
  return {
    kind: kind.name,
    survivor: survivor.id,
    is_survivor_restored: isSurvivorRestored,
    restored: restored.toReversed(),
    events: await countEvents(db, kind.name, restored),
  };
}

const isFinal = ({ made_utc }: Pick<StoredMerge, 'made_utc'>, { now }: Pick<RequestContext, 'now'>): boolean =>
  made_utc < addSeconds(toUtc(now), -UNDO_SECONDS);

async function restoreOne<T extends Mergeable>(
  kind: MergeKind<T>,
  { db, merge }: { db: Database; merge: StoredMerge<T> },
  snapshot: Snapshot<T>,
): Promise<boolean> {
  const { id } = snapshot.record;
  if (!(await kind.restore(db, snapshot, merge.survivor_id))) return false;
  await returnLinks(db, { mergeId: merge.id, kind: kind.name, from: id, to: merge.survivor_id });
  // Restores redirects of records that had been merged into this one before.
  await db.query
    .updateTable('merged_records')
    .set({ survivor_id: id })
    .where('kind', '=', kind.name)
    .where('survivor_id', '=', merge.survivor_id)
    .where('merge_id', 'in', (eb) =>
      eb.selectFrom('merges').select('merges.id').where('kind', '=', kind.name).where('merges.survivor_id', '=', id),
    )
    .execute();
  return true;
}

async function forgetMerge({ query }: Database, { id }: Pick<StoredMerge, 'id'>): Promise<void> {
  await query.deleteFrom('merges').where('id', '=', id).execute();
}

/** Deletes the data of merges that can no longer be undone. */
export async function removeFinalMerges(db: Database, now: Date): Promise<void> {
  const end = addSeconds(toUtc(now), -2 * UNDO_SECONDS);
  const due = await db.query.selectFrom('merges').select('id').where('made_utc', '<', end).limit(100).execute();
  for (const merge of due) await forgetMerge(db, merge);
}
