import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { Import } from '../../../../packages/client/src/marquee-client.ts';
import { useRight } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Empty, NoRight } from '../../ui/states.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { BeginImport } from './begin.tsx';
import { t } from './routes.ts';
import { Subscriptions } from './subscriptions.tsx';
import { isBusy, nameOf, outcomesOf, stateLook, stateName } from './words.ts';
import './imports.css';

const route = getRouteApi('/imports');

const PER_PAGE = 10;
/** Milliseconds between two reads while the server is at work. */
const INTERVAL = 3000;

/** Imports so far, the form of a new one, and calendar subscriptions. */
export function Screen() {
  const mayManage = useRight('manage_site');
  return (
    <Page title={t('title')}>
      {mayManage ? (
        <>
          <BeginImport />
          <Imports />
          <Subscriptions />
        </>
      ) : (
        <NoRight />
      )}
    </Page>
  );
}

function Imports() {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useQuery({
    ...read('GET /admin/v1/imports', { page, per_page: PER_PAGE }, { keepsPrevious: true }),
    refetchInterval: ({ state }) => (state.data?.imports.some(isBusy) ? INTERVAL : false),
  });
  return (
    <section aria-labelledby="imports-so-far">
      <h2 id="imports-so-far">{t('so_far')}</h2>
      <PagedList
        query={list}
        rows={2}
        empty={<Empty text={t('none')} icon="download" />}
        page={page}
        onPage={(next) => void navigate({ search: { page: next } })}
      >
        {(data) => (
          <ul className="cards">
            {data.imports.map((one) => (
              <ImportCard key={one.id} item={one} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

function ImportCard({ item }: { item: Import }) {
  const { id, kind, state, created_utc, counts } = item;
  return (
    <li className="card">
      <div>
        <p className="import-name">
          <Link to="/imports/$id" params={{ id: String(id) }}>
            {nameOf(item)}
          </Link>{' '}
          <span className={stateLook(state)}>{stateName(state)}</span>
        </p>
        <p className="soft">
          {[
            t(`kind.${kind}`),
            when.ago(created_utc),
            ...outcomesOf(counts).map((one) => `${one.outcome}: ${one.text}`),
          ].join(' · ')}
        </p>
      </div>
    </li>
  );
}
