import { expect, it } from 'vitest';
import { readCostInput, renderCost } from './cost.ts';
import { localCost } from './local-cost.ts';

const FREE = { en: 'Free', fr: 'Gratuit', de: 'Kostenlos' };
const shown = (sent: unknown, language: keyof typeof FREE, { currency = 'USD', symbol = '$' } = {}) => {
  const cost = readCostInput(sent, 'update') ?? { values: [], symbol: '', position: '' as const };
  const rendered = renderCost(cost, { format: () => ({ symbol, position: 'prefix' }) });
  const text = localCost(rendered, { language, free: FREE[language], currency, symbol });
  // As typed, without the spaces that do not break.
  return text.replace(/[\u00a0\u202f]/g, ' ');
};

it.each([
  [18, '$18.00', '18,00 $', '18,00 $'],
  ['$240', '$240.00', '240,00 $', '240,00 $'],
  ['8 $', '$8.00', '8,00 $', '8,00 $'],
  ['5.00 - 12', '$5.00 – $12.00', '5,00 $ – 12,00 $', '5,00 $ – 12,00 $'],
  ['0 - 30', 'Free – $30.00', 'Gratuit – 30,00 $', 'Kostenlos – 30,00 $'],
  [0, 'Free', 'Gratuit', 'Kostenlos'],
  ['1234.5', '$1,234.50', '1 234,50 $', '1.234,50 $'],
  ['€20', '€20', '20 €', '20 €'],
  ['CHF 20.50', 'CHF20.50', '20,50 CHF', '20,50 CHF'],
])('writes the cost %j in the language of the reader', (sent, english, french, german) => {
  expect([shown(sent, 'en'), shown(sent, 'fr'), shown(sent, 'de')]).toEqual([english, french, german]);
});

it.each(['', 'By donation', 'from 20', '20 per person', '5.555'])('leaves the cost %j as it is', (sent) => {
  const rendered = renderCost(readCostInput(sent, 'update') ?? { values: [], symbol: '', position: '' });
  expect(shown(sent, 'fr')).toBe(rendered.cost);
});

it('writes a range of the prices of tickets in a currency without decimals', () => {
  const yen = { language: 'de', free: 'Kostenlos', currency: 'JPY', symbol: '¥' };
  expect(localCost({ cost: '¥1,200 – ¥3,000', values: ['1200', '3000'] }, yen)).toBe('1.200\u00a0¥ – 3.000\u00a0¥');
});
