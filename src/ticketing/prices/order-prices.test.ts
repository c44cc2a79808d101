import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalsOf, parsePrice } from '../../lib/money/money.ts';
import { allocate, includedAt, partAt } from '../../lib/money/rates.ts';
import { type Discount, type Fee, type ListedLine, type PriceTerms, priceOrder, type TaxRate } from './order-prices.ts';

const minor = (amount: string, currency: string): number => parsePrice(amount, decimalsOf(currency)) ?? Number.NaN;

const VAT_19: TaxRate = { name: 'VAT', rate: 19_000, included: true };
const VAT_7: TaxRate = { name: 'VAT', rate: 7000, included: true };
const NEW_YORK: TaxRate = { name: 'Sales tax', rate: 8875, included: false };

describe('the tax of an amount, rounded half up', () => {
  it.each<[string, string, number, 'included' | 'added', string]>([
    ['EUR', '119.00', 19_000, 'included', '19.00'],
    ['EUR', '10.00', 19_000, 'included', '1.60'],
    ['EUR', '0.03', 19_000, 'included', '0.00'],
    ['EUR', '0.04', 19_000, 'included', '0.01'],
    ['EUR', '29.90', 19_000, 'included', '4.77'],
    ['EUR', '107.00', 7000, 'included', '7.00'],
    ['EUR', '10.00', 7000, 'included', '0.65'],
    ['EUR', '0.07', 7000, 'included', '0.00'],
    ['EUR', '0.08', 7000, 'included', '0.01'],
    ['EUR', '0.05', 100_000, 'included', '0.03'],
    ['EUR', '12.34', 0, 'included', '0.00'],
    ['EUR', '10.00', 5500, 'included', '0.52'],
    ['EUR', '10.00', 20_000, 'included', '1.67'],
    ['CHF', '25.00', 8100, 'included', '1.87'],
    ['USD', '10.00', 8875, 'added', '0.89'],
    ['USD', '20.00', 8875, 'added', '1.78'],
    ['USD', '30.00', 8875, 'added', '2.66'],
    ['USD', '0.05', 8875, 'added', '0.00'],
    ['USD', '0.06', 8875, 'added', '0.01'],
    ['USD', '4.00', 8875, 'added', '0.36'],
    ['USD', '1.00', 500, 'added', '0.01'],
    ['USD', '0.99', 500, 'added', '0.00'],
    ['CAD', '100.00', 14_975, 'added', '14.98'],
    ['JPY', '1100', 10_000, 'included', '100'],
    ['JPY', '980', 10_000, 'included', '89'],
    ['JPY', '105', 10_000, 'added', '11'],
    ['JPY', '104', 10_000, 'added', '10'],
    ['KRW', '33000', 10_000, 'included', '3000'],
    ['KWD', '1.250', 5000, 'added', '0.063'],
    ['KWD', '1.249', 5000, 'added', '0.062'],
    ['BHD', '11.000', 10_000, 'included', '1.000'],
    ['TND', '0.999', 19_000, 'included', '0.160'],
    ['EUR', '1000000000.00', 19_000, 'included', '159663865.55'],
    ['EUR', '1000000000.00', 8875, 'added', '88750000.00'],
  ])('%s %s at %i, %s: %s', (currency, amount, rate, mode, tax) => {
    const compute = mode === 'included' ? includedAt : partAt;
    expect(compute(minor(amount, currency), rate)).toBe(minor(tax, currency));
  });
});

describe('the division of an amount by largest remainder', () => {
  it.each<[number, number[], number[]]>([
    [10, [1, 1, 1], [4, 3, 3]],
    [11, [1, 1, 1], [4, 4, 3]],
    [500, [3000, 1000], [375, 125]],
    [1, [5, 5], [1, 0]],
    [100, [0, 30, 70], [0, 30, 70]],
    [7, [2, 3, 2], [2, 3, 2]],
    [266, [1000, 1000, 1000], [89, 89, 88]],
    [5, [1, 9], [1, 4]],
    [0, [3, 4], [0, 0]],
    [9, [], []],
  ])('%i by %j: %j', (total, weights, shares) => expect(allocate(total, weights)).toEqual(shares));
});

const line = (quantity: number, price: number, tax?: TaxRate, ticket_id = 1): ListedLine => ({
  ticket_id,
  event_id: ticket_id,
  quantity,
  price,
  tax,
});
const off = (kind: Discount['kind'], value: number, tickets?: number[]): Discount => ({
  kind,
  value,
  appliesTo: ({ ticket_id }) => tickets?.includes(ticket_id) ?? true,
});
const fee = (fields: Partial<Fee>): Fee => ({
  id: 1,
  name: 'Booking fee',
  fixed: 0,
  rate: 0,
  per: 'order',
  event_id: null,
  ...fields,
});

type Places = [quantity: number, price: number, tax: number];
interface Expected {
  places: Places[][];
  /** Amount and tax of each charge. */
  charges?: [number, number][];
  total: number;
}

describe('the prices of an order', () => {
  it.each<[string, ListedLine[], Partial<PriceTerms>, Expected]>([
    [
      'chosen prices of one unit, halved by a code',
      [line(3, 1, VAT_19)],
      { discount: off('percent', 50_000) },
      { places: [[[3, 0, 0]]], total: 0 },
    ],
    [
      'a chosen price of 0, which has no fee, beside one of one unit',
      [line(2, 0, VAT_19), line(1, 1, VAT_19, 2)],
      { fees: [fee({ fixed: 50, per: 'ticket' })] },
      { places: [[[2, 0, 0]], [[1, 1, 0]]], charges: [[50, 0]], total: 51 },
    ],
    [
      'the greatest chosen price for all places of a cart, with an added tax',
      [line(100, 100_000_000, NEW_YORK)],
      {},
      { places: [[[100, 108_875_000, 887_500_000]]], total: 10_887_500_000 },
    ],
    [
      'a donation, which has neither discount, fee nor tax',
      [line(2, 1000, NEW_YORK)],
      {
        discount: off('percent', 50_000),
        fees: [fee({ rate: 10_000 })],
        donation: { amount: 333, title: 'Donation' },
      },
      {
        places: [
          [
            [1, 545, 45],
            [1, 544, 44],
          ],
        ],
        charges: [
          [100, 0],
          [333, 0],
        ],
        total: 1522,
      },
    ],
    [
      'a donation beside free places',
      [line(1, 0, VAT_19)],
      { donation: { amount: 1, title: 'Donation' } },
      { places: [[[1, 0, 0]]], charges: [[1, 0]], total: 1 },
    ],
    ['list prices', [line(2, 1250)], {}, { places: [[[2, 1250, 0]]], total: 2500 }],
    [
      '19 % and 7 % in the prices',
      [line(2, 1000, VAT_19), line(3, 500, VAT_7, 2)],
      {},
      { places: [[[2, 1000, 319]], [[3, 500, 98]]], total: 3500 },
    ],
    [
      'an added tax, computed on the line',
      [line(3, 1000, NEW_YORK)],
      {},
      {
        places: [
          [
            [2, 1089, 178],
            [1, 1088, 88],
          ],
        ],
        total: 3266,
      },
    ],
    [
      'a percentage off each place',
      [line(3, 999)],
      { discount: off('percent', 15_000) },
      { places: [[[3, 849, 0]]], total: 2547 },
    ],
    [
      'an amount off, divided among places',
      [line(3, 1000)],
      { discount: off('amount', 1000) },
      {
        places: [
          [
            [2, 667, 0],
            [1, 666, 0],
          ],
        ],
        total: 2000,
      },
    ],
    [
      'an amount off, in proportion to the prices of the tickets it is for',
      [line(1, 3000), line(1, 1000, undefined, 2), line(1, 5000, undefined, 3)],
      { discount: off('amount', 500, [1, 2]) },
      { places: [[[1, 2625, 0]], [[1, 875, 0]], [[1, 5000, 0]]], total: 8500 },
    ],
    [
      'an amount over the price',
      [line(2, 1000, VAT_19)],
      { discount: off('amount', 5000), fees: [fee({ fixed: 200 })] },
      { places: [[[2, 0, 0]]], total: 0 },
    ],
    [
      'a price instead, except of cheaper tickets',
      [line(2, 1500), line(1, 400, undefined, 2)],
      { discount: off('price', 500) },
      { places: [[[2, 500, 0]], [[1, 400, 0]]], total: 1400 },
    ],
    [
      'all of it off',
      [line(1, 1500)],
      { discount: off('percent', 100_000), fees: [fee({ fixed: 150, per: 'ticket' })] },
      { places: [[[1, 0, 0]]], total: 0 },
    ],
    [
      'a fee on the order with tax in it',
      [line(2, 1000)],
      { fees: [fee({ fixed: 150, tax: VAT_19 })] },
      { places: [[[2, 1000, 0]]], charges: [[150, 24]], total: 2150 },
    ],
    [
      'a fee on each place that costs something',
      [line(2, 1000), line(3, 0, undefined, 2)],
      { fees: [fee({ fixed: 50, rate: 2500, per: 'ticket' })] },
      { places: [[[2, 1000, 0]], [[3, 0, 0]]], charges: [[150, 0]], total: 2150 },
    ],
    [
      'a fee of a rate with an added tax',
      [line(3, 1999, NEW_YORK)],
      { fees: [fee({ rate: 3500, tax: NEW_YORK })] },
      {
        places: [
          [
            [1, 2177, 178],
            [2, 2176, 354],
          ],
        ],
        charges: [[229, 19]],
        total: 6758,
      },
    ],
    [
      'a fee of one event',
      [line(1, 1000), line(1, 2000, undefined, 2)],
      { fees: [fee({ rate: 10_000, event_id: 2 }), fee({ fixed: 99, event_id: 3 })] },
      { places: [[[1, 1000, 0]], [[1, 2000, 0]]], charges: [[200, 0]], total: 3200 },
    ],
  ])('%s', (_name, lines, terms, { places, charges = [], total }) => {
    const priced = priceOrder(lines, { fees: [], ...terms });
    expect(priced.lines.map((one) => one.map(({ quantity, price, tax }) => [quantity, price, tax]))).toEqual(places);
    expect(priced.charges.map(({ amount, tax }) => [amount, tax])).toEqual(charges);
    expect(priced.totals.total).toBe(total);
  });

  it('sums list prices, discount, fees and taxes up', () => {
    const lines = [line(2, 1000, VAT_19), line(1, 1000, VAT_7, 2), line(1, 1000, NEW_YORK, 3)];
    const fees = [fee({ fixed: 119, tax: VAT_19 }), fee({ id: 2, fixed: 100, tax: NEW_YORK })];
    expect(priceOrder(lines, { fees, discount: off('percent', 50_000) }).totals).toEqual({
      items: 4000,
      discount: 2000,
      donation: 0,
      fees: 219,
      taxes: [
        { ...VAT_19, amount: 160 + 19 },
        { ...NEW_YORK, amount: 44 + 9 },
        { ...VAT_7, amount: 33 },
      ],
      total: 4000 - 2000 + 219 + 53,
    });
  });
});

describe('any order', () => {
  const rate = fc.option(
    fc.record({
      name: fc.constantFrom('VAT', 'Sales tax'),
      rate: fc.constantFrom(0, 1, 5500, 7000, 8875, 19_000, 100_000),
      included: fc.boolean(),
    }),
    { nil: undefined },
  );
  const amount = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 1_000_000_000_00 }));
  const lines = fc.array(
    fc
      .record({
        ticket_id: fc.integer({ min: 1, max: 9 }),
        quantity: fc.integer({ min: 1, max: 40 }),
        price: amount,
        tax: rate,
      })
      .map((one): ListedLine => ({ ...one, event_id: one.ticket_id % 3 })),
    { maxLength: 5 },
  );
  const terms = fc.record({
    fees: fc.array(
      fc.record({
        id: fc.constant(1),
        name: fc.constant('Fee'),
        fixed: fc.integer({ min: 0, max: 500 }),
        rate: fc.integer({ min: 0, max: 20_000 }),
        per: fc.constantFrom('order' as const, 'ticket' as const),
        event_id: fc.constantFrom(null, 0, 1),
        tax: rate,
      }),
      { maxLength: 3 },
    ),
    discount: fc.option(
      fc
        .record({
          kind: fc.constantFrom('percent' as const, 'amount' as const, 'price' as const),
          value: fc.integer({ min: 0, max: 100_000 }),
        })
        .map(({ kind, value }) => off(kind, value, [1, 2, 3, 4])),
      { nil: undefined },
    ),
  });
  const sum = (amounts: number[]) => amounts.reduce((all, one) => all + one, 0);

  it('adds up: places and charges to the total, parts of a tax to the tax', () => {
    fc.assert(
      fc.property(lines, terms, (listed, given) => {
        const priced = priceOrder(listed, given);
        const { items, discount, fees, taxes, total } = priced.totals;
        const paid = priced.lines.flat().map(({ quantity, price }) => quantity * price);
        expect(total).toBe(sum([...paid, ...priced.charges.map((charge) => charge.amount)]));
        const added = sum(taxes.filter(({ included }) => !included).map((tax) => tax.amount));
        expect(total).toBe(items - discount + fees + added);
        const parts = [...priced.lines.flat(), ...priced.charges].map(({ tax }) => tax);
        expect(sum(taxes.map((tax) => tax.amount))).toBe(sum(parts));
        expect(priced.lines.flat().every(({ quantity, price, tax }) => quantity * price >= tax && tax >= 0)).toBe(true);
        expect(priced.lines.map((places) => sum(places.map(({ quantity }) => quantity)))).toEqual(
          listed.map(({ quantity }) => quantity),
        );
        expect(discount).toBeGreaterThanOrEqual(0);
        expect(discount).toBeLessThanOrEqual(items);
      }),
    );
  });

  it('has the tax of its whole at each rate, to half a minor unit for each line', () => {
    fc.assert(
      fc.property(lines, (listed) => {
        const priced = priceOrder(listed, { fees: [] });
        for (const tax of priced.totals.taxes) {
          const same = listed.filter(
            (one) => one.tax && JSON.stringify(one.tax) === JSON.stringify({ ...tax, amount: undefined }),
          );
          const whole = sum(same.map(({ price, quantity }) => price * quantity));
          const exact = (whole * tax.rate) / (tax.included ? 100_000 + tax.rate : 100_000);
          expect(Math.abs(tax.amount - exact)).toBeLessThanOrEqual(same.length / 2 + whole * 1e-12);
        }
      }),
    );
  });
});
