import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import type { CheckInKey, NewCheckInKey } from '../../../../packages/client/src/marquee-client.ts';
import { useMe, useRight } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { when } from '../../i18n/formats.ts';
import { Credentials } from '../../shared/credentials/credentials.ts';
import { Page } from '../../shared/screen/page.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, RowsLoading } from '../../ui/states.tsx';
import { PagedList } from '../../ui/table/paged-list.tsx';
import { KeyScope, KeySheet } from './key-sheet.tsx';
import { NewKey } from './new-key.tsx';
import { Revoke } from './revoke.tsx';
import { t } from './routes.ts';
import './keys.css';

const route = getRouteApi('/keys');

const PER_PAGE = 25;

type Act = { act: 'make' } | { act: 'show'; key: NewCheckInKey } | { act: 'revoke'; key: CheckInKey };

/** Keys of scanners that read attendees and check them in. */
function CheckInKeys() {
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const [act, setAct] = useState<Act>();
  const list = useQuery(read('GET /admin/v1/check-in-keys', { page, per_page: PER_PAGE }, { keepsPrevious: true }));
  const end = () => setAct(undefined);
  return (
    <section aria-labelledby="check-in-keys">
      <div className="section-head">
        <h2 id="check-in-keys">{t('check_in')}</h2>
        <Button look="primary" icon="plus" onPress={() => setAct({ act: 'make' })}>
          {t('new')}
        </Button>
      </div>
      <p className="soft">
        {t('check_in.text')} <Link to="/door">{t('check_in.door')}</Link>
      </p>
      <PagedList
        query={list}
        rows={3}
        empty={<Empty text={t('none')} icon="key" />}
        page={page}
        onPage={(next) => void navigate({ search: { page: next } })}
      >
        {(data) => (
          <ul className="cards">
            {data.check_in_keys.map((key) => (
              <KeyLine key={key.id} item={key} onRevoke={() => setAct({ act: 'revoke', key })} />
            ))}
          </ul>
        )}
      </PagedList>
      {act?.act === 'make' && <NewKey onClose={end} onCreated={(key) => setAct({ act: 'show', key })} />}
      {act?.act === 'show' && <KeySheet created={act.key} onClose={end} />}
      {act?.act === 'revoke' && <Revoke item={act.key} onClose={end} />}
    </section>
  );
}

function KeyLine({ item, onRevoke }: { item: CheckInKey; onRevoke: () => void }) {
  const { name, event_id, created_utc, last_used_utc } = item;
  return (
    <li className="card">
      <div className="key-line">
        <p>{name}</p>
        <p className="soft">
          <KeyScope event={event_id} />
          {' · '}
          {last_used_utc ? t('used', { when: when.ago(last_used_utc) }) : t('unused', { when: when.ago(created_utc) })}
        </p>
      </div>
      <Button onPress={onRevoke} aria-label={t('revoke_of', { name })}>
        {t('revoke')}
      </Button>
    </li>
  );
}

/** Credentials of scanners and programs: check-in keys, and those of the user's own account. */
export function Screen() {
  const { id } = useMe();
  const mayManage = useRight('manage_users');
  return (
    <Page title={t('title')}>
      {mayManage && <CheckInKeys />}
      <Suspense fallback={<RowsLoading rows={2} />}>
        <Credentials userId={id} />
      </Suspense>
    </Page>
  );
}
