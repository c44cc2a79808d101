/** Reads CSV (RFC 4180) in chunks and bounded memory. Tolerates other separators and line ends, and stray quotes. */

export interface CsvRow {
  cells: string[];
  /** Number of its first line. */
  line: number;
  /** Reason not to trust it: a cell or a row that is too long, or a quote that is never closed. */
  problem?: 'too-long' | 'open-quote';
  /** Number of cells whose formulas have no value, in a workbook. */
  failed?: number;
}

/** Maximum number of characters of a cell, and of cells of a row. */
export const MAX_CELL = 200_000;
export const MAX_CELLS = 500;

const SEPARATORS = [',', ';', '\t', '|'];

/** Special characters, by separator. */
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
  const reader = new RowReader(separator);
  for await (const chunk of chunks) yield* reader.read(chunk);
  yield* reader.end();
}

/** Position of the next character in its cell; `quote` is after a quote that may end the cell. */
type State = 'start' | 'plain' | 'quoted' | 'quote';

class RowReader {
  readonly #separator: string;
  readonly #special: RegExp;
  #state: State = 'start';
  #cells: string[] = [];
  #cell = '';
  #line = 1;
  /** First line of the row. */
  #first = 1;
  #problem: CsvRow['problem'];
  #isAfterReturn = false;

  constructor(separator: string) {
    this.#separator = separator;
    this.#special = SPECIAL[separator] ?? /["\r\n,]/g;
  }

  *read(chunk: string): Generator<CsvRow> {
    const special = this.#special;
    for (let from = 0; from < chunk.length; ) {
      special.lastIndex = from;
      const found = special.exec(chunk);
      const to = found ? found.index : chunk.length;
      if (to > from) {
        if (this.#state !== 'quoted') this.#state = 'plain';
        this.#add(chunk.slice(from, to));
        this.#isAfterReturn = false;
      }
      if (!found) return;
      from = to + 1;
      const row = this.#take(found[0]);
      if (row) yield row;
    }
  }

  *end(): Generator<CsvRow> {
    if (this.#state === 'quoted') this.#problem = 'open-quote';
    if (this.#cell === '' && this.#cells.length === 0 && !this.#problem) return;
    const row = this.#endRow();
    if (row) yield row;
  }

  /** Handles a special character; returns the row that it ends. */
  #take(character: string): CsvRow | undefined {
    const isEnd = character === '\n' || character === '\r';
    const isSecond = character === '\n' && this.#isAfterReturn;
    this.#isAfterReturn = character === '\r';
    if (isEnd && !isSecond) this.#line += 1;
    if (this.#state === 'quoted' && character !== '"') this.#add(character);
    else if (character === '"') this.#quote();
    else if (character === this.#separator) this.#endCell();
    else {
      const row = isSecond ? undefined : this.#endRow();
      this.#first = this.#line;
      return row;
    }
    return undefined;
  }

  /** A quote inside an unquoted cell is text; two quotes in a quoted cell mean one. */
  #quote(): void {
    if (this.#state === 'start') this.#state = 'quoted';
    else if (this.#state === 'quoted') this.#state = 'quote';
    else {
      const next = this.#state === 'quote' ? 'quoted' : 'plain';
      this.#add('"');
      this.#state = next;
    }
  }

  #add(text: string): void {
    if (this.#cell.length + text.length <= MAX_CELL) this.#cell += text;
    else {
      this.#problem = this.#state === 'quoted' ? 'open-quote' : 'too-long';
      // Treat the quote as unclosed: the row ends at the next line break.
      if (this.#state === 'quoted') this.#state = 'plain';
    }
  }

  #endCell(): void {
    if (this.#cells.length < MAX_CELLS) this.#cells.push(this.#cell);
    else this.#problem = 'too-long';
    this.#cell = '';
    this.#state = 'start';
  }

  #endRow(): CsvRow | undefined {
    this.#endCell();
    const problem = this.#problem;
    const row: CsvRow = { cells: this.#cells, line: this.#first, ...(problem && { problem }) };
    this.#cells = [];
    this.#problem = undefined;
    return row.problem || row.cells.some((one) => one.trim() !== '') ? row : undefined;
  }
}

/** Removes the apostrophe that `escapeFormulas` puts before a formula at the start of a cell. */
export const withoutEscape = (cell: string): string => cell.replace(/^'(?=[\s\u00a0]{0,20}[=+\-@＝＋－＠\t\r\n])/, '');
