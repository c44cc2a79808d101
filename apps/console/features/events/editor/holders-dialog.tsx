import { useState } from 'react';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogBox } from '../../../ui/dialog-box.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { t } from '../routes.ts';

interface HoldersDialogProps {
  event: Event;
  kind: 'cancelled' | 'moved';
  /** Does it, with the note. */
  onAct: (note: string) => void;
  onClose: () => void;
}

/** Says how many people hold a ticket before an event is cancelled or moved, and asks for the note that they will read. */
export function HoldersDialog({ event, kind, onAct, onClose }: HoldersDialogProps) {
  const [note, setNote] = useState(event.event_status_reason ?? '');
  const { attendance, ticketed } = event;
  const count = attendance?.total_attendees ?? 0;
  const isCancelled = kind === 'cancelled';
  return (
    <DialogBox
      title={t(isCancelled ? 'acts.cancel_title' : 'acts.move_title')}
      onClose={onClose}
      actions={
        <Button look={isCancelled ? 'bad' : 'primary'} onPress={() => onAct(note)}>
          {t(isCancelled ? 'acts.cancel' : 'acts.move')}
        </Button>
      }
    >
      {count > 0 && <p>{t('acts.holders', { count })}</p>}
      {/* Who may not read attendees is not told how many there are. */}
      {!attendance && ticketed && <p>{t('acts.some_holders')}</p>}
      <p>{t(isCancelled ? 'acts.cancel_text' : 'acts.move_text')}</p>
      <TextField label={t('acts.note')} hint={t('acts.note_hint')} value={note} onChange={setNote} rows={3} autoFocus />
    </DialogBox>
  );
}

/** Whether people hold tickets of an event, or may. */
export const hasHolders = ({ attendance, ticketed }: Event): boolean =>
  attendance ? attendance.total_attendees > 0 : Array.isArray(ticketed) && ticketed.length > 0;
