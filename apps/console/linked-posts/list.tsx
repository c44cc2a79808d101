import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRight } from '../frame/account.ts';
import { read, readNow } from '../frame/queries.ts';
import { Button } from '../parts/button.tsx';
import { type DataColumn, DataTable, Pager } from '../parts/data-table.tsx';
import { FilterBar, SearchBox, Views } from '../parts/filter-bar.tsx';
import { Page } from '../parts/page.tsx';
import { RecentMerges } from '../parts/recent-merges.tsx';
import { useSelection } from '../parts/selection.ts';
import { Empty, Failure, RowsLoading } from '../parts/states.tsx';
import { LinkedPostActs } from './acts.tsx';
import { ProbableDuplicates } from './duplicates.tsx';
import { KINDS, type Kind, type Sort, STATUSES, VIEWS, type View } from './kinds.ts';
import './linked-posts.css';
import { detailOf, nameOf, type Row, rowsOf } from './linked-post.ts';
import { NewLinkedPost } from './new-linked-post.tsx';
import { t } from './texts.ts';

const PER_PAGE = 50;

interface Filters {
  view?: View;
  search?: string;
  sort?: Sort;
  order?: 'asc' | 'desc';
  page?: number;
}

const columnsOf = (kind: Kind): DataColumn<Row>[] => [
  {
    ...{ id: 'name', label: t('name'), isSortable: true },
    render: ({ record }) => <span className="row-title">{nameOf(kind, record)}</span>,
  },
  {
    id: 'detail',
    label: t(`detail.${kind}`),
    render: ({ record }) => <span className="soft">{detailOf(kind, record)}</span>,
  },
  {
    ...{ id: 'upcoming', label: t('upcoming'), isSortable: true, isNumber: true },
    render: ({ upcoming }) => upcoming > 0 && t('upcoming.count', { count: upcoming }),
  },
  {
    ...{ id: 'events', label: t('events'), isSortable: true, isNumber: true },
    render: ({ events }) => <span className="soft">{t('events.count', { count: events })}</span>,
  },
];

/** Both lists take and answer the same, but for their records. */
const readRows = (kind: Kind, input: object, options = {}) =>
  read(`GET /admin/v1/${kind}` as 'GET /admin/v1/venues', input, { ...options, keepsPrevious: true });

interface ListProps {
  kind: Kind;
  filters: Filters;
  onFilters: (next: Filters) => void;
  onOpen: (id: number) => void;
}

/** Venues or organizers with how many events they have. */
export function LinkedPostList({ kind, filters, onFilters, onOpen }: ListProps) {
  const { view = 'all', search = '', sort = 'name', order, page = 1 } = filters;
  const [isMaking, setMaking] = useState(false);
  const mayMake = useRight('edit');
  const asked = {
    ...{ status: [STATUSES[view]], orderby: sort, per_page: PER_PAGE },
    ...(order && { order }),
    ...(search && { search }),
  };
  const { data, error, refetch } = useQuery(readRows(kind, { ...asked, page }));
  const rows = rowsOf(kind, data ? ((data as unknown as Record<string, []>)[kind] ?? []) : []);
  const selection = useSelection<Row>({
    ...{ rows, total: data?.total ?? 0 },
    async readPage(next) {
      const input = { ...asked, per_page: 100, page: next };
      const answer = await readNow(`GET /admin/v1/${kind}` as 'GET /admin/v1/venues', input);
      return { rows: rowsOf(kind, (answer as unknown as Record<string, []>)[kind] ?? []), pages: answer.total_pages };
    },
  });
  const show = (next: Filters) => {
    selection.clear();
    onFilters({ ...filters, page: undefined, ...next } as Filters);
  };
  const descends = (order ?? (sort === 'name' ? 'asc' : 'desc')) === 'desc';
  return (
    <Page
      title={t(kind)}
      actions={
        mayMake && (
          <Button look="primary" icon="plus" onPress={() => setMaking(true)}>
            {t(`new.${kind}`)}
          </Button>
        )
      }
    >
      <RecentMerges kind={kind} />
      <ProbableDuplicates kind={kind} />
      <FilterBar>
        <Views
          label={t('views')}
          choices={VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
          value={view}
          onChange={(next) => show({ view: next })}
        />
        <SearchBox label={t('search')} value={search} onChange={(next) => show({ search: next })} />
      </FilterBar>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {!data && !error && <RowsLoading />}
      {data?.total === 0 && (
        <Empty icon={KINDS[kind].icon} text={t(search || view !== 'all' ? 'none_found' : `none.${kind}`)} />
      )}
      {data && data.total > 0 && (
        <>
          <DataTable
            label={t(kind)}
            columns={columnsOf(kind)}
            rows={rows}
            selected={selection.ids}
            onSelect={selection.select}
            sort={{ column: sort, isDescending: descends }}
            onSort={({ column, isDescending }) =>
              // Columns that can be sorted have these names.
              show({ sort: column as Sort, ...(column === sort && { order: isDescending ? 'desc' : 'asc' }) })
            }
            onOpen={({ id }) => onOpen(id)}
          />
          <Pager page={page} pages={data.total_pages} total={data.total} onPage={(next) => show({ page: next })} />
          <LinkedPostActs kind={kind} view={view} selection={selection} />
        </>
      )}
      {isMaking && <NewLinkedPost kind={kind} onMade={onOpen} onClose={() => setMaking(false)} />}
    </Page>
  );
}
