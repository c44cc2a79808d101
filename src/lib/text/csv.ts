/** Writes CSV (RFC 4180) that is safe to open in spreadsheets: no cell runs as a formula. */

/** Value of a cell; null and undefined give empty cells. */
export type Cell = string | number | boolean | null | undefined;

const LINE_END = '\r\n';

/** Byte order mark; some spreadsheets need it to recognise UTF-8. */
export const BOM = '\uFEFF';

/**
 * Formats a line of cells. Texts that a spreadsheet would take for a formula get a leading apostrophe, which marks text
 * in spreadsheets; numbers stay numbers.
 */
export function csvLine(cells: readonly Cell[]): string {
  const line = cells.map(cellOf).join(',');
  // A completely empty line would not count as a row.
  return `${line === '' ? '""' : line}${LINE_END}`;
}

function cellOf(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = escapeFormulas(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Includes other separators: spreadsheets of some languages separate cells by semicolons. */
const NEEDS_QUOTES = /["\r\n,;\t]|^\s|\s$/;

/** First characters of formulas, including full-width forms, which some spreadsheets treat alike. */
const FORMULA = '=+\\-@＝＋－＠';
/** Possible starts of a cell: the start of the text, or a separator in a spreadsheet with other settings. */
const CELL_STARTS = new RegExp(`(^|[;\\t\\r\\n])(?=[ \\u00a0]{0,20}[${FORMULA}])`, 'g');
/** Invisible first characters that some spreadsheets skip. */
const BLANK_START = /^[\t\r\n]/;

/** Puts an apostrophe wherever a spreadsheet might see the start of a formula. */
export const escapeFormulas = (text: string): string => text.replace(CELL_STARTS, "$1'").replace(BLANK_START, "'$&");
