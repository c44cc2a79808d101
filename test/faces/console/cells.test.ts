import { expect, it } from 'vitest';
import { cellsOf, widthsOf } from '../../../apps/console/shared/export/cells.ts';

it.each([
  ['=1+1', '=1+1'],
  ['+49 30 12345', '+49 30 12345'],
  ['007', '007'],
  ['line\nbreak\ttab', 'line\nbreak\ttab'],
  ['bell\u0007 and\u0000 null', 'bell and null'],
  ['half of a pair \ud83d', 'half of a pair \ufffd'],
  ['x'.repeat(40_000), 'x'.repeat(32_767)],
])('writes a text as a text cell that spreadsheets can read, number %#', (text, value) => {
  expect(cellsOf([['heading'], [text]])[1]).toEqual([{ value, type: String }]);
});

it('keeps numbers as numbers, and makes the heading bold', () => {
  expect(cellsOf([['sum'], [12.5]])).toEqual([
    [{ value: 'sum', type: String, fontWeight: 'bold' }],
    [{ value: 12.5, type: Number }],
  ]);
});

it('makes columns as wide as their texts, up to a maximum', () => {
  expect(
    widthsOf([
      ['id', 'text'],
      [1, 'x'.repeat(200)],
    ]),
  ).toEqual([{ width: 8 }, { width: 50 }]);
});
