import type { FullOrder } from '../../../../packages/client/src/marquee-client.ts';

export type OrderStatusName = FullOrder['next'][number];

/** Statuses without one after them. */
const FINAL: ReadonlySet<string> = new Set(['denied', 'refunded', 'reversed', 'voided']);

/** Whether an order stays in a status for good, so that the act has no undo. */
export const isFinal = (status: string): boolean => FINAL.has(status);

/** What is done most from each status, the likeliest first. */
const USUAL: Readonly<Record<string, readonly OrderStatusName[]>> = {
  completed: ['refunded', 'voided'],
  'not-completed': ['completed', 'pending'],
};
const USUAL_ELSE: readonly OrderStatusName[] = ['completed', 'not-completed', 'voided'];

/** The next statuses of an order, apart by how usual they are. */
export function actsOf({
  status,
  next,
}: Pick<FullOrder, 'status' | 'next'>): Record<'usual' | 'others', OrderStatusName[]> {
  const likely = USUAL[status] ?? USUAL_ELSE;
  return {
    usual: likely.filter((one) => next.includes(one)),
    others: next.filter((one) => !likely.includes(one)),
  };
}
