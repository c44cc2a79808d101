import type { FullOrder } from '../../../../packages/client/src/marquee-client.ts';

export type OrderStatusName = FullOrder['next'][number];

/** Final statuses. */
const FINAL: ReadonlySet<string> = new Set(['denied', 'refunded', 'reversed', 'voided']);

/** Whether a status is final, so that reaching it cannot be undone. */
export const isFinal = (status: string): boolean => FINAL.has(status);

/** Most common next statuses, the most likely first. */
const USUAL: Readonly<Record<string, readonly OrderStatusName[]>> = {
  completed: ['refunded', 'voided'],
  'not-completed': ['completed', 'pending'],
};
const USUAL_ELSE: readonly OrderStatusName[] = ['completed', 'not-completed', 'voided'];

/** Next statuses of an order, split into common and other ones. */
export function statusActions({
  status,
  next,
}: Pick<FullOrder, 'status' | 'next'>): Record<'usual' | 'others', OrderStatusName[]> {
  const likely = USUAL[status] ?? USUAL_ELSE;
  return {
    usual: likely.filter((one) => next.includes(one)),
    others: next.filter((one) => !likely.includes(one)),
  };
}
