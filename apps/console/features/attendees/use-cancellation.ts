import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import { sendBatch } from '../../../client/batch.ts';
import { runBulk } from '../../../client/bulk.ts';
import { isProblem } from '../../../client/problem.ts';
import type { Selection } from '../../ui/table/selection.ts';
import { cancelCall, planCancellation, sumCancellation } from './cancellation.ts';

/** What cancelling the places of a selection would do, by the server's own preview of each order. */
export function useCancellation({ ids, isAll, read }: Selection<ListedAttendee>) {
  const [asked, setAsked] = useState({ done: 0, of: 0 });
  const query = useQuery({
    queryKey: ['cancellation', isAll, ...ids],
    queryFn: async ({ signal }) => {
      const plan = planCancellation(await read({ signal, onProgress: () => undefined }));
      const state = await runBulk(plan.orders, {
        callOf: (order) => cancelCall(order, { dry_run: true }),
        signal,
        onProgress: ({ tried: done, of }) => setAsked({ done, of }),
        send: sendBatch,
      });
      const lost = state.failed.find(({ error }) => isProblem(error, 'offline'));
      if (lost) throw lost.error;
      return { ...plan, ...sumCancellation(state) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return { ...query, asked };
}
