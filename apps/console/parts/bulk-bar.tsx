import { type ReactNode, useState } from 'react';
import type { BatchCall } from '../../../packages/client/src/marquee-client.ts';
import { BATCH, callBatch } from '../../client/batch.ts';
import { t } from '../frame/texts.ts';
import { Button } from './button.tsx';
import { DialogBox } from './dialog-box.tsx';
import { describe } from './states.tsx';

interface Failed<R> {
  row: R;
  error: unknown;
}

interface BulkRun<R> {
  label: string;
  done: number;
  of: number;
  failed: readonly Failed<R>[];
  isOver: boolean;
}

interface BulkBarProps {
  count: number;
  onClear: () => void;
  children: ReactNode;
}

/** What can be done with the selected rows. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  if (count === 0) return null;
  return (
    <section className="bulk" aria-label={t('bulk.label')}>
      <p role="status">{t('bulk.selected', { count })}</p>
      {children}
      <Button look="plain" onPress={onClear}>
        {t('bulk.clear')}
      </Button>
    </section>
  );
}

/** What is done with one row after another; it can be stopped between two of them. */
export const useBulk = <R,>(act: (row: R) => Promise<unknown>) =>
  useRun<R>(1, async ([row]) => [
    row &&
      (await act(row).then(
        () => undefined,
        (error: unknown) => error,
      )),
  ]);

/** What is done with many rows by a few requests; it can be stopped between two of them. */
export const useBatch = <R,>(callOf: (row: R) => BatchCall) =>
  useRun<R>(BATCH, async (rows) => {
    try {
      return await callBatch(rows.map(callOf));
    } catch (error) {
      return rows.map(() => error);
    }
  });

/** Runs an act on so many rows at a time; for each of them it answers the error, if any. */
function useRun<R>(size: number, act: (rows: readonly R[]) => Promise<readonly unknown[]>) {
  const [run, setRun] = useState<BulkRun<R>>();
  const [stop, setStop] = useState<AbortController>();
  const start = async (label: string, rows: readonly R[]) => {
    const stopper = new AbortController();
    setStop(stopper);
    const failed: Failed<R>[] = [];
    let done = 0;
    while (done < rows.length && !stopper.signal.aborted) {
      setRun({ label, done, of: rows.length, failed, isOver: false });
      const some = rows.slice(done, done + size);
      const errors = await act(some);
      failed.push(...some.flatMap((row, index) => (errors[index] ? [{ row, error: errors[index] }] : [])));
      done += some.length;
    }
    setRun(
      failed.length > 0 || done < rows.length ? { label, done, of: rows.length, failed, isOver: true } : undefined,
    );
    const isFailed = (row: R) => failed.some((one) => one.row === row);
    return { done: done - failed.length, failed, changed: rows.slice(0, done).filter((row) => !isFailed(row)) };
  };
  return { run, start, stop: () => stop?.abort(), close: () => setRun(undefined) };
}

interface BulkReportProps<R> {
  bulk: ReturnType<typeof useRun<R>>;
  nameOf: (row: R) => string;
}

/** The progress of a bulk act, and what failed and why, with another try of that. */
export function BulkReport<R>({ bulk: { run, start, stop, close }, nameOf }: BulkReportProps<R>) {
  if (!run) return null;
  const { label, done, of, failed, isOver } = run;
  if (!isOver)
    return (
      <DialogBox title={label} actions={<Button onPress={stop}>{t('bulk.stop')}</Button>}>
        <progress value={done} max={of} aria-label={label} />
        <p>{t('bulk.progress', { done, of })}</p>
      </DialogBox>
    );
  const retry = () =>
    void start(
      label,
      failed.map(({ row }) => row),
    );
  return (
    <DialogBox
      title={label}
      onClose={close}
      actions={failed.length > 0 && <Button onPress={retry}>{t('bulk.retry', { count: failed.length })}</Button>}
    >
      <p>{t('bulk.result', { done: done - failed.length, of })}</p>
      <ul>
        {failed.map(({ row, error }) => (
          <li key={nameOf(row)}>
            <strong>{nameOf(row)}</strong>: {describe(error)}
          </li>
        ))}
      </ul>
    </DialogBox>
  );
}
