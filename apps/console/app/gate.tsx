import { useQuery } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Me } from '../../../packages/client/src/marquee-client.ts';
import { isProblem } from '../../client/problem.ts';
import { hasScreens, meQuery, siteQuery } from '../data/account.ts';
import { refresh } from '../data/queries.ts';
import { t } from '../i18n/texts.ts';
import { SecondFactorGate } from '../shared/second-factor/second-factor.ts';
import { Failure } from '../ui/states.tsx';
import { Frame } from './frame.tsx';
import { openedLink } from './sign-in/entry.ts';

const SignIn = lazy(async () => ({ default: (await import('./sign-in/sign-in.tsx')).SignIn }));

const LinkEntry = lazy(async () => ({ default: (await import('./sign-in/link-entry.tsx')).LinkEntry }));

/** Shows the console to signed-in users, and the sign-in form to others, without changing the address. */
export function Gate() {
  const [link, setLink] = useState(openedLink);
  const [isInSetUp, setInSetUp] = useState(false);
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
  if (link)
    return (
      <Loaded>
        <LinkEntry link={link} onDone={() => setLink(undefined)} />
      </Loaded>
    );
  if (me.data && (isInSetUp || mustSetUp(me.data)))
    return (
      <Loaded>
        <SecondFactorGate
          onConfirmed={() => setInSetUp(true)}
          onDone={() => void refresh('/').then(() => setInSetUp(false))}
        />
      </Loaded>
    );
  if (me.data) return <Frame />;
  if (!hasScreens())
    return (
      <Loaded>
        <SignIn />
      </Loaded>
    );
  // The session has expired: unsaved input stays behind the form.
  return (
    <>
      <Frame />
      <Loaded>
        <SignIn isAgain />
      </Loaded>
    </>
  );
}

/** Whether the account must set up a second factor first. */
const mustSetUp = ({ second_factor }: Me): boolean => second_factor.is_required && !second_factor.is_enabled;

const Loaded = ({ children }: { children: ReactNode }) => <Suspense fallback={<Late />}>{children}</Suspense>;

/** Placeholder that is invisible at first, since most responses arrive at once. */
function Late() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return isLate ? <div className="gate-loading" role="status" aria-label={t('loading')} /> : null;
}
