import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Event, Input } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { EVER } from '../../client/ever.ts';
import { useRight } from '../frame/account.ts';
import { read, refresh } from '../frame/queries.ts';
import { useShortcut } from '../frame/shortcuts.ts';
import { toast } from '../frame/toast-store.ts';
import { BulkBar, BulkReport, useBulk } from '../parts/bulk-bar.tsx';
import { Button } from '../parts/button.tsx';
import { type DataColumn, DataTable, Pager } from '../parts/data-table.tsx';
import { FilterBar, SearchBox, Views } from '../parts/filter-bar.tsx';
import { Page } from '../parts/page.tsx';
import { Empty, Failure, RowsLoading } from '../parts/states.tsx';
import { when } from '../when.ts';
import { StatusBadge } from './status-badge.tsx';
import { t } from './texts.ts';
import { EVENT_VIEWS, type EventView } from './views.ts';

const route = getRouteApi('/events');

const PER_PAGE = 25;
/** What a view asks for. */
const ASKED: Readonly<Record<EventView, Input<'GET /events/v1/events'>>> = {
  upcoming: { ends_after: 'now' },
  past: { ...EVER, ends_before: 'now', order: 'desc' },
  drafts: { ...EVER, status: ['draft', 'pending', 'future', 'private'] },
  trash: { ...EVER, status: ['trash'] },
};

const columns = (): DataColumn<Event>[] => [
  { id: 'title', label: t('title'), render: ({ title }) => <span className="row-title">{title}</span> },
  { id: 'when', label: t('when'), render: (event) => when.span(event) },
  { id: 'place', label: t('place'), render: ({ venue }) => <span className="soft">{[venue].flat()[0]?.venue}</span> },
  { id: 'people', label: t('people'), isNumber: true, render: ({ attendance }) => attendance?.total_attendees || '' },
  { id: 'status', label: t('status'), render: (event) => <StatusBadge event={event} /> },
];

/** All events that the account may see. */
export function Screen() {
  const { view = 'upcoming', search = '', page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const mayEdit = useRight('edit');
  const add = () => void navigate({ to: '/events/new', search: {} });
  useShortcut('c', t('new'), () => mayEdit && add());
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const input = { ...ASKED[view], page, per_page: PER_PAGE, ...(search && { search }) };
  const { data, error, refetch } = useQuery(read('GET /events/v1/events', input, { keepsPrevious: true }));
  const show = (next: { view?: EventView; search?: string; page?: number }) => {
    setSelected(new Set());
    void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) });
  };
  return (
    <Page
      title={t('events')}
      actions={
        mayEdit && (
          <Button look="primary" icon="plus" onPress={add}>
            {t('new')}
          </Button>
        )
      }
    >
      <FilterBar>
        <Views
          label={t('views')}
          choices={EVENT_VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
          value={view}
          onChange={(next) => show({ view: next })}
        />
        <SearchBox label={t('search')} value={search} onChange={(next) => show({ search: next })} />
      </FilterBar>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading />}
      {data?.total === 0 && <Empty text={t(search ? 'none_found' : 'none')} icon="events" />}
      {data && data.total > 0 && (
        <>
          <DataTable
            label={t('events')}
            columns={columns()}
            rows={data.events}
            selected={selected}
            onSelect={setSelected}
            onOpen={({ id }) => void navigate({ to: '/events/$id', params: { id: String(id) } })}
          />
          <Pager page={page} pages={data.total_pages} total={data.total} onPage={(next) => show({ page: next })} />
          <Acts rows={data.events.filter(({ id }) => selected.has(id))} onDone={() => setSelected(new Set())} />
        </>
      )}
    </Page>
  );
}

const setStatus = (id: number, status: string) =>
  // Taken from a record, or named here.
  call('PATCH /events/v1/events/{id}', { id, status: status as 'publish' });

/** What can be done with the selected events. */
function Acts({ rows, onDone }: { rows: readonly Event[]; onDone: () => void }) {
  const mayPublish = useRight('publish');
  const trash = useBulk(({ id }: Event) => setStatus(id, 'trash'));
  const publish = useBulk(({ id }: Event) => setStatus(id, 'publish'));
  const duplicate = useBulk(({ id }: Event) => call('POST /admin/v1/events/{id}/duplicate', { id }));
  const copy = async () => {
    const { done: count } = await duplicate.start(t('acts.duplicate'), rows);
    await refresh('/events/v1/events');
    onDone();
    if (count > 0) toast(t('copied', { count }));
  };
  const act = async (bulk: typeof trash, label: string, done: 'trashed' | 'published') => {
    const { done: count, failed } = await bulk.start(label, rows);
    const changed = rows.filter((row) => !failed.some((one) => one.row === row));
    const undo = async () => {
      for (const { id, status } of changed) await setStatus(id, status);
      await refresh('/events/v1/events');
    };
    await refresh('/events/v1/events');
    onDone();
    if (count > 0) toast(t(done, { count }), { undo });
  };
  return (
    <>
      <BulkBar count={rows.length} onClear={onDone}>
        {mayPublish && <Button onPress={() => void act(publish, t('publish'), 'published')}>{t('publish')}</Button>}
        <Button icon="copy" onPress={() => void copy()}>
          {t('acts.duplicate')}
        </Button>
        <Button icon="trash" onPress={() => void act(trash, t('trash'), 'trashed')}>
          {t('trash')}
        </Button>
      </BulkBar>
      <BulkReport bulk={trash} nameOf={({ title }) => title} />
      <BulkReport bulk={duplicate} nameOf={({ title }) => title} />
      <BulkReport bulk={publish} nameOf={({ title }) => title} />
    </>
  );
}
