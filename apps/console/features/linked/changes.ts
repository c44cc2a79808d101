import type { BatchCall } from '../../../../packages/client/src/marquee-client.ts';
import { callAll, ifUnchanged } from '../../../client/batch.ts';
import type { BulkState } from '../../../client/bulk.ts';
import { refresh } from '../../data/queries.ts';
import { toast } from '../../ui/toast.tsx';
import type { Kind, Row } from './kinds.ts';
import { t } from './routes.ts';

/** What the acts on a record need of it. */
export type Target = Pick<Row, 'id' | 'name' | 'status' | 'revision' | 'events'>;

const pathOf = (kind: Kind, id: number): string => `/calendar/events/v1/${kind}/${id}`;

export const statusCall = (kind: Kind, status: string, row: Target): BatchCall =>
  ifUnchanged({ method: 'PATCH', path: pathOf(kind, row.id), body: { status } }, row);

/** Deletes for good. */
export const deleteCall = (kind: Kind, row: Target): BatchCall =>
  ifUnchanged({ method: 'DELETE', path: pathOf(kind, row.id), body: { force: true } }, row);

/** Has the records read anew, and the events that name them. */
export const refreshLinked = (kind: Kind): Promise<unknown> =>
  Promise.all([`/admin/v1/${kind}`, `/events/v1/${kind}`, '/events/v1/events'].map((path) => refresh(path)));

/** Restored records are drafts, as the trash does not tell what they were. */
export const RESTORED = 'draft';

type Done = 'trashed' | 'restored';

/** Says what a run did, and how it is taken back: not where events have lost a record, which they would not get back. */
export async function settle(kind: Kind, done: Done, { changed, answers }: BulkState<Target>): Promise<void> {
  await refreshLinked(kind);
  if (changed.length === 0) return;
  const undo = async () => {
    try {
      await callAll(
        changed.map((row, index) =>
          // Each answer is the record after its change.
          statusCall(kind, row.status, { ...row, revision: (answers[index] as { revision?: number }).revision }),
        ),
      );
    } finally {
      await refreshLinked(kind);
    }
  };
  const isLost = done === 'trashed' && changed.some(({ events }) => events > 0);
  toast(
    t(done === 'trashed' ? `trashed.${kind}` : `restored.${kind}`, { count: changed.length }),
    isLost ? {} : { undo },
  );
}
