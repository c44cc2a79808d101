import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { Event } from '../../../../../packages/client/src/marquee-client.ts';
import { useMe, useRight, useSite } from '../../../data/account.ts';
import { read, readNow } from '../../../data/queries.ts';
import { hasEventRight, READS_ATTENDEES, READS_ORDERS } from '../../../data/rights.ts';
import { peopleOf } from '../../../shared/events/people.ts';
import { ExportMenu, type SheetColumn } from '../../../shared/export/export-menu.tsx';
import { Page } from '../../../shared/screen/page.tsx';
import { Button } from '../../../ui/button.tsx';
import { useShortcut } from '../../../ui/shortcuts.ts';
import { Empty, LoadedList, NothingFound } from '../../../ui/states.tsx';
import { DataTable, Pager } from '../../../ui/table/data-table.tsx';
import { FilterBar, SearchBox, Views } from '../../../ui/table/filter-bar.tsx';
import { MOST_PER_PAGE, useSelection } from '../../../ui/table/selection.ts';
import { EachSeriesOnce, useHasSeries, useNextOf } from '../each-series.tsx';
import { EVENT_VIEWS, type EventView, PUBLIC_VIEWS } from '../filter-values.ts';
import { t } from '../routes.ts';
import { EventBulkActions, useTrash } from './bulk-actions.tsx';
import { eventColumns } from './event-columns.tsx';
import { MoreFilters } from './event-filters.tsx';
import { type EventFilters, exportQuery, isNarrowed, listQuery, NO_FILTERS } from './event-query.ts';
import '../events.css';

const route = getRouteApi('/events');

const PER_PAGE = 25;
const NO_ROWS: readonly Event[] = [];

type ShownFilters = EventFilters & { view: EventView };

/** List of all events that the account may see. */
export function Screen() {
  const mayEdit = useRight('edit');
  const views: readonly EventView[] = mayEdit ? EVENT_VIEWS : PUBLIC_VIEWS;
  const wanted = route.useSearch();
  const view = views.find((one) => one === wanted.view) ?? 'upcoming';
  const filters: ShownFilters = { ...wanted, view };
  const navigate = route.useNavigate();
  const list = useEvents(filters, mayEdit);
  const show = (next: EventFilters) => {
    list.selection.clear();
    void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) });
  };
  const [trashRow, report] = useTrash();
  const hasSeries = useHasSeries();
  return (
    <Page title={t('events')} actions={<Actions filters={filters} readPage={list.readPage} />}>
      <FilterBar>
        <Views
          label={t('views')}
          choices={views.map((value) => ({ value, label: t(`view.${value}`) }))}
          value={view}
          onChange={(next) => show({ view: next })}
        />
        <SearchBox label={t('search')} value={filters.search ?? ''} onChange={(next) => show({ search: next })} />
        {(hasSeries || filters.each) && <EachSeriesOnce value={filters.each} onChange={(each) => show({ each })} />}
      </FilterBar>
      <MoreFilters shown={filters} onChange={show} />
      <LoadedList
        query={list}
        empty={
          isNarrowed(filters) ? (
            <NothingFound text={t('none_found')} icon="events" onClear={() => show(NO_FILTERS)} />
          ) : (
            <Empty text={t(`none.${view}`)} icon="events" />
          )
        }
      >
        {(data) => <EventTable filters={filters} list={list} page={data} onShow={show} onTrash={trashRow} />}
      </LoadedList>
      {report}
    </Page>
  );
}

/** A page of events, and the selection. */
function useEvents(filters: ShownFilters, mayEdit: boolean) {
  const query = listQuery(filters, mayEdit);
  const input = { ...query, page: filters.page ?? 1, per_page: PER_PAGE };
  const { data, error, refetch, isPlaceholderData } = useQuery(
    read('GET /events/v1/events', input, { keepsPrevious: true }),
  );
  const readPage = async (number: number) => {
    const answer = await readNow('GET /events/v1/events', { ...query, page: number, per_page: MOST_PER_PAGE });
    return { rows: answer.events, pages: answer.total_pages, total: answer.total };
  };
  const selection = useSelection({ rows: data?.events ?? NO_ROWS, total: data?.total ?? 0, readPage });
  const nextOf = useNextOf(filters.each !== undefined);
  return { data, error, refetch, isStale: isPlaceholderData, readPage, selection, nextOf };
}

type List = ReturnType<typeof useEvents>;

function Actions({ filters, readPage }: { filters: ShownFilters; readPage: List['readPage'] }) {
  const mayEdit = useRight('edit');
  const navigate = route.useNavigate();
  const add = () => void navigate({ to: '/events/new', search: {} });
  useShortcut('c', t('new'), add, { isOn: mayEdit });
  if (!mayEdit) return null;
  return (
    <>
      <ExportMenu
        name={t('events')}
        csv={`/calendar/admin/v1/events/export?${exportQuery(filters, mayEdit)}`}
        columns={eventSheet()}
        readPage={readPage}
      />
      <Button look="primary" icon="plus" onPress={add}>
        {t('new')}
      </Button>
    </>
  );
}

interface EventTableProps {
  filters: ShownFilters;
  list: List;
  page: NonNullable<List['data']>;
  onShow: (filters: EventFilters) => void;
  onTrash: (event: Event) => void;
}

function EventTable({ filters, list, page, onShow, onTrash }: EventTableProps) {
  const me = useMe();
  const mayEdit = useRight('edit');
  const { languages } = useSite();
  const navigate = route.useNavigate();
  const soldOf = useSoldPlaces(page.events);
  const { selection, nextOf } = list;
  const isTrash = filters.view === 'trash';
  const open = (event: Event) => {
    const to = event.ticketed && hasEventRight(me, READS_ORDERS, event) ? '/events/$id/overview' : '/events/$id';
    void navigate({ to, params: { id: String(event.id) } });
  };
  return (
    <>
      <DataTable
        label={t('events')}
        columns={eventColumns(languages, { soldOf, nextOf })}
        rows={page.events}
        isStale={list.isStale}
        {...(mayEdit && { selected: selection.ids, onSelect: selection.select })}
        onOpen={open}
        {...(mayEdit && !isTrash && { onTrash })}
      />
      <Pager page={filters.page ?? 1} list={page} onPage={(next) => onShow({ page: next })} />
      <EventBulkActions selection={selection} isTrash={isTrash} />
    </>
  );
}

/** Sold places of the events of a page that have tickets, once they are read. */
function useSoldPlaces(events: readonly Event[]) {
  const ticketed = events.filter(({ ticketed }) => ticketed).map(({ id }) => id);
  const isOn = useRight(...READS_ATTENDEES) && ticketed.length > 0;
  const { data } = useQuery(read('GET /admin/v1/sold-places', { events: ticketed }, { isOn, keepsPrevious: true }));
  const found = new Map(data?.events.map((one) => [one.event_id, one]));
  return ({ id }: Event) => found.get(id);
}

/** Columns of the spreadsheet of events. */
const eventSheet = (): SheetColumn<Event>[] => [
  { label: 'ID', value: ({ id }) => id },
  { label: t('title'), value: ({ title }) => title },
  { label: t('field.start_date'), value: ({ start_date }) => start_date },
  { label: t('field.end_date'), value: ({ end_date }) => end_date },
  { label: t('zone'), value: ({ timezone }) => timezone },
  { label: t('place'), value: ({ venue }) => [venue].flat()[0]?.venue ?? '' },
  { label: t('category'), value: ({ categories }) => categories.map(({ name }) => name).join(', ') },
  { label: t('people'), value: (event) => (event.attendance ? peopleOf(event) : '') },
  { label: t('status'), value: ({ status }) => t(`status.${status as 'publish'}`) },
  { label: t('page'), value: ({ url }) => url },
];
