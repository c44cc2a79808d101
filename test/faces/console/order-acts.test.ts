import { expect, it } from 'vitest';
import { actsOf, isFinal } from '../../../apps/console/features/orders/acts.ts';
import { nextStatuses, ORDER_STATUSES } from '../../../src/ticketing/orders/statuses.ts';

it.each(ORDER_STATUSES)('every status after %s is offered once', (status) => {
  const next = nextStatuses(status);
  const { usual, others } = actsOf({ status, next });
  expect([...usual, ...others].sort()).toEqual([...next].sort());
  expect(isFinal(status)).toBe(next.length === 0);
});
