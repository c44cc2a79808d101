import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import type { BatchCall } from '../../../packages/client/src/marquee-client.ts';
import { sendBatch } from '../../client/batch.ts';
import { BATCH, type BulkState, runBulk, type Send } from '../../client/bulk.ts';
import { focusTable } from '../ui/focus.ts';
import type { AfterBulk, Bulk, BulkRun } from '../ui/table/bulk-bar.tsx';
import type { RowSource } from '../ui/table/selection.ts';
import { toastProblem } from '../ui/toast.tsx';

const NOTHING: BulkState<never> = { tried: 0, of: 0, changed: [], answers: [], failed: [] };

interface Wanted<R> {
  label: string;
  rows: readonly R[] | RowSource<R>;
  after: AfterBulk<R> | undefined;
}

/** Runs an action on many rows in few requests. */
export const useBatch = <R>(callOf: (row: R) => BatchCall): Bulk<R> => useBulk(callOf, sendBatch, BATCH);

/**
 * Runs an action on many rows, `size` of them at once; it can be stopped in between. `after` follows each run,
 * including retries.
 */
export function useBulk<R, C>(callOf: (row: R) => C, send: Send<C>, size = 1): Bulk<R> {
  const [run, setRun] = useState<BulkRun<R>>();
  const stopper = useRef<AbortController>(undefined);
  const mutationKey = ['bulk', useId()];
  const queries = useQueryClient();
  const show = (next: BulkRun<R> | undefined) => {
    setRun(next);
    // Focus the table only after the dialog has tried to focus a button that has disappeared.
    if (!next) requestAnimationFrame(() => requestAnimationFrame(focusTable));
  };
  const work = async ({ label, rows, after }: Wanted<R>): Promise<BulkState<R>> => {
    const controller = new AbortController();
    const { signal } = controller;
    stopper.current = controller;
    const tell = (more: Partial<BulkRun<R>>) => setRun({ label, read: 0, isOver: false, after, ...more });
    let state: BulkState<R> = NOTHING;
    try {
      const all = Array.isArray(rows) ? rows : await readAll(rows as RowSource<R>, signal, tell);
      state = await runBulk(all, { callOf, signal, send, size, onProgress: (next) => tell({ state: next }) });
    } catch (error) {
      toastProblem(error);
    }
    await after?.(state);
    const isReported = state.failed.length > 0 || state.tried < state.of;
    show(isReported ? { label, state, read: state.of, isOver: true, after } : undefined);
    return state;
  };
  const { mutateAsync } = useMutation({ mutationKey, mutationFn: work });
  return {
    run,
    start: async (label, rows, after) =>
      queries.isMutating({ mutationKey }) > 0 ? NOTHING : mutateAsync({ label, rows, after }),
    stop: () => stopper.current?.abort(),
    close: () => show(undefined),
  };
}

const readAll = <R>(source: RowSource<R>, signal: AbortSignal, show: (run: { read: number }) => void) => {
  show({ read: 0 });
  return source({ signal, onProgress: (read) => show({ read }) });
};
