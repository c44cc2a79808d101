/** Reads CSV (RFC 4180) in chunks, in bounded memory: also with other separators, line ends and stray quotes. */

export interface CsvRow {
  cells: string[];
  /** Number of its first line. */
  line: number;
  /** Reason not to trust it: a cell or a row that is too long, or a quote that is never closed. */
  problem?: 'too-long' | 'open-quote';
  /** Number of cells whose formulas have no value, in a workbook. */
  failed?: number;
}

/** Characters of a cell, and cells of a row. */
export const MAX_CELL = 200_000;
export const MAX_CELLS = 500;

const SEPARATORS = [',', ';', '\t', '|'];

/** Characters with a meaning, by the separator. */
const SPECIAL: Readonly<Record<string, RegExp>> = {
  ',': /["\r\n,]/g,
  ';': /["\r\n;]/g,
  '\t': /["\r\n\t]/g,
  '|': /["\r\n|]/g,
};

/** The separator of the first line: the most frequent one outside of quotes. */
export function separatorOf(beginning: string): string {
  const [header = ''] = /^[^\r\n]{0,20000}/.exec(beginning.replace(/"[^"]*"/g, '')) ?? [];
  const counted = SEPARATORS.map((separator) => ({ separator, count: header.split(separator).length }));
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).separator;
}

/** Reads the rows of a text. Rows without any content are left out. */
export async function* readCsv(chunks: AsyncIterable<string>, separator: string): AsyncGenerator<CsvRow> {
  const reader = createReader(separator);
  for await (const chunk of chunks) yield* reader.read(chunk);
  yield* reader.end();
}

/** Place of the next character. */
type State = 'start' | 'plain' | 'quoted' | 'quote';

function createReader(separator: string) {
  const special = SPECIAL[separator] ?? /["\r\n,]/g;
  let state: State = 'start';
  let cells: string[] = [];
  let cell = '';
  let [line, first] = [1, 1];
  let problem: CsvRow['problem'];
  let isAfterReturn = false;

  const add = (text: string): void => {
    if (cell.length + text.length <= MAX_CELL) cell += text;
    else {
      problem = state === 'quoted' ? 'open-quote' : 'too-long';
      // A quote that is never closed ends with the next line.
      if (state === 'quoted') state = 'plain';
    }
  };
  const endCell = (): void => {
    if (cells.length < MAX_CELLS) cells.push(cell);
    else problem = 'too-long';
    cell = '';
    state = 'start';
  };
  const endRow = (): CsvRow | undefined => {
    endCell();
    const row: CsvRow = { cells, line: first, ...(problem && { problem }) };
    cells = [];
    problem = undefined;
    return row.problem || row.cells.some((one) => one.trim() !== '') ? row : undefined;
  };

  /** Takes a character with a meaning; returns the row that it ends. */
  const take = (character: string): CsvRow | undefined => {
    const isEnd = character === '\n' || character === '\r';
    const isSecond = character === '\n' && isAfterReturn;
    isAfterReturn = character === '\r';
    if (isEnd && !isSecond) line += 1;
    if (state === 'quoted' && character !== '"') add(character);
    else if (character === '"') state = afterQuote(state, add);
    else if (character === separator) endCell();
    else {
      const row = isSecond ? undefined : endRow();
      first = line;
      return row;
    }
    return undefined;
  };

  return {
    *read(chunk: string): Generator<CsvRow> {
      for (let from = 0; from < chunk.length; ) {
        special.lastIndex = from;
        const found = special.exec(chunk);
        const to = found ? found.index : chunk.length;
        if (to > from) {
          if (state !== 'quoted') state = 'plain';
          add(chunk.slice(from, to));
          isAfterReturn = false;
        }
        if (!found) return;
        from = to + 1;
        const row = take(found[0]);
        if (row) yield row;
      }
    },
    *end(): Generator<CsvRow> {
      if (state === 'quoted') problem = 'open-quote';
      if (cell === '' && cells.length === 0 && !problem) return;
      const row = endRow();
      if (row) yield row;
    },
  };
}

/** The state after a quote: one within a cell without quotes is text, two in a quoted one are a quote. */
function afterQuote(state: State, add: (text: string) => void): State {
  if (state === 'start') return 'quoted';
  if (state === 'quoted') return 'quote';
  add('"');
  return state === 'quote' ? 'quoted' : 'plain';
}

/** The text of a cell that was made safe for spreadsheets. */
export const withoutEscape = (cell: string): string => cell.replace(/^'(?=[\s\u00a0]{0,20}[=+\-@＝＋－＠\t\r\n])/, '');
