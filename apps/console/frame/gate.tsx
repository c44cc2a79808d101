import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { isProblem } from '../../client/problem.ts';
import { Failure } from '../parts/states.tsx';
import { meQuery, siteQuery } from './account.ts';
import { Frame } from './frame.tsx';
import { t } from './texts.ts';

const SignIn = lazy(() =>
  import('../sign-in/sign-in.tsx').then(async (module) => {
    await module.loadOwnTexts();
    return { default: module.SignIn };
  }),
);

/** Shows the frame to who is signed in, and the way in to everybody else; the address stays as it is. */
export function Gate() {
  const me = useQuery(meQuery);
  const site = useQuery(siteQuery);
  const error = me.error ?? site.error;
  if (error && !(me.data && site.data))
    return (
      <main className="gate">
        <h1>{t(isProblem(error, 'offline') ? 'offline.title' : 'error.title')}</h1>
        <Failure error={error} onRetry={() => void Promise.all([me.refetch(), site.refetch()])} />
      </main>
    );
  if (me.data === undefined || !site.data) return <Late />;
  if (me.data === null)
    return (
      <Suspense fallback={<Late />}>
        <SignIn />
      </Suspense>
    );
  return <Frame />;
}

/** Nothing for a moment, since most answers come at once. */
function Late() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return isLate ? <div className="gate-loading" role="status" aria-label={t('loading')} /> : null;
}
