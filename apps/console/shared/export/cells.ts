/** A table of texts and numbers; its first row is the heading. */
export type Sheet = readonly (readonly (string | number)[])[];

/** Maximum number of characters in a cell. */
const MOST = 32_767;

// Characters that are forbidden in XML and would make the file unreadable.
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what it looks for
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

interface SheetCell {
  value: string | number;
  type: typeof String | typeof Number;
  fontWeight?: 'bold';
}

/** A typed cell, so that a text such as `=1+1` is never a formula. */
function cellOf(value: string | number): SheetCell {
  if (typeof value === 'number') return { value, type: Number };
  const text = value
    .replace(NOT_IN_XML, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .slice(0, MOST);
  return { value: text, type: String };
}

export const cellsOf = (sheet: Sheet): SheetCell[][] =>
  sheet.map((row, index) => row.map((value) => ({ ...cellOf(value), ...(index === 0 && { fontWeight: 'bold' }) })));

/** Widths of the columns in characters, by the longest of the first texts. */
export function widthsOf(sheet: Sheet): { width: number }[] {
  const some = sheet.slice(0, 100);
  return (sheet[0] ?? []).map((_, column) => {
    const longest = Math.max(...some.map((row) => String(row[column] ?? '').length));
    return { width: Math.min(Math.max(longest + 2, 8), 50) };
  });
}
