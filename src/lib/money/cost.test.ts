import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unicodeString } from '../../../test/unicode.ts';
import { readCostInput, renderCost } from './cost.ts';

const shown = (value: unknown, mode: 'create' | 'update' = 'create') => {
  const cost = readCostInput(value, mode);
  if (cost === undefined) return undefined;
  const rendered = renderCost(cost);
  return [rendered.cost, cost.symbol, cost.position, rendered.values];
};

describe('as in the reference', () => {
  it.each<[unknown, string, string, string, string[]]>([
    ['20$', '20$', '$', 'postfix', ['20']],
    ['$20', '$20', '$', 'prefix', ['20']],
    ['20', '$20', '', '', ['20']],
    [20, '$20', '', '', ['20']],
    [20.5, '$20.5', '', '', ['20.5']],
    ['$20.50', '$20.50', '$', 'prefix', ['20.50']],
    ['25,55', '$25,55', '', '', ['25.55']],
    ['Free', 'Free', '', '', ['free']],
    ['abc', 'abc', '', '', ['abc']],
    [0, '', '', '', []],
    ['0', '', '', '', []],
    ['', '', '', '', []],
    [[], '', '', '', []],
    [null, '', '', '', []],
    ['0$', 'Free', '$', 'postfix', ['0']],
    [['0$', '20$', '30$'], 'Free – 30$', '$', 'postfix', ['0', '20', '30']],
    [['10', '20'], '$10 – $20', '', '', ['10', '20']],
    ['10-20', '$10 – $20', '', '', ['10', '20']],
    ['$10 - $20', '$10 – $20', '', '', ['10', '20']],
    ['USD 20', 'USD20', 'USD', 'prefix', ['20']],
    ['GBP 8', 'GBP8', 'GBP', 'prefix', ['8']],
    ['100 EUR', '100EUR', 'EUR', 'postfix', ['100']],
    ['€30', '€30', '€', 'prefix', ['30']],
    [true, '$1', '', '', ['1']],
    ['-5', '-5', '-', 'prefix', ['5']],
    [['5', '10', '7.5'], '$5 – $10', '', '', ['5', '7.5', '10']],
    [['0', '25'], 'Free – $25', '', '', ['0', '25']],
    [['23', '12', '0'], 'Free – $23', '', '', ['0', '12', '23']],
  ])('%j -> %s', (value, ...expected) => expect(shown(value)).toEqual(expected));

  it.each<[unknown, string, string[]]>([
    ['0', 'Free', ['0']],
    [0, 'Free', ['0']],
    ['', '', []],
    [null, '', []],
    [[], '', []],
    ['55', '$55', ['55']],
  ])('update with %j -> %s', (value, cost, values) => {
    const result = shown(value, 'update');
    expect([result?.[0], result?.[3]]).toEqual([cost, values]);
  });
});

describe('with the symbol that all amounts carry, which is not recorded', () => {
  it.each<[unknown, string, string[]]>([
    ['20,50 €', '20,50 €', ['20.50']],
    ['20,50€', '20,50€', ['20.50']],
    ['20,50\u00a0€', '20,50\u00a0€', ['20.50']],
    ['€ 20,50', '€ 20,50', ['20.50']],
    ['100,50 EUR', '100,50EUR', ['100.50']],
    ['€6.50 - €8.50', '€6.50 – €8.50', ['6.50', '8.50']],
    ['€6.50-€8.50', '€6.50 – €8.50', ['6.50', '8.50']],
    ['€8.50 to €6.50', '€6.50 – €8.50', ['6.50', '8.50']],
    ['6,50 € – 8,50 €', '6,50 € – 8,50 €', ['6.50', '8.50']],
    ['10€/20€', '10€ – 20€', ['10', '20']],
    ['(US$10—US$20)', 'US$10 – US$20', ['10', '20']],
    ['GBP 8 - GBP 10', 'GBP8 – GBP10', ['8', '10']],
    ['100 EUR - 200 EUR', '100EUR – 200EUR', ['100', '200']],
    ['100 kr - 200 kr', '100 kr – 200 kr', ['100', '200']],
    ['10 zł; 20 zł', '10 zł – 20 zł', ['10', '20']],
    ['€10 per adult, €5 per child', '€5 – €10', ['5', '10']],
    ['€0 - €10', 'Free – €10', ['0', '10']],
    ['€1,000 - €2,500', '€1000 – €2500', ['1000', '2500']],
    [['€6.50 - €8.50', 'Free'], '€6.50 – €8.50', ['free', '6.50', '8.50']],
    [['€6.50 - €8.50', '€10'], '€6.50 – €10', ['6.50', '8.50', '10']],
    ['€6.50 - 8.50', '$6.50 – $8.50', ['6.50', '8.50']],
    ['6 - 8 €', '$6 – $8', ['6', '8']],
    ['€6 - £8', '$6 – $8', ['6', '8']],
    ['€6 - 8€', '$6 – $8', ['6', '8']],
    ['10 to 20 to 30', '$10 – $30', ['10', '20', '30']],
    ['age 6 - age 8', '$6 – $8', ['6', '8']],
  ])('%j -> %s', (value, cost, values) => expect(shown(value)).toEqual([cost, '', '', values]));
});

describe('where the reference misreads', () => {
  it.each<[unknown, string, string[]]>([
    ['5,50 7,50', '$5,50 – $7,50', ['5.50', '7.50']],
    ['1,000.50', '$1000.50', ['1000.50']],
    ['€1,000', '€1000', ['1000']],
    ['$1,000 - $2,500,000', '$1000 – $2500000', ['1000', '2500000']],
    ['100,000', '$100000', ['100000']],
    ['1.000,50', '$1000,50', ['1000.50']],
    ['1.250', '$1.250', ['1.250']],
    ['1 000 €', '1000 €', ['1000']],
    ["1'000'000", '$1000000', ['1000000']],
    ['10 100 1000', '$10 – $1000', ['10', '100', '1000']],
    ['10,20,30', '$10 – $30', ['10', '20', '30']],
    ['0$,20$,30$', 'Free – 30$', ['0', '20', '30']],
    ['Rs.500', 'Rs.500', ['500']],
    ['.50', '$.50', ['.50']],
    [',50', '$,50', ['.50']],
    ['.50,5', '$.50 – $5', ['.50', '5']],
    ['２０００円', '2000円', ['2000']],
    ['②', '②', ['②']],
    ['from 20', 'from 20', ['20']],
    ['20 € per person', '20 € per person', ['20']],
    ['20€ per person', '20€ per person', ['20']],
    ['20 per person', '20 per person', ['20']],
    ['$20 USD', '$20', ['20']],
    ['20.00', '$20.00', ['20.00']],
    [['20', '20.00'], '$20', ['20']],
    ['0.00', 'Free', ['0']],
    [['Free', '20€'], '20€', ['free', '20']],
    [['Adults only', 'Members'], 'Adults only, Members', ['adults-only', 'members']],
    ['?', '?', ['?']],
    [1e21, '$1000000000000000000000', ['1000000000000000000000']],
    [1e-7, '$0.0000001', ['0.0000001']],
    [-5, '-5', ['5']],
    [{ a: '1', b: 2 }, '$1 – $2', ['1', '2']],
    [[null, '', false, ' '], '', []],
    ['<b>20</b> & more', '20 &amp; more', ['20']],
    ['<20 "', '$20', ['20']],
    ['"R&D" <', '&quot;R&amp;D&quot; &lt;', ['rd']],
  ])('%j -> %s', (value, cost, values) => {
    const result = shown(value);
    expect([result?.[0], result?.[3]]).toEqual([cost, values]);
  });
});

it.each<[unknown]>([
  [[['1']]],
  [[{ a: 1 }]],
  [{ a: ['1'] }],
  [Number.NaN],
  [Number.POSITIVE_INFINITY],
  [[Number.NaN]],
  [1e200],
  ['1'.repeat(101)],
  [['x'.repeat(101)]],
  [Array.from({ length: 101 }, () => '1')],
  [new Date(0)],
  [() => 1],
])('refuses %j', (value) => expect(readCostInput(value, 'create')).toBeUndefined());

it('uses the settings of the site and the words of the language', () => {
  const cost = { values: ['0', '20'], symbol: '', position: '' } as const;
  const rendered = renderCost(
    { ...cost, values: [...cost.values] },
    { format: () => ({ symbol: '€', position: 'postfix' }), free: 'Gratuit' },
  );
  expect(rendered.cost).toBe('Gratuit – 20\u00a0€');
});

describe('any input', () => {
  const priceText = fc
    .array(
      fc.oneof(
        fc.constantFrom('$', '€', ',', '.', ' ', '-', '0', '1', '20', '000', '<', '&', '"'),
        unicodeString({ maxLength: 3 }),
      ),
    )
    .map((parts) => parts.join(''));

  it('never throws; values are distinct and ascending; the text is escaped', () => {
    fc.assert(
      fc.property(
        fc.oneof(priceText, fc.array(priceText), fc.anything()),
        fc.constantFrom('create', 'update'),
        (value, mode) => {
          const cost = readCostInput(value, mode);
          if (cost === undefined) return;
          const rendered = renderCost(cost);
          const numbers = rendered.values.filter((text) => /^\.?\d+(?:\.\d+)?$/.test(text)).map(Number);
          expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
          expect(new Set(rendered.values).size).toBe(rendered.values.length);
          expect(rendered.cost).not.toMatch(/[<>"']|&(?!(?:amp|lt|gt|quot|#39);)/);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('reads numbers as their texts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (cents) => {
        expect(shown(cents / 100)).toEqual(shown(String(cents / 100)));
      }),
    );
  });
});

it.each(['0', '0,0', '$0', 'Free', ''])('asks for no format of the cost %j', (cost) => {
  const read = readCostInput(cost, 'update');
  const format = () => {
    throw new Error('a format was made');
  };
  expect(() => renderCost(read ?? { values: [], symbol: '', position: '' }, { format })).not.toThrow();
});
