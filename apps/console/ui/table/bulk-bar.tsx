import { type ReactNode, useEffect, useState } from 'react';
import { type BulkState, type Renew, rowsToRetry } from '../../../client/bulk.ts';
import { t } from '../../i18n/texts.ts';
import { Button, IconButton } from '../button.tsx';
import { DialogBox } from '../dialog-box.tsx';
import { describe } from '../states.tsx';
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

/** Follows a run. */
export type AfterBulk<R> = (state: BulkState<R>) => Promise<void> | void;

export interface BulkRun<R> {
  label: string;
  /** Undefined while the rows are read. */
  state?: BulkState<R>;
  read: number;
  isOver: boolean;
  after: AfterBulk<R> | undefined;
}

/** Action on many rows. */
export interface Bulk<R> {
  run: BulkRun<R> | undefined;
  /** Does nothing while it runs. */
  start(label: string, rows: readonly R[] | RowSource<R>, after?: AfterBulk<R>): Promise<BulkState<R>>;
  stop(): void;
  close(): void;
}

interface BulkReportProps<R> {
  bulk: Bulk<R>;
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

function BulkProgress<R>({ run: { label, state, read }, onStop }: { run: BulkRun<R>; onStop: () => void }) {
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
