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

/** Next statuses of an order, split into common and other ones. A refund is an action of its own. */
export function statusActions({
  status,
  next,
  paid,
}: Pick<FullOrder, 'status' | 'next'> & { paid: { minor: number } }): Record<'usual' | 'others', OrderStatusName[]> {
  const likely = USUAL[status] ?? USUAL_ELSE;
  const offered = next.filter((one) => one !== 'refunded' || paid.minor === 0);
  return {
    usual: likely.filter((one) => offered.includes(one)),
    others: offered.filter((one) => !likely.includes(one)),
  };
}
