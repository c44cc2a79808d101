import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Job } from '../../../../../packages/client/src/marquee-client.ts';
import { call } from '../../../../client/call.ts';
import { useAction } from '../../../data/actions.ts';
import { read, refresh } from '../../../data/queries.ts';
import { when } from '../../../i18n/formats.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { Empty, NothingFound } from '../../../ui/states.tsx';
import { ChoiceFilter, FilterBar } from '../../../ui/table/filter-bar.tsx';
import { PagedList } from '../../../ui/table/paged-list.tsx';
import { toast, toastProblem } from '../../../ui/toast.tsx';
import { JOB_STATES, t } from '../routes.ts';
import { SettingsPage } from '../settings-page.tsx';

const route = getRouteApi('/settings/jobs');

const PER_PAGE = 25;
/** Milliseconds between two reads: the server works on the list. */
const INTERVAL = 5000;

/** After a failure too: jobs change without the console. */
const refreshJobs = () => refresh('/admin/v1/jobs');

/** Queue of background jobs. */
export const Screen = () => (
  <SettingsPage name="jobs">
    <p className="hint">{t('hint.jobs')}</p>
    <Queue />
  </SettingsPage>
);

interface Shown {
  state?: (typeof JOB_STATES)[number] | undefined;
  kind?: string | undefined;
}

/** Filters by state and kind, and the button that runs dead jobs again. */
function Filters({ state, kind, onChange }: Shown & { onChange: (next: Shown) => void }) {
  const { data: counted } = useQuery({ ...read('GET /admin/v1/jobs/counts'), refetchInterval: INTERVAL });
  const kinds = new Set([...(counted?.counts ?? []).map((one) => one.kind), ...(kind ? [kind] : [])]);
  return (
    <FilterBar>
      <ChoiceFilter
        label={t('jobs.state')}
        all={t('jobs.all')}
        value={state}
        values={JOB_STATES}
        nameOf={(value) => t(`jobs.state.${value}`)}
        onChange={(next) => onChange({ state: next })}
      />
      <ChoiceFilter
        label={t('jobs.kind')}
        all={t('jobs.all')}
        value={kind}
        values={[...kinds]}
        nameOf={String}
        onChange={(next) => onChange({ kind: next })}
      />
      <RetryDead kind={kind} count={deadOf(counted?.counts ?? [], kind)} />
    </FilterBar>
  );
}

function Queue() {
  const { page = 1, state, kind } = route.useSearch();
  const navigate = route.useNavigate();
  const [dropped, setDropped] = useState<Job>();
  const list = useQuery({
    ...read('GET /admin/v1/jobs', { page, per_page: PER_PAGE, state, kind }, { keepsPrevious: true }),
    refetchInterval: INTERVAL,
  });
  const show = (next: Shown & { page?: number }) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) });
  return (
    <>
      <Filters state={state} kind={kind} onChange={show} />
      <PagedList
        query={list}
        empty={
          state || kind ? (
            <NothingFound
              text={t('jobs.none_found')}
              icon="check"
              onClear={() => show({ state: undefined, kind: undefined })}
            />
          ) : (
            <Empty text={t('jobs.none')} icon="check" />
          )
        }
        page={page}
        onPage={(next) => show({ page: next })}
      >
        {(data) => (
          <ul className="cards">
            {data.jobs.map((job) => (
              <JobCard key={job.id} job={job} onDrop={() => setDropped(job)} />
            ))}
          </ul>
        )}
      </PagedList>
      {dropped && <Drop job={dropped} onClose={() => setDropped(undefined)} />}
    </>
  );
}

interface KindCount {
  kind: string;
  state: string;
  count: number;
}

const deadOf = (counts: readonly KindCount[], kind: string | undefined): number =>
  counts
    .filter((one) => one.state === 'dead' && (kind === undefined || one.kind === kind))
    .reduce((sum, { count }) => sum + count, 0);

function RetryDead({ kind, count }: { kind: string | undefined; count: number }) {
  const retry = useAction(() => call('POST /admin/v1/jobs/retry', { kind }), {
    onSuccess: ({ retried }) => toast(t('jobs.retried', { count: retried })),
    onError: toastProblem,
    onSettled: refreshJobs,
  });
  if (count === 0) return null;
  return (
    <Button icon="redo" isPending={retry.isPending} onPress={() => retry.run()}>
      {t('jobs.retry_dead', { count })}
    </Button>
  );
}

const LOOKS = { ready: 'badge', running: 'badge good', dead: 'badge bad' } as const;

/** Time of a job: when it is tried, until when it is claimed, or when it failed. */
function timeOf({ state, due_utc }: Job): string {
  if (state === 'running') return t('jobs.running');
  return state === 'dead' ? t('jobs.died', { when: when.ago(due_utc) }) : t('jobs.due', { when: when.ago(due_utc) });
}

function JobCard({ job, onDrop }: { job: Job; onDrop: () => void }) {
  const { id, kind, state, attempts, error } = job;
  const retry = useAction(() => call('POST /admin/v1/jobs/{id}/retry', { id }), {
    onSuccess: () => toast(t('jobs.retried', { count: 1 })),
    onError: toastProblem,
    onSettled: refreshJobs,
  });
  const name = nameOf(job);
  return (
    <li className="card">
      <div>
        <p>
          <code>{kind}</code> {job.key ?? ''} <span className={LOOKS[state]}>{t(`jobs.state.${state}`)}</span>
        </p>
        <p className="soft">
          {[timeOf(job), ...(attempts > 0 ? [t('jobs.attempts', { count: attempts })] : [])].join(' · ')}
        </p>
        {error !== '' && <p>{error}</p>}
      </div>
      {state !== 'running' && (
        <Button aria-label={t('jobs.retry_of', { name })} isPending={retry.isPending} onPress={() => retry.run()}>
          {t('jobs.retry')}
        </Button>
      )}
      <Button aria-label={t('jobs.drop_of', { name })} onPress={onDrop}>
        {t('jobs.drop')}
      </Button>
    </li>
  );
}

const nameOf = ({ id, kind, key }: Job): string => `${kind} ${key ?? id}`;

/** Removes a job, after stating the consequences. */
function Drop({ job, onClose }: { job: Job; onClose: () => void }) {
  const drop = useAction(() => call('DELETE /admin/v1/jobs/{id}', { id: job.id }), {
    onSuccess: () => {
      toast(t('jobs.dropped', { name: nameOf(job) }));
      onClose();
    },
    onSettled: refreshJobs,
  });
  return (
    <ConfirmDialog
      title={t('jobs.drop_of', { name: nameOf(job) })}
      action={t('jobs.drop')}
      isPending={drop.isPending}
      error={drop.error}
      onConfirm={drop.run}
      onClose={onClose}
    >
      <p>{t(job.state === 'running' ? 'jobs.drop_running' : 'jobs.drop_text')}</p>
    </ConfirmDialog>
  );
}
