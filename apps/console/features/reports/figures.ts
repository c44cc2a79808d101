import type { AttendanceReport, SalesReport } from '../../../../packages/client/src/marquee-client.ts';
import type { Sheet } from '../../shared/export/cells.ts';
import { amountsOf, type FormatMoney } from '../../shared/orders/sales.ts';

/** Reports of both kinds in one form, for the chart, the table and the files. */

/** A column of numbers or amounts. */
export type Column =
  | 'sold'
  | 'amount'
  | 'pending'
  | 'refunded'
  | 'cancelled'
  | 'expected'
  | 'came'
  | 'declined'
  | 'running';

export interface Line {
  /** Wall clock of the period; undefined for a ticket or an event. */
  start?: string;
  /** Name of the ticket or event. */
  name: string;
  cells: Partial<Record<Column, number | string>>;
}

export interface Figures {
  columns: readonly Column[];
  lines: readonly Line[];
  totals: Line['cells'];
  /** Column that the bars show. */
  main: 'sold' | 'came' | 'expected';
  omitted: number;
}

/** Whether a report has nothing but zeros. */
export const isEmpty = ({ lines }: Figures): boolean =>
  lines.every(({ cells }) => Object.values(cells).every((value) => typeof value !== 'number' || value === 0));

type SalesFigures = SalesReport['totals'];

const salesCells = ({ sold, pending, refunded, cancelled }: SalesFigures, money: FormatMoney): Line['cells'] => ({
  sold: sold.places,
  amount: amountsOf(sold, money),
  pending: pending.places,
  refunded: refunded.places,
  cancelled: cancelled.places,
});

const SALES = ['sold', 'amount', 'pending', 'refunded', 'cancelled'] as const;

/** Name of the ticket with its event, or of the event. */
const nameOf = ({ title, ticket_title }: { title: string; ticket_title?: string }): string =>
  [title, ticket_title].filter(Boolean).join(' – ');

export function salesFigures({ totals, periods, rows = [], omitted = 0 }: SalesReport, money: FormatMoney): Figures {
  const head = { totals: salesCells(totals, money), main: 'sold', omitted } as const;
  if (!periods)
    return {
      ...head,
      columns: SALES,
      lines: rows.map((row) => ({ name: nameOf(row), cells: salesCells(row, money) })),
    };
  const lines = periods.map((period) => ({
    start: period.start,
    name: period.start,
    cells: { ...salesCells(period, money), running: period.running.places },
  }));
  return { ...head, columns: [...SALES, 'running'], lines };
}

export function attendanceFigures({ totals, periods, rows = [], omitted = 0 }: AttendanceReport): Figures {
  const cells = ({ expected, came, declined }: AttendanceReport['totals']) => ({ expected, came, declined });
  if (!periods)
    return {
      totals: cells(totals),
      main: 'expected',
      omitted,
      columns: ['expected', 'came', 'declined'],
      lines: rows.map((row) => ({ name: nameOf(row), cells: cells(row) })),
    };
  const lines = periods.map(({ start, came, running }) => ({ start, name: start, cells: { came, running } }));
  return { totals: cells(totals), main: 'came', omitted, columns: ['came', 'running'], lines };
}

/** Prefixes texts that spreadsheets would read as formulas with an apostrophe. */
function cellOf(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** CSV as RFC 4180 has it, with a byte order mark for spreadsheets. */
export const csvOf = (sheet: Sheet): string =>
  `\ufeff${sheet.map((row) => `${row.map(cellOf).join(',')}\r\n`).join('')}`;
