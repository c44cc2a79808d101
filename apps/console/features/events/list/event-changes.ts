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

/** Keys of the messages about a bulk action. */
export type Done = 'trashed' | 'published' | 'drafted' | 'copied' | 'categorised' | 'edited';

/** Reports a bulk action and offers to undo it. `undoOf` gets a row before the change, and the response. */
export async function settle(
  done: Done,
  { changed, answers }: BulkState<Event>,
  undoOf: (row: Event, answer: Event) => BatchCall,
): Promise<void> {
  await refresh('/events/v1/events');
  if (changed.length === 0) return;
  const undo = async () => {
    try {
      // Each response is the changed event.
      await callAll(changed.map((row, index) => undoOf(row, answers[index] as Event)));
    } finally {
      await refresh('/events/v1/events');
    }
  };
  toast(t(done, { count: changed.length }), { undo });
}
