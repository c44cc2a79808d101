import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { BatchCall, EventStock, ListedAttendee } from '../../../../packages/client/src/marquee-client.ts';
import { callAll } from '../../../client/batch.ts';
import { useBatch } from '../../data/bulk-action.ts';
import { read as readOf, refresh } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { EventPicker } from '../../shared/pickers/record-picker.tsx';
import { Button } from '../../ui/button.tsx';
import { DialogBox } from '../../ui/dialog-box.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { Failure } from '../../ui/states.tsx';
import { BulkReport } from '../../ui/table/bulk-bar.tsx';
import type { RowSource, Selection } from '../../ui/table/selection.ts';
import { toast } from '../../ui/toast.tsx';
import { t } from './routes.ts';

const moveCall = (id: number, ticket_id: number): BatchCall => ({
  method: 'POST',
  path: `/calendar/admin/v1/attendees/${id}/move`,
  body: { ticket_id },
});

interface MoveProps {
  /** Event of the attendees; undefined if they are of several. */
  event: number | undefined;
  selection: Selection<ListedAttendee>;
  onClose: () => void;
}

/** Moves attendees to another ticket, of their event or of another one. */
export function MoveDialog({ event: former, selection: { count, read, clear }, onClose }: MoveProps) {
  const [event, setEvent] = useState(former);
  const isOn = event !== undefined;
  const { data, error, refetch } = useQuery(readOf('GET /admin/v1/events/{id}/stock', { id: event ?? 0 }, { isOn }));
  const [chosen, setChosen] = useState('');
  const ticket = Number(chosen);
  const target = data?.tickets.find(({ ticket_id }) => ticket_id === ticket);
  const close = () => {
    clear();
    onClose();
  };
  const { move, start } = useMove(read, ticket, close);
  if (move.run) return <BulkReport bulk={move} nameOf={({ full_name }) => full_name} onClose={close} />;
  return (
    <DialogBox
      title={t('move.title', { count })}
      onClose={onClose}
      actions={
        target && (
          <Button look="primary" onPress={() => void start()}>
            {t('move.start')}
          </Button>
        )
      }
    >
      <EventPicker
        label={t('event')}
        value={event}
        onChange={(next) => {
          setEvent(next ?? former);
          setChosen('');
        }}
      />
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <SelectField
        label={t('ticket')}
        value={chosen}
        onChange={setChosen}
        choices={[{ value: '', label: t('move.choose') }, ...(data?.tickets ?? []).map(choiceOf)]}
        hint={t('move.hint')}
      />
      {target && event !== undefined && (
        <MovePreview count={count} event={event} isOther={event !== former} target={target} />
      )}
    </DialogBox>
  );
}

type OfferedTicket = EventStock['tickets'][number];

const choiceOf = ({ ticket_id: id, title, available }: OfferedTicket) => ({
  value: String(id),
  label: available < 0 ? title : t('move.left', { title, count: available }),
});

/** Moves attendees with other tickets to a ticket, and offers to undo the move. */
function useMove(read: RowSource<ListedAttendee>, ticket: number, onMoved: () => void) {
  const move = useBatch(({ id }: ListedAttendee) => moveCall(id, ticket));
  const others: RowSource<ListedAttendee> = async (options) =>
    (await read(options)).filter(({ ticket_id }) => ticket_id !== ticket);
  const start = () =>
    move.start(t('move'), others, async ({ changed, of }) => {
      const undo = () =>
        callAll(changed.map(({ id, ticket_id }) => moveCall(id, ticket_id))).finally(() => void refresh('/admin/v1/'));
      await refresh('/admin/v1/');
      if (changed.length > 0) toast(t('moved', { count: changed.length }), { undo });
      if (changed.length === of) onMoved();
    });
  return { move, start };
}

interface PreviewProps {
  count: number;
  event: number;
  /** Whether the move changes the event. */
  isOther: boolean;
  target: OfferedTicket;
}

/** Preview of a move, in numbers. */
function MovePreview({ count, event, isOther, target: { title, available } }: PreviewProps) {
  const { data, error, refetch } = useQuery(readOf('GET /events/v1/events/{id}', { id: event }));
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  if (!data) return null;
  const lacking = available < 0 ? 0 : Math.max(0, count - available);
  return (
    <div role="status">
      <ul className="move-preview">
        <li>{t('move.to', { count, title, event: data.title, when: when.span(data) })}</li>
        {available >= 0 && lacking === 0 && <li>{t('move.then', { count: available - count })}</li>}
        {lacking > 0 && <li>{t('move.lacking', { count: lacking })}</li>}
        {isOther && <li>{t('move.anew')}</li>}
      </ul>
    </div>
  );
}
