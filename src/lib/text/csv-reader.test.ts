import { describe, expect, it } from 'vitest';
import { csvLine } from './csv.ts';
import { readCsv, separatorOf, withoutEscape } from './csv-reader.ts';
import { encodingOf } from './decode-text.ts';

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size);
}

const read = async (text: string, separator = ',', size = text.length || 1) =>
  (await Array.fromAsync(readCsv(inPieces(text, size), separator))).map(({ line, cells, problem }) =>
    problem ? [line, problem] : [line, ...cells],
  );

describe('a reader of CSV', () => {
  it.each([
    [
      'lines',
      'a,b\nc,d',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'line ends of Windows',
      'a,b\r\n\r\nc,d\r\n',
      [
        [1, 'a', 'b'],
        [3, 'c', 'd'],
      ],
    ],
    [
      'old line ends',
      'a\rb\r',
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      'quotes',
      '"a ""b"", c","d\r\ne",f\ng',
      [
        [1, 'a "b", c', 'd\r\ne', 'f'],
        [3, 'g'],
      ],
    ],
    ['stray quotes', 'a "b" c,"d" e\n', [[1, 'a "b" c', 'd e']]],
    ['empty cells', ',,\n,x,\n""', [[2, '', 'x', '']]],
    [
      'an open quote',
      'a\n"b,c\nd',
      [
        [1, 'a'],
        [2, 'open-quote'],
      ],
    ],
  ])('reads %s, however they are cut', async (_name, text, rows) => {
    for (const size of [1, 2, 3, 1000]) expect(await read(text, ',', size)).toEqual(rows);
  });

  it('continues after a quote that is never closed, and after rows that are too long', async () => {
    const rest = Array.from({ length: 30_000 }, (_, index) => `row ${index}`).join('\n');
    const rows = await read(`"open\n${rest}\nlast`);
    expect([rows[0], rows.at(-1)?.[1]]).toEqual([[1, 'open-quote'], 'last']);
    expect((await read(`${','.repeat(1000)}\nnext`)).map(([, cell]) => cell)).toEqual(['too-long', 'next']);
  });

  it('reads every line that is written', async () => {
    const cells = ['=1+1', 'a;b', '"', ' x ', 'line\nline', '-5', '@me', "'"];
    const [[, ...found] = []] = await read(csvLine(cells));
    expect(found.map((cell) => withoutEscape(String(cell)))).toEqual(cells);
  });

  it('finds the separator and the encoding', () => {
    expect(['a,b;c,d', 'a;"x,y,z,w";c', 'a\tb', 'a|b|c', 'alone'].map(separatorOf)).toEqual([',', ';', '\t', '|', ',']);
    const encodings = [
      Buffer.from('é'),
      Buffer.from('é!', 'latin1'),
      Buffer.from('\uFEFFa', 'utf16le'),
      Buffer.from('ab', 'utf16le'),
      Buffer.from([0xfe, 0xff, 0, 97]),
      Buffer.from('aé').subarray(0, 2),
    ].map(encodingOf);
    expect(encodings).toEqual(['utf-8', 'windows-1252', 'utf-16le', 'utf-16le', 'utf-16be', 'utf-8']);
  });
});
