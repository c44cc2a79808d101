/** What an order may be, and what it may become. */

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

/** Statuses somebody may give to an order; it is `created` only while it is made. */
export const GIVEN_STATUSES = ORDER_STATUSES.filter((status) => status !== 'created');

const FINAL: ReadonlySet<string> = new Set(['denied', 'refunded', 'reversed', 'voided']);

/** Whether an order may change. A refund may be said twice: whoever tells us may not know that we know. */
export function mayBecome(from: string, to: string): boolean {
  if (from === to) return from === 'refunded';
  return !FINAL.has(from);
}

/** What an order may become now. */
export const nextStatuses = (from: string): OrderStatus[] =>
  GIVEN_STATUSES.filter((to) => to !== from && mayBecome(from, to));
