import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import { orderNumber } from '../../../../src/lib/order-number.ts';
import { sendBatch } from '../../../client/batch.ts';
import { runBulk } from '../../../client/bulk.ts';
import { isProblem } from '../../../client/problem.ts';
import { useBatch } from '../../data/bulk-action.ts';
import { refresh } from '../../data/queries.ts';
import { money } from '../../i18n/formats.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { TextField } from '../../ui/fields.tsx';
import { describe, Failure, RowsLoading } from '../../ui/states.tsx';
import { BulkReport } from '../../ui/table/bulk-bar.tsx';
import type { Selection } from '../../ui/table/selection.ts';
import { toast } from '../../ui/toast.tsx';
import {
  type CancellationPlan,
  type CancellationSum,
  cancelCall,
  type OrderPlaces,
  planCancellation,
  sumCancellation,
} from './cancellation.ts';
import { t } from './routes.ts';

interface CancelProps {
  selection: Selection<ListedAttendee>;
  onClose: () => void;
}

const nameOf = ({ id, attendees }: OrderPlaces): string =>
  `${orderNumber(id)} ${attendees.map(({ full_name }) => full_name).join(', ')}`;

/** Cancels seats, after showing the consequences in numbers. */
export function CancelDialog({ selection, onClose }: CancelProps) {
  const [reason, setReason] = useState('');
  const { data, error, refetch, progress } = useCancellation(selection);
  const said = reason.trim();
  const cancel = useBatch((order: OrderPlaces) => cancelCall(order, said ? { reason: said } : {}));
  const places = data?.places ?? 0;
  const close = () => {
    selection.clear();
    onClose();
  };
  const start = (orders: readonly OrderPlaces[]) =>
    cancel.start(t('cancel.orders', { count: orders.length }), orders, async (state) => {
      const done = sumCancellation(state).places;
      await refresh('/admin/v1/');
      if (done > 0) toast(t('cancelled', { count: done }));
      if (state.changed.length === state.of) close();
    });
  if (cancel.run) return <BulkReport bulk={cancel} nameOf={nameOf} onClose={close} />;
  return (
    <DialogBox
      title={t('cancel.title')}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t(data && places === 0 ? 'cancel.close' : 'cancel.leave')}</Button>
          {data && places > 0 && (
            <Button look="bad" onPress={() => void start(data.orders)}>
              {t('cancel', { count: places })}
            </Button>
          )}
        </>
      }
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Counting {...progress} />}
      {data && <Consequences {...data} />}
      {places > 0 && (
        <TextField
          label={t('cancel.reason')}
          value={reason}
          onChange={setReason}
          hint={t('cancel.reason_hint')}
          maxLength={500}
        />
      )}
    </DialogBox>
  );
}

function Counting({ done, of }: { done: number; of: number }) {
  if (done === 0) return <RowsLoading rows={2} />;
  return (
    <>
      <p>{t('cancel.counting')}</p>
      <progress value={done} max={of} aria-label={t('cancel.counting')} />
    </>
  );
}

/** Consequences, and the seats that cannot be cancelled with the reasons. */
function Consequences(sum: CancellationPlan & CancellationSum) {
  const { places, voided, paid, archived, inside, rsvps } = sum;
  const amount = [...paid].map(([currency, minor]) => money(minor, currency)).join(' + ');
  const refused = new Map<string, number>();
  for (const { error, places: some } of sum.refused)
    refused.set(describe(error), (refused.get(describe(error)) ?? 0) + some);
  const happens = [
    t(places > 0 ? 'cancel.gives_back' : 'cancel.none', { count: places }),
    voided > 0 && t('cancel.voids', { count: voided }),
    amount && t('cancel.paid', { amount }),
    places > 0 && t('cancel.final'),
  ];
  const stays = [
    archived > 0 && t('cancel.archived', { count: archived }),
    inside > 0 && t('cancel.inside', { count: inside }),
    rsvps > 0 && t('cancel.replies', { count: rsvps }),
    ...[...refused].map(([why, count]) => t('cancel.refused', { count, why })),
  ];
  return (
    <div className="cancel-sum" role="status">
      <Sentences lines={happens} />
      <Sentences lines={stays} look="soft" />
    </div>
  );
}

function Sentences({ lines, look = '' }: { lines: readonly (string | false)[]; look?: 'soft' | '' }) {
  if (!lines.some(Boolean)) return null;
  return <ul className={`consequences ${look}`}>{lines.map((line) => line && <li key={line}>{line}</li>)}</ul>;
}

/** Sums up the server's preview of cancelling the selected seats of each order. */
function useCancellation({ ids, isAll, read }: Selection<ListedAttendee>) {
  const [progress, setAsked] = useState({ done: 0, of: 0 });
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
  return { ...query, progress };
}
