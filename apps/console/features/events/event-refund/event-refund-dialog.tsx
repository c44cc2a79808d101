import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventRefunds } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { useAction } from '../../../data/actions.ts';
import { queries, read, refresh } from '../../../data/queries.ts';
import { money } from '../../../i18n/formats.ts';
import { textsOf } from '../../../i18n/texts.ts';
import { amountsOf } from '../../../shared/orders/sales.ts';
import { TextField } from '../../../ui/fields.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { FormProblem, RowsLoading } from '../../../ui/states.tsx';
import { toast } from '../../../ui/toast.tsx';
import type en from './locales/en.json';

export const t = textsOf<typeof en>('event-refund');

/** Amounts, one for each currency. */
export const sum = (amounts: EventRefunds['left']['sums']): string => amountsOf({ amounts }, money);

/** Refunds the orders of a cancelled event, after the server's preview of the orders, places and sums. */
export function EventRefundDialog({ event: id, onClose }: { event: number; onClose: () => void }) {
  const [reason, setReason] = useState('');
  const preview = useQuery({
    queryKey: ['event refund', id],
    queryFn: () => call('POST /admin/v1/events/{id}/refunds', { id, dry_run: true }),
    staleTime: 0,
    gcTime: 0,
  });
  const start = useAction(() => call('POST /admin/v1/events/{id}/refunds', { id, ...(reason && { reason }) }), {
    onSuccess: (progress) => {
      queries.setQueryData(read('GET /admin/v1/events/{id}/refunds', { id }).queryKey, progress);
      void refresh('/admin/v1/orders');
      onClose();
      toast(t('started'));
    },
  });
  const { left, by_hand } = preview.data ?? {};
  return (
    <FormDialog
      title={t('ask')}
      action={t('start')}
      cancel={t('leave')}
      isPending={start.isPending}
      isDisabled={!left || left.orders === 0}
      onSubmit={() => start.run()}
      onClose={onClose}
    >
      <FormProblem error={start.error ?? preview.error ?? undefined} fields={['reason']} />
      <div role="status">
        {!left && !preview.error && <RowsLoading rows={3} />}
        {left && (
          <ul className="consequences">
            <li>{t('orders', { count: left.orders })}</li>
            <li>{t('places', { count: left.places })}</li>
            {left.at_services.length > 0 && <li>{t('at_services', { sum: sum(left.at_services) })}</li>}
            {left.offline.length > 0 && <li>{t('offline', { sum: sum(left.offline) })}</li>}
            {by_hand && by_hand.count > 0 && <li>{t('by_hand.left', { count: by_hand.count })}</li>}
          </ul>
        )}
      </div>
      <TextField label={t('reason')} value={reason} onChange={setReason} hint={t('reason.hint')} maxLength={200} />
      <p className="soft">{t('final')}</p>
    </FormDialog>
  );
}
