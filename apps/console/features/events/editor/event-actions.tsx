import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Event, Input, Series } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { hasRight, useMe } from '../../../data/account.ts';
import { isPublished, mayManageTickets } from '../../../data/post-rights.ts';
import { readNow, refresh } from '../../../data/queries.ts';
import { Button } from '../../../ui/button.tsx';
import { useShortcut } from '../../../ui/shortcuts.ts';
import { toast, toastProblem } from '../../../ui/toast.tsx';
import { DuplicateDialog } from '../duplicate-dialog.tsx';
import type { Scope } from '../repeat/scope-choice.tsx';
import { useScope } from '../repeat/use-scope.tsx';
import { t } from '../routes.ts';
import { useSaleWarning } from '../sale-warning.tsx';
import type { EditedEvent } from './editor-section.tsx';
import { HoldersDialog } from './holders-dialog.tsx';
import { tellHolders } from './tell-holders.tsx';

const RepeatDialog = lazy(async () => ({ default: (await import('../repeat/repeat-dialog.tsx')).RepeatDialog }));

type Change = Omit<Input<'PATCH /events/v1/events/{id}'>, 'id'>;

/** Changes an event; with a revision, only if it has not changed since. */
async function write(id: number, changes: Change, revision?: number): Promise<Event> {
  try {
    return await call('PATCH /events/v1/events/{id}', { id, ...changes }, revision === undefined ? {} : { revision });
  } finally {
    await refresh('/events/v1/');
  }
}

interface Changing {
  changes: Change;
  /** Message of the success. */
  done: string;
  /** Change that takes it back; undefined if nothing can. */
  undo: Change | undefined;
  scope: Scope;
}

/** Changes an event, or several of its series, and offers to undo that. Resolves to whether it succeeded. */
async function change(
  id: number,
  { changes, done, undo, scope }: Changing,
  send: ReturnType<typeof useScope>['send'],
): Promise<boolean> {
  const scoped = scope === 'this' ? {} : { scope };
  try {
    const written = await send((isConfirmed) =>
      write(id, { ...changes, ...scoped, ...(isConfirmed && { confirm_holders: true }) }),
    );
    if (!written) return false;
    // Keep later changes by others. A series that was divided stays so.
    const back = { ...undo, ...scoped, ...(scope === 'all' && { confirm_holders: true }) };
    toast(done, scope === 'following' || !undo ? {} : { undo: () => write(id, back, written.revision) });
    return true;
  } catch (error) {
    toastProblem(error);
    return false;
  }
}

/** Moves several events of a series to the trash, and offers to undo that. Resolves to whether it succeeded. */
async function trashSeries(
  { id, series }: Event,
  scope: Exclude<Scope, 'this'>,
  send: ReturnType<typeof useScope>['send'],
): Promise<boolean> {
  try {
    const before = await readNow('GET /events/v1/series/{id}', { id: series?.id ?? 0 });
    const trashed = await send((confirm_holders) =>
      call('DELETE /events/v1/events/{id}', { id, scope, ...(confirm_holders && { confirm_holders }) }),
    );
    if (!trashed) return false;
    const { status, revision } = await readNow('GET /events/v1/series/{id}', { id: before.id });
    toast(t(`series.trashed.${scope}`), { undo: () => restoreSeries(before, { status, revision }) });
    return true;
  } catch (error) {
    return failed(error);
  } finally {
    await refresh('/events/v1/', { gone: id });
  }
}

/** Brings back the events that a series has lost, unless the series has changed since. */
async function restoreSeries(
  { id, recurrence }: Series,
  { status, revision = 0 }: Pick<Series, 'status' | 'revision'>,
): Promise<void> {
  const { rrule, rdates, exdates } = recurrence;
  const former = status === 'trash' ? { status: 'publish' as const } : { recurrence: { rrule, rdates, exdates } };
  try {
    await call('PATCH /events/v1/series/{id}', { id, ...former }, { revision });
  } finally {
    await refresh('/events/v1/');
  }
}

function failed(error: unknown): false {
  toastProblem(error);
  return false;
}

/** Changes of the status of an event. They save unsaved changes first, and ask the user where needed. */
function useStatusChanges({ record, save }: EditedEvent) {
  const { id, event_status = 'scheduled', event_status_reason = '', sale_stays_open = false } = record;
  const navigate = useNavigate();
  const me = useMe();
  const mayPublish = hasRight(me, 'publish');
  // Status of the record.
  const status = record.status as NonNullable<Change['status']>;
  const first: 'publish' | 'pending' = mayPublish ? 'publish' : 'pending';
  const isWaiting = !isPublished(record.status) && status !== first;
  const [mayPublishUnsold, question] = useSaleWarning();
  const { ask, send, question: scopeQuestion } = useScope(record);
  const release = async () => {
    if (!isWaiting || !(await save())) return;
    if (mayPublish && !(await mayPublishUnsold([record]).catch(failed))) return;
    const scope = await ask(first);
    if (!scope) return;
    const changes: Change = { status: first };
    const changing = { changes, done: t(`new.done.${first}`), undo: { status }, scope };
    const isDone = await change(id, changing, send);
    const search = { just: 'publish' } as const;
    if (isDone && mayPublish) await navigate({ to: '/events/$id', params: { id: String(id) }, search, replace: true });
  };
  useShortcut('Mod+Enter', t(`acts.${first}`), () => void release());
  const trash = async () => {
    if (!(await save())) return;
    const scope = await ask('trash');
    if (!scope) return;
    const changes: Change = { status: 'trash' };
    const changing = {
      changes,
      done: t('trashed', { count: 1 }),
      undo: { status },
      scope,
    };
    const isDone = scope === 'this' ? await change(id, changing, send) : await trashSeries(record, scope, send);
    if (isDone) await navigate({ to: '/events' });
  };
  const stop = async (next: 'cancelled' | 'postponed', notice: Change, scope: Scope, told: number) => {
    if (!(await save())) return;
    // Mails cannot be taken back.
    const undo = told > 0 ? undefined : { event_status, event_status_reason, sale_stays_open };
    const changes = { event_status: next, ...notice };
    const isDone = await change(id, { changes, done: t(`acts.${next}`), undo, scope }, send);
    if (isDone && told > 0) await tellHolders(record, next, told);
  };
  const questions = (
    <>
      {question}
      {scopeQuestion}
    </>
  );
  return { first, isWaiting, release, trash, stop, questions };
}

/** Actions on a whole event, around the link to its page. They save unsaved changes first. */
export function EventActions({ edited, children }: { edited: EditedEvent; children: ReactNode }) {
  const { record, save } = edited;
  const { event_status = 'scheduled', sale_stays_open = false } = record;
  const me = useMe();
  const { first, isWaiting, release, trash, stop, questions } = useStatusChanges(edited);
  const [stopping, setStopping] = useState<'cancelled' | 'postponed'>();
  const [isCopying, setCopying] = useState(false);
  const [isRepeating, setRepeating] = useState(false);
  const askDays = async () => {
    if (await save()) setCopying(true);
  };
  const askRepeat = async () => {
    if (await save()) setRepeating(true);
  };
  const isPublic = isPublished(record.status);
  const mayRepeat = mayManageTickets(me, record) || !record.ticketed;
  return (
    <>
      {isWaiting && (
        <Button look="primary" onPress={() => void release()}>
          {t(`acts.${first}`)}
        </Button>
      )}
      {children}
      <Button icon="copy" onPress={() => void askDays()}>
        {t('acts.duplicate')}
      </Button>
      {!record.series && mayRepeat && (
        <Button icon="calendar" onPress={() => void askRepeat()}>
          {t('acts.repeat')}
        </Button>
      )}
      {isPublic && event_status !== 'cancelled' && event_status !== 'postponed' && (
        <Button onPress={() => setStopping('postponed')}>{t('acts.postpone')}</Button>
      )}
      {isPublic && event_status !== 'cancelled' && (
        <Button onPress={() => setStopping('cancelled')}>{t('acts.cancel')}</Button>
      )}
      <Button icon="trash" onPress={() => void trash()}>
        {t('trash')}
      </Button>
      {questions}
      {isRepeating && (
        <Suspense fallback={null}>
          <RepeatDialog event={record} onClose={() => setRepeating(false)} />
        </Suspense>
      )}
      {isCopying && <DuplicateDialog event={record} onClose={() => setCopying(false)} />}
      {stopping && (
        <HoldersDialog
          event={record}
          kind={stopping}
          isSaleOpen={sale_stays_open}
          onAct={(notice, scope, told) => {
            setStopping(undefined);
            void stop(stopping, notice, scope, told);
          }}
          onClose={() => setStopping(undefined)}
        />
      )}
    </>
  );
}
