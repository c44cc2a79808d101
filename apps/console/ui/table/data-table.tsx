import { memo, type ReactNode, type SyntheticEvent, useId, useRef } from 'react';
import { t } from '../../i18n/texts.ts';
import { IconButton } from '../button.tsx';
import { Icon } from '../icon.tsx';
import { SelectBox } from './select-box.tsx';
import { type RowKeysProps, useRowKeys } from './use-row-keys.ts';

export interface DataColumn<R> {
  id: string;
  label: string;
  render: (row: R) => ReactNode;
  /** Whether the server can sort by it. */
  isSortable?: boolean;
  /** Whether it is aligned as a number. */
  isNumber?: boolean;
}

interface Sort {
  column: string;
  isDescending: boolean;
}

export interface DataTableProps<R extends { id: number }> extends RowKeysProps<R> {
  label: string;
  /** The first column names the row. Keep the same array in long lists, so that only changed rows render. */
  columns: readonly DataColumn<R>[];
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** Whether the rows are outdated until new ones arrive. */
  isStale?: boolean;
}

/**
 * The focus is on rows and, by the arrows to the sides, on cells; the roles of the other elements follow from this one.
 */
const grid = (isSelectable: boolean) => ({ role: 'grid', 'aria-multiselectable': isSelectable }) as const;

/**
 * A page of rows, sorted by the server. Below 640 pixels each row is a card. A native table with the keys of a grid:
 * React Aria's table takes more than three times as long for a hundred rows.
 */
export function DataTable<R extends { id: number }>(props: DataTableProps<R>) {
  const { label, columns, rows, selected, onSelect, onOpen, isStale = false } = props;
  const body = useRef<HTMLTableSectionElement>(null);
  const id = useId();
  const { current, setCurrent, onKeyDown, toggle } = useRowKeys(body, props);
  const rowOf = ({ target }: SyntheticEvent) => rows.find(({ id }) => id === rowIdOf(target));
  return (
    <table className="table" {...grid(selected !== undefined)} aria-label={label} aria-busy={isStale}>
      <thead>
        <tr>
          {selected && (
            <th scope="col" className="table-check">
              <SelectBox
                label={t('bulk.page')}
                isSelected={rows.length > 0 && rows.every(({ id }) => selected.has(id))}
                isPartly={rows.some(({ id }) => selected.has(id))}
                onChange={(isOn) => onSelect?.(new Set(isOn ? rows.map(({ id }) => id) : []))}
              />
            </th>
          )}
          {columns.map((column) => (
            <HeaderCell key={column.id} column={column} {...props} />
          ))}
        </tr>
      </thead>
      <tbody
        ref={body}
        onKeyDown={onKeyDown}
        onFocus={(event) => setCurrent(rowOf(event)?.id ?? 0)}
        onClick={(event) => {
          const row = rowOf(event);
          if (row && !isOnControl(event)) onOpen(row);
        }}
      >
        {rows.map((row) => (
          <DataRow
            key={row.id}
            row={row}
            table={id}
            columns={columns}
            isCurrent={row.id === current}
            isSelected={selected?.has(row.id)}
            onToggle={toggle}
          />
        ))}
      </tbody>
    </table>
  );
}

const rowIdOf = (target: EventTarget): number =>
  Number(target instanceof Element && target.closest('tr')?.getAttribute('data-id'));

/** Whether an event is on a control in a row, or part of selecting text. */
const isOnControl = ({ target }: SyntheticEvent): boolean =>
  (target instanceof Element && target.closest('a, button, input, label') !== null) ||
  getSelection()?.isCollapsed === false;

interface HeaderCellProps<R extends { id: number }> extends Pick<DataTableProps<R>, 'sort' | 'onSort'> {
  column: DataColumn<R>;
}

function HeaderCell<R extends { id: number }>({ column, sort, onSort }: HeaderCellProps<R>) {
  const { id, label, isSortable = false, isNumber = false } = column;
  const isSorted = sort?.column === id;
  const isDescending = isSorted && sort.isDescending;
  return (
    <th
      scope="col"
      className={isNumber ? 'table-number' : ''}
      {...(isSorted && { 'aria-sort': isDescending ? 'descending' : 'ascending' })}
    >
      {isSortable ? (
        <button
          type="button"
          className="table-sort"
          onClick={() => onSort?.({ column: id, isDescending: isSorted && !isDescending })}
        >
          {label}
          {isSorted && <Icon name={isDescending ? 'down' : 'up'} />}
        </button>
      ) : (
        label
      )}
    </th>
  );
}

interface PagerProps {
  page: number;
  /** The list as the server returned it. */
  list: { total: number; total_pages: number };
  onPage: (page: number) => void;
  /** Accessible name, for a page with several lists. */
  label?: string;
}

/** Page of a list, with buttons to the previous and next one. */
export function Pager({ page, list: { total, total_pages: pages }, onPage, label = t('pager.label') }: PagerProps) {
  return (
    <nav className="pager" aria-label={label}>
      <span>{t('pager.total', { count: total })}</span>
      {pages > 1 && (
        <>
          <IconButton
            icon="left"
            label={t('pager.previous')}
            isDisabled={!(page > 1)}
            onPress={() => onPage(page - 1)}
          />
          <span>{t('pager.page', { page, pages })}</span>
          <IconButton
            icon="right"
            label={t('pager.next')}
            isDisabled={!(page < pages)}
            onPress={() => onPage(page + 1)}
          />
        </>
      )}
    </nav>
  );
}

interface CountProps {
  figure: number;
  /** The number with its unit. */
  text: string;
}

/** A bare number in a table, a number with its unit on a card. */
export const Count = ({ figure, text }: CountProps) => (
  <>
    <span className="only-table">{figure}</span>
    <span className="only-card">{text}</span>
  </>
);

interface DataRowProps<R> {
  row: R;
  /** Id of the table, from which those of its rows are made. */
  table: string;
  columns: readonly DataColumn<R>[];
  /** Whether it is the tab stop. */
  isCurrent: boolean;
  /** Undefined if rows cannot be selected. */
  isSelected: boolean | undefined;
  onToggle: (row: R, isRange: boolean) => void;
}

function PlainRow<R extends { id: number }>(props: DataRowProps<R>) {
  const { row, table, columns, isCurrent, isSelected, onToggle } = props;
  const header = `${table}${row.id}`;
  return (
    <tr
      data-id={row.id}
      tabIndex={isCurrent ? 0 : -1}
      {...(isSelected !== undefined && { 'aria-selected': isSelected })}
    >
      {isSelected !== undefined && (
        <td className="table-check">
          <SelectBox
            label={t('bulk.row')}
            id={`${header}-select`}
            labelledBy={`${header}-select ${header}`}
            isSelected={isSelected}
            isInRow
            onChange={(_, isRange) => onToggle(row, isRange)}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <DataCell key={column.id} column={column} row={row} {...(index === 0 && { header })} />
      ))}
    </tr>
  );
}

/** Renders only if its props change: moving the focus changes two rows of a hundred. */
const DataRow = memo(PlainRow) as typeof PlainRow;

interface DataCellProps<R> {
  column: DataColumn<R>;
  row: R;
  /** Id of the cell that names the row; undefined for others. */
  header?: string;
}

function DataCell<R>({ column: { render, isNumber = false }, row, header }: DataCellProps<R>) {
  if (header !== undefined)
    return (
      <th scope="row" id={header}>
        {render(row)}
      </th>
    );
  return <td className={isNumber ? 'table-number' : ''}>{render(row)}</td>;
}
