import { type KeyboardEvent, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../i18n/texts.ts';
import { focusTable } from '../focus.ts';
import { useShortcut } from '../shortcuts.ts';
import { rangeOf, rowAfter } from './rows.ts';

export interface RowKeysProps<R extends { id: number }> {
  rows: readonly R[];
  /** Ids of the selected rows; undefined if rows cannot be selected. */
  selected?: ReadonlySet<number>;
  onSelect?: (ids: ReadonlySet<number>) => void;
  /** Called by Enter and by a click on a row. */
  onOpen: (row: R) => void;
  /** Called by the key `e`; opens the row by default. */
  onEdit?: (row: R) => void;
  /** Called by the key `#`; must be undoable. */
  onTrash?: (row: R) => void;
}

/** Keys of the focused row or cell, and shortcuts that work anywhere on the screen. */
export function useRowKeys<R extends { id: number }>(
  body: RefObject<HTMLTableSectionElement | null>,
  { rows, selected, onSelect, onOpen, onEdit, onTrash }: RowKeysProps<R>,
) {
  const { current, setCurrent, focus } = useCurrentRow(body, rows, selected?.size ?? 0);
  const row = rows.find(({ id }) => id === current);
  const anchor = useRef(0);
  const toggle = (one: R, isRange = false) => {
    if (!selected) return;
    const ids = isRange ? rangeOf(rows, anchor.current, one.id) : [one.id];
    const isOn = !selected.has(one.id);
    anchor.current = one.id;
    const others = [...selected].filter((id) => !ids.includes(id));
    onSelect?.(new Set(isOn ? [...others, ...ids] : others));
  };
  // Memoized rows need the same function in every render.
  const latest = useRef(toggle);
  useLayoutEffect(() => {
    latest.current = toggle;
  });
  const toggleLatest = useCallback((one: R, isRange: boolean) => latest.current(one, isRange), []);
  const move = (steps: number) => focus(rowAfter(rows, current, steps));
  // The first key only moves the focus to the current row.
  const step = (steps: number) => move(body.current?.contains(document.activeElement) ? steps : 0);
  useShortcut('j', t('keys.next'), () => step(1));
  useShortcut('k', t('keys.previous'), () => step(-1));
  useShortcut('Enter', t('keys.open'));
  useShortcut('x', t('keys.select'), () => row && toggle(row), { isOn: selected !== undefined });
  useShortcut('e', t('keys.edit'), () => row && (onEdit ?? onOpen)(row));
  useShortcut('#', t('keys.trash'), () => row && onTrash?.(row), { isOn: onTrash !== undefined });
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Home: () => move(Number.NEGATIVE_INFINITY),
    End: () => move(Number.POSITIVE_INFINITY),
    Enter: () => row && onOpen(row),
    ...(selected && {
      ' ': () => row && toggle(row),
      Escape: () => onSelect?.(new Set()),
    }),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { target } = event;
    const isOnGrid = target instanceof HTMLTableRowElement || target instanceof HTMLTableCellElement;
    if (!isOnGrid || event.ctrlKey || event.metaKey || event.altKey) return;
    const act = keys[event.key];
    const isDone = target instanceof HTMLTableCellElement && isKeyOfCell(event.key, target, (steps) => move(steps));
    if (!isDone && event.key === 'ArrowRight' && target instanceof HTMLTableRowElement) focusCell(target.cells[0]);
    else if (!isDone && !act) return;
    else if (!isDone) act?.();
    event.preventDefault();
  };
  return { current, setCurrent, onKeyDown, toggle: toggleLatest };
}

/** Cells have the focus only by keys: a press leaves it to their row. */
function focusCell(cell: HTMLTableCellElement | undefined): void {
  if (!cell) return;
  cell.tabIndex = -1;
  cell.focus();
}

/** Moves the focus between cells, from the first one to the row, or operates what a cell contains. */
function isKeyOfCell(key: string, cell: HTMLTableCellElement, moveRow: (steps: number) => void): boolean {
  const row = cell.closest('tr');
  const index = cell.cellIndex;
  const steps = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (steps !== undefined) {
    if (index + steps < 0) row?.focus();
    else focusCell(row?.cells[index + steps]);
    return true;
  }
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    moveRow(key === 'ArrowDown' ? 1 : -1);
    const next = document.activeElement;
    if (next instanceof HTMLTableRowElement) focusCell(next.cells[index]);
    return true;
  }
  const control = cell.querySelector<HTMLElement>('a, button, input');
  if ((key !== 'Enter' && key !== ' ') || !control) return false;
  control.click();
  return true;
}

/** The row that has or last had the focus. If it is removed while focused, its neighbour gets the focus. */
function useCurrentRow(
  body: RefObject<HTMLTableSectionElement | null>,
  rows: readonly { id: number }[],
  selected: number,
) {
  const [chosen, setCurrent] = useState(0);
  const place = useRef(0);
  const hadFocus = useRef(false);
  const index = rows.findIndex(({ id }) => id === chosen);
  const current = (index < 0 ? rows[Math.min(place.current, rows.length - 1)] : rows[index])?.id ?? 0;
  const focus = (id: number | undefined) =>
    body.current?.querySelector<HTMLElement>(`tr[data-id="${id ?? current}"]`)?.focus();
  const before = useRef({ current, selected });
  useEffect(() => {
    const isGone = before.current.current !== current && hadFocus.current;
    const isCleared = before.current.selected > 0 && selected === 0;
    before.current = { current, selected };
    place.current = Math.max(
      0,
      rows.findIndex(({ id }) => id === current),
    );
    if (!isGone && !isCleared) return undefined;
    const frame = requestAnimationFrame(focusTable);
    return () => cancelAnimationFrame(frame);
  });
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      // Dialogs give the focus back.
      if (!(target instanceof Element) || target.closest('[role=dialog], [role=alertdialog]')) return;
      hadFocus.current = body.current?.contains(target) ?? false;
    };
    document.addEventListener('focusin', note);
    return () => document.removeEventListener('focusin', note);
  }, [body]);
  return { current, setCurrent, focus };
}
