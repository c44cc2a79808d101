/** Statuses of orders, and the transitions between them. */

export const ORDER_STATUSES = [
  'created',
  'pending',
  'action-req',
  'approved',
  'completed',
  'denied',
  'not-completed',
  'refunded',
  'reversed',
  'voided',
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];

/** Statuses that requests may set; an order is `created` only during its creation. */
export const GIVEN_STATUSES = ORDER_STATUSES.filter((status) => status !== 'created');

/**
 * Status of attendees whose seats were cancelled individually. It equals the status of a voided order, which is final,
 * so that attendees of any other order have it for this reason only.
 */
export const CANCELLED_SEAT = 'voided' satisfies OrderStatus;

const UNPAID: ReadonlySet<string> = new Set(['pending', 'action-req', 'approved']);

/** Whether an order waits for its payment. */
export const isUnpaid = (status: string): boolean => UNPAID.has(status);

const FINAL: ReadonlySet<string> = new Set(['denied', 'refunded', 'reversed', 'voided']);

/** Whether an order may change its status. Refund notifications may arrive twice. */
export function mayBecome(from: string, to: string): boolean {
  if (from === to) return from === 'refunded';
  return !FINAL.has(from);
}

/** Possible next statuses of an order. */
export const nextStatuses = (from: string): OrderStatus[] =>
  GIVEN_STATUSES.filter((to) => to !== from && mayBecome(from, to));
