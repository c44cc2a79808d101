import { type CsvRow, MAX_CELL, MAX_CELLS } from '../../lib/text/csv-reader.ts';
import { type CellFormat, cellText, numberText } from './cell-values.ts';
import { type PartHandler, readPart } from './part-reader.ts';

/** Rows of a sheet of a workbook, in the form of rows of a CSV file. */

export interface SheetFacts {
  /** Name of the part, for messages. */
  part: string;
  /** Whether days are counted from 1904. */
  is1904: boolean;
  /** Shared strings of the workbook. */
  texts: readonly string[];
  /** Formats by style. */
  formats: readonly CellFormat[];
}

/** The last row that a sheet can have. */
const MAX_ROWS = 1_048_576;

/** Reads rows, except empty ones. Formulas have their stored value, and are never computed. */
export async function* sheetRows(bytes: AsyncIterable<Buffer>, facts: SheetFacts): AsyncGenerator<CsvRow> {
  const found: CsvRow[] = [];
  for await (const _piece of readPart(facts.part, bytes, createRowReader(facts, found))) yield* found.splice(0);
}

interface Cell {
  column: number;
  type: string;
  style: number;
  hasFormula: boolean;
  text: string;
}

/** A reader that adds rows to a list. */
function createRowReader(facts: SheetFacts, found: CsvRow[]): PartHandler {
  let line = 0;
  let cells: string[] = [];
  let problem: CsvRow['problem'];
  let failed = 0;
  let cell: Cell | undefined;
  let [isText, reading] = [false, 0];
  const endCell = ({ column, ...read }: Cell): void => {
    const text = textOfCell(read, facts);
    if (text === undefined) failed += 1;
    if (text === undefined || text === '') return;
    if (column >= MAX_CELLS || text.length > MAX_CELL) problem = 'too-long';
    else {
      while (cells.length < column) cells.push('');
      cells[column] = text;
    }
  };
  const endRow = (): void => {
    if (problem || failed > 0 || cells.some((text) => text.trim() !== ''))
      found.push({ cells, line, ...(problem && { problem }), ...(failed > 0 && { failed }) });
  };
  let next = 0;
  return {
    open(element, { r = '', t = 'n', s }) {
      if (element === 'row') {
        const named = Number(r);
        line = Number.isInteger(named) && named > line && named <= MAX_ROWS ? named : line + 1;
        [cells, problem, failed, next] = [[], undefined, 0, 0];
      } else if (element === 'c') {
        const column = columnOf(r) ?? next;
        next = column + 1;
        cell = { column, type: t, style: Number(s ?? 0), hasFormula: false, text: '' };
      } else if (element === 'f' && cell) cell.hasFormula = true;
      else if (element === 'rPh') reading += 1;
      isText = (element === 'v' || element === 't') && reading === 0;
    },
    text(piece) {
      if (isText && cell && cell.text.length <= MAX_CELL) cell.text += piece;
    },
    close(element) {
      isText = false;
      if (element === 'rPh') reading -= 1;
      if (element === 'c' && cell) {
        endCell(cell);
        cell = undefined;
      }
      if (element === 'row') endRow();
    },
  };
}

/** The text of a cell; undefined if it has a formula that failed, or that was never computed. */
function textOfCell(
  { type, style, hasFormula, text }: Omit<Cell, 'column'>,
  { texts, formats, is1904 }: SheetFacts,
): string | undefined {
  switch (type) {
    case 's':
      return /^\d{1,9}$/.test(text) ? (texts[Number(text)] ?? '') : '';
    case 'inlineStr':
    case 'str':
      return cellText(text);
    case 'b':
      return text === '' ? '' : String(text === '1' || text === 'true');
    case 'e':
      return undefined;
    case 'd':
      return text.replace('T', ' ');
    default:
      if (text === '') return hasFormula ? undefined : '';
      return numberText(text, formats[style] ?? { kind: 'number' }, is1904);
  }
}

/** The column of an address such as `AB12`, from 0. */
function columnOf(address: string): number | undefined {
  const [letters] = /^[A-Z]{1,3}(?=\d|$)/.exec(address) ?? [];
  if (letters === undefined) return undefined;
  return [...letters].reduce((column, letter) => column * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
