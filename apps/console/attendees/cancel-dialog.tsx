import { useState } from 'react';
import type { BatchCall, ListedAttendee } from '../../../packages/client/src/marquee-client.ts';
import { refresh } from '../frame/queries.ts';
import { toast } from '../frame/toast-store.ts';
import { BulkReport, useBatch } from '../parts/bulk-bar.tsx';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import type { RowSource, Selection } from '../parts/selection.ts';
import { TextField } from '../parts/text-field.tsx';
import { t } from './texts.ts';

/** Each place by itself: a place that cannot be cancelled keeps no other one. */
const cancelCall = ({ id, order_id }: ListedAttendee, reason: string): BatchCall => ({
  method: 'POST',
  path: `/calendar/admin/v1/orders/${order_id}/cancel-places`,
  body: { attendees: [id], ...(reason && { reason }) },
});

const hasOrder = ({ order_id }: ListedAttendee): boolean => Boolean(order_id);

interface CancelProps {
  selection: Selection<ListedAttendee>;
  onClose: () => void;
}

/** Says what it means to cancel the places of attendees, and does it. */
export function CancelDialog({ selection: { count, rows, isAll, read, clear }, onClose }: CancelProps) {
  const [reason, setReason] = useState('');
  const cancel = useBatch((row: ListedAttendee) => cancelCall(row, reason.trim()));
  // Of all that the filters find, only the rows of this page are known before.
  const inside = isAll ? 0 : rows.filter(({ checked_in }) => checked_in).length;
  const replies = isAll ? 0 : rows.filter((row) => !hasOrder(row)).length;
  // Who has only replied has no order: another reply frees the place.
  const sold: RowSource<ListedAttendee> = async (options) => (await read(options)).filter(hasOrder);
  const close = () => {
    clear();
    onClose();
  };
  const start = () =>
    cancel.start(t('cancel', { count }), sold, async ({ changed, of }) => {
      await refresh('/admin/v1/');
      if (changed.length > 0) toast(t('cancelled', { count: changed.length }));
      if (changed.length === of) close();
    });
  if (cancel.run) return <BulkReport bulk={cancel} nameOf={({ full_name }) => full_name} onClose={close} />;
  return (
    <DialogBox
      title={t('cancel', { count })}
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{t('cancel.leave')}</Button>
          <Button look="bad" onPress={() => void start()}>
            {t('cancel', { count })}
          </Button>
        </>
      }
    >
      <ul className="consequences">
        <li>{t('cancel.gives_back', { count })}</li>
        <li>{t('cancel.no_money')}</li>
        {replies > 0 && <li>{t('cancel.replies', { count: replies })}</li>}
        {inside > 0 && <li>{t('cancel.inside', { count: inside })}</li>}
      </ul>
      <p className="soft">{t('cancel.final')}</p>
      <TextField
        label={t('cancel.reason')}
        value={reason}
        onChange={setReason}
        hint={t('cancel.reason_hint')}
        maxLength={500}
      />
    </DialogBox>
  );
}
