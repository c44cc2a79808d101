import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Me, Site } from '../../../packages/client/src/marquee-client.ts';
import { call } from '../../client/call.ts';
import { isProblem } from '../../client/problem.ts';
import { settleContentLanguage } from './content-language.ts';
import { queries } from './queries.ts';

export type Capability = Me['capabilities'][number];

/** The account of this session; null without one. */
export const meQuery = queryOptions({
  queryKey: ['GET /admin/v1/me'],
  staleTime: 60_000,
  async queryFn({ signal }): Promise<Me | null> {
    try {
      return await call('GET /admin/v1/me', {}, { signal });
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
    settleContentLanguage(site.languages);
    return site;
  },
});

/** The account. The frame shows screens only while there is one. */
export function useMe(): Me {
  const { data } = useQuery(meQuery);
  if (!data) throw new Error('there is no account');
  return data;
}

/** Whether the account has one of some rights; with none named, it has. */
export const hasRight = ({ capabilities }: Me, ...any: readonly Capability[]): boolean =>
  any.length === 0 || any.some((right) => capabilities.includes(right));

export function useSite(): Site {
  const { data } = useQuery(siteQuery);
  if (!data) throw new Error('the site has not been read');
  return data;
}

/** Forgets all that was read under another account. */
export function forgetAccount(): void {
  queries.setQueryData(meQuery.queryKey, null);
  queries.removeQueries({
    predicate: ({ queryKey: [first] }) => first !== meQuery.queryKey[0] && first !== siteQuery.queryKey[0],
  });
}
