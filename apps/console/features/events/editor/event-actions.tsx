import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Event, Input } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { hasRight, useMe } from '../../../data/account.ts';
import { useAction } from '../../../data/actions.ts';
import { isPublished } from '../../../data/post-rights.ts';
import { refresh } from '../../../data/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { useShortcut } from '../../../ui/shortcuts.ts';
import { toast, toastProblem } from '../../../ui/toast.tsx';
import { t } from '../routes.ts';
import type { EditedEvent } from './editor-section.tsx';
import { HoldersDialog } from './holders-dialog.tsx';

type Change = Omit<Input<'PATCH /events/v1/events/{id}'>, 'id'>;

/** Changes an event; with a revision, only if it has not changed since. */
async function write(id: number, changes: Change, revision?: number): Promise<Event> {
  try {
    return await call('PATCH /events/v1/events/{id}', { id, ...changes }, revision === undefined ? {} : { revision });
  } finally {
    await refresh('/events/v1/events');
  }
}

/** Changes an event and offers to undo that. Resolves to whether it succeeded. */
async function change(id: number, changes: Change, done: string, undo: Change): Promise<boolean> {
  try {
    const { revision } = await write(id, changes);
    // Keep later changes by others.
    toast(done, { undo: () => write(id, undo, revision) });
    return true;
  } catch (error) {
    toastProblem(error);
    return false;
  }
}

/** Actions on a whole event, around the link to its page. They save unsaved changes first. */
export function EventActions({ edited: { record, save }, children }: { edited: EditedEvent; children: ReactNode }) {
  const { id, event_status = 'scheduled', event_status_reason = '' } = record;
  const navigate = useNavigate();
  const mayPublish = hasRight(useMe(), 'publish');
  const [isCancelling, setCancelling] = useState(false);
  const isPublic = isPublished(record.status);
  // Status of the record.
  const status = record.status as NonNullable<Change['status']>;
  const first = mayPublish ? 'publish' : 'pending';
  const isWaiting = !isPublic && status !== first;
  const release = async () => {
    if (isWaiting && (await save())) await change(id, { status: first }, t(`new.done.${first}`), { status });
  };
  useShortcut('Mod+Enter', t(`acts.${first}`), () => void release());
  const trash = async () => {
    if (!(await save())) return;
    const isDone = await change(id, { status: 'trash' }, t('trashed', { count: 1 }), { status });
    if (isDone) await navigate({ to: '/events' });
  };
  const cancel = async (note: string) => {
    setCancelling(false);
    if (!(await save())) return;
    const cancelled = { event_status: 'cancelled', event_status_reason: note } as const;
    await change(id, cancelled, t('acts.cancelled'), { event_status, event_status_reason });
  };
  return (
    <>
      {isWaiting && (
        <Button look="primary" onPress={() => void release()}>
          {t(`acts.${first}`)}
        </Button>
      )}
      {children}
      <Duplicate id={id} save={save} />
      {isPublic && event_status !== 'cancelled' && (
        <Button onPress={() => setCancelling(true)}>{t('acts.cancel')}</Button>
      )}
      <Button icon="trash" onPress={() => void trash()}>
        {t('trash')}
      </Button>
      {isCancelling && (
        <HoldersDialog
          event={record}
          kind="cancelled"
          onAct={(note) => void cancel(note)}
          onClose={() => setCancelling(false)}
        />
      )}
    </>
  );
}

/** Copies an event and its tickets as a draft, and opens the copy. */
function Duplicate({ id, save }: { id: number; save: () => Promise<boolean> }) {
  const navigate = useNavigate();
  const mayCopyTickets = hasRight(useMe(), 'manage_own_tickets', 'manage_tickets');
  const copy = async () => {
    if (!(await save())) return;
    const created = await call('POST /admin/v1/events/{id}/duplicate', { id, with_tickets: mayCopyTickets });
    await refresh('/events/v1/events');
    toast(t('acts.duplicated'));
    await navigate({ to: '/events/$id', params: { id: String(created.id) } });
  };
  const duplicate = useAction(copy, { onError: toastProblem });
  return (
    <Button icon="copy" isDisabled={duplicate.isPending} onPress={() => duplicate.run()}>
      {t('acts.duplicate')}
    </Button>
  );
}
