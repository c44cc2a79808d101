import { keepPreviousData, type Query, QueryClient, queryOptions } from '@tanstack/react-query';
import type { Answer, Input, Operation } from '../../../packages/client/src/marquee-client.ts';
import { type CallArguments, call } from '../../client/call.ts';
import { contentLanguage } from './content-language.ts';

type ReadOperation = Extract<Operation, `GET ${string}`>;

/** Milliseconds during which a result is not read again, so that back and forward need no requests. */
const FRESH = 10_000;

/** Query client of all screens. `call` retries lost connections and reports when there is none. */
export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: FRESH }, mutations: { retry: false, networkMode: 'always' } },
});

interface ReadOptions {
  /** Whether to read at all. */
  isOn?: boolean;
  /** Whether the previous result stays until the result for new parameters arrives, as in lists. */
  keepsPrevious?: boolean;
  /** Language of the texts; the content language by default. */
  language?: string;
}

/** Reads without the cache, in the content language unless another one is given. */
export const readNow = <O extends ReadOperation>(
  operation: O,
  input: Input<O>,
  signal?: AbortSignal,
  language = contentLanguage(),
) => {
  const options = { ...(signal && { signal }), ...(language !== undefined && { language }) };
  // The operation is not known here, so the compiler cannot tell which inputs are optional.
  return call(operation, ...([input, options] as CallArguments<O>));
};

/**
 * A read of the interface for `useQuery` and for loaders of routes, such as
 * `read('GET /events/v1/events', { search })`. Results are cached by content language.
 */
export const read = <O extends ReadOperation>(
  operation: O,
  input: Input<O> = {} as Input<O>,
  { isOn = true, keepsPrevious = false, language = contentLanguage() }: ReadOptions = {},
) =>
  queryOptions<Answer<O>>({
    queryKey: [operation, input, language],
    enabled: isOn,
    ...(keepsPrevious && { placeholderData: keepPreviousData }),
    queryFn: ({ signal }) => readNow(operation, input, signal, language),
  });

/**
 * Invalidates everything read from a path of the interface, such as `/events/v1/events`, or from below it, also by
 * reads that are under way and whose response may be from before the change. The record `gone` was deleted: it is not
 * read again, though it may still be shown for a moment.
 */
export async function refresh(path: string, { gone }: { gone?: number } = {}): Promise<void> {
  const isRead = ({ queryKey: [operation, input] }: Query): boolean =>
    String(operation).startsWith(`GET ${path}`) && (gone === undefined || idOf(input) !== gone);
  // TanStack Query starts such reads anew only where a result is already on the screen.
  const underWay = queries
    .getQueryCache()
    .findAll({ fetchStatus: 'fetching', predicate: isRead })
    .filter((query) => query.state.data === undefined || !query.isActive());
  await queries.invalidateQueries({ predicate: isRead });
  if (underWay.length === 0) return;
  await Promise.allSettled(underWay.map(({ promise }) => promise));
  await queries.invalidateQueries({ predicate: (query) => underWay.includes(query) });
}

const idOf = (input: unknown): unknown => (typeof input === 'object' && input && 'id' in input ? input.id : undefined);
