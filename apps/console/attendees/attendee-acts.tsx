import { useState } from 'react';
import type { BatchCall, ListedAttendee } from '../../../packages/client/src/marquee-client.ts';
import { callBatch } from '../../client/batch.ts';
import { useRight } from '../frame/account.ts';
import { refresh } from '../frame/queries.ts';
import { toast } from '../frame/toast-store.ts';
import { BulkBar, BulkReport, useBatch } from '../parts/bulk-bar.tsx';
import { Button } from '../parts/button.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { t } from './texts.ts';

const checkIn = ({ id }: ListedAttendee, isIn: boolean): BatchCall => ({
  method: 'PATCH',
  path: `/calendar/tickets/v1/attendees/${id}`,
  body: { check_in: isIn },
});

const refreshAll = async () => {
  await Promise.all([refresh('/admin/v1/attendees'), refresh('/admin/v1/reports/attendance')]);
};

/** What can be done with the selected attendees. */
export function AttendeeActs({ rows, onDone }: { rows: readonly ListedAttendee[]; onDone: () => void }) {
  const mayCheckIn = useRight('check_in', 'manage_attendees');
  const mayManage = useRight('manage_attendees');
  const [isMoving, setMoving] = useState(false);
  const enter = useBatch((row: ListedAttendee) => checkIn(row, true));
  const leave = useBatch((row: ListedAttendee) => checkIn(row, false));
  const act = async (isIn: boolean) => {
    const { changed } = await (isIn ? enter.start(t('check_in'), rows) : leave.start(t('check_out'), rows));
    await refreshAll();
    onDone();
    const undo = async () => {
      const problems = await callBatch(changed.map((row) => checkIn(row, !isIn)));
      await refreshAll();
      const problem = problems.find(Boolean);
      if (problem) throw problem;
    };
    if (changed.length > 0) toast(t(isIn ? 'checked_in' : 'checked_out', { count: changed.length }), { undo });
  };
  const isOfOneEvent = new Set(rows.map(({ event_id }) => event_id)).size === 1;
  return (
    <>
      <BulkBar count={rows.length} onClear={onDone}>
        {mayManage && isOfOneEvent && <Button onPress={() => setMoving(true)}>{t('move')}</Button>}
        {mayCheckIn && <Button onPress={() => void act(false)}>{t('check_out')}</Button>}
        {mayCheckIn && (
          <Button icon="check" onPress={() => void act(true)}>
            {t('check_in')}
          </Button>
        )}
      </BulkBar>
      <BulkReport bulk={enter} nameOf={({ full_name }) => full_name} />
      <BulkReport bulk={leave} nameOf={({ full_name }) => full_name} />
      {isMoving && <MoveDialog rows={rows} onClose={() => setMoving(false)} onDone={onDone} />}
    </>
  );
}
