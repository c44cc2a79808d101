import { describe, expect, it } from 'vitest';
import { type DoorRow, digestText, digestWith, EMPTY_DIGEST } from '../../../src/lib/door/door-list.ts';
import { chunkOf, GuestList } from './guest-list.ts';

const rowOf = (id: number, name = '', fields: { purchase?: number; codeId?: number } = {}): DoorRow => [
  ...([id, 4, 2, 'ok', '', 0, name, fields.purchase ?? 0, 0, fields.codeId ?? id, `proof-${id}`, ''] as const),
];

describe('the list of guests', () => {
  const NAMES = ['Émilie du Châtelet', 'Ada Lovelace', 'Jean-Luc O’Neill', 'Ada Park', 'Łukasz Żak', '李 雷'];
  const list = new GuestList(NAMES.map((name, index) => rowOf(index + 1, name)));

  it.each([
    ['ad', ['Ada Lovelace', 'Ada Park']],
    ['lo ADA', ['Ada Lovelace']],
    ['chat', ['Émilie du Châtelet']],
    ['luc', ['Jean-Luc O’Neill']],
    ['neill', ['Jean-Luc O’Neill']],
    ['zak', ['Łukasz Żak']],
    ['a', []],
    ['', []],
    ['  ', []],
    ['da', []],
    ['李 雷', ['李 雷']],
  ])('finds %s', (text, names) => {
    expect(list.search(text, 10).map((row) => row[6])).toEqual(names);
  });

  it('follows changes: new, changed, moved and gone rows', () => {
    const changing = new GuestList([
      rowOf(1, 'Ada', { purchase: 7 }),
      rowOf(2, 'Bo', { purchase: 7 }),
      rowOf(1400, 'Cy'),
    ]);
    expect(changing.search('ada', 10).length).toBe(1);
    const changed = changing.apply({
      attendees: [rowOf(1, 'Eve', { purchase: 8 }), rowOf(3, 'Di', { codeId: 2 })],
      gone: [1400, 999_999],
    });
    expect(changed).toEqual(new Set([0, chunkOf(1400), chunkOf(999_999)]));
    expect([changing.size, changing.row(1400), changing.withPurchase(0)]).toEqual([3, undefined, []]);
    expect(changing.withPurchase(7).map(([id]) => id)).toEqual([2]);
    expect(changing.withPurchase(8).map(([id]) => id)).toEqual([1]);
    expect(changing.withCode(2).map(([id]) => id)).toEqual([2, 3]);
    expect([changing.search('ada', 10).length, changing.search('eve', 10).length]).toEqual([0, 1]);
    const rows = [...changing.rows].reverse();
    expect(changing.digest()).toBe(digestText(rows.reduce((sum, row) => digestWith(sum, row), EMPTY_DIGEST)));
  });
});
