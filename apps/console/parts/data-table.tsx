import type { ReactNode } from 'react';
import { Checkbox } from 'react-aria-components/Checkbox';
import { Cell, Column, Row, type Selection, Table, TableBody, TableHeader } from 'react-aria-components/Table';
import { t } from '../frame/texts.ts';
import { IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

export interface DataColumn<R> {
  id: string;
  label: string;
  render: (row: R) => ReactNode;
  /** Whether the server can sort by it. */
  isSortable?: boolean;
  /** Numbers stand at the end of their column. */
  isNumber?: boolean;
}

interface Sort {
  column: string;
  isDescending: boolean;
}

interface DataTableProps<R extends { id: number }> {
  label: string;
  /** The first one names the row. */
  columns: readonly DataColumn<R>[];
  rows: readonly R[];
  /** Ids of the selected rows; without it, rows cannot be selected. */
  selected?: ReadonlySet<number>;
  onSelect?: (ids: ReadonlySet<number>) => void;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** What Enter and a press on a row do. */
  onOpen: (row: R) => void;
}

/** A page of rows, sorted by the server. Below 640 pixels each row is a card. */
export function DataTable<R extends { id: number }>(props: DataTableProps<R>) {
  const { label, columns, rows, selected, onSelect, sort, onSort, onOpen } = props;
  const select = (keys: Selection) =>
    onSelect?.(new Set(keys === 'all' ? rows.map(({ id }) => id) : [...keys].map(Number)));
  const open = (key: string | number) => {
    const row = rows.find(({ id }) => id === Number(key));
    if (row) onOpen(row);
  };
  return (
    <Table
      className="table"
      aria-label={label}
      selectionMode={selected ? 'multiple' : 'none'}
      selectedKeys={selected ? new Set(selected) : new Set<number>()}
      onSelectionChange={select}
      {...(sort && {
        sortDescriptor: { column: sort.column, direction: sort.isDescending ? 'descending' : 'ascending' },
      })}
      onSortChange={({ column, direction }) =>
        onSort?.({ column: String(column), isDescending: direction === 'descending' })
      }
      onRowAction={open}
    >
      <TableHeader>
        {selected && (
          <Column className="table-check">
            <SelectBox />
          </Column>
        )}
        {columns.map(({ id, label: name, isSortable, isNumber }, index) => (
          <Column
            key={id}
            id={id}
            isRowHeader={index === 0}
            allowsSorting={isSortable === true}
            className={isNumber ? 'table-number' : ''}
          >
            {({ sortDirection }) => (
              <>
                {name}
                {sortDirection && <Icon name={sortDirection === 'ascending' ? 'up' : 'down'} />}
              </>
            )}
          </Column>
        ))}
      </TableHeader>
      <TableBody>
        {rows.map((row) => (
          <Row key={row.id} id={row.id}>
            {selected && (
              <Cell className="table-check">
                <SelectBox />
              </Cell>
            )}
            {columns.map(({ id, render, isNumber }) => (
              <Cell key={id} className={isNumber ? 'table-number' : ''}>
                {render(row)}
              </Cell>
            ))}
          </Row>
        ))}
      </TableBody>
    </Table>
  );
}

/** The box of a row or, in the header, of the whole page. */
function SelectBox() {
  return (
    <Checkbox slot="selection" className="checkbox">
      <span className="checkbox-box">
        <Icon name="check" />
      </span>
    </Checkbox>
  );
}

interface PagerProps {
  page: number;
  pages: number;
  total: number;
  onPage: (page: number) => void;
}

/** Which page of a list is shown, and the ways to its neighbours. */
export function Pager({ page, pages, total, onPage }: PagerProps) {
  return (
    <nav className="pager" aria-label={t('pager.label')}>
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
