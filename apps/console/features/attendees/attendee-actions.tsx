import { useState } from 'react';
import type { BatchCall, ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import { callAll } from '../../../client/batch.ts';
import type { BulkState } from '../../../client/bulk.ts';
import { useRight } from '../../data/account.ts';
import { useBatch } from '../../data/bulk-action.ts';
import { refresh } from '../../data/queries.ts';
import { CHECKS_IN, MANAGES_ATTENDEES } from '../../data/rights.ts';
import { Button } from '../../ui/button.tsx';
import { BulkBar, BulkReport } from '../../ui/table/bulk-bar.tsx';
import type { Selection } from '../../ui/table/selection.ts';
import { toast } from '../../ui/toast.tsx';
import { CancelDialog } from './cancel-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { t } from './routes.ts';

const checkIn = ({ id }: ListedAttendee, isIn: boolean): BatchCall => ({
  method: 'PATCH',
  path: `/calendar/tickets/v1/attendees/${id}`,
  body: { check_in: isIn },
});

const refreshAll = async () => {
  await Promise.all([refresh('/admin/v1/attendees'), refresh('/admin/v1/reports/attendance')]);
};

interface AttendeeActionsProps {
  selection: Selection<ListedAttendee>;
  /** Event of the list; undefined if it shows several. */
  event: number | undefined;
}

/** Actions on the selected attendees. */
export function AttendeeActions({ selection, event }: AttendeeActionsProps) {
  const { rows, count, isAll, clear, read } = selection;
  const mayCheckIn = useRight(...CHECKS_IN);
  const mayManage = useRight(...MANAGES_ATTENDEES);
  const [isMoving, setMoving] = useState(false);
  const [isCancelling, setCancelling] = useState(false);
  const enter = useBatch((row: ListedAttendee) => checkIn(row, true));
  const leave = useBatch((row: ListedAttendee) => checkIn(row, false));
  const after = async ({ changed }: BulkState<ListedAttendee>, isIn: boolean) => {
    const undo = () => callAll(changed.map((row) => checkIn(row, !isIn))).finally(() => void refreshAll());
    clear();
    await refreshAll();
    if (changed.length > 0) toast(t(isIn ? 'checked_in' : 'checked_out', { count: changed.length }), { undo });
  };
  // If all matches are selected, only the rows of this page are known.
  const events = isAll ? [] : [...new Set(rows.map(({ event_id }) => event_id))];
  const ofOne = event ?? (events.length === 1 ? events[0] : undefined);
  return (
    <>
      <BulkBar count={count} onClear={clear} all={selection}>
        {mayManage && <Button onPress={() => setCancelling(true)}>{t('cancel.title')}</Button>}
        {mayManage && <Button onPress={() => setMoving(true)}>{t('move')}</Button>}
        {mayCheckIn && (
          <Button onPress={() => void leave.start(t('check_out'), read, (state) => after(state, false))}>
            {t('check_out')}
          </Button>
        )}
        {mayCheckIn && (
          <Button icon="check" onPress={() => void enter.start(t('check_in'), read, (state) => after(state, true))}>
            {t('check_in')}
          </Button>
        )}
      </BulkBar>
      <BulkReport bulk={enter} nameOf={({ full_name }) => full_name} />
      <BulkReport bulk={leave} nameOf={({ full_name }) => full_name} />
      {isCancelling && <CancelDialog selection={selection} onClose={() => setCancelling(false)} />}
      {isMoving && <MoveDialog event={ofOne} selection={selection} onClose={() => setMoving(false)} />}
    </>
  );
}
