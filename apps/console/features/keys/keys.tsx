import { Suspense } from 'react';
import { useMe, useRight } from '../../data/account.ts';
import { Credentials } from '../../shared/credentials/lazy.ts';
import { Page } from '../../shared/screen/page.tsx';
import { RowsLoading } from '../../ui/states.tsx';
import { CheckInKeys } from './check-in-keys.tsx';
import './keys.css';
import { t } from './routes.ts';

/** What scanners and programs sign in with: keys of the door, and what belongs to one's own account. */
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
