import { describe, expect, it } from 'vitest';
import { readNumber, typedNumber } from './typed-number.ts';

describe('a number that users type', () => {
  it.each<[string, string, number, number | null | undefined]>([
    ['en', '12', 2, 1200],
    ['en', ' 12.5 ', 2, 1250],
    ['en', '12.50', 2, 1250],
    ['en', '1,000.50', 2, 100_050],
    ['en', '1,000', 2, 100_000],
    ['en', '1,234,567.89', 2, 123_456_789],
    ['en', '1.234', 3, 1234],
    ['en', '100', 0, 100],
    ['en', '0', 2, 0],
    ['en', '007', 2, 700],
    ['en', '8.875', 3, 8875],
    ['en', '', 2, undefined],
    ['en', ' \u00a0 ', 2, undefined],
    ['en', '12,50', 2, null],
    ['en', '1.000,50', 2, null],
    ['en', '1,00', 2, null],
    ['en', '1,0000', 2, null],
    ['en', '0,100', 2, null],
    ['en', '1000,000', 2, null],
    ['en', ',500', 2, null],
    ['en', '1 000', 2, null],
    ['en', '12.505', 2, null],
    ['en', '12.500', 2, null],
    ['en', '0.5', 0, null],
    ['en', '100.', 0, null],
    ['en', '12.', 2, null],
    ['en', '.5', 2, null],
    ['en', '.', 2, null],
    ['en', '1.2.3', 2, null],
    ['en', '-1', 2, null],
    ['en', '+1', 2, null],
    ['en', '1e3', 2, null],
    ['en', '0x10', 2, null],
    ['en', '0b1', 2, null],
    ['en', '1_000', 2, null],
    ['en', 'Infinity', 2, null],
    ['en', 'NaN', 2, null],
    ['en', '$5', 2, null],
    ['en', '5 %', 3, null],
    ['en', '١٢', 2, null],
    ['en', '1\u202f000', 2, null],
    ['en', '9007199254740991', 0, 9_007_199_254_740_991],
    ['en', '9007199254740992', 0, null],
    ['en', '99999999999999999', 2, null],
    ['de', '1.000,50', 2, 100_050],
    ['de', '1.000', 2, 100_000],
    ['de', '1.000', 3, 1_000_000],
    ['de', '1,000', 3, 1000],
    ['de', '12,5', 2, 1250],
    ['de', '8,875', 3, 8875],
    ['de', '12.50', 2, null],
    ['de', '1,000.50', 2, null],
    ['de', '1,000', 2, null],
    ['de', '1 000,50', 2, null],
    ['fr', '1 000,50', 2, 100_050],
    ['fr', '1\u00a0000,50', 2, 100_050],
    ['fr', '1\u202f000,50', 2, 100_050],
    ['fr', '1\u2009000', 2, 100_000],
    ['fr', '12,5', 2, 1250],
    ['fr', '1  000', 2, null],
    ['fr', '12 50', 2, null],
    ['fr', '12.50', 2, null],
    ['fr', '1.000,50', 2, null],
    ['fr', '1,000.50', 2, null],
  ])('in %s, %j with %i decimals: %s', (language, typed, decimals, number) =>
    expect(readNumber(typed, { language, decimals })).toBe(number),
  );

  it.each(['en', 'de', 'fr'])('in %s is read back from its field', (language) => {
    for (const decimals of [0, 2, 3])
      for (const number of [0, 1, 99, 1250, 100_000, 123_456_789, 100_000_000_000_00]) {
        const notation = { language, decimals };
        expect(readNumber(typedNumber(number, notation), notation)).toBe(number);
        expect(readNumber(typedNumber(number, notation, decimals), notation)).toBe(number);
      }
  });

  it('is shown with the decimals of its currency', () => {
    expect(typedNumber(1250, { language: 'de', decimals: 2 }, 2)).toBe('12,50');
    expect(typedNumber(123_400, { language: 'en', decimals: 2 }, 2)).toBe('1234.00');
    expect(typedNumber(8875, { language: 'fr', decimals: 3 })).toBe('8,875');
    expect(typedNumber(19_000, { language: 'en', decimals: 3 })).toBe('19');
    expect(typedNumber(1250, { language: 'ja', decimals: 0 })).toBe('1250');
    expect(typedNumber(1250, { language: 'ar-EG', decimals: 2 }, 2)).toMatch(/^12.50$/);
  });
});
