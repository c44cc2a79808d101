import { type ReactNode, useState } from 'react';
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
export function useBulk<R>(act: (row: R) => Promise<unknown>) {
  const [run, setRun] = useState<BulkRun<R>>();
  const [stop, setStop] = useState<AbortController>();
  const start = async (label: string, rows: readonly R[]) => {
    const stopper = new AbortController();
    setStop(stopper);
    const failed: Failed<R>[] = [];
    let done = 0;
    for (const row of rows) {
      if (stopper.signal.aborted) break;
      setRun({ label, done, of: rows.length, failed, isOver: false });
      await act(row).catch((error: unknown) => failed.push({ row, error }));
      done += 1;
    }
    setRun(
      failed.length > 0 || done < rows.length ? { label, done, of: rows.length, failed, isOver: true } : undefined,
    );
    return { done: done - failed.length, failed };
  };
  return { run, start, stop: () => stop?.abort(), close: () => setRun(undefined) };
}

interface BulkReportProps<R> {
  bulk: ReturnType<typeof useBulk<R>>;
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
