import type { CancellationRule } from '../../db/site-settings.ts';

const HOUR = 3_600_000;

interface BookedOrder {
  /** Start of its first event. */
  starts: Date;
  /** Whether the order is free of charge. */
  isFree: boolean;
}

/**
 * Deadline for customers to cancel an order themselves; undefined if they never may. `never`; `free`: free orders,
 * until the event starts; `until`: all orders, up to some hours before. Pending orders have no rule.
 */
export function cancellableUntil(rule: CancellationRule, { starts, isFree }: BookedOrder): Date | undefined {
  if (rule.rule === 'until') return new Date(starts.getTime() - rule.hours_before * HOUR);
  return rule.rule === 'free' && isFree ? starts : undefined;
}

/** Whether the rule of the site lets customers cancel an order now. */
export function mayCancel(rule: CancellationRule, order: BookedOrder, now: Date): boolean {
  const until = cancellableUntil(rule, order);
  return until !== undefined && now < until;
}
