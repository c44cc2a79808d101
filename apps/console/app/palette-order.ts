import { orderIdOf } from '../../../src/lib/order-number.ts';

interface Answered {
  entries: readonly { path: string }[];
  /** Time of the response. */
  at: number;
}

/** Groups in the order of their responses. A typed order number puts this order first in its group, and its group first. */
export function inOrder<A extends Answered>(answers: readonly A[], typed: string): A[] {
  const id = orderIdOf(typed.trim().replace(/^#/, ''));
  const isTyped = ({ path }: { path: string }) => id !== undefined && path === `/orders/${id}`;
  const rank = ({ entries }: Answered) => (entries.some(isTyped) ? 0 : 1);
  return answers
    .toSorted((one, other) => rank(one) - rank(other) || one.at - other.at)
    .map((one) => ({ ...one, entries: one.entries.toSorted((a, b) => Number(isTyped(b)) - Number(isTyped(a))) }));
}
