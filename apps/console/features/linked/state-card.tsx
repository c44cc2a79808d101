import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../../client/call.ts';
import type { Fields } from '../../../client/merge.ts';
import { todayIn } from '../../../client/when.ts';
import { useMe, useRight, useSite } from '../../data/account.ts';
import { useAction } from '../../data/actions.ts';
import { ANY_DATE } from '../../data/any-date.ts';
import { mayChange } from '../../data/post-rights.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import type { EditedRecord } from '../../shared/record/use-record.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toast, toastProblem } from '../../ui/toast.tsx';
import { refreshLinked, type Target } from './changes.ts';
import { eventsOf, type Kind, type Linked, nameOf, singularOf } from './kinds.ts';
import { t } from './routes.ts';
import { useTrash } from './use-trash.tsx';

/** Number of events that use a record, past and upcoming. */
const useEventCount = (kind: Kind, id: number) =>
  useQuery(
    read('GET /events/v1/events', {
      ...ANY_DATE,
      ...eventsOf(kind, id),
      status: ['any'],
      per_page: 1,
    }),
  ).data?.total;

interface StateCardProps<R, F> {
  kind: Kind;
  edited: EditedRecord<R, F>;
  onLeave: () => void;
}

/** Status of a record, with the actions on it. */
export function StateCard<R extends Linked, F extends Fields>({ kind, edited, onLeave }: StateCardProps<R, F>) {
  const { record, status, isDraft, changed } = edited;
  const me = useMe();
  const isInTrash = record.status === 'trash';
  const isSaving = status === 'saving' || (isDraft && changed.length > 0 && status === 'idle');
  return (
    <section className="form-section" aria-label={t('status')}>
      <p>
        <StatusBadge status={record.status} />
      </p>
      <SavedLine modified={record.modified} isSaving={isSaving} />
      <div className="linked-acts">
        {mayChange(me, record) && !isInTrash && <Publishing kind={kind} edited={edited} />}
        {record.status === 'publish' && (
          <a className="button" href={record.url} target="_blank" rel="noreferrer">
            <Icon name="open" />
            {t('page')}
          </a>
        )}
        {mayChange(me, record) && (
          <Link className="button" to="/history/$kind/$id" params={{ kind: singularOf(kind), id: String(record.id) }}>
            <Icon name="log" />
            {t('history')}
          </Link>
        )}
        {mayChange(me, record) && <TrashActs kind={kind} edited={edited} onLeave={onLeave} />}
      </div>
    </section>
  );
}

/** Time of the last save in the site's time zone, without the date if it was today. */
function SavedLine({ modified, isSaving }: { modified: string; isSaving: boolean }) {
  const { timezone } = useSite();
  const today = todayIn(timezone);
  const saved = modified.startsWith(today) ? when.time(modified) : when.moment(modified);
  return (
    <p className="soft" role="status">
      {isSaving ? t('saving') : t('saved', { when: saved })}
    </p>
  );
}

/** Publishes a draft or submits it for review; saves unsaved changes first. */
function Publishing<R extends Linked, F>({ kind, edited }: { kind: Kind; edited: EditedRecord<R, F> }) {
  const { record, save } = edited;
  const first = useRight('publish') ? 'publish' : 'pending';
  const release = useAction(() => call(`PATCH /events/v1/${kind}/{id}`, { id: record.id, status: first }), {
    onSuccess: () => toast(t(`done.${first}`)),
    onError: toastProblem,
    onSettled: () => refreshLinked(kind),
  });
  if (record.status === 'publish' || record.status === first) return null;
  const saveAndRelease = async () => {
    if (await save()) release.run();
  };
  return (
    <Button look="primary" onPress={() => void saveAndRelease()}>
      {t(`acts.${first}`)}
    </Button>
  );
}

function TrashActs<R extends Linked, F>({ kind, edited, onLeave }: StateCardProps<R, F>) {
  const { record, save } = edited;
  const events = useEventCount(kind, record.id);
  const isInTrash = record.status === 'trash';
  const { trash, restore, remove, dialogs } = useTrash(kind, (act) => act !== 'restore' && onLeave());
  const target: Target = {
    id: record.id,
    name: nameOf(record),
    status: record.status,
    revision: record.revision,
    events: events ?? 0,
  };
  const saveAndTrash = async () => {
    // Saving makes a newer revision than the rendered one.
    if (await save()) trash([{ ...target, revision: undefined }]);
  };
  if (!isInTrash)
    return (
      <>
        <Button icon="trash" isDisabled={events === undefined} onPress={() => void saveAndTrash()}>
          {t('trash')}
        </Button>
        {dialogs}
      </>
    );
  return (
    <>
      <Button icon="undo" onPress={() => restore([target])}>
        {t('restore')}
      </Button>
      <Button icon="trash" look="bad" onPress={() => remove([target])}>
        {t('delete')}
      </Button>
      {dialogs}
    </>
  );
}

const TONES: Readonly<Record<string, string>> = { publish: 'good', future: 'info', pending: 'warn', trash: 'bad' };

/** Whether a record is published. */
export function StatusBadge({ status }: { status: string }) {
  // Every status of the server has a text.
  const shown = status as 'publish' | 'future' | 'draft' | 'pending' | 'private' | 'trash';
  return <span className={`badge ${TONES[status] ?? ''}`}>{t(`status.${shown}`)}</span>;
}
