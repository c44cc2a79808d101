import { useNavigate } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import type { Event, Input, Series } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { useMe, useRight } from '../../../data/account.ts';
import { useAction } from '../../../data/actions.ts';
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
import { useTellHolders } from './tell-holders.tsx';

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
  /** Change that undoes it; undefined if it cannot be undone. */
  undo: Change | undefined;
  scope: Scope;
}

/** Changes an event, or several of its series, and offers to undo that. Resolves to false if the user declines. */
async function change(
  id: number,
  { changes, done, undo, scope }: Changing,
  send: ReturnType<typeof useScope>['send'],
): Promise<boolean> {
  const scoped = scope === 'this' ? {} : { scope };
  const written = await send((isConfirmed) =>
    write(id, { ...changes, ...scoped, ...(isConfirmed && { confirm_holders: true }) }),
  );
  if (!written) return false;
  // Keep later changes by others. A series that was divided stays so.
  const back = { ...undo, ...scoped, ...(scope === 'all' && { confirm_holders: true }) };
  toast(done, scope === 'following' || !undo ? {} : { undo: () => write(id, back, written.revision) });
  return true;
}

/** Moves several events of a series to the trash, and offers to undo that. Resolves to false if the user declines. */
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
  } finally {
    await refresh('/events/v1/', { gone: id });
  }
}

/** Restores the events that a series has lost, unless the series has changed since. */
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

/** Publishes a draft or submits it for review. Saves unsaved changes first, and asks the user where needed. */
function useRelease({ record, save }: EditedEvent) {
  const { id } = record;
  const navigate = useNavigate();
  const mayPublish = useRight('publish');
  const status = record.status as NonNullable<Change['status']>;
  const first: 'publish' | 'pending' = mayPublish ? 'publish' : 'pending';
  const isWaiting = !isPublished(record.status) && status !== first;
  const [mayPublishUnsold, saleQuestion] = useSaleWarning();
  const { ask, send, question: scopeQuestion } = useScope(record);
  const release = async () => {
    if (!isWaiting || !(await save())) return;
    if (mayPublish && !(await mayPublishUnsold([record]))) return;
    const scope = await ask(first);
    if (!scope) return;
    const changes: Change = { status: first };
    const isDone = await change(id, { changes, done: t(`new.done.${first}`), undo: { status }, scope }, send);
    const search = { just: 'publish' } as const;
    if (isDone && mayPublish) await navigate({ to: '/events/$id', params: { id: String(id) }, search, replace: true });
  };
  const { run } = useAction(release, { onError: toastProblem });
  useShortcut('Mod+Enter', t(`acts.${first}`), () => run());
  const question = (
    <>
      {saleQuestion}
      {scopeQuestion}
    </>
  );
  return { first, isWaiting, release: run, question };
}

/** Moves an event, or several of its series, to the trash. Saves unsaved changes first. */
function useTrash({ record, save }: EditedEvent) {
  const navigate = useNavigate();
  const status = record.status as NonNullable<Change['status']>;
  const { ask, send, question } = useScope(record);
  const trash = async () => {
    if (!(await save())) return;
    const scope = await ask('trash');
    if (!scope) return;
    const changing = {
      changes: { status: 'trash' } as Change,
      done: t('trashed', { count: 1 }),
      undo: { status },
      scope,
    };
    const isDone = scope === 'this' ? await change(record.id, changing, send) : await trashSeries(record, scope, send);
    if (isDone) await navigate({ to: '/events' });
  };
  const { run } = useAction(trash, { onError: toastProblem });
  return { trash: run, question };
}

interface Stop {
  kind: 'cancelled' | 'postponed';
  notice: Change;
  scope: Scope;
  /** Number of holders that get a mail. */
  told: number;
}

/** Cancels or postpones an event, or several of its series. Saves unsaved changes first. */
function useStop({ record, save }: EditedEvent) {
  const { id, event_status = 'scheduled', event_status_reason = '', sale_stays_open = false } = record;
  const { send, question } = useScope(record);
  const tellHolders = useTellHolders(record);
  const stop = async ({ kind, notice, scope, told }: Stop) => {
    if (!(await save())) return;
    // Mails cannot be recalled.
    const undo = told > 0 ? undefined : { event_status, event_status_reason, sale_stays_open };
    const changes = { event_status: kind, ...notice };
    const isDone = await change(id, { changes, done: t(`acts.${kind}`), undo, scope }, send);
    if (isDone && told > 0) await tellHolders(kind, told);
  };
  const { run } = useAction(stop, { onError: toastProblem });
  return { stop: run, question };
}

/** Actions on a whole event, around the link to its page. They save unsaved changes first. */
export function EventActions({ edited, children }: { edited: EditedEvent; children: ReactNode }) {
  const { first, isWaiting, release, question: releaseQuestion } = useRelease(edited);
  const { trash, question: trashQuestion } = useTrash(edited);
  return (
    <>
      {isWaiting && (
        <Button look="primary" onPress={() => release()}>
          {t(`acts.${first}`)}
        </Button>
      )}
      {children}
      <Copying edited={edited} />
      <Stopping edited={edited} />
      <Button icon="trash" onPress={() => trash()}>
        {t('trash')}
      </Button>
      {releaseQuestion}
      {trashQuestion}
    </>
  );
}

/** Copies an event to other days, or makes it the first of a series. */
function Copying({ edited: { record, save } }: { edited: EditedEvent }) {
  const me = useMe();
  const [asked, setAsked] = useState<'duplicate' | 'repeat'>();
  const mayRepeat = mayManageTickets(me, record) || !record.ticketed;
  const ask = async (act: 'duplicate' | 'repeat') => {
    if (await save()) setAsked(act);
  };
  const close = () => setAsked(undefined);
  return (
    <>
      <Button icon="copy" onPress={() => void ask('duplicate')}>
        {t('acts.duplicate')}
      </Button>
      {!record.series && mayRepeat && (
        <Button icon="calendar" onPress={() => void ask('repeat')}>
          {t('acts.repeat')}
        </Button>
      )}
      {asked === 'repeat' && (
        <Suspense fallback={null}>
          <RepeatDialog event={record} onClose={close} />
        </Suspense>
      )}
      {asked === 'duplicate' && <DuplicateDialog event={record} onClose={close} />}
    </>
  );
}

/** Cancels or postpones a published event, with a note for the ticket holders. */
function Stopping({ edited }: { edited: EditedEvent }) {
  const { record } = edited;
  const { event_status = 'scheduled', sale_stays_open = false } = record;
  const [asked, setAsked] = useState<Stop['kind']>();
  const { stop, question } = useStop(edited);
  const isPublic = isPublished(record.status);
  return (
    <>
      {isPublic && event_status !== 'cancelled' && event_status !== 'postponed' && (
        <Button onPress={() => setAsked('postponed')}>{t('acts.postpone')}</Button>
      )}
      {isPublic && event_status !== 'cancelled' && (
        <Button onPress={() => setAsked('cancelled')}>{t('acts.cancel')}</Button>
      )}
      {question}
      {asked && (
        <HoldersDialog
          event={record}
          kind={asked}
          isSaleOpen={sale_stays_open}
          onAct={(notice, scope, told) => {
            setAsked(undefined);
            stop({ kind: asked, notice, scope, told });
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
