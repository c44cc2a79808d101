import { useState } from 'react';
import { useMe } from '../../data/account.ts';
import { mayChange } from '../../data/post-rights.ts';
import { Button } from '../../ui/button.tsx';
import { focusTable } from '../../ui/focus.ts';
import { BulkBar } from '../../ui/table/bulk-bar.tsx';
import type { Kind, Row, View } from './kinds.ts';
import { MergeLinked } from './merge-linked.tsx';
import { t } from './routes.ts';
import { useTrash } from './use-trash.tsx';

/** As many as the server merges at once. */
const MOST_MERGED = 51;

interface BulkActionsProps {
  kind: Kind;
  view: View;
  /** The selected ones. */
  rows: readonly Row[];
  onDone: () => void;
}

/** Actions on the selected records. */
export function BulkActions({ kind, view, rows: selected, onDone }: BulkActionsProps) {
  const me = useMe();
  const rows = selected.filter((row) => mayChange(me, row));
  const leftOut = selected.length - rows.length;
  const [merged, setMerged] = useState<readonly number[]>();
  const { trash, restore, remove, dialogs } = useTrash(kind, onDone);
  const mayMerge = rows.length > 1 && leftOut === 0;
  return (
    <>
      <BulkBar count={selected.length} onClear={onDone} leftOut={leftOut}>
        {view !== 'trash' && mayMerge && rows.length <= MOST_MERGED && (
          <Button onPress={() => setMerged(rows.map(({ id }) => id))}>{t('merge')}</Button>
        )}
        {view === 'trash' ? (
          <>
            <Button icon="undo" onPress={() => restore(rows)}>
              {t('restore')}
            </Button>
            <Button icon="trash" look="bad" onPress={() => remove(rows)}>
              {t('delete')}
            </Button>
          </>
        ) : (
          <Button icon="trash" onPress={() => trash(rows)}>
            {t('trash')}
          </Button>
        )}
      </BulkBar>
      {dialogs}
      {merged && (
        <MergeLinked
          kind={kind}
          ids={merged}
          onMerged={() => {
            setMerged(undefined);
            onDone();
            requestAnimationFrame(() => requestAnimationFrame(focusTable));
          }}
          onClose={() => setMerged(undefined)}
        />
      )}
    </>
  );
}
