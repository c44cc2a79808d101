import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Event } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { hasRight, useMe } from '../frame/account.ts';
import { read, refresh } from '../frame/queries.ts';
import { toast } from '../frame/toast-store.ts';
import { Button } from '../parts/button.tsx';
import { DialogBox } from '../parts/dialog-box.tsx';
import { describe } from '../parts/states.tsx';
import { TextField } from '../parts/text-field.tsx';
import { t } from './texts.ts';

type Change = Omit<Parameters<typeof call<'PATCH /events/v1/events/{id}'>>[1] & object, 'id'>;

async function change(id: number, changes: Change, done: string, undo?: Change): Promise<void> {
  try {
    await call('PATCH /events/v1/events/{id}', { id, ...changes });
    await refresh('/events/v1/events');
    toast(done, undo && { undo: () => change(id, undo, t('acts.undone')) });
  } catch (error) {
    toast(describe(error), { tone: 'bad' });
  }
}

interface EventActsProps {
  event: Event;
  /** Saves what is typed first; whether it is saved. */
  save: () => Promise<boolean>;
}

/** What can be done with an event as a whole. */
export function EventActs({ event, save }: EventActsProps) {
  const { id, status, event_status = 'scheduled' } = event;
  const me = useMe();
  const [isCancelling, setCancelling] = useState(false);
  const isPublic = status === 'publish' || status === 'future' || status === 'private';
  // Taken from the record.
  const before = { status: status as 'publish' };
  const set = async (next: 'publish' | 'draft' | 'trash', done: string) => {
    if (await save()) await change(id, { status: next }, done, before);
  };
  return (
    <div className="acts">
      {!isPublic && hasRight(me, 'publish') && (
        <Button look="primary" onPress={() => void set('publish', t('published', { count: 1 }))}>
          {t('publish')}
        </Button>
      )}
      {hasRight(me, 'edit') && <Duplicate event={event} save={save} />}
      {isPublic && event_status !== 'cancelled' && (
        <Button onPress={() => setCancelling(true)}>{t('acts.cancel')}</Button>
      )}
      {status !== 'trash' && (
        <Button icon="trash" onPress={() => void set('trash', t('trashed', { count: 1 }))}>
          {t('trash')}
        </Button>
      )}
      {isCancelling && <CancelDialog event={event} onClose={() => setCancelling(false)} save={save} />}
    </div>
  );
}

/** Copies an event with its tickets as a draft, and opens the copy. */
function Duplicate({ event: { id }, save }: EventActsProps) {
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const mayCopyTickets = hasRight(useMe(), 'manage_own_tickets', 'manage_tickets');
  const run = async () => {
    setBusy(true);
    try {
      if (!(await save())) return;
      const copy = await call('POST /admin/v1/events/{id}/duplicate', { id, with_tickets: mayCopyTickets });
      await refresh('/events/v1/events');
      toast(t('acts.duplicated'));
      await navigate({ to: '/events/$id', params: { id: String(copy.id) } });
    } catch (error) {
      toast(describe(error), { tone: 'bad' });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button icon="copy" isDisabled={isBusy} onPress={() => void run()}>
      {t('acts.duplicate')}
    </Button>
  );
}

/** Says how many people hold a ticket, and asks for the note that they will read. */
function CancelDialog({ event, onClose, save }: EventActsProps & { onClose: () => void }) {
  const { id, event_status = 'scheduled', event_status_reason = '' } = event;
  const [note, setNote] = useState(event_status_reason);
  const { data } = useQuery(read('GET /events/v1/events/{id}', { id }));
  const holders = data?.attendance?.total_attendees;
  const cancel = async () => {
    onClose();
    if (!(await save())) return;
    const before = { event_status, event_status_reason };
    await change(id, { event_status: 'cancelled', event_status_reason: note }, t('acts.cancelled'), before);
  };
  return (
    <DialogBox
      title={t('acts.cancel_title')}
      onClose={onClose}
      actions={
        <Button look="bad" onPress={() => void cancel()}>
          {t('acts.cancel')}
        </Button>
      }
    >
      <p>{holders === undefined ? t('acts.cancel_text') : t('acts.holders', { count: holders })}</p>
      <TextField label={t('acts.note')} hint={t('acts.note_hint')} value={note} onChange={setNote} rows={3} />
    </DialogBox>
  );
}
