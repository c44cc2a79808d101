import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Term } from '../../../../packages/client/src/marquee-client.ts';
import { useRight } from '../../data/account.ts';
import { read } from '../../data/queries.ts';
import { DuplicatesNotice } from '../../shared/merging/merge-notices.tsx';
import { Button } from '../../ui/button.tsx';
import { focusTable } from '../../ui/focus.ts';
import { useShortcut } from '../../ui/shortcuts.ts';
import { BulkBar } from '../../ui/table/bulk-bar.tsx';
import { DeleteTerms } from './delete-terms.tsx';
import { MergeTerms } from './merge-terms.tsx';
import { NewTerm } from './new-term.tsx';
import { t } from './routes.ts';
import { TermPanel } from './term-panel.tsx';
import { RIGHTS, readTree, rowOf, type Taxonomy, type TermRow } from './terms.ts';
import { placeOf } from './tree.ts';

/** As many as the server merges at once. */
const MOST_MERGED = 51;

/** Action with an open dialog. */
type Act =
  | { kind: 'new'; parent: number }
  | { kind: 'delete'; rows: readonly TermRow[] }
  | { kind: 'merge'; ids: readonly number[] };

/** Actions of an account on the terms of a taxonomy. */
export interface TermActions {
  mayWrite: boolean;
  act: Act | undefined;
  start: (act: Act) => void;
  end: () => void;
}

export function useTermActions(taxonomy: Taxonomy): TermActions {
  const [act, setAct] = useState<Act>();
  const mayWrite = useRight(RIGHTS[taxonomy]);
  useShortcut('c', t(`new.${taxonomy}`), () => mayWrite && setAct({ kind: 'new', parent: 0 }));
  return { mayWrite, act, start: setAct, end: () => setAct(undefined) };
}

interface TermActionsBarProps {
  taxonomy: Taxonomy;
  actions: TermActions;
  selected: readonly TermRow[];
  onClear: () => void;
  /** Id of the term in the panel. */
  open: number | undefined;
  onOpen: (id: number | undefined) => void;
  rows: readonly TermRow[];
}

/** Bar of the selected terms, panel of the open one, and dialog of the current action. */
export function TermActionsBar({ taxonomy, actions, selected, onClear, open, onOpen, rows }: TermActionsBarProps) {
  const { act, start, end } = actions;
  const ids = selected.map(({ id }) => id);
  const done = () => {
    onClear();
    end();
    focusList();
  };
  // A term of another page is not among the rows; its published events are known.
  const countedOf = (term: Term) =>
    rows.find(({ id }) => id === term.id) ?? rowOf(term, { events: term.count, upcoming: 0 });
  const deleteOpened = (term: Term) => {
    onOpen(undefined);
    start({ kind: 'delete', rows: [countedOf(term)] });
  };
  return (
    <>
      <BulkBar count={ids.length} onClear={onClear}>
        {ids.length > MOST_MERGED && <span className="soft">{t('merge.most', { count: MOST_MERGED })}</span>}
        {ids.length > 1 && ids.length <= MOST_MERGED && (
          <Button onPress={() => start({ kind: 'merge', ids })}>{t('merge')}</Button>
        )}
        <Button icon="trash" onPress={() => start({ kind: 'delete', rows: selected })}>
          {t('delete')}
        </Button>
      </BulkBar>
      {open !== undefined && (
        <TermPanel
          key={open}
          taxonomy={taxonomy}
          id={open}
          onDelete={deleteOpened}
          onAdd={taxonomy === 'categories' ? () => start({ kind: 'new', parent: open }) : undefined}
          onClose={() => onOpen(undefined)}
        />
      )}
      {act?.kind === 'new' && <NewTerm taxonomy={taxonomy} parent={act.parent} onClose={end} />}
      {act?.kind === 'delete' && <DeleteTerms taxonomy={taxonomy} rows={act.rows} onClose={done} />}
      {act?.kind === 'merge' && <MergeTerms taxonomy={taxonomy} ids={act.ids} onMerged={done} onClose={end} />}
    </>
  );
}

/** Moves the focus to the list, since the row or button that had it is gone. */
function focusList(): void {
  const focus = () => {
    focusTable();
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('main [role=treegrid]')?.focus({ preventScroll: true });
  };
  // In the next frame the dialog first restores the focus.
  requestAnimationFrame(() => requestAnimationFrame(focus));
}

/** Notice about probable duplicates, for users who may merge them. */
export function ProbableDuplicates({ taxonomy, actions }: { taxonomy: Taxonomy; actions: TermActions }) {
  const { data } = useQuery(read(`GET /admin/v1/${taxonomy}/duplicates`, {}, { isOn: actions.mayWrite }));
  const { data: tree } = useQuery(readTree(taxonomy === 'categories'));
  return (
    <DuplicatesNotice
      pairs={data?.duplicates ?? []}
      detailOf={({ id, slug }) => [placeOf(id, tree?.rows ?? []), slug].filter(Boolean).join(' · ')}
      onCompare={(ids) => actions.start({ kind: 'merge', ids })}
    />
  );
}
