import { expect, it } from 'vitest';
import { isFinal, statusActions } from '../../../apps/console/features/orders/status-actions.ts';
import { nextStatuses, ORDER_STATUSES } from '../../../src/ticketing/orders/statuses.ts';

it.each(ORDER_STATUSES)('every status after %s is offered once', (status) => {
  const next = nextStatuses(status);
  const { usual, others } = statusActions({ status, next, paid: { minor: 0 } });
  expect([...usual, ...others].sort()).toEqual([...next].sort());
  expect(isFinal(status)).toBe(next.length === 0);
});

it('money that was paid is given back by a refund, not by a status', () => {
  const { usual, others } = statusActions({ status: 'completed', next: nextStatuses('completed'), paid: { minor: 1 } });
  expect([...usual, ...others]).not.toContain('refunded');
  expect(usual).toContain('voided');
});
