import { expect, it } from 'vitest';
import { localMoney } from './money.ts';

it.each([
  [1250, 'EUR', 'en', '€12.50'],
  [1250, 'EUR', 'de', '12,50 €'],
  [123_456, 'CAD', 'fr', '1 234,56 $'],
  [1250, 'JPY', 'en', '¥1,250'],
  [1250, 'KWD', 'en', 'KWD 1.250'],
  [-5, 'USD', 'en', '-$0.05'],
])('writes %i minor units of %s in %s as %s', (amount, currency, language, text) => {
  expect(localMoney({ amount, currency }, language).replaceAll(/\p{Zs}/gu, ' ')).toBe(text);
});
