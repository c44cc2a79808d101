import { memo } from 'react';
import { t } from '../../i18n/common.ts';
import type { DataColumn } from './data-table.tsx';
import { SelectBox } from './select-box.tsx';

interface DataRowProps<R> {
  row: R;
  columns: readonly DataColumn<R>[];
  /** Whether Tab leads to it. */
  isCurrent: boolean;
  /** Absent where rows cannot be selected. */
  isSelected: boolean | undefined;
  onToggle: (row: R, isRange: boolean) => void;
}

function PlainRow<R extends { id: number }>({ row, columns, isCurrent, isSelected, onToggle }: DataRowProps<R>) {
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
            isSelected={isSelected}
            isInRow
            onChange={(_, isRange) => onToggle(row, isRange)}
          />
        </td>
      )}
      {columns.map((column, index) => (
        <DataCell key={column.id} column={column} row={row} isHeader={index === 0} />
      ))}
    </tr>
  );
}

/** Renders only when something of it changes: each move of the focus concerns two rows of a hundred. */
export const DataRow = memo(PlainRow) as typeof PlainRow;

interface DataCellProps<R> {
  column: DataColumn<R>;
  row: R;
  isHeader: boolean;
}

function DataCell<R>({ column: { render, isNumber = false }, row, isHeader }: DataCellProps<R>) {
  if (isHeader) return <th scope="row">{render(row)}</th>;
  return <td className={isNumber ? 'table-number' : ''}>{render(row)}</td>;
}
