import { expect, it } from 'vitest';
import { isFinal, statusActions } from '../../../apps/console/features/orders/status-actions.ts';
import { nextStatuses, ORDER_STATUSES } from '../../../src/ticketing/orders/statuses.ts';

it.each(ORDER_STATUSES)('every status after %s is offered once', (status) => {
  const next = nextStatuses(status);
  const { usual, others } = statusActions({ status, next });
  expect([...usual, ...others].sort()).toEqual([...next].sort());
  expect(isFinal(status)).toBe(next.length === 0);
});
