import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BOM, csvLine, escapeFormulas } from './csv.ts';

/** Reads CSV by the rules of RFC 4180, character by character: a second opinion that shares nothing with the writer. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at += 1;
      } else isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === ',') {
      row.push(cell);
      cell = '';
    } else if (character === '\r' && text[at + 1] === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
      at += 1;
    } else cell += character;
  }
  return rows;
}

const PYTHON = `
import csv, io, json, sys
text = sys.stdin.buffer.read().decode('utf-8')
print(json.dumps(list(csv.reader(io.StringIO(text, newline='')))))
`;

const nasty = fc.string({ unit: fc.constantFrom(...'=+-@;,"\'\t\r\n aé日＝\u00a0\u{1F600}'), maxLength: 12 });
const table = fc.array(fc.array(fc.oneof(nasty, fc.integer()), { minLength: 3, maxLength: 3 }), {
  minLength: 1,
  maxLength: 5,
});

const shown = (value: string | number) => (typeof value === 'number' ? String(value) : escapeFormulas(value));

describe('CSV', () => {
  it('is read back as it was written, except for apostrophes before formulas', () => {
    fc.assert(
      fc.property(table, (rows) => {
        expect(parse(rows.map(csvLine).join(''))).toEqual(rows.map((row) => row.map(shown)));
      }),
    );
  });

  it('is read by the parser of Python as by ours', () => {
    const rows = fc.sample(table, 200).flat();
    const written = execFileSync('python3', ['-c', PYTHON], { input: rows.map(csvLine).join(''), maxBuffer: 2 ** 24 });
    expect(JSON.parse(written.toString())).toEqual(rows.map((row) => row.map(shown)));
  });

  it('has no cell that a spreadsheet takes for a formula, whatever divides its cells', () => {
    fc.assert(
      fc.property(fc.array(nasty, { minLength: 1, maxLength: 3 }), (row) => {
        for (const [cell = ''] of parse(csvLine(row))) expect(cell).not.toMatch(/^[=+\-@\t\r＝]/);
        for (const part of row.flatMap((text) => escapeFormulas(text).split(/[;\t\r\n]/)))
          expect(part).not.toMatch(/^[ \u00a0]*[=+\-@＝]/);
      }),
    );
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['+41 44 123', "'+41 44 123"],
    ['-5', "'-5"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['\rx', "'\rx"],
    [' =1', "' =1"],
    ['Ada;=HYPERLINK("x")', 'Ada;\'=HYPERLINK("x")'],
    ['a-b+c=d@e', 'a-b+c=d@e'],
    ["O'Hara", "O'Hara"],
  ])('writes %j as the text %j', (text, safe) => {
    expect(escapeFormulas(text)).toBe(safe);
  });

  it('keeps numbers, empty cells and lines with one empty cell', () => {
    expect(csvLine([-5, 1.5, null, undefined, '', true])).toBe('-5,1.5,,,,true\r\n');
    expect(csvLine([''])).toBe('""\r\n');
    expect(BOM).toBe('\uFEFF');
  });
});
