import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ImportDetails, ImportFinding } from '../../../../packages/client/src/marquee-client.ts';
import { read } from '../../data/queries.ts';
import { useGo } from '../../shared/screen/screen.tsx';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/fields.tsx';
import { FilterBar } from '../../ui/table/filter-bar.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { t } from './routes.ts';
import { findingText, kindName, pathOf } from './words.ts';

const route = getRouteApi('/imports/$id');

const PER_PAGE = 20;

/** Findings of an import, to be checked. */
export function Findings({ item: { id, findings } }: { item: ImportDetails }) {
  const { code, found: page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const input = { id, code, page, per_page: PER_PAGE };
  const list = useQuery(read('GET /admin/v1/imports/{id}/findings', input, { keepsPrevious: true }));
  const show = (next: Partial<ReturnType<typeof route.useSearch>>) =>
    void navigate({ search: (now) => ({ ...now, found: undefined, ...next }), resetScroll: false });
  return (
    <section aria-labelledby="import-findings">
      <h2 id="import-findings">{t('findings')}</h2>
      <FilterBar>
        <SelectField
          label={t('findings.about')}
          value={code ?? ''}
          onChange={(next) => show({ code: next || undefined })}
          choices={[
            { value: '', label: t('every') },
            ...findings.map((one) => ({
              value: one.code,
              label: `${findingText(one.code, one.message)} (${one.count})`,
            })),
          ]}
        />
      </FilterBar>
      <PagedList
        query={list}
        rows={2}
        page={page}
        onPage={(next) => show({ found: next })}
        pagesLabel={t('findings.pages')}
      >
        {(data) => (
          <ul className="cards">
            {data.findings.map((one) => (
              <FindingCard key={one.id} finding={one} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

function FindingCard({ finding }: { finding: ImportFinding }) {
  const { kind, foreign_id, code, message, detail, record } = finding;
  const go = useGo();
  const path = pathOf(record);
  const name = aboutOf(kind, foreign_id);
  return (
    <li className="card">
      <div>
        <p>
          {name && <strong>{name}: </strong>}
          {findingText(code, message)}
        </p>
        {detail !== '' && <p className="soft import-detail">{detail}</p>}
      </div>
      {path !== undefined && (
        <Button aria-label={t('open_of', { name })} onPress={() => go(path)}>
          {t('open')}
        </Button>
      )}
    </li>
  );
}

function aboutOf(kind: string, id: number): string {
  if (kind === '' || id === 0) return '';
  return kind === 'line' ? t('line', { number: String(id) }) : `${kindName(kind)} ${id}`;
}
