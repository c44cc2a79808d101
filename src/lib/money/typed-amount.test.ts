import { expect, it } from 'vitest';
import { typedAmount } from './typed-amount.ts';

const NO_AMOUNTS = ['', ' ', '.', '-1', '+1', '1e3', 'NaN', 'Infinity', '0x10', '5 €', '5 $ $', '$', '١٢', '1.2.3'];

it.each<[string, string, string, number | undefined]>([
  ['USD', 'en', '12', 1200],
  ['USD', 'en', ' 12.5 ', 1250],
  ['USD', 'en', '12.50', 1250],
  ['USD', 'en', '12,50', 1250],
  ['USD', 'en', '12.', 1200],
  ['USD', 'en', ',5', 50],
  ['USD', 'en', '0', 0],
  ['USD', 'en', '1,000', 100_000],
  ['USD', 'en', '1,000.00', 100_000],
  ['USD', 'en', '$12', 1200],
  ['USD', 'en', '$ 1,000.50', 100_050],
  ['USD', 'en', '12 usd', 1200],
  ['USD', 'en', '12.505', undefined],
  ['USD', 'en', '1.000,00', undefined],
  ['EUR', 'de', '12,50', 1250],
  ['EUR', 'de', '12.50', 1250],
  ['EUR', 'de', '1.000', 100_000],
  ['EUR', 'de', '1.000,50 €', 100_050],
  ['EUR', 'de', 'EUR 12,5', 1250],
  ['EUR', 'fr', '1\u202f000,50\u00a0€', 100_050],
  ['EUR', 'fr', '1 000', 100_000],
  ['JPY', 'ja', '1200', 1200],
  ['JPY', 'ja', '1,200', 1200],
  ['JPY', 'ja', '¥1,200', 1200],
  ['JPY', 'ja', '12.0', undefined],
  ['KWD', 'en', '1.250', 1250],
  ['KWD', 'en', '1,25', 1250],
  ['KWD', 'en', '1,250', undefined],
  ['KWD', 'de', '1,250', 1250],
  ['KWD', 'de', '1.250', undefined],
  ['KWD', 'ar-EG', '12.5', 12_500],
  ...[...NO_AMOUNTS, '9'.repeat(30)].map((text): [string, string, string, undefined] => ['USD', 'en', text, undefined]),
])('reads %s in %s from %j: %s', (currency, language, text, minor) => {
  expect(typedAmount(text, { currency, symbol: '', language })).toBe(minor);
});

it.each([
  ['ß', 'ß12', 1200],
  ['Fr.', 'fr. 12.50', 1250],
  ['Fr.', '12.50 CHF', 1250],
])('reads an amount with the symbol %s of a site: %s', (symbol, text, minor) => {
  expect(typedAmount(text, { currency: 'CHF', symbol, language: 'en' })).toBe(minor);
});
