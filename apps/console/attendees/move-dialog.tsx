import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ListedAttendee } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { read, refresh } from '../frame/queries.ts';
import { toast } from '../frame/toast-store.ts';
import { BulkReport, useBulk } from '../parts/bulk-bar.tsx';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import { SelectField } from '../parts/native-field.tsx';
import { t } from './texts.ts';

interface MoveProps {
  /** Attendees of one event. */
  rows: readonly ListedAttendee[];
  onClose: () => void;
  onDone: () => void;
}

/** Asks to which other ticket of their event attendees are moved. */
export function MoveDialog({ rows, onClose, onDone }: MoveProps) {
  const event = rows[0]?.event_id ?? 0;
  const { data } = useQuery(read('GET /admin/v1/events/{id}/stock', { id: event }));
  const [chosen, setChosen] = useState('');
  const ticket_id = Number(chosen);
  const move = useBulk(({ id }: ListedAttendee) => call('POST /admin/v1/attendees/{id}/move', { id, ticket_id }));
  const choices = (data?.tickets ?? []).map(({ ticket_id: id, title, available }) => ({
    value: String(id),
    label: available < 0 ? title : t('move.left', { title, count: available }),
  }));
  const start = async () => {
    const { changed } = await move.start(t('move'), rows);
    const undo = async () => {
      for (const row of changed)
        await call('POST /admin/v1/attendees/{id}/move', { id: row.id, ticket_id: row.ticket_id });
      await refresh('/admin/v1/');
    };
    await refresh('/admin/v1/');
    if (changed.length > 0) toast(t('moved', { count: changed.length }), { undo });
    if (changed.length < rows.length) return;
    onClose();
    onDone();
  };
  if (move.run) return <BulkReport bulk={move} nameOf={({ full_name }) => full_name} />;
  return (
    <DialogBox
      title={t('move.title', { count: rows.length })}
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
