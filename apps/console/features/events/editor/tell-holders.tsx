import { type ReactNode, useState } from 'react';
import { isPublished } from '../../../data/post-rights.ts';
import { type Consequence, consequenceOf } from './consequence.ts';
import type { EditedEvent } from './editor-section.tsx';
import { HoldersDialog, hasHolders } from './holders-dialog.tsx';

interface Asked {
  kind: Consequence;
  answer: (isSaved: boolean | Promise<boolean>) => void;
}

/** The event in its form, whose saving first asks for a note if it concerns people who hold a ticket; and that question. */
export function useTellingHolders(edited: EditedEvent): { edited: EditedEvent; question: ReactNode } {
  const [asked, setAsked] = useState<Asked>();
  const { record, changed, values, field } = edited;
  const isPublic = isPublished(record.status) && hasHolders(record);
  const save = () => {
    const kind = isPublic ? consequenceOf(changed, values) : undefined;
    return kind ? new Promise<boolean>((answer) => setAsked({ kind, answer })) : edited.save();
  };
  const act = (note: string) => {
    field('event_status_reason').onChange(note);
    if (asked?.kind === 'moved' && values.event_status === 'scheduled') field('event_status').onChange('rescheduled');
    asked?.answer(edited.save());
    setAsked(undefined);
  };
  const close = () => {
    asked?.answer(false);
    setAsked(undefined);
  };
  const question = asked && <HoldersDialog event={record} kind={asked.kind} onAct={act} onClose={close} />;
  return { edited: { ...edited, save }, question };
}
