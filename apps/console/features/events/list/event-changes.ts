import type { BatchCall, Event } from '../../../../../packages/client/src/marquee-client.ts';
import { callAll } from '../../../../client/batch.ts';
import type { BulkState } from '../../../../client/bulk.ts';
import { refresh } from '../../../data/queries.ts';
import { toast } from '../../../ui/toast.tsx';
import { t } from '../routes.ts';

export const changeCall = (id: number, body: Record<string, unknown>): BatchCall => ({
  method: 'PATCH',
  path: `/calendar/events/v1/events/${id}`,
  body,
});

/** What the toast of a bulk act says. */
export type Done = 'trashed' | 'published' | 'drafted' | 'copied' | 'categorised';

/** Says what a run did, and how all of it is taken back. `undoOf` gets a row as it was, and the answer to its change. */
export async function settle(
  done: Done,
  { changed, answers }: BulkState<Event>,
  undoOf: (row: Event, answer: Event) => BatchCall,
): Promise<void> {
  await refresh('/events/v1/events');
  if (changed.length === 0) return;
  const undo = async () => {
    try {
      // Each answer is the event after its change.
      await callAll(changed.map((row, index) => undoOf(row, answers[index] as Event)));
    } finally {
      await refresh('/events/v1/events');
    }
  };
  toast(t(done, { count: changed.length }), { undo });
}
