/** Reads the text of `mysqldump`, `mariadb-dump` and phpMyAdmin as rows, piece by piece. Nothing in it is executed. */

export interface DumpRow {
  /** Name of the table, with its prefix. */
  table: string;
  /** Names of the columns, if the dump has them. */
  columns: readonly string[];
  /** Stored texts; numbers are texts too. */
  values: readonly (Buffer | null)[];
}

export interface DumpPart {
  rows: readonly DumpRow[];
  /** Tables whose definitions were read, with their columns. */
  tables: readonly { table: string; columns: readonly string[] }[];
}

/** Maximum bytes kept of a value: far more than any imported text has. */
export const MAX_VALUE = 4_000_000;
const MAX_HEAD = 1_000_000;
const MAX_VALUES = 200;
const MAX_TABLES = 5000;

const [TAB, NEWLINE, RETURN, SPACE] = [9, 10, 13, 32];
const [DOUBLE, HASH, SINGLE, OPEN, CLOSE, STAR, COMMA, MINUS, SLASH] = [34, 35, 39, 40, 41, 42, 44, 45, 47];
const [SEMICOLON, BACKSLASH, BACKTICK] = [59, 92, 96];

/** Escapes of MySQL; other characters stand for themselves. */
const ESCAPES: Readonly<Record<string, number>> = { 0: 0, n: 10, r: 13, t: 9, b: 8, Z: 26 };

const isBlank = (byte: number): boolean => byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB;

type State =
  /** Before and within a statement, up to its rows. */
  | 'head'
  /** Within quotes in the head; their text is kept like the rest. */
  | 'head-quote'
  | 'line-comment'
  | 'block-comment'
  /** Between the rows of a statement. */
  | 'rows'
  /** Before a value or within one without quotes. */
  | 'value'
  | 'string'
  /** After a quote in a string, which may be the first of a doubled one. */
  | 'string-end'
  /** Between statements of programs, which have another delimiter. */
  | 'program';

const INSERT = /^\s*(?:INSERT|REPLACE)\s+(?:LOW_PRIORITY\s+|DELAYED\s+|HIGH_PRIORITY\s+)?(?:IGNORE\s+)?INTO\s/i;
const NAME = /^(?:`(?:[^`]|``)*`|[\w$]+)/;

export class DumpParser {
  #state: State = 'head';
  /** State to return to after a comment. */
  #behind: State = 'head';
  #head: number[] = [];
  #quote = 0;
  #isEscaped = false;
  /** The byte before, for two-byte marks such as `--`. */
  #last = 0;
  #line: number[] = [];
  #into: { table: string; columns: readonly string[] } | undefined;
  #columns = new Map<string, readonly string[]>();
  #values: (Buffer | null)[] = [];
  #pieces: Buffer[] = [];
  #size = 0;
  #bare: number[] = [];
  #text: Buffer | undefined;
  #rows: DumpRow[] = [];
  #tables: { table: string; columns: readonly string[] }[] = [];
  readonly #isWanted: (table: string) => boolean;

  /** @param isWanted whether a table is read; rows of other tables are skipped */
  constructor(isWanted: (table: string) => boolean) {
    this.#isWanted = isWanted;
  }

  /** Whether the text ended within a statement, as in a truncated dump. */
  get isUnfinished(): boolean {
    return this.#into !== undefined || (this.#state === 'head' && Buffer.from(this.#head).toString().trim() !== '');
  }

  /** Reads the next bytes. */
  read(chunk: Buffer): DumpPart {
    this.#rows = [];
    this.#tables = [];
    for (let at = 0; at < chunk.length; ) at = this.#step(chunk, at);
    return { rows: this.#rows, tables: this.#tables };
  }

  /** Reads at least one byte; returns the next position. */
  #step(chunk: Buffer, at: number): number {
    if (this.#state === 'string') return this.#string(chunk, at);
    const byte = chunk[at] as number;
    switch (this.#state) {
      case 'head':
        return this.#inHead(byte, at);
      case 'head-quote':
        return this.#inHeadQuote(byte, at);
      case 'line-comment':
        if (byte === NEWLINE) this.#state = this.#behind;
        return at + 1;
      case 'block-comment':
        if (byte === SLASH && this.#last === STAR) this.#state = this.#behind;
        this.#last = byte;
        return at + 1;
      case 'rows':
        return this.#betweenRows(byte, at);
      case 'value':
        return this.#value(byte, at);
      case 'string-end':
        return this.#stringEnd(byte, at);
      case 'program':
        return this.#program(byte, at);
    }
  }

  #inHead(byte: number, at: number): number {
    const { length } = this.#head;
    const before = this.#head[length - 1];
    // "--" begins a comment only before white space.
    if (isBlank(byte) && before === MINUS && this.#head[length - 2] === MINUS) {
      this.#head.length -= 2;
      return this.#comment(byte === NEWLINE ? 'head' : 'line-comment', at + 1);
    }
    if (byte === HASH) return this.#comment('line-comment', at + 1);
    if (byte === STAR && before === SLASH) {
      this.#head.length -= 1;
      return this.#comment('block-comment', at + 1);
    }
    if (byte === SEMICOLON) return this.#endStatement(at + 1);
    this.#keep(byte);
    if (byte === SINGLE || byte === DOUBLE || byte === BACKTICK) {
      this.#quote = byte;
      this.#state = 'head-quote';
    } else if (byte === OPEN && this.#isBeforeRows()) return this.#beginRows(at);
    else if (byte === NEWLINE && length < 40) this.#readDelimiter();
    return at + 1;
  }

  #keep(byte: number): void {
    if (this.#head.length < MAX_HEAD) this.#head.push(byte);
  }

  #inHeadQuote(byte: number, at: number): number {
    this.#keep(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH && this.#quote !== BACKTICK) this.#isEscaped = true;
    else if (byte === this.#quote) this.#state = 'head';
    return at + 1;
  }

  #comment(state: State, at: number): number {
    this.#behind = 'head';
    this.#last = 0;
    this.#state = state;
    return at;
  }

  #isBeforeRows(): boolean {
    const { length } = this.#head;
    if (length > 20_000) return false;
    const end = Buffer.from(this.#head.slice(-12)).toString('latin1');
    return /\bVALUES?\s*\($/i.test(end) && INSERT.test(Buffer.from(this.#head).toString('latin1'));
  }

  #beginRows(at: number): number {
    const head = Buffer.from(this.#head).toString('utf8').replace(INSERT, '').trim();
    const { table, rest } = readTable(head);
    const named = /^\s*\(([^()]*)\)/.exec(rest)?.[1];
    const columns = named === undefined ? (this.#columns.get(table) ?? []) : named.split(',').map(unquoted);
    this.#into = { table, columns };
    this.#head = [];
    this.#state = 'rows';
    return at;
  }

  #endStatement(at: number): number {
    const text = Buffer.from(this.#head).toString('utf8').trim();
    this.#head = [];
    const created = /^CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?/i.exec(text);
    if (created && this.#columns.size < MAX_TABLES) {
      const { table, rest } = readTable(text.slice(created[0].length));
      const columns = [...rest.matchAll(/^[ \t]*`([^`\n]+)`\s/gm)].map(([, name = '']) => name);
      this.#columns.set(table, columns);
      this.#tables.push({ table, columns });
    }
    return at;
  }

  /** Skips programs with another delimiter, such as triggers: their statements write no rows of the dump. */
  #readDelimiter(): void {
    const delimiter = /^\s*DELIMITER\s+(\S+)/i.exec(Buffer.from(this.#head).toString('latin1'))?.[1];
    if (delimiter === undefined) return;
    this.#head = [];
    if (delimiter !== ';') this.#state = 'program';
  }

  #program(byte: number, at: number): number {
    if (byte !== NEWLINE) {
      if (this.#line.length < 40) this.#line.push(byte);
      return at + 1;
    }
    if (/^\s*DELIMITER\s+;\s*$/i.test(Buffer.from(this.#line).toString('latin1'))) this.#state = 'head';
    this.#line = [];
    return at + 1;
  }

  #betweenRows(byte: number, at: number): number {
    if (byte === OPEN) {
      this.#values = [];
      this.#state = 'value';
    } else if (byte === SEMICOLON) {
      this.#into = undefined;
      this.#state = 'head';
    }
    return at + 1;
  }

  #value(byte: number, at: number): number {
    if (byte === SINGLE || byte === DOUBLE) {
      this.#quote = byte;
      this.#pieces = [];
      this.#size = 0;
      this.#state = 'string';
    } else if (byte === COMMA) this.#endValue();
    else if (byte === CLOSE) {
      this.#endValue();
      this.#endRow();
    } else if (!isBlank(byte) && this.#bare.length < 200_000) this.#bare.push(byte);
    return at + 1;
  }

  #endValue(): void {
    if (this.#values.length < MAX_VALUES) this.#values.push(this.#text ?? bareValue(this.#bare));
    this.#text = undefined;
    this.#bare = [];
  }

  #endRow(): void {
    this.#state = 'rows';
    if (this.#into && this.#isWanted(this.#into.table)) this.#rows.push({ ...this.#into, values: this.#values });
    this.#values = [];
  }

  #string(chunk: Buffer, at: number): number {
    let end = at;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      const byte = chunk[at] as number;
      this.#add(Buffer.of(ESCAPES[String.fromCharCode(byte)] ?? byte));
      return at + 1;
    }
    for (; end < chunk.length; end++) {
      const byte = chunk[end];
      if (byte === BACKSLASH || byte === this.#quote) break;
    }
    if (end > at) this.#add(chunk.subarray(at, end));
    if (end === chunk.length) return end;
    if (chunk[end] === BACKSLASH) this.#isEscaped = true;
    else this.#state = 'string-end';
    return end + 1;
  }

  #add(piece: Buffer): void {
    if (this.#size >= MAX_VALUE || !this.#into || !this.#isWanted(this.#into.table)) return;
    // Copied, because a slice would keep the whole chunk in memory.
    this.#pieces.push(Buffer.from(piece.subarray(0, MAX_VALUE - this.#size)));
    this.#size += piece.length;
  }

  #stringEnd(byte: number, at: number): number {
    if (byte === this.#quote) {
      this.#add(Buffer.of(byte));
      this.#state = 'string';
      return at + 1;
    }
    this.#text = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#bare = [];
    this.#state = 'value';
    return at;
  }
}

const unquoted = (name: string): string => name.trim().replace(/^`|`$/g, '').replaceAll('``', '`');

/** The name of a table at the beginning of a text, without its database. */
function readTable(text: string): { table: string; rest: string } {
  const first = NAME.exec(text)?.[0] ?? '';
  const second = text[first.length] === '.' ? NAME.exec(text.slice(first.length + 1))?.[0] : undefined;
  const length = second === undefined ? first.length : first.length + 1 + second.length;
  return { table: unquoted(second ?? first), rest: text.slice(length) };
}

/** A number, `NULL`, or hexadecimal digits as `--hex-blob` writes them. */
function bareValue(bytes: readonly number[]): Buffer | null {
  const text = Buffer.from(bytes).toString('latin1');
  if (/^NULL$/i.test(text)) return null;
  const digits = /^0x((?:[\da-f]{2})+)$/i.exec(text)?.[1];
  return digits === undefined ? Buffer.from(text) : Buffer.from(digits, 'hex');
}
