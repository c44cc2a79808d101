import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import type { Answer, Input, Operation } from '../../../packages/client/src/marquee-client.ts';
import { type CallArguments, call } from '../../client/call.ts';
import { contentLanguage } from './content-language.ts';

type ReadOperation = Extract<Operation, `GET ${string}`>;

/** Milliseconds that what was read counts as present: going to and fro asks nothing anew. */
const FRESH = 10_000;

/** The client of all screens. Lost connections are retried by `call`. */
export const queries = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: FRESH }, mutations: { retry: false } },
});

interface ReadOptions {
  /** Whether it is to be read at all. */
  isOn?: boolean;
  /** Whether what was shown stays until the answer to other parameters is there, as in lists. */
  keepsPrevious?: boolean;
  /** Of the texts; that of the content by default. */
  language?: string;
}

/** Reads past what was read before; in the language of the content unless another one is named. */
export const readNow = <O extends ReadOperation>(
  operation: O,
  input: Input<O>,
  signal?: AbortSignal,
  language = contentLanguage(),
) => {
  const options = { ...(signal && { signal }), ...(language !== undefined && { language }) };
  // The compiler cannot tell which inputs may be left out, as the operation is not known here.
  return call(operation, ...([input, options] as unknown as CallArguments<O>));
};

/**
 * A read of the interface for `useQuery` and for loaders of routes, such as
 * `read('GET /events/v1/events', { search })`. What is read belongs to the language of the content.
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
 * Has everything read anew that comes from a path of the interface, such as `/events/v1/events`, or from below it. A
 * record that is `gone` is not asked for, though it may still be shown for a moment.
 */
export const refresh = (path: string, { gone }: { gone?: number } = {}): Promise<void> =>
  queries.invalidateQueries({
    predicate: ({ queryKey: [operation, input] }) =>
      String(operation).startsWith(`GET ${path}`) && (gone === undefined || idOf(input) !== gone),
  });

const idOf = (input: unknown): unknown => (typeof input === 'object' && input && 'id' in input ? input.id : undefined);
