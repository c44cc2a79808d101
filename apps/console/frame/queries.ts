import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query';
import type { Answer, Input, Operation } from '../../../packages/client/src/marquee-client.ts';
import { type CallArguments, call } from '../../client/call.ts';
import { isProblem } from '../../client/problem.ts';
import { contentLanguage } from './content-language.ts';

type ReadOperation = Extract<Operation, `GET ${string}`>;

/** Milliseconds that what was read counts as present: going to and fro asks nothing anew. */
const FRESH = 10_000;

/** The client of all screens. Lost connections are retried by `call`. */
export const queries: QueryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: FRESH }, mutations: { retry: false } },
  queryCache: new QueryCache({
    onError(error, query) {
      // The session has ended: the frame asks who signs in.
      if (isProblem(error) && error.status === 401 && query.queryKey[0] !== ME) void refresh('/admin/v1/me');
    },
  }),
});

const ME: ReadOperation = 'GET /admin/v1/me';

/**
 * A read of the interface for `useQuery` and for loaders of routes, such as
 * `read('GET /events/v1/events', { search })`. What is read belongs to the language of the content.
 */
export const read = <O extends ReadOperation>(operation: O, input: Input<O> = {} as Input<O>) => {
  const language = contentLanguage();
  return queryOptions<Answer<O>>({
    queryKey: [operation, input, language],
    queryFn({ signal }) {
      // The compiler cannot tell which inputs may be left out, as the operation is not known here.
      const sent = [input, { signal, ...(language !== undefined && { language }) }] as unknown as CallArguments<O>;
      return call(operation, ...sent);
    },
  });
};

/** Has everything read anew that comes from a path of the interface, such as `/events/v1/events`, or from below it. */
const refresh = (path: string): Promise<void> =>
  queries.invalidateQueries({ predicate: ({ queryKey: [operation] }) => String(operation).startsWith(`GET ${path}`) });
