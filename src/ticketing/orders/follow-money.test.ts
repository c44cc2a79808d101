import { describe, expect, it } from 'vitest';
import { consequenceOf } from './follow-money.ts';

const TOTAL = 2000;
const NONE = { settled: 0, arrived: 0, kept: 0, isLost: false, isProcessing: false, needsAction: false };
const PAID = { ...NONE, settled: TOTAL, arrived: TOTAL };
const nothing = { refund: 0, reason: '' };

describe('an order whose money changes', () => {
  it.each([
    ['is completed when its total is settled', 'pending', PAID, { ...nothing, to: 'completed' }],
    ['is completed after a debit', 'approved', PAID, { ...nothing, to: 'completed' }],
    ['waits for the rest of a part', 'pending', { ...NONE, settled: 500, arrived: 500 }, nothing],
    [
      'is completed by a second part, and gives the surplus back',
      'action-req',
      { ...NONE, settled: 2300, arrived: 800 },
      { to: 'completed', refund: 300, reason: 'surplus' },
    ],
    [
      'gives a second payment back',
      'completed',
      { ...NONE, settled: 4000, arrived: TOTAL },
      { refund: TOTAL, reason: 'surplus' },
    ],
    [
      'is approved while a debit is on its way',
      'pending',
      { ...NONE, isProcessing: true },
      { ...nothing, to: 'approved' },
    ],
    ['needs an action', 'pending', { ...NONE, needsAction: true }, { ...nothing, to: 'action-req' }],
    ['waits again after a debit was refused', 'approved', NONE, { ...nothing, to: 'pending' }],
    ['stays pending after a declined card', 'pending', NONE, nothing],
    [
      'is reversed when the bank takes the money back',
      'completed',
      { ...NONE, isLost: true },
      { ...nothing, to: 'reversed' },
    ],
    ['stays completed if other money covers it', 'completed', { ...NONE, settled: TOTAL, isLost: true }, nothing],
    ['takes its places again', 'not-completed', PAID, { ...nothing, to: 'completed' }],
    [
      'gives back what is too little',
      'not-completed',
      { ...NONE, settled: 500, arrived: 500 },
      { refund: 500, reason: 'late' },
    ],
    ['gives everything back once it was called off', 'voided', PAID, { refund: TOTAL, reason: 'called-off' }],
    ['gives new money back once it was refunded', 'refunded', PAID, { refund: TOTAL, reason: 'called-off' }],
    ['keeps what staff keep on purpose', 'voided', { ...PAID, kept: 1500 }, { refund: 500, reason: 'called-off' }],
    ['keeps all that staff keep on purpose', 'refunded', { ...PAID, kept: TOTAL }, nothing],
    ['stays as it is while nothing arrives', 'not-completed', { ...NONE, settled: TOTAL }, nothing],
  ] as const)('%s (%s)', (_title, status, money, consequence) => {
    expect(consequenceOf({ status, total: TOTAL }, money, { late: 'retake', canRetake: true })).toEqual(consequence);
  });

  it.each([
    ['retake', false, { refund: TOTAL, reason: 'late' }],
    ['refund', true, { refund: TOTAL, reason: 'late' }],
    ['ask', true, nothing],
  ] as const)('that comes late is handled by the setting %s', (late, canRetake, consequence) => {
    expect(consequenceOf({ status: 'not-completed', total: TOTAL }, PAID, { late, canRetake })).toEqual(consequence);
  });
});
