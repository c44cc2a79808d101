import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { isPublished } from '../../../data/post-rights.ts';
import { peopleOf } from '../../../shared/events/people.ts';
import { Button } from '../../../ui/button.tsx';
import { DialogBox } from '../../../ui/dialog-box.tsx';
import { Switch, TextField } from '../../../ui/fields.tsx';
import { toast } from '../../../ui/toast.tsx';
import type { Scope } from '../repeat/scope-choice.tsx';
import { HeldDialog, useScope } from '../repeat/use-scope.tsx';
import { t } from '../routes.ts';
import { type Consequence, consequenceOf } from './consequence.ts';
import type { EditedEvent } from './editor-section.tsx';
import { TellSwitch, useRecipients, useTellHolders } from './tell-holders.tsx';

const ScopeChoice = lazy(async () => ({ default: (await import('../repeat/scope-choice.tsx')).ScopeChoice }));

/** Notice for holders: a note, and for a postponed event whether its sale stays open. */
interface Notice {
  event_status_reason: string;
  sale_stays_open?: boolean;
}

/** Answer to the question: the note, the events that change, and the number of holders who get a mail about it. */
type Answer = (notice: Notice, scope: Scope, told: number) => void;

interface HoldersDialogProps {
  event: Event;
  kind: Consequence;
  /** Whether the sale of a postponed event stays open at first. */
  isSaleOpen: boolean;
  /** Whether no other event of the series can change with it, since its day does. */
  isAlone?: boolean;
  onAct: Answer;
  onClose: () => void;
}

const TEXTS = {
  cancelled: { title: 'acts.cancel_title', act: 'acts.cancel', text: 'acts.cancel_text' },
  postponed: { title: 'acts.postpone_title', act: 'acts.postpone', text: 'acts.postpone_text' },
  moved: { title: 'acts.move_title', act: 'acts.move', text: 'acts.move_text' },
} as const;

/** Asks before an event is cancelled, postponed or moved: shows the number of ticket holders, and takes a note for them. */
export function HoldersDialog({ event, kind, isSaleOpen, isAlone, onAct, onClose }: HoldersDialogProps) {
  const [scope, setScope] = useState<Scope>('this');
  const [note, setNote] = useState(event.event_status_reason ?? '');
  const [staysOpen, setStaysOpen] = useState(isSaleOpen);
  const [isTelling, setTelling] = useState(true);
  const recipients = useRecipients(event, kind);
  const told = isTelling && scope === 'this' ? (recipients ?? 0) : 0;
  const { attendance, ticketed } = event;
  const count = peopleOf(event);
  const { title, act, text } = TEXTS[kind];
  const asksForSale = kind === 'postponed' && Boolean(ticketed);
  return (
    <DialogBox
      title={t(title)}
      onClose={onClose}
      actions={
        <Button
          look={kind === 'cancelled' ? 'bad' : 'primary'}
          onPress={() =>
            onAct({ event_status_reason: note, ...(asksForSale && { sale_stays_open: staysOpen }) }, scope, told)
          }
        >
          {t(kind === 'moved' && told > 0 ? 'acts.move_tell' : act)}
        </Button>
      }
    >
      {count > 0 && <p>{t('acts.holders', { count })}</p>}
      {/* Users who may not read attendees do not learn their number. */}
      {!attendance && ticketed && <p>{t('acts.some_holders')}</p>}
      <p>{t(text)}</p>
      {event.series && (
        <Suspense fallback={null}>
          <ScopeChoice event={event} value={scope} onChange={setScope} isAlone={isAlone} />
        </Suspense>
      )}
      <TextField label={t('acts.note')} hint={t('acts.note_hint')} value={note} onChange={setNote} rows={3} autoFocus />
      {asksForSale && (
        <Switch isSelected={staysOpen} onChange={setStaysOpen}>
          {t('field.sale_stays_open')}
        </Switch>
      )}
      <TellSwitch recipients={recipients} scope={scope} isSelected={isTelling} onChange={setTelling} />
    </DialogBox>
  );
}

/** Whether an event has ticket holders, as far as the account may know. */
export const hasHolders = ({ attendance, ticketed }: Event): boolean =>
  attendance ? peopleOf({ attendance }) > 0 : Array.isArray(ticketed) && ticketed.length > 0;

interface Asked {
  kind: Consequence;
  answer: (isSaved: boolean | Promise<boolean>) => void;
}

/** Fields that every event of a series has of its own, or that are part of a save only. */
const OWN: ReadonlySet<string> = new Set(['slug', 'date', 'moves_sales', 'scope', 'confirm_holders']);

/**
 * The edited event with the dialogs of its save: which events of its series change, and a note if the change concerns
 * ticket holders.
 */
export function useTellingHolders(saved: EditedEvent): { edited: EditedEvent; question: ReactNode } {
  const [query, setAsked] = useState<Asked>();
  const { record, values, field } = saved;
  const changed = saved.changed.filter((name) => name !== 'scope' && name !== 'confirm_holders');
  const isAlone = values.start_date.slice(0, 10) !== record.start_date.slice(0, 10);
  const { ask, question: scopeQuestion } = useScope(record);
  const tellHolders = useTellHolders(record);
  const saveFor = (scope: Scope) => {
    field('scope').onChange(scope);
    // A confirmation is for one save, though it is kept with the changes if that fails.
    field('confirm_holders').onChange(false);
    return saved.save();
  };
  const saveAndTell = async (kind: Consequence, scope: Scope, told: number) => {
    const isSaved = await saveFor(scope);
    if (isSaved) await tellHolders(kind, told);
    return isSaved;
  };
  const save = async () => {
    const kind = isPublished(record.status) ? consequenceOf(changed, values) : undefined;
    // The sale of a postponed event also concerns visitors without tickets.
    const isAsked = kind === 'postponed' ? Boolean(record.ticketed) : hasHolders(record);
    if (kind && (isAsked || record.series)) return new Promise<boolean>((answer) => setAsked({ kind, answer }));
    if (changed.every((name) => OWN.has(name))) return saveFor('this');
    const scope = await ask('save', isAlone);
    return scope !== undefined && saveFor(scope);
  };
  const act: Answer = ({ event_status_reason, sale_stays_open }, scope, told) => {
    field('event_status_reason').onChange(event_status_reason);
    if (sale_stays_open !== undefined) field('sale_stays_open').onChange(sale_stays_open);
    if (query?.kind === 'moved' && values.event_status === 'scheduled') field('event_status').onChange('rescheduled');
    query?.answer(told > 0 ? saveAndTell(query.kind, scope, told) : saveFor(scope));
    setAsked(undefined);
  };
  const close = () => {
    query?.answer(false);
    setAsked(undefined);
  };
  const question = (
    <>
      {query && (
        <HoldersDialog
          event={record}
          isSaleOpen={values.sale_stays_open}
          kind={query.kind}
          isAlone={isAlone}
          onAct={act}
          onClose={close}
        />
      )}
      {scopeQuestion}
      <HeldSave edited={saved} />
    </>
  );
  return { edited: { ...saved, changed, save }, question };
}

/** Question after the refusal of a save because people hold tickets for events of the series. */
function HeldSave({ edited: { problem, status, field, save } }: { edited: EditedEvent }) {
  if (status !== 'refused' || problem?.code !== 'series-has-holders') return null;
  const confirm = async () => {
    field('confirm_holders').onChange(true);
    if (await save()) toast(t('series.saved'));
    else field('confirm_holders').onChange(false);
  };
  return (
    <Suspense fallback={null}>
      <HeldDialog problem={problem} onConfirm={() => void confirm()} onClose={() => field('scope').onChange('this')} />
    </Suspense>
  );
}
