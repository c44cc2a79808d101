import type { Cancellation } from '../../config.ts';
import type { RequestContext } from '../../http/endpoint.ts';
import { ApiError } from '../../http/errors.ts';
import { addSeconds, type LocalTime, toUtc } from '../../lib/dates.ts';
import type { MessageKey } from '../../lib/i18n.ts';
import type { Order } from './store.ts';

/** When the site lets buyers cancel completed orders; not to be called inside a transaction. */
export const findCancellationRule = async ({ context }: Pick<RequestContext, 'context'>): Promise<Cancellation> =>
  context.config.cancellation;

/** Why a buyer may not cancel an order; as `reason` in the answer. */
type CancellationRefusal = 'status' | 'rule' | 'not-free' | 'too-late' | 'checked-in';

const MESSAGES: Readonly<Record<CancellationRefusal, MessageKey>> = {
  status: 'cancel.status',
  rule: 'cancel.rule',
  'not-free': 'cancel.not_free',
  'too-late': 'cancel.too_late',
  'checked-in': 'cancel.checked_in',
};

export const cancellationRefused = (reason: CancellationRefusal): ApiError =>
  new ApiError('order-not-cancellable', { data: { reason }, message: MESSAGES[reason] });

interface Cancelled {
  order: Pick<Order, 'status' | 'total'>;
  /** When the first of its events begins, UTC; undefined if none is left. */
  begins: LocalTime | undefined;
  isAnybodyIn: boolean;
}

/**
 * Why a buyer may not cancel an order now; undefined if the buyer may. Unpaid orders may always be cancelled, completed
 * ones by the rule of the site, others never.
 */
export function cancellationRefusal(
  { order, begins = '9999', isAnybodyIn }: Cancelled,
  rule: Cancellation,
  now: Date,
): CancellationRefusal | undefined {
  if (order.status === 'pending') return undefined;
  if (order.status !== 'completed') return 'status';
  if (isAnybodyIn) return 'checked-in';
  if (rule === 'never') return 'rule';
  if (rule === 'free' && order.total > 0) return 'not-free';
  const hours = rule === 'free' ? 0 : rule.hoursBefore;
  return addSeconds(toUtc(now), hours * 3600) < begins ? undefined : 'too-late';
}
