import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AuditEntry } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Empty } from '../../ui/states.tsx';
import { type DataColumn, DataTable } from '../../ui/table/data-table.tsx';
import { ChoiceFilter, FilterBar, SearchBox } from '../../ui/table/filter-bar.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { Entry, entryColumns } from './entry.tsx';
import { ACTIONS, KINDS, t } from './routes.ts';
import { type AccountName, recordName } from './words.ts';

const route = getRouteApi('/log');

const PER_PAGE = 50;

const columns = (nameOf: AccountName): DataColumn<AuditEntry>[] => [
  {
    id: 'what',
    label: t('what'),
    render: (entry) => (
      <span className="row-title">{[recordName(entry, nameOf), t(`action.${entry.action}`)].join(' · ')}</span>
    ),
  },
  ...entryColumns(),
  { id: 'network', label: t('network'), render: ({ network }) => <span className="soft">{network}</span> },
];

interface Shown {
  search?: string | undefined;
  kind?: (typeof KINDS)[number] | undefined;
  action?: (typeof ACTIONS)[number] | undefined;
  user?: number | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** Id of the only record. */
  record?: number | undefined;
}

interface FiltersProps {
  shown: Shown;
  people: readonly { id: number; username: string }[];
  onChange: (next: Shown) => void;
}

function Filters({ shown, people, onChange }: FiltersProps) {
  return (
    <FilterBar>
      <SearchBox
        label={t('search')}
        value={shown.search ?? ''}
        onChange={(next) => onChange({ search: next || undefined })}
      />
      <ChoiceFilter
        label={t('kind')}
        all={t('all')}
        value={shown.kind}
        values={KINDS}
        nameOf={(kind) => t(`kind.${kind}`)}
        onChange={(kind) => onChange({ kind })}
      />
      <ChoiceFilter
        label={t('action')}
        all={t('all')}
        value={shown.action}
        values={ACTIONS}
        nameOf={(action) => t(`action.${action}`)}
        onChange={(action) => onChange({ action })}
      />
      <ChoiceFilter
        label={t('who')}
        all={t('all')}
        value={shown.user === undefined ? undefined : String(shown.user)}
        values={people.map(({ id }) => String(id))}
        nameOf={(id) => people.find((user) => user.id === Number(id))?.username ?? ''}
        onChange={(id) => onChange({ user: Number(id) || undefined })}
      />
      <TextField type="date" label={t('from')} value={shown.from ?? ''} onChange={(day) => onChange({ from: day })} />
      <TextField type="date" label={t('to')} value={shown.to ?? ''} onChange={(day) => onChange({ to: day })} />
      {shown.record !== undefined && (
        <Button icon="close" onPress={() => onChange({})}>
          {t('every_record')}
        </Button>
      )}
    </FilterBar>
  );
}

/** Audit log. */
export function Screen() {
  const { entry, page = 1, record, from, to, ...chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: people } = useQuery(read('GET /admin/v1/users', { per_page: 100 }));
  const nameOf = (id: number) => people?.users.find((user) => user.id === id)?.username;
  const input = { ...chosen, from, to, ...(chosen.kind && record && { id: record }), page, per_page: PER_PAGE };
  const list = useQuery(read('GET /admin/v1/audit', input, { keepsPrevious: true }));
  const show = (next: Shown & { page?: number }) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, record: undefined, ...next }) });
  const open = (id: number | undefined) => void navigate({ search: (now) => ({ ...now, entry: id }) });
  return (
    <Page title={t('title')} note={t('note')}>
      <Filters shown={{ record, from, to, ...chosen }} people={people?.users ?? []} onChange={show} />
      <PagedList
        query={list}
        empty={<Empty icon="log" text={t('none')} />}
        page={page}
        onPage={(next) => show({ record, page: next })}
      >
        {(data) => (
          <DataTable label={t('title')} columns={columns(nameOf)} rows={data.audit} onOpen={({ id }) => open(id)} />
        )}
      </PagedList>
      {entry !== undefined && <Entry id={entry} nameOf={nameOf} onClose={() => open(undefined)} />}
    </Page>
  );
}
