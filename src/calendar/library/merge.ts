import type { Database } from '../../db/database.ts';
import type { LinkKind } from '../../db/tables/calendar.ts';
import type { RequestContext } from '../../http/core/endpoint.ts';
import { invalidParam } from '../../http/core/errors.ts';
import { checkRevision } from '../../http/core/revisions.ts';
import { addSeconds, toUtc } from '../../lib/dates/dates.ts';
import type { AuditedRecord } from '../../platform/audit/kind.ts';
import { logChanges } from '../../platform/audit/log.ts';
import { joinTexts, type RecordTexts, textsOf } from '../../platform/translations/rules.ts';
import { findTranslations } from '../../platform/translations/store.ts';
import { findFormerSlugs } from '../posts/former-slugs.ts';
import { withImage } from '../posts/post.ts';
import type { Choice, Mergeable, MergeContext, MergeKind, Snapshot } from './merge-kind.ts';
import { countEvents, moveLinks } from './merge-links.ts';
import { lockMerges } from './merged-records.ts';

/** Merges records: one takes over others of its kind, with their events, the texts that it lacks, and their URLs. */

/** Seconds during which a merge can be undone. */
export const UNDO_SECONDS = 600;

export interface MergeRequest {
  survivorId: number;
  from: readonly number[];
  /** Fields of the survivor to set. */
  choice?: Choice;
  isDryRun: boolean;
}

interface MergedRecord {
  id: number;
  title: string;
  /** Number of events linked to it. */
  events: number;
  /** Number of its child categories. */
  children: number;
}

export interface MergeResult {
  /** null for a dry run. */
  merge: number | null;
  kind: LinkKind;
  survivor: number;
  merged: MergedRecord[];
  /** Number of events linked to any of them. */
  events: number;
  undo_until_utc: string | null;
}

/**
 * Merges records in one transaction; a dry run only reports the effects.
 * @throws {InvalidParams} naming `id` or `from` if a record is gone
 * @throws {ApiError} for records in the trash
 * @throws {OutdatedRevision}
 */
export const mergeRecords = <T extends Mergeable>(
  kind: MergeKind<T>,
  request: MergeRequest,
  ctx: RequestContext,
): Promise<MergeResult> =>
  withImage(request.isDryRun ? {} : (request.choice?.references ?? {}), ctx, (image) =>
    ctx.context.db.transaction(async (db) => {
      await lockMerges(db);
      await kind.lock(db, [request.survivorId, ...request.from]);
      const survivor = await getRecord(kind, { db, name: 'id' }, request.survivorId);
      checkRevision(ctx, survivor);
      const merged = await Promise.all(request.from.map((id) => getRecord(kind, { db, name: 'from' }, id)));
      const result = await describe(kind, { db, ctx }, { survivor, merged });
      if (request.isDryRun) return { ...result, merge: null, undo_until_utc: null };
      const choice = request.choice && { ...request.choice, image };
      const touched = await withChildren(kind, db, [survivor, ...merged]);
      // The steps of the merge are logged together.
      const { actor, ...unlogged } = ctx;
      const merge = await logChanges(db, actor, touched, () =>
        run(kind, { db, ctx: unlogged }, { survivor, merged, choice }),
      );
      return { ...result, merge, undo_until_utc: addSeconds(toUtc(ctx.now), UNDO_SECONDS) };
    }),
  );

async function getRecord<T extends Mergeable>(
  kind: MergeKind<T>,
  { db, name }: { db: Database; name: string },
  id: number,
): Promise<T> {
  const record = await kind.find(db, id);
  if (!record) throw invalidParam(name, 'param.term_unknown');
  kind.check(record);
  return record;
}

/** Records and their children, for the audit log. */
export async function withChildren<T extends Mergeable>(
  kind: MergeKind<T>,
  db: Database,
  records: readonly Pick<T, 'id'>[],
): Promise<AuditedRecord[]> {
  const ids = new Set<number>();
  for (const { id } of records) for (const affected of [id, ...(await kind.childrenOf(db, id))]) ids.add(affected);
  return [...ids].map((id) => ({ kind: kind.audited, id }));
}

interface Records<T> {
  survivor: T;
  merged: readonly T[];
}

async function describe<T extends Mergeable>(
  kind: MergeKind<T>,
  { db }: MergeContext,
  { survivor, merged }: Records<T>,
) {
  const records: MergedRecord[] = [];
  for (const record of merged)
    records.push({
      id: record.id,
      title: kind.titleOf(record),
      events: await countEvents(db, kind.name, [record.id]),
      children: (await kind.childrenOf(db, record.id)).length,
    });
  const ids = merged.map(({ id }) => id);
  return { kind: kind.name, survivor: survivor.id, merged: records, events: await countEvents(db, kind.name, ids) };
}

async function run<T extends Mergeable>(
  kind: MergeKind<T>,
  context: MergeContext,
  { survivor, merged, choice }: Records<T> & { choice?: Parameters<MergeKind<T>['change']>[2] },
): Promise<number> {
  const { db, ctx } = context;
  const before = await snapshotOf(kind, db, survivor);
  const snapshots: Snapshot<T>[] = [];
  for (const record of merged) snapshots.push(await snapshotOf(kind, db, record));
  const mergeId = await insertMerge(context, { kind: kind.name, survivor, snapshots });
  await takeTexts(kind, db, { survivor, before, snapshots });
  for (const record of merged) {
    await kind.announce(db, record.id);
    await moveLinks(db, { mergeId, kind: kind.name, from: record.id, to: survivor.id });
    // An earlier merge of this request may have moved the record or the survivor within the tree.
    await kind.retire(context, await reread(kind, db, record), await reread(kind, db, survivor));
    await recordMerged(db, { kind: kind.name, id: record.id }, { survivorId: survivor.id, mergeId });
  }
  if (choice) await kind.change({ db, ctx }, await reread(kind, db, survivor), choice);
  await kind.recount(db, [survivor.id]);
  const { revision } = await reread(kind, db, survivor);
  await db.query
    .updateTable('merges')
    .set({ survivor: JSON.stringify({ ...before, revision }) })
    .where('id', '=', mergeId)
    .execute();
  return mergeId;
}

const reread = <T extends Mergeable>(kind: MergeKind<T>, db: Database, { id }: T): Promise<T> =>
  getRecord(kind, { db, name: 'id' }, id);

const snapshotOf = async <T extends Mergeable>(kind: MergeKind<T>, db: Database, record: T): Promise<Snapshot<T>> => ({
  record,
  translations: await findTranslations(db, { kind: kind.name, id: record.id }),
  formerSlugs: await findFormerSlugs(db, { kind: kind.name, id: record.id }),
  children: await kind.childrenOf(db, record.id),
});

async function insertMerge<T extends Mergeable>(
  { db, ctx }: MergeContext,
  { kind, survivor, snapshots }: { kind: LinkKind; survivor: T; snapshots: readonly Snapshot<T>[] },
): Promise<number> {
  const { id } = await db.query
    .insertInto('merges')
    .values({
      kind,
      survivor_id: survivor.id,
      user_id: ctx.viewer.account?.id ?? 0,
      made_utc: toUtc(ctx.now),
      survivor: '',
      merged: JSON.stringify(snapshots),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Gives the survivor the texts of merged records in languages where it has none. */
async function takeTexts<T extends Mergeable>(
  kind: MergeKind<T>,
  db: Database,
  { survivor, before, snapshots }: { survivor: T; before: Snapshot<T>; snapshots: readonly Snapshot<T>[] },
): Promise<void> {
  const textsIn = ({ record, translations }: Snapshot<T>): RecordTexts => ({
    own: textsOf(kind.name, record),
    translations,
  });
  const own = textsIn(before);
  const joined = snapshots.map(textsIn).reduce(joinTexts, own);
  const isChanged = joined.translations.length > 0 && JSON.stringify(joined) !== JSON.stringify(own);
  if (isChanged) await kind.replaceTexts(db, survivor, joined);
}

/** Redirects writes that name a merged record, or a record merged into it earlier, to the survivor. */
async function recordMerged(
  { query }: Database,
  { kind, id }: { kind: LinkKind; id: number },
  { survivorId, mergeId }: { survivorId: number; mergeId: number },
): Promise<void> {
  await query
    .updateTable('merged_records')
    .set({ survivor_id: survivorId })
    .where('kind', '=', kind)
    .where('survivor_id', '=', id)
    .execute();
  const row = { kind, record_id: id, survivor_id: survivorId, merge_id: mergeId };
  await query
    .insertInto('merged_records')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'record_id']).doUpdateSet(row))
    .execute();
}
