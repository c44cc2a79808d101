import type { BatchCall, ListedOrder } from '../../../../packages/client/src/marquee-client.ts';
import { orderNumber } from '../../../../src/lib/order-number.ts';
import { callAll, ifUnchanged } from '../../../client/batch.ts';
import type { BulkState } from '../../../client/bulk.ts';
import { useRight } from '../../data/account.ts';
import { useBatch } from '../../data/bulk-action.ts';
import { refresh } from '../../data/queries.ts';
import { MANAGES_ATTENDEES } from '../../data/rights.ts';
import { Button } from '../../ui/button.tsx';
import { BulkBar, BulkReport } from '../../ui/table/bulk-bar.tsx';
import type { RowSource, Selection } from '../../ui/table/selection.ts';
import { toast } from '../../ui/toast.tsx';
import { STATUSES } from './order-filters.tsx';
import { t } from './routes.ts';

const statusCall = (id: number, status: string): BatchCall => ({
  method: 'PATCH',
  path: `/calendar/admin/v1/orders/${id}`,
  body: { status },
});

const isOpen = ({ status }: ListedOrder): boolean => STATUSES.open.includes(status);

/** Marks the selected orders that await payment as paid. */
export function OrderBulkActions({ selection }: { selection: Selection<ListedOrder> }) {
  const { rows, count, isAll, clear, read } = selection;
  const mayUndo = useRight(...MANAGES_ATTENDEES);
  const complete = useBatch(({ id }: ListedOrder) => statusCall(id, 'completed'));
  // If all matches are selected, only the rows of this page are known.
  const open = isAll ? count : rows.filter(isOpen).length;
  const label = isAll ? t('complete.all') : t('complete', { count: open });
  const openOnes: RowSource<ListedOrder> = async (options) => (await read(options)).filter(isOpen);
  const after = async ({ changed, answers, of }: BulkState<ListedOrder>) => {
    const undo = async () => {
      try {
        // Each response is the changed order.
        const now = answers as readonly ListedOrder[];
        await callAll(changed.map(({ id, status }, index) => ifUnchanged(statusCall(id, status), now[index] ?? {})));
      } finally {
        await refresh('/admin/v1/');
      }
    };
    clear();
    await refresh('/admin/v1/');
    if (changed.length > 0) toast(t('completed', { count: changed.length }), mayUndo ? { undo } : {});
    else if (of === 0) toast(t('complete.none'));
  };
  return (
    <>
      <BulkBar count={count} onClear={clear} all={selection}>
        {open > 0 ? (
          <Button icon="check" onPress={() => void complete.start(label, openOnes, after)}>
            {label}
          </Button>
        ) : (
          <span className="soft">{t('complete.none')}</span>
        )}
      </BulkBar>
      <BulkReport bulk={complete} nameOf={({ id, purchaser }) => `${orderNumber(id)} ${purchaser.name}`} />
    </>
  );
}
