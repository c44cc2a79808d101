import type { BatchCall } from '../../../../packages/client/src/marquee-client.ts';
import { callAll, ifUnchanged } from '../../../client/batch.ts';
import type { BulkState } from '../../../client/bulk.ts';
import { refresh } from '../../data/queries.ts';
import { toast } from '../../ui/toast.tsx';
import type { Kind, Row } from './kinds.ts';
import { t } from './routes.ts';

/** Fields of a record that actions need. */
export type Target = Pick<Row, 'id' | 'name' | 'status' | 'revision' | 'events'>;

const pathOf = (kind: Kind, id: number): string => `/calendar/events/v1/${kind}/${id}`;

export const statusCall = (kind: Kind, status: string, row: Target): BatchCall =>
  ifUnchanged({ method: 'PATCH', path: pathOf(kind, row.id), body: { status } }, row);

/** Deletes for good. */
export const deleteCall = (kind: Kind, row: Target): BatchCall =>
  ifUnchanged({ method: 'DELETE', path: pathOf(kind, row.id), body: { force: true } }, row);

/** Refreshes the records and the events that use them. */
export const refreshLinked = (kind: Kind): Promise<unknown> =>
  Promise.all([`/admin/v1/${kind}`, `/events/v1/${kind}`, '/events/v1/events'].map((path) => refresh(path)));

/** Restored records become drafts, since the trash does not keep their status. */
export const RESTORED = 'draft';

type Done = 'trashed' | 'restored';

/** Reports a bulk action and offers to undo it, unless events have lost a record for good. */
export async function settle(kind: Kind, done: Done, { changed, answers }: BulkState<Target>): Promise<void> {
  await refreshLinked(kind);
  if (changed.length === 0) return;
  const undo = async () => {
    try {
      await callAll(
        changed.map((row, index) =>
          // Each response is the changed record.
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
