/** Writes CSV (RFC 4180) that spreadsheets open without running any of it. */

/** A value of a cell; null and undefined are empty cells. */
export type Cell = string | number | boolean | null | undefined;

const LINE_END = '\r\n';

/** Byte order mark, by which some spreadsheets recognise UTF-8. */
export const BOM = '\uFEFF';

/**
 * A line of cells. Texts that a spreadsheet would take for a formula get an apostrophe in front, which spreadsheets
 * know as the mark of text; numbers stay numbers.
 */
export function csvLine(cells: readonly Cell[]): string {
  const line = cells.map(cellOf).join(',');
  // An empty line would be no row.
  return `${line === '' ? '""' : line}${LINE_END}`;
}

function cellOf(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = withoutFormulas(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Other separators too: spreadsheets of some languages divide cells by semicolons. */
const NEEDS_QUOTES = /["\r\n,;\t]|^\s|\s$/;

/** Characters with which formulas begin, their full-width forms too, which some spreadsheets read alike. */
const FORMULA = '=+\\-@＝＋－＠';
/** Where a cell may begin: at the start, or after what a spreadsheet with other settings takes for a separator. */
const CELL_STARTS = new RegExp(`(^|[;\\t\\r\\n])(?=[ \\u00a0]{0,20}[${FORMULA}])`, 'g');
/** Invisible starts, which some spreadsheets skip. */
const BLANK_START = /^[\t\r\n]/;

/** The same text, with an apostrophe wherever a spreadsheet might see the start of a formula. */
export const withoutFormulas = (text: string): string => text.replace(CELL_STARTS, "$1'").replace(BLANK_START, "'$&");
