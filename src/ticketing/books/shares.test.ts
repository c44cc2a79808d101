import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sharesOf } from './shares.ts';

const PLACES = { fee: '', rate: 19_000, gross: 2380, tax: 380 };
const REDUCED = { fee: '', rate: 7000, gross: 1070, tax: 70 };
const FEE = { fee: 'Booking', rate: 19_000, gross: 119, tax: 19 };

it.each([
  [
    'the whole order',
    3569,
    [PLACES, REDUCED, FEE],
    [
      [2380, 380],
      [1070, 70],
      [119, 19],
    ],
  ],
  [
    'a third of it',
    1190,
    [PLACES, REDUCED, FEE],
    [
      [793, 127],
      [357, 23],
      [40, 6],
    ],
  ],
  ['lines of one rate together', 4760, [PLACES, PLACES], [[4760, 760]]],
  [
    'nothing',
    0,
    [PLACES, FEE],
    [
      [0, 0],
      [0, 0],
    ],
  ],
  ['money without lines', 500, [], [[500, 0]]],
  ['lines that cost nothing', 500, [{ ...PLACES, gross: 0, tax: 0 }], [[500, 0]]],
  ['a discount at the rate of the places', 1880, [PLACES, { ...PLACES, gross: -500, tax: -80 }], [[1880, 300]]],
])('%s is divided by rate and fee', (_, amount, lines, shares) => {
  expect(sharesOf(amount, lines).map(({ gross, tax }) => [gross, tax])).toEqual(shares);
});

it('the shares always add up to the amount', () => {
  const line = fc.record({
    fee: fc.constantFrom('', 'A', 'B'),
    rate: fc.constantFrom(0, 7000, 19_000),
    gross: fc.integer({ min: -500, max: 1_000_000 }),
    tax: fc.nat(1000),
  });
  fc.assert(
    fc.property(fc.nat(1_000_000), fc.array(line, { maxLength: 8 }), (amount, lines) => {
      expect(sharesOf(amount, lines).reduce((sum, { gross }) => sum + gross, 0)).toBe(amount);
    }),
  );
});
