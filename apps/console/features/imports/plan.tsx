import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ImportDetails, ImportPlanRow } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { useGo } from '../../shared/screen/screen.tsx';
import { NothingFound } from '../../ui/states.tsx';
import { type DataColumn, DataTable } from '../../ui/table/data-table.tsx';
import { ChoiceFilter, FilterBar } from '../../ui/table/filter-bar.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { ACTIONS, t } from './routes.ts';
import { fieldName, findingText, kindName, pathOf } from './words.ts';

const route = getRouteApi('/imports/$id');

const PER_PAGE = 50;

type Row = ImportPlanRow & { id: number };

const columns = (): readonly DataColumn<Row>[] => [
  { id: 'title', label: t('plan.record'), render: ({ title, foreign_id }) => title || `#${foreign_id}` },
  { id: 'kind', label: t('plan.kind'), render: ({ kind }) => kindName(kind) },
  { id: 'action', label: t('plan.action'), render: ({ action }) => t(`action.${action}`) },
  { id: 'notes', label: t('plan.notes'), render: (row) => <Notes row={row} /> },
];

function Notes({ row: { fields, notes } }: { row: Row }) {
  const lines = [
    ...(fields.length > 0 ? [fields.map(fieldName).join(', ')] : []),
    ...notes.map(({ code, message, detail }) => [findingText(code, message), detail].filter(Boolean).join(': ')),
  ];
  return lines.map((line) => (
    <span key={line} className="import-note">
      {line}
    </span>
  ));
}

/** Plan of an import, record by record. */
export function Plan({ item: { id, planned } }: { item: ImportDetails }) {
  const { action, kind, page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const go = useGo();
  const input = { id, action, kind, page, per_page: PER_PAGE };
  const list = useQuery(read('GET /admin/v1/imports/{id}/plan', input, { keepsPrevious: true }));
  const show = (next: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (now) => ({ ...now, page: undefined, ...next }), resetScroll: false });
  const kinds = new Set([...Object.values(planned).flatMap(Object.keys), ...(kind ? [kind] : [])]);
  return (
    <section aria-labelledby="import-plan">
      <h2 id="import-plan">{t('plan.title')}</h2>
      <FilterBar>
        <ChoiceFilter
          label={t('plan.action')}
          all={t('every')}
          value={action}
          values={ACTIONS}
          nameOf={(value) => t(`action.${value}`)}
          onChange={(next) => show({ action: next })}
        />
        <ChoiceFilter
          label={t('plan.kind')}
          all={t('every')}
          value={kind}
          values={[...kinds]}
          nameOf={kindName}
          onChange={(next) => show({ kind: next })}
        />
      </FilterBar>
      <PagedList
        query={list}
        rows={3}
        empty={
          <NothingFound
            text={t('plan.none')}
            icon="search"
            onClear={() => show({ action: undefined, kind: undefined })}
          />
        }
        page={page}
        onPage={(next) => show({ page: next })}
      >
        {(data) => (
          <DataTable
            label={t('plan.title')}
            columns={columns()}
            rows={data.plan.map((row) => ({ ...row, id: row.number }))}
            isStale={list.isPlaceholderData}
            onOpen={({ record }) => {
              const path = pathOf(record);
              if (path !== undefined) go(path);
            }}
          />
        )}
      </PagedList>
    </section>
  );
}
