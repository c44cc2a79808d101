import { Suspense } from 'react';
import { Credentials } from '../credentials/lazy.ts';
import { useMe, useRight } from '../frame/account.ts';
import { Page } from '../parts/page.tsx';
import { RowsLoading } from '../parts/states.tsx';
import { CheckInKeys } from './check-in-keys.tsx';
import './keys.css';
import { t } from './texts.ts';

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
