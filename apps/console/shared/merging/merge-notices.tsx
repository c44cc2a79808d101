import type { Duplicates } from '../../../../packages/client/src/marquee-client.ts';
import { useAction } from '../../data/actions.ts';
import { t } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import './duplicates.css';
import { useEffect } from 'react';
import { forgetRecentMerge, type RecentMerge, timeLeft, useRecentMerges } from '../../data/recent-merges.ts';
import { toast, toastProblem } from '../../ui/toast.tsx';
import { type MergedKind, undoMerge } from './merging.ts';
import './recent-merges.css';

type Pair = Duplicates['duplicates'][number];
type Named = Pair['records'][number];

interface DuplicatesProps {
  pairs: readonly Pair[];
  /** Detail that distinguishes records of the same name. */
  detailOf: (record: Named) => string;
  onCompare: (ids: number[]) => void;
}

/** Notice above a list about probable duplicates. */
export function DuplicatesNotice({ pairs, detailOf, onCompare }: DuplicatesProps) {
  if (pairs.length === 0) return null;
  return (
    <details className="duplicates">
      <summary>
        <Icon name="copy" />
        {t('duplicates', { count: pairs.length })}
      </summary>
      <ul>
        {pairs.map(({ records }) => (
          <li key={records.map(({ id }) => id).join()}>
            <span>
              {records.map((record) => (
                <span key={record.id} className="duplicate">
                  {record.title} <small className="soft">{detailOf(record)}</small>
                </span>
              ))}
            </span>
            <Button
              aria-label={t('duplicates.compare_named', { names: records.map(({ title }) => title).join(', ') })}
              onPress={() => onCompare(records.map(({ id }) => id))}
            >
              {t('duplicates.compare')}
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Merges of a kind that can still be undone, above its list. */
export function RecentMerges({ kind }: { kind: MergedKind }) {
  const merges = useRecentMerges().filter((one) => one.kind === kind);
  if (merges.length === 0) return null;
  return (
    <ul className="recent-merges" aria-label={t('merge.recent')}>
      {merges.map((merge) => (
        <MergeLine key={merge.id} kind={kind} merge={merge} />
      ))}
    </ul>
  );
}

function MergeLine({ kind, merge }: { kind: MergedKind; merge: RecentMerge }) {
  useEffect(() => {
    const timer = setTimeout(() => forgetRecentMerge(merge.id), timeLeft(merge));
    return () => clearTimeout(timer);
  }, [merge]);
  const undo = useAction(() => undoMerge(kind, merge.id), {
    onSuccess: () => toast(t('undone')),
    onError: toastProblem,
  });
  return (
    <li>
      <span>{merge.text}</span>
      <Button icon="undo" look="plain" onPress={() => undo.run()}>
        {t('undo')}
      </Button>
    </li>
  );
}
