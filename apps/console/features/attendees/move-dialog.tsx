import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BatchCall, ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import { callAll } from '../../../client/batch.ts';
import { read as readOf, refresh } from '../../data/queries.ts';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { BulkReport, useBatch } from '../../ui/table/bulk-bar.tsx';
import type { RowSource, Selection } from '../../ui/table/selection.ts';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

const moveCall = (id: number, ticket_id: number): BatchCall => ({
  method: 'POST',
  path: `/calendar/admin/v1/attendees/${id}/move`,
  body: { ticket_id },
});

interface MoveProps {
  event: number;
  /** Attendees of the event. */
  selection: Selection<ListedAttendee>;
  onClose: () => void;
}

/** Moves attendees to another ticket of their event. */
export function MoveDialog({ event, selection: { count, read, clear }, onClose }: MoveProps) {
  const { data } = useQuery(readOf('GET /admin/v1/events/{id}/stock', { id: event }));
  const [chosen, setChosen] = useState('');
  const ticket = Number(chosen);
  const move = useBatch(({ id }: ListedAttendee) => moveCall(id, ticket));
  const choices = (data?.tickets ?? []).map(({ ticket_id: id, title, available }) => ({
    value: String(id),
    label: available < 0 ? title : t('move.left', { title, count: available }),
  }));
  const close = () => {
    clear();
    onClose();
  };
  const others: RowSource<ListedAttendee> = async (options) =>
    (await read(options)).filter(({ ticket_id }) => ticket_id !== ticket);
  const start = () =>
    move.start(t('move'), others, async ({ changed, of }) => {
      const undo = () =>
        callAll(changed.map(({ id, ticket_id }) => moveCall(id, ticket_id))).finally(() => void refresh('/admin/v1/'));
      await refresh('/admin/v1/');
      if (changed.length > 0) toast(t('moved', { count: changed.length }), { undo });
      if (changed.length === of) close();
    });
  if (move.run) return <BulkReport bulk={move} nameOf={({ full_name }) => full_name} onClose={close} />;
  return (
    <DialogBox
      title={t('move.title', { count })}
      onClose={onClose}
      actions={
        chosen !== '' && (
          <Button look="primary" onPress={() => void start()}>
            {t('move.start')}
          </Button>
        )
      }
    >
      <SelectField
        label={t('ticket')}
        value={chosen}
        onChange={setChosen}
        choices={[{ value: '', label: t('move.choose') }, ...choices]}
        hint={t('move.hint')}
      />
    </DialogBox>
  );
}
