import type { Merge } from '../../../../packages/client/src/marquee-client.ts';
import type { LinkedPlural } from '../../../../src/lib/linked-kinds.ts';
import { call } from '../../../client/call.ts';
import { isProblem } from '../../../client/problem.ts';
import { contentLanguage } from '../../data/content-language.ts';
import { queries, refresh } from '../../data/queries.ts';
import { addRecentMerge, forgetRecentMerge } from '../../data/recent-merges.ts';
import { toast } from '../../ui/toast.tsx';
import type { MergeRequest } from './merge-dialog.tsx';

/** Kinds of records that can be merged, by their paths. */
export type MergedKind = LinkedPlural | 'categories' | 'tags';

interface Merged {
  id: number;
  revision?: number;
}

const bodyOf = ({ survivor, from, fields }: MergeRequest<Merged>) => ({
  id: survivor.id,
  from: from.map(({ id }) => id),
  ...(Object.keys(fields).length > 0 && { fields }),
});

const APART = 'to merge';

/**
 * A query of the records of a merge that `refresh` does not invalidate: the dialog still shows them when they no longer
 * exist. A refused merge reads them again.
 */
export const toMerge = <O extends { queryKey: readonly unknown[] }>(query: O): O => ({
  ...query,
  queryKey: [APART, ...query.queryKey],
  staleTime: 0,
  gcTime: 0,
});

/** Counts the records that a merge would move. */
export const previewMerge =
  (kind: MergedKind) =>
  (request: MergeRequest<Merged>): Promise<Merge> =>
    call(`POST /admin/v1/${kind}/{id}/merge`, { ...bodyOf(request), dry_run: true });

/** Merges records and offers to undo that. After a refusal the lists are read again. */
export async function merge(
  kind: MergedKind,
  request: MergeRequest<Merged>,
  textOf: (done: Merge) => string,
): Promise<void> {
  const language = contentLanguage();
  const options = { revision: request.survivor.revision, ...(language !== undefined && { language }) };
  try {
    const done = await call(`POST /admin/v1/${kind}/{id}/merge`, bodyOf(request), options);
    const [id, text] = [Number(done.merge), textOf(done)];
    addRecentMerge({ id, kind, text });
    toast(text, { undo: () => undoMerge(kind, id) });
  } catch (error) {
    await queries.invalidateQueries({ queryKey: [APART] });
    throw error;
  } finally {
    await refreshMerged(kind);
  }
}

/** Undoes a merge unless it is undone already. A final merge is no longer offered. */
export async function undoMerge(kind: MergedKind, id: number): Promise<void> {
  try {
    await call('POST /admin/v1/merges/{id}/undo', { id });
    forgetRecentMerge(id);
  } catch (error) {
    if (isProblem(error, 'merge-final', 'merge-not-found')) forgetRecentMerge(id);
    if (!isProblem(error, 'merge-not-found')) throw error;
  } finally {
    await refreshMerged(kind);
  }
}

const refreshMerged = (kind: MergedKind): Promise<unknown> =>
  Promise.all([`/admin/v1/${kind}`, `/events/v1/${kind}`, '/events/v1/events'].map((path) => refresh(path)));
