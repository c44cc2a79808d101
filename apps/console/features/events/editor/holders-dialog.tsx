import { type ReactNode, useState } from 'react';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { isPublished } from '../../../data/post-rights.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogBox } from '../../../ui/dialog-box.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { t } from '../routes.ts';
import { type Consequence, consequenceOf } from './consequence.ts';
import type { EditedEvent } from './editor-section.tsx';

interface HoldersDialogProps {
  event: Event;
  kind: 'cancelled' | 'moved';
  /** Runs the action with the note. */
  onAct: (note: string) => void;
  onClose: () => void;
}

/** Asks before an event with ticket holders is cancelled or moved: shows their number, and takes a note for them. */
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

/** Whether an event has ticket holders, as far as the account may know. */
const hasHolders = ({ attendance, ticketed }: Event): boolean =>
  attendance ? attendance.total_attendees > 0 : Array.isArray(ticketed) && ticketed.length > 0;

interface Asked {
  kind: Consequence;
  answer: (isSaved: boolean | Promise<boolean>) => void;
}

/** The edited event, whose save first asks for a note if the change concerns ticket holders, and that dialog. */
export function useTellingHolders(edited: EditedEvent): { edited: EditedEvent; question: ReactNode } {
  const [query, setAsked] = useState<Asked>();
  const { record, changed, values, field } = edited;
  const isPublic = isPublished(record.status) && hasHolders(record);
  const save = () => {
    const kind = isPublic ? consequenceOf(changed, values) : undefined;
    return kind ? new Promise<boolean>((answer) => setAsked({ kind, answer })) : edited.save();
  };
  const act = (note: string) => {
    field('event_status_reason').onChange(note);
    if (query?.kind === 'moved' && values.event_status === 'scheduled') field('event_status').onChange('rescheduled');
    query?.answer(edited.save());
    setAsked(undefined);
  };
  const close = () => {
    query?.answer(false);
    setAsked(undefined);
  };
  const question = query && <HoldersDialog event={record} kind={query.kind} onAct={act} onClose={close} />;
  return { edited: { ...edited, save }, question };
}
