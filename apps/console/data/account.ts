import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Me, Site } from '../../../packages/client/src/marquee-client.ts';
import { call, setSiteLanguages } from '../../client/call.ts';
import { isProblem } from '../../client/problem.ts';
import { toastProblem } from '../ui/toast.tsx';
import { useAction } from './actions.ts';
import { settleContentLanguage } from './content-language.ts';
import { queries } from './queries.ts';
import { forgetRecentMerges } from './recent-merges.ts';
import type { Capability } from './rights.ts';

/** Last signed-in account. Screens stay while the user signs in again after the session expired. */
let lastMe: Me | undefined;

/** Account of the session; null if signed out. */
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

/** Settings of the site, in any language. */
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

/** The account, also after its session has expired. */
export function useMe(): Me {
  const { data } = useQuery(meQuery);
  const me = data ?? lastMe;
  if (!me) throw new Error('there is no account');
  return me;
}

/** Whether screens are open that continue after another sign-in. */
export const hasScreens = (): boolean => lastMe !== undefined;

/** Whether the account has one of the rights; true if none is given. */
export const useRight = (...any: readonly Capability[]): boolean => hasRight(useMe(), ...any);

export const hasRight = ({ capabilities }: Me, ...any: readonly Capability[]): boolean =>
  any.length === 0 || any.some((right) => capabilities.includes(right));

export function useSite(): Site {
  const { data } = useQuery(siteQuery);
  if (!data) throw new Error('the site has not been read');
  return data;
}

/** Sets the account after a sign-in. Screens of another account are closed. */
export function enterAccount(me: Me): void {
  if (lastMe && lastMe.id !== me.id) forgetAccount();
  lastMe = me;
  queries.setQueryData(meQuery.queryKey, me);
  void queries.invalidateQueries({ predicate: ({ queryKey: [first] }) => first !== meQuery.queryKey[0] });
}

/** Clears the account and its data. */
function forgetAccount(): void {
  lastMe = undefined;
  forgetRecentMerges();
  queries.setQueryData(meQuery.queryKey, null);
  queries.removeQueries({
    predicate: ({ queryKey: [first] }) => first !== meQuery.queryKey[0] && first !== siteQuery.queryKey[0],
  });
}

/** Ends the session of this browser and clears its data. */
export function useSignOut(): () => void {
  const { run } = useAction(() => call('DELETE /admin/v1/session'), {
    onSuccess: forgetAccount,
    onError: toastProblem,
  });
  // A button would pass its event as the input, which cannot be compared.
  return () => run();
}
