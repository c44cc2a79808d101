import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { BatchCall } from '../../../../packages/client/src/marquee-client.ts';
import { sendBatch } from '../../../client/batch.ts';
import { BATCH, type BulkState, type Renew, rowsToRetry, runBulk, type Send } from '../../../client/bulk.ts';
import { t } from '../../i18n/texts.ts';
import { Button, IconButton } from '../button.tsx';
import { DialogBox } from '../dialog-box.tsx';
import { focusTable } from '../focus.ts';
import { describe } from '../states.tsx';
import { toastProblem } from '../toast.tsx';
import { MOST_SELECTED, type RowSource, type Selection } from './selection.ts';

interface BulkBarProps {
  count: number;
  onClear: () => void;
  /** Offers to select all matches of the filters. */
  all?: Pick<Selection<unknown>, 'isAll' | 'total' | 'selectAll'>;
  /** Number of selected rows that the account may not change. */
  leftOut?: number;
  children: ReactNode;
}

/** Actions on the selected rows. */
export function BulkBar({ count, onClear, all, leftOut = 0, children }: BulkBarProps) {
  if (count === 0) return null;
  return (
    <section className="bulk" aria-label={t('bulk.label')}>
      <div className="bulk-count">
        <IconButton icon="close" label={t('bulk.clear')} onPress={onClear} />
        <p role="status">{t('bulk.selected', { count })}</p>
        {leftOut > 0 && <p className="soft">{t('bulk.left_out', { count: leftOut })}</p>}
        {all && !all.isAll && count < all.total && <SelectAll {...all} />}
      </div>
      {leftOut < count && <div className="bulk-acts">{children}</div>}
    </section>
  );
}

function SelectAll({ total, selectAll }: Pick<Selection<unknown>, 'total' | 'selectAll'>) {
  if (total > MOST_SELECTED) return <span className="soft bulk-most">{t('bulk.most', { count: MOST_SELECTED })}</span>;
  return (
    <Button look="plain" onPress={selectAll}>
      {t('bulk.all', { count: total })}
    </Button>
  );
}

const NOTHING: BulkState<never> = { tried: 0, of: 0, changed: [], answers: [], failed: [] };

type After<R> = (state: BulkState<R>) => Promise<void> | void;

interface Run<R> {
  label: string;
  /** Undefined while the rows are read. */
  state?: BulkState<R>;
  read: number;
  isOver: boolean;
  after: After<R> | undefined;
}

/** Runs an action on many rows in few requests. */
export const useBatch = <R,>(callOf: (row: R) => BatchCall) => useBulk(callOf, sendBatch, BATCH);

/**
 * Runs an action on many rows, `size` of them at once; it can be stopped in between. `after` follows each run, including
 * retries.
 */
export function useBulk<R, C>(callOf: (row: R) => C, send: Send<C>, size = 1) {
  const [run, setRun] = useState<Run<R>>();
  const stopper = useRef<AbortController>(undefined);
  const isRunning = useRef(false);
  const show = (next: Run<R> | undefined) => {
    setRun(next);
    // After the dialog has tried to focus a button that has disappeared.
    if (!next) requestAnimationFrame(() => requestAnimationFrame(focusTable));
  };
  const start = async (label: string, rows: readonly R[] | RowSource<R>, after?: After<R>): Promise<BulkState<R>> => {
    if (isRunning.current) return NOTHING;
    isRunning.current = true;
    const controller = new AbortController();
    const { signal } = controller;
    stopper.current = controller;
    const tell = (more: Partial<Run<R>>) => setRun({ label, read: 0, isOver: false, after, ...more });
    let state: BulkState<R> = NOTHING;
    try {
      const all = Array.isArray(rows) ? rows : await readAll(rows as RowSource<R>, signal, tell);
      state = await runBulk(all, { callOf, signal, send, size, onProgress: (next) => tell({ state: next }) });
    } catch (error) {
      toastProblem(error);
    }
    await after?.(state);
    const isReported = state.failed.length > 0 || state.tried < state.of;
    isRunning.current = false;
    show(isReported ? { label, state, read: state.of, isOver: true, after } : undefined);
    return state;
  };
  return { run, start, stop: () => stopper.current?.abort(), close: () => show(undefined) };
}

const readAll = <R,>(source: RowSource<R>, signal: AbortSignal, show: (run: { read: number }) => void) => {
  show({ read: 0 });
  return source({ signal, onProgress: (read) => show({ read }) });
};

interface BulkReportProps<R> {
  bulk: ReturnType<typeof useBulk<R, unknown>>;
  nameOf: (row: R) => string;
  /** Needed for rows that are no records. */
  renew?: Renew<R>;
  /** Called when the report is closed. */
  onClose?: () => void;
}

/** Maximum number of listed failures. */
const MOST_LINES = 50;

/** Progress of a bulk action, and its failures with a button to retry. */
export function BulkReport<R extends { id: number }>({ bulk, nameOf, renew, onClose }: BulkReportProps<R>) {
  const { run, start, stop, close } = bulk;
  if (!run) return null;
  const { label, state, isOver, after } = run;
  if (!isOver || !state) return <BulkProgress run={run} onStop={stop} />;
  const { changed, failed, of } = state;
  return (
    <DialogBox
      title={label}
      onClose={() => {
        close();
        onClose?.();
      }}
      actions={
        failed.length > 0 && (
          <Button onPress={() => void start(label, rowsToRetry(failed, renew), after)}>
            {t('bulk.retry', { count: failed.length })}
          </Button>
        )
      }
    >
      <p role="status">{t('bulk.result', { done: changed.length, of })}</p>
      <ul className="bulk-failed">
        {failed.slice(0, MOST_LINES).map(({ row, error }) => (
          <li key={row.id}>
            <strong>{nameOf(row)}</strong>: {describe(error)}
          </li>
        ))}
      </ul>
      {failed.length > MOST_LINES && <p>{t('bulk.more_failed', { count: failed.length - MOST_LINES })}</p>}
    </DialogBox>
  );
}

/** Milliseconds before the progress is shown, so that short actions show no dialog. */
const LATE = 200;

function BulkProgress<R>({ run: { label, state, read }, onStop }: { run: Run<R>; onStop: () => void }) {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE);
    return () => clearTimeout(timer);
  }, []);
  if (!isLate) return null;
  return (
    <DialogBox title={label} actions={<Button onPress={onStop}>{t('bulk.stop')}</Button>}>
      <progress value={state?.tried} max={state?.of} aria-label={label} />
      <p>{state ? t('bulk.progress', { done: state.tried, of: state.of }) : t('bulk.reading', { count: read })}</p>
    </DialogBox>
  );
}
