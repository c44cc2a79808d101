import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Me, Site } from '../../../packages/client/src/marquee-client.ts';
import { call, setSiteLanguages } from '../../client/call.ts';
import { isProblem } from '../../client/problem.ts';
import { describe } from '../ui/states.tsx';
import { toast } from '../ui/toast.tsx';
import { settleContentLanguage } from './content-language.ts';
import { queries } from './queries.ts';
import { forgetRecentMerges } from './recent-merges.ts';

export type Capability = Me['capabilities'][number];

/** Who signed in last. Screens stay as they are while somebody whose session has ended signs in again. */
let lastMe: Me | undefined;

/** The account of this session; null without one. */
export const meQuery = queryOptions({
  queryKey: ['GET /admin/v1/me'],
  staleTime: 60_000,
  async queryFn({ signal }): Promise<Me | null> {
    try {
      lastMe = await call('GET /admin/v1/me', {}, { signal });
      return lastMe;
    } catch (error) {
      if (isProblem(error) && error.status === 401) return null;
      throw error;
    }
  },
});

/** The settings of the site, in whatever language. */
export const siteQuery = queryOptions({
  queryKey: ['GET /admin/v1/site'],
  staleTime: Number.POSITIVE_INFINITY,
  async queryFn({ signal }): Promise<Site> {
    const site = await call('GET /admin/v1/site', {}, { signal });
    setSiteLanguages(site.languages);
    settleContentLanguage(site.languages);
    return site;
  },
});

/** The account, also for the moment in which its session has ended. */
export function useMe(): Me {
  const { data } = useQuery(meQuery);
  const me = data ?? lastMe;
  if (!me) throw new Error('there is no account');
  return me;
}

/** Whether there are screens to go on with when somebody signs in again. */
export const hasScreens = (): boolean => lastMe !== undefined;

/** Whether the account has one of some rights; with none named, it has. */
export const useRight = (...any: readonly Capability[]): boolean => hasRight(useMe(), ...any);

export const hasRight = ({ capabilities }: Me, ...any: readonly Capability[]): boolean =>
  any.length === 0 || any.some((right) => capabilities.includes(right));

export function useSite(): Site {
  const { data } = useQuery(siteQuery);
  if (!data) throw new Error('the site has not been read');
  return data;
}

/** Takes the account that a sign-in answered. Screens of another one are left. */
export function enterAccount(me: Me): void {
  if (lastMe && lastMe.id !== me.id) forgetAccount();
  lastMe = me;
  queries.setQueryData(meQuery.queryKey, me);
  void queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== meQuery.queryKey[0] });
}

/** Forgets the account and all that was read under it. */
function forgetAccount(): void {
  lastMe = undefined;
  forgetRecentMerges();
  queries.setQueryData(meQuery.queryKey, null);
  queries.removeQueries({
    predicate: ({ queryKey: [first] }) => first !== meQuery.queryKey[0] && first !== siteQuery.queryKey[0],
  });
}

/** Ends the session of this browser and forgets what was read under it. */
export async function signOut(): Promise<void> {
  try {
    await call('DELETE /admin/v1/session');
    forgetAccount();
  } catch (error) {
    toast(describe(error), { tone: 'bad' });
  }
}
