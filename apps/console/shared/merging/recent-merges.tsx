import { useEffect } from 'react';
import { forgetRecentMerge, type RecentMerge, timeLeft, useRecentMerges } from '../../data/recent-merges.ts';
import { t } from '../../i18n/common.ts';
import { Button } from '../../ui/button.tsx';
import { describe } from '../../ui/states.tsx';
import { toast } from '../../ui/toast-store.ts';
import { type MergedKind, undoMerge } from './merging.ts';
import './recent-merges.css';

/** The merges of a kind that can still be undone, above its list. */
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
  const undo = () =>
    undoMerge(kind, merge.id).then(
      () => toast(t('undone')),
      (error: unknown) => toast(describe(error), { tone: 'bad' }),
    );
  return (
    <li>
      <span>{merge.text}</span>
      <Button icon="undo" look="plain" onPress={() => void undo()}>
        {t('undo')}
      </Button>
    </li>
  );
}
