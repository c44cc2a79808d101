import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';

interface ActionOptions<I, R> {
  /** Follows a success; the action is pending until it has ended. */
  onSuccess?: (result: R, input: I) => unknown;
  /** Follows a failure; the default is that the component shows `error`. */
  onError?: (error: unknown) => unknown;
  /** Follows both. */
  onSettled?: () => unknown;
}

interface Action<I> {
  /** Starts the action unless it is running with the same input: two presses send one request. */
  run: (input: I) => void;
  isPending: boolean;
  /** Why the last run failed. */
  error: unknown;
  /** Clears `error`. */
  reset: () => void;
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

/** A write of the interface, started by a button or a form. */
export function useAction<I = void, R = unknown>(
  write: (input: I) => Promise<R>,
  { onSuccess, onError, onSettled }: ActionOptions<I, R> = {},
): Action<I> {
  const mutationKey = ['action', useId()];
  const queries = useQueryClient();
  const { mutate, isPending, error, reset } = useMutation<R, unknown, I>({
    mutationKey,
    mutationFn: write,
    onSuccess: async (result, input) => {
      await onSuccess?.(result, input);
    },
    onError: async (problem) => {
      await onError?.(problem);
    },
    onSettled: async () => {
      await onSettled?.();
    },
  });
  const run = (input: I) => {
    const isRunning = queries.isMutating({ mutationKey, predicate: ({ state }) => isSame(state.variables, input) }) > 0;
    if (!isRunning) mutate(input);
  };
  return { run, isPending, error: error ?? undefined, reset };
}
