/** The statuses of orders, and the transitions between them. */

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

/** The statuses that callers may set; an order is `created` only while it is being created. */
export const GIVEN_STATUSES = ORDER_STATUSES.filter((status) => status !== 'created');

/**
 * The status of attendees whose places were cancelled one by one. It is that of a voided order, which has no status
 * after it, so that attendees of any other order have it for this reason only.
 */
export const CANCELLED_PLACE = 'voided' satisfies OrderStatus;

const FINAL: ReadonlySet<string> = new Set(['denied', 'refunded', 'reversed', 'voided']);

/** Whether an order may change its status. Refund notifications may arrive twice. */
export function mayBecome(from: string, to: string): boolean {
  if (from === to) return from === 'refunded';
  return !FINAL.has(from);
}

/** The statuses that an order may get next. */
export const nextStatuses = (from: string): OrderStatus[] =>
  GIVEN_STATUSES.filter((to) => to !== from && mayBecome(from, to));
