import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useMatch } from '@tanstack/react-router';
import { useState } from 'react';
import { useRight } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { sortProps, usageColumns } from '../../shared/lists/usage-list.tsx';
import { DuplicatesNotice, RecentMerges } from '../../shared/merging/merge-notices.tsx';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { useShortcut } from '../../ui/shortcuts.ts';
import { Empty } from '../../ui/states.tsx';
import { type DataColumn, DataTable } from '../../ui/table/data-table.tsx';
import { FilterBar, SearchBox, Views } from '../../ui/table/filter-bar.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { type Kind, kindAt, type Order, type Row, rowsOf, SCREENS, STATUSES, VIEWS, type View } from './kinds.ts';
import { MergeLinked } from './merge-linked.tsx';
import { NewLinked } from './new-linked.tsx';
import { t } from './routes.ts';
import { StatusBadge } from './state-card.tsx';
import './linked.css';

const PER_PAGE = 50;

interface Shown {
  view?: View | undefined;
  search?: string | undefined;
  page?: number | undefined;
  sort?: Order | undefined;
  order?: 'asc' | 'desc' | undefined;
}

/** Records of the kind in the path. */
export function Screen() {
  // The location already names the next screen during a navigation; the matched route does not.
  const kind = kindAt(useMatch({ strict: false }).routeId);
  // The lists of all kinds have the same filters.
  const route = getRouteApi(`/${kind}` as '/venues');
  const navigate = route.useNavigate();
  return (
    <LinkedList
      key={kind}
      kind={kind}
      shown={route.useSearch()}
      onShow={(next) => void navigate({ search: (now) => ({ ...now, page: undefined, ...next }) })}
      onOpen={(id) => void navigate({ to: `/${kind}/$id`, params: { id: String(id) } })}
    />
  );
}

interface LinkedListProps {
  kind: Kind;
  /** Filters in the address. */
  shown: Shown;
  onShow: (next: Shown) => void;
  onOpen: (id: number) => void;
}

const columns = (kind: Kind, view: View): DataColumn<Row>[] => [
  {
    id: 'name',
    label: t('name'),
    isSortable: true,
    render: ({ name }) => <span className="row-title linked-name">{name}</span>,
  },
  {
    id: 'detail',
    label: t(`field.${SCREENS[kind].column}`),
    render: ({ detail }) => <span className="soft linked-name">{detail}</span>,
  },
  ...usageColumns<Row>(t),
  ...(view === 'drafts'
    ? [{ id: 'status', label: t('status'), render: ({ status }: Row) => <StatusBadge status={status} /> }]
    : []),
];

const inputOf = ({ view = 'published', search, page = 1, sort = 'name', order }: Shown) => ({
  status: STATUSES[view],
  page,
  per_page: PER_PAGE,
  orderby: sort,
  ...(order && { order }),
  ...(search && { search }),
});

/** Records of a kind, with their numbers of events. */
function LinkedList({ kind, shown, onShow, onOpen }: LinkedListProps) {
  const { view = 'published', search = '', page = 1, sort = 'name', order } = shown;
  const mayEdit = useRight('edit');
  const [isNew, setNew] = useState(false);
  const [picked, setPicked] = useState<ReadonlySet<number>>(new Set());
  useShortcut('c', t(`new.${kind}`), () => setNew(true), { isOn: mayEdit });
  const list = useQuery(read(`GET /admin/v1/${kind}`, inputOf(shown), { keepsPrevious: true }));
  const rows = list.data ? rowsOf(kind, list.data) : [];
  const show = (next: Shown) => {
    setPicked(new Set());
    onShow(next);
  };
  return (
    <Page
      title={t(kind)}
      actions={
        mayEdit && (
          <Button look="primary" icon="plus" onPress={() => setNew(true)}>
            {t(`new.${kind}`)}
          </Button>
        )
      }
    >
      <RecentMerges kind={kind} />
      {mayEdit && <ProbableDuplicates kind={kind} />}
      <FilterBar>
        <Views
          label={t(`views.${kind}`)}
          choices={VIEWS.map((value) => ({ value, label: t(`view.${value}`) }))}
          value={view}
          onChange={(next) => show({ view: next })}
        />
        <SearchBox label={t(`search.${kind}`)} value={search} onChange={(next) => show({ search: next })} />
      </FilterBar>
      <PagedList
        query={list}
        empty={<Empty text={emptyText(kind, view, search)} icon={SCREENS[kind].icon} />}
        page={page}
        onPage={(next) => show({ page: next })}
      >
        {() => (
          <DataTable
            label={t(kind)}
            columns={columns(kind, view)}
            rows={rows}
            isStale={list.isPlaceholderData}
            {...(mayEdit && { selected: picked, onSelect: setPicked })}
            {...sortProps({ sort, order }, show)}
            onOpen={({ id }) => onOpen(id)}
          />
        )}
      </PagedList>
      <BulkActions
        kind={kind}
        view={view}
        rows={rows.filter(({ id }) => picked.has(id))}
        onDone={() => setPicked(new Set())}
      />
      {isNew && <NewLinked kind={kind} onCreated={onOpen} onClose={() => setNew(false)} />}
    </Page>
  );
}

function emptyText(kind: Kind, view: View, search: string): string {
  if (search) return t('none_found');
  return t(view === 'published' ? `none.${kind}` : 'none_here');
}

/** Notice about probable duplicates, with a dialog to merge them. */
function ProbableDuplicates({ kind }: { kind: Kind }) {
  const { data } = useQuery(read(`GET /admin/v1/${kind}/duplicates`));
  const [compared, setCompared] = useState<readonly number[]>();
  const end = () => setCompared(undefined);
  return (
    <>
      <DuplicatesNotice pairs={data?.duplicates ?? []} detailOf={({ slug }) => slug} onCompare={setCompared} />
      {compared && <MergeLinked kind={kind} ids={compared} onMerged={end} onClose={end} />}
    </>
  );
}
