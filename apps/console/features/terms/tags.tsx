import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { read } from '../../data/queries.ts';
import { sortProps, usageColumns } from '../../shared/lists/usage-list.tsx';
import { RecentMerges } from '../../shared/merging/merge-notices.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/states.tsx';
import { type DataColumn, DataTable } from '../../ui/table/data-table.tsx';
import { FilterBar, SearchBox } from '../../ui/table/filter-bar.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { Languages } from './languages.tsx';
import { t } from './routes.ts';
import { ProbableDuplicates, TermActionsBar, useTermActions } from './term-actions.tsx';
import { rowOf, type TermOrder, type TermRow } from './terms.ts';
import './terms.css';

const route = getRouteApi('/tags');

const PER_PAGE = 50;

const columns = (): DataColumn<TermRow>[] => [
  {
    id: 'name',
    label: t('name'),
    isSortable: true,
    render: ({ term }) => <span className="row-title">{term.name}</span>,
  },
  ...usageColumns<TermRow>(t),
  { id: 'languages', label: t('languages'), render: ({ term }) => <Languages term={term} /> },
];

/** The tags of the site. */
export function Screen() {
  const { search = '', sort = 'name', order, page = 1, open } = route.useSearch();
  const navigate = route.useNavigate();
  const actions = useTermActions('tags');
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const input = { orderby: sort, page, per_page: PER_PAGE, ...(order && { order }), ...(search && { search }) };
  const list = useQuery(read('GET /admin/v1/tags', input, { keepsPrevious: true }));
  const show = (next: { search?: string; sort?: TermOrder; order?: 'asc' | 'desc' | undefined; page?: number }) => {
    setSelected(new Set());
    void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) });
  };
  const onOpen = (id: number | undefined) => void navigate({ search: (now) => ({ ...now, open: id }) });
  const rows = list.data?.tags.map((one) => rowOf(one.tag, one)) ?? [];
  return (
    <Page
      title={t('tags.title')}
      actions={
        actions.mayWrite && (
          <Button look="primary" icon="plus" onPress={() => actions.start({ kind: 'new', parent: 0 })}>
            {t('new.tags')}
          </Button>
        )
      }
    >
      <RecentMerges kind="tags" />
      <ProbableDuplicates taxonomy="tags" actions={actions} />
      <FilterBar>
        <SearchBox label={t('search')} value={search} onChange={(next) => show({ search: next })} />
      </FilterBar>
      <PagedList
        query={list}
        empty={<Empty text={t(search ? 'none_found' : 'tags.none')} icon="tag" />}
        page={page}
        onPage={(next) => show({ page: next })}
      >
        {() => (
          <DataTable
            label={t('tags.title')}
            columns={columns()}
            rows={rows}
            {...(actions.mayWrite && { selected, onSelect: setSelected })}
            {...sortProps({ sort, order }, show)}
            onOpen={({ id }) => actions.mayWrite && onOpen(id)}
          />
        )}
      </PagedList>
      {actions.mayWrite && (
        <TermActionsBar
          taxonomy="tags"
          actions={actions}
          rows={rows}
          selected={rows.filter(({ id }) => selected.has(id))}
          onClear={() => setSelected(new Set())}
          open={open}
          onOpen={onOpen}
        />
      )}
    </Page>
  );
}
